# A coherence protocol: docs/adding-simulator.md.
change model/coherence/protocols.def '$a PROTOCOL( toy, "toy" )'
fails 'ws_protocol_toy' build
copy model/coherence/vi.c model/coherence/toy.c \
    's/^\/\* vi\.c/\/* toy.c/; s/ws_protocol_vi/ws_protocol_toy/; s/"vi"/"toy"/'
fails 'coherence.protocol: toy does what vi does' unit kinds_differ
# A store gives the copy up.
change model/coherence/toy.c \
    '/^#include "model\/coherence\/l1_write_through.def"/{r model/coherence/l1_write_through.def
d}' 's/L1_ROW\( V,   STORE,     V,   DO_write_line, DO_send_write \)/L1_ROW( V,   STORE,     I,   DO_send_write )/'
fails 'test_all' unit coherence_slices # what do its loads promise?
change tests/unit/test_coherence_slices.c 's/\{"vi", SOME_STORE\},/& {"toy", SOME_STORE},/'
passes unit coherence_slices
fails 'what coherence.protocol = toy is' unit kinds
change docs/coherence.md '$a The protocol `toy` is one.'
passes unit kinds
passes check rows
passes build
