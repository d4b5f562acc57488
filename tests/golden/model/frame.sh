# The whole frame of one workload; which launches have no profile.
"$WARPSCAPE" suite run --scale tiny MM 2>log
"$WARPSCAPE" suite run --scale tiny --profile SLA 2>log
"$WARPSCAPE" model coherence --protocol gtsc-rc --config gtsc
