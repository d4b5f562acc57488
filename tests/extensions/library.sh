# A function of the C library: docs/adding.md.
change tests/unit/test_library.c \
    's/^    assert_true\(\*warpscape_version\(\) != .*/&\n    assert_int_equal(warpscape_toy(1), 2);/'
fails 'warpscape_toy' unit library
change library/warpscape.h \
    's/^WARPSCAPE_API const char \*warpscape_version\(void\);/&\nWARPSCAPE_API int warpscape_toy(int toys);/'
fails 'warpscape_toy' unit library
change library/library_frame.c '$a \\nint warpscape_toy(int toys)\n{\n    return toys + 1;\n}'
passes unit library
fails 'new, and not promised' check formats
passes tests/checks/check_formats.sh "$B/warpscape" --add
passes check formats
