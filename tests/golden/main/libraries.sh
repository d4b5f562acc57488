# The program has LAPACKE and OpenBLAS in it and loads neither: as shared libraries they start threads and wait for them
# at exit. What goes into programs of users has none of them.
for file in "$WARPSCAPE" "$(dirname "$WARPSCAPE")"/lib/*; do
    ldd "$file" 2>/dev/null | grep -oE 'lib(gsl|lapack|openblas|blas|gfortran|quadmath)[a-z]*\.so' |
        sed "s|^|$(basename "$file"): |"
    for name in LAPACKE_dgesdd gotoblas _gfortran; do
        ! grep -q "$name" "$file" || echo "$(basename "$file"): $name"
    done
done
