# The scripts, data and drawing, as bytes: a bar a row, stacked; a bar a column.
$WARPSCAPE plot bars "$GOLDEN/stack.csv" -o figure.gp && cat figure.gp
printf 'name,up,down\nA,1,-0.5\n"it\'"'"'s B",NA,2\n' | $WARPSCAPE plot bars - --width 400 --title T -o figure.gp &&
    cat figure.gp
printf 'name,up,up_low,up_high,down\nA,1,0.5,1.4,-0.5\nB,NA,1,2,2\n' | $WARPSCAPE plot bars - -o figure.gp &&
    grep -E -A3 'whiskers' figure.gp
# Labels that are the same in all rows do not name bars; a column alone names the axis.
printf '# labels: 3\nsupply,workload,policy,up\nmean,mean,a,1\nmean,mean,b,2\n' |
    $WARPSCAPE plot bars - -o figure.gp && grep -E '^ws_(bar_name.*|axis|cluster_name.*) = ' figure.gp
