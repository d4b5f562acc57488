# Libraries of numbers are large, start threads and wait for them at exit: neither the program nor what it puts into programs
# of users is linked with them. Who decomposes loads one.
for file in "$WARPSCAPE" "$(dirname "$WARPSCAPE")"/lib/*; do
    ldd "$file" 2>/dev/null | grep -oE 'lib(gsl|lapack|openblas|blas|gfortran|quadmath)[a-z]*\.so' | sed "s|^|$(basename "$file"): |"
done
printf 'program,a,b\nx,1,2\ny,2,1\nz,4,5\n' > frame.csv
LD_DEBUG=files "$WARPSCAPE" pca frame.csv 2>&1 >/dev/null | grep -cE 'lib(openblas|lapack)\.so.*generating link map'
