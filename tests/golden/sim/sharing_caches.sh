# Caches that know who shares, and caches that turn off: what they report, of a training step on small caches; columns
# that others do not have; what is refused.
run() { # COLUMNS NAME [OPTION...]: sums of these columns
    local columns=$1 name=$2
    shift 2
    "$WARPSCAPE" sim --suite BP --config fermi -s chip.sms=4 -s memory.channels=2 -s l1.allocate=fill -s l1.sets=4 \
        -s l1.ways=4 -s l2.sets=16 -s l2.ways=4 "$@" 2>/dev/null |
        awk -F, -v name="$name" -v columns="$columns" '/^#/ { next }
            !n++ { for (i = 1; i <= NF; i++) at[$i] = i; k = split(columns, c, " "); next }
            { for (i = 1; i <= k; i++) if (c[i] in at) sum[i] += $at[c[i]] }
            END { printf "%s:", name; for (i = 1; i <= k; i++) printf " %s", c[i] in at ? sum[i] : "none"; print "" }'
}
both='-s l1.replacement=sharing-l1 -s l2.replacement=sharing-l2'
run 'l1_bypassed l2_bypassed l1_left_private l1_left_shared l1_left_dead l2_left_private l2_left_shared l2_made_shared l1_off l1_protected_warps' lru
run 'l1_bypassed l2_bypassed l1_left_private l1_left_shared l1_left_dead l2_left_private l2_left_shared l2_made_shared l1_off l1_protected_warps' sharing $both
run 'l1_bypassed l1_left_shared l2_made_shared' 'no shared block in L1' $both -s l1.fill=0
run 'l1_left_dead' 'never dead' $both -s l1.spare=255
run 'l2_made_shared' 'by 32 bytes' $both -s 'l2.unit=32 bytes'
run 'l1_bypassed l2_bypassed l1_off l2_off l1_left_private' streaming -s l1.replacement=streaming \
    -s l2.replacement=streaming -s 'l1.period=64 loads' -s 'l2.period=256 loads' -s 'l1.threshold=50 percent' \
    -s 'l2.threshold=40 percent'
refuse() {
    "$WARPSCAPE" sim --suite BP --config fermi "$@"
}
refuse -s l1.replacement=sharing-l2
refuse -s l2.replacement=sharing-l1
refuse -s l1.replacement=sharing-l1 -s l1.allocate=fill
refuse $both
refuse $both -s l1.allocate=fill -s 'l2.unit=48 bytes'
refuse -s l1.fill=0
refuse -s 'l1.period=64 loads'
# Groups of CTAs: without a scheduler that has them, and sizes that are none.
refuse -s cta.chunk=8
refuse -s chip.cta_scheduler=chunked -s cta.chunk=row
refuse -s chip.cta_scheduler=chunked -s cta.chunk=-1
refuse -s chip.cta_scheduler=chunked -s cta.balance=2
refuse -s chip.cta_scheduler=chunked -s cta.cap=3
"$WARPSCAPE" sim --options $both -s l1.allocate=fill -p none | grep -E '^l[12]\.(fill|spare|unit),'
