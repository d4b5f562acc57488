# warpscape: one Makefile, everything built lands in build/$(MODE). `make help` lists the targets.
MODE ?= release
B := build/$(MODE)
VERSION := 0.1.0

ifeq ($(origin CC),default)
CC := gcc
endif
PREFIX ?= /usr/local
BINDIR ?= $(PREFIX)/bin
LIBDIR ?= $(PREFIX)/lib
LIBEXECDIR ?= $(PREFIX)/libexec
DATADIR ?= $(PREFIX)/share
MANDIR ?= $(DATADIR)/man
DESTDIR ?=

# These belong to the user; ours are ALL_*.
CPPFLAGS ?=
CFLAGS ?=
LDFLAGS ?=

OPT_release := -O2 -g1
OPT_debug := -O0 -g3
OPT_asan := -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer
OPT_cov := -O0 -g --coverage
OPT_fuzz := -O1 -g -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer
WARN := -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wpointer-arith -Wwrite-strings -Wvla
# A newer compiler's new warning is no reason for a user's build to fail; it is one for ours.
ifneq ($(filter true 1,$(CI) $(WERROR)),)
WARN += -Werror
endif

# Vector code is compiled once per instruction-set level; see collect/simt/lanes.h. The checking builds take one.
ARCH := $(shell uname -m)
LEVELS := plain
ifeq ($(ARCH)$(filter asan cov fuzz debug,$(MODE)),x86_64)
LEVELS := plain avx2 avx512
endif
LEVEL_plain :=
LEVEL_avx2 := -march=x86-64-v3 -mprefer-vector-width=256
LEVEL_avx512 := -march=x86-64-v4 -mprefer-vector-width=512

ALL_CPPFLAGS := -I. -D_GNU_SOURCE -DWS_VERSION='"$(VERSION)"' -DWS_PREFIX='"$(PREFIX)"' $(LEVELS:%=-DWS_HAS_%) -MMD -MP $(CPPFLAGS)
ALL_CFLAGS := -std=gnu17 -fPIC -ffp-contract=off -fno-math-errno -pthread $(OPT_$(MODE)) $(WARN) $(CFLAGS)
ALL_LDFLAGS := -pthread $(OPT_$(MODE)) $(LDFLAGS)
LIBS := -lgsl -llapacke -lopenblas -lsqlite3 -lcjson -lxxhash -lm

LIBDIRS := base collect/trace collect/ptx collect/simt metrics metrics/store pca cluster plots cli
LEVELSRC := $(wildcard collect/simt/lanes_level*.c)
SRC := $(filter-out cli/main.c $(LEVELSRC),$(foreach d,$(LIBDIRS),$(wildcard $(d)/*.c)))
OBJ := $(SRC:%.c=$(B)/%.o) $(foreach l,$(LEVELS),$(LEVELSRC:%.c=$(B)/%.$(l).o))
LIB := $(B)/libwarpscape.a

.DEFAULT_GOAL := all
.PHONY: all
all: $(B)/warpscape ## build the program (MODE=release, debug, asan or cov)

$(B)/warpscape: $(B)/cli/main.o $(LIB)
	$(CC) $(ALL_LDFLAGS) -o $@ $< $(LIB) $(LIBS)

$(LIB): $(OBJ)
	@rm -f $@
	ar rcs $@ $(OBJ)

$(B)/%.o: %.c $(B)/flags
	@mkdir -p $(@D)
	$(CC) $(ALL_CPPFLAGS) $(ALL_CFLAGS) -c -o $@ $<

$(B)/cli/libraries.o: ALL_CPPFLAGS += -DWS_FLAGS='"$(strip $(OPT_$(MODE)) $(CFLAGS))"'

define level_rule
$(B)/%.$(1).o: %.c $(B)/flags
	@mkdir -p $$(@D)
	$$(CC) $$(ALL_CPPFLAGS) $$(ALL_CFLAGS) -O3 -DWS_LEVEL=$(1) $$(LEVEL_$(1)) -c -o $$@ $$<
endef
$(foreach l,$(LEVELS),$(eval $(call level_rule,$(l))))

# Rebuild when flags change.
$(B)/flags: FORCE
	@mkdir -p $(B)
	@echo '$(CC) $(ALL_CPPFLAGS) $(ALL_CFLAGS) $(ALL_LDFLAGS)' | cmp -s - $@ || echo '$(CC) $(ALL_CPPFLAGS) $(ALL_CFLAGS) $(ALL_LDFLAGS)' > $@
FORCE:

# Unit tests: tests/unit/test_X.c, cmocka, each a program linked with the whole library.
UNIT := $(patsubst tests/unit/%.c,$(B)/tests/%,$(wildcard tests/unit/test_*.c))
$(B)/tests/%: $(B)/tests/unit/%.o $(LIB)
	@mkdir -p $(@D)
	$(CC) $(ALL_LDFLAGS) -o $@ $< $(LIB) $(LIBS) -lcmocka

.PHONY: unit
unit: $(UNIT) ## run the unit tests
	@for t in $(UNIT); do $$t || exit 1; done

.PHONY: clean
clean:
	rm -rf build

-include $(shell find $(B) -name '*.d' 2>/dev/null)
