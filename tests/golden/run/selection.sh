# Launches that are not selected run and are listed; metrics are those of the selected ones.
app=$(dirname "$WARPSCAPE")/programs/app
"$WARPSCAPE" run --kernels 'empty<int>' "$app" work 2 1 empty work 1 1 2>&1
"$WARPSCAPE" run --name numbers --launches 2-3,5- "$app" work 6 1 2>&1
"$WARPSCAPE" run --name both -k '^_Z4work' -l -3 "$app" empty work 6 1 2>&1
"$WARPSCAPE" launches | cut -d, -f1-3,17-
"$WARPSCAPE" metrics --set study --per kernel | grep -v "^#" | cut -d, -f1-4
"$WARPSCAPE" metrics --set study | grep '^# selected'
