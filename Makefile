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
LEVELSRC := $(wildcard collect/simt/*_level.c collect/simt/lanes_level*.c)
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

# The driver API library, and the built-in workloads that link with it: one program a row of workloads.def.
LIBCUDA := $(B)/lib/libcuda.so.1
CUDAOBJ := $(patsubst %.c,$(B)/%.o,$(wildcard collect/cuda/*.c))
$(LIBCUDA): $(CUDAOBJ) $(LIB) collect/cuda/libcuda.map
	@mkdir -p $(@D)
	$(CC) -shared $(ALL_LDFLAGS) -Wl,-soname,libcuda.so.1 -Wl,--version-script=collect/cuda/libcuda.map \
	    -Wl,--as-needed -o $@ $(CUDAOBJ) $(LIB) $(LIBS)

# Rows as ABBR:folder. The old kind of run path wins over LD_LIBRARY_PATH, so a vendor's driver does not get in between.
WORKLOADS := $(shell sed -n 's/^WORKLOAD. *\([0-9A-Z]*\), *\([a-z0-9_]*\),.*/\1:\2/p' data/workloads/workloads.def)
WORKLOAD_PROGRAMS := $(foreach w,$(WORKLOADS),$(B)/workloads/$(firstword $(subst :, ,$(w))))
$(B)/data/workloads/%.o: ALL_CPPFLAGS += -Icollect/cuda
define workload_rule
$(B)/data/workloads/$(2)/$(2).o: data/workloads/$(2)/$(2).ptx
$(B)/workloads/$(1): $(B)/data/workloads/$(2)/$(2).o $(B)/data/workloads/harness/harness.o $(LIBCUDA)
	@mkdir -p $$(@D)
	$$(CC) $$(ALL_LDFLAGS) -Wl,--disable-new-dtags,-rpath,'$$$$ORIGIN/../lib' -o $$@ $$^ -lgsl -lm
endef
$(foreach w,$(WORKLOADS),$(eval $(call workload_rule,$(firstword $(subst :, ,$(w))),$(lastword $(subst :, ,$(w))))))

.PHONY: workloads
workloads: $(WORKLOAD_PROGRAMS) ## build the built-in workloads

# The PTX of the workloads is checked in; this makes it again, with clang and libclc alone.
CLANG ?= clang-14
LIBCLC ?= /usr/lib/clc/nvptx64--nvidiacl.bc
PTXFLAGS := -x cuda --cuda-device-only --cuda-path=/nonexistent -nocudainc -nocudalib --cuda-gpu-arch=sm_70 \
    -Xclang -target-feature -Xclang +ptx64 -fms-extensions -O2 -S -Wall -Werror \
    -Xclang -mlink-builtin-bitcode -Xclang $(LIBCLC) -Wno-linker-warnings
.PHONY: ptx
ptx: ## make the PTX of the workloads again (needs clang-14 and libclc-14)
	@set -e; for w in $(WORKLOADS); do f=data/workloads/$${w#*:}/$${w#*:}; echo "$$f.ptx"; \
	    $(CLANG) $(PTXFLAGS) -o $$f.ptx $$f.cu; done

.PHONY: clean
clean:
	rm -rf build

-include $(shell find $(B) -name '*.d' 2>/dev/null)
