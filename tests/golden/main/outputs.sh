# What is written at the end of long work is looked at before it begins: a file in a folder that is not there, or a
# folder itself, ends each command at once, also where its input could not be read.
mkdir folder
touch -- absent.wst
for place in nowhere/x.csv folder; do
    for command in 'sim --checkpoint' 'sim --traffic' 'sim --loads' 'sim --activity' 'sim --power' 'replay --activity' \
        'model coherence --activity' \
        'model chameleon --timeline' 'model chameleon --learning' 'model chiplets --save' 'explore gtsc -o' \
        'sample -o' 'sample --figure' 'plot scree -o' \
        'cluster --tree' 'cluster --assign' 'cluster --quality' 'cluster --choice' 'pca --loadings' \
        'pca --eigenvalues' 'stability --cuts'; do
        # shellcheck disable=SC2086
        said=$("$WARPSCAPE" $command $place absent.wst 2>&1)
        status=$?
        [[ $status -eq 1 && $said == "warpscape ${command%% *}"*": cannot write $place: "* ]] ||
            echo "$command $place: status $status: $said"
    done
done
"$WARPSCAPE" sim --checkpoint nowhere/x absent.wst
ls
