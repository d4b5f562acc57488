#!/usr/bin/env bash
# Makes the PTX of spots.cu, with its faults and mended, without the paths of this machine: files have their last names.
# usage: make_ptx.sh FOLDER    (writes FOLDER/spots.ptx and FOLDER/mended.ptx; NVCC is the compiler)
set -eu
source=$(dirname "$0")/spots.cu
for name in spots mended; do
    macro=
    [ $name = spots ] || macro=-DMENDED
    "${NVCC:-nvcc}" -std=c++17 -lineinfo $macro -ptx -arch=compute_75 -o "$1/$name.ptx" "$source"
    sed -i '/^[ \t]*\.file/s|"/.*/|"|' "$1/$name.ptx"
done
