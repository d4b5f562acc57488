#!/usr/bin/env bash
# Measures the claims of G-TSC (Tabbakh, Qian, Annavaram, 2018) on the cycle simulator: `warpscape sweep` runs
# data/plans/coherence.ini, `warpscape claims` judges by data/claims/coherence.ini, puts the table into
# docs/reproduction.md, section Coherence, and draws the figures of that section. With scale small also the table of
# larger inputs (some ten minutes; tiny: one).
# usage: reproduce_coherence.sh PROGRAM [tiny|small]
# shellcheck source=tests/studies/reproduction_frame.sh
. "$(dirname "$0")/reproduction_frame.sh"
begin_short_study coherence "$@"
only=(--only scale=tiny) part=(--table claims --figures)
[ "${2:-tiny}" = tiny ] || only=() part=()

logged "$dir/log" "$program" sweep data/plans/coherence.ini -o "$dir/sweep" ${only[@]+"${only[@]}"}
"$program" claims "$dir/sweep" data/claims/coherence.ini ${part[@]+"${part[@]}"} --page docs/reproduction.md
