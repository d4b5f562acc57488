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
INCLUDEDIR ?= $(PREFIX)/include
DOCDIR ?= $(DATADIR)/doc/warpscape
DESTDIR ?=
# Blanks and the like may be in the names of folders; what ends a quoted text may not. An installation may be moved, too.
PLACES := $(DESTDIR)$(PREFIX)$(BINDIR)$(LIBDIR)$(LIBEXECDIR)$(DATADIR)$(MANDIR)$(INCLUDEDIR)$(DOCDIR)
ifneq ($(strip $(foreach c,' " \,$(findstring $(c),$(PLACES)))),)
$(error PREFIX, DESTDIR and the like may have no quotes and backslashes in them: install elsewhere and move it there)
endif

# V=1 shows whole commands.
Q := $(if $(V),,@)
say = $(if $(V),,@echo '  $(1)')

# These belong to the user; ours are ALL_*.
CPPFLAGS ?=
CFLAGS ?=
LDFLAGS ?=

OPT_release := -O2 -g1
OPT_debug := -O0 -g3
OPT_asan := -O1 -g1 -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer
OPT_tsan := -O1 -g1 -fsanitize=thread -Wno-tsan -fno-omit-frame-pointer
OPT_cov := -O0 -g --coverage
OPT_fuzz := -DFUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION -O1 -g -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer
WARN := -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wpointer-arith -Wwrite-strings -Wvla \
    -Wno-unknown-warning-option -Wno-format-truncation
# A newer compiler's new warning is no reason for a user's build to fail; it is one for ours.
ifneq ($(filter true 1,$(CI) $(WERROR)),)
WARN += -Werror
endif

# Vector code is compiled once per instruction-set level; see collect/simt/lanes.h. The checking builds take one.
ARCH := $(shell uname -m)
LEVELS := plain
ifeq ($(ARCH)$(filter asan tsan cov fuzz debug,$(MODE)),x86_64)
LEVELS := plain avx2 avx512
endif
# Vectors are for speed: a build that checks does without them, and is compiled in half the time.
LEVEL_OPT := $(if $(filter release,$(MODE)),-O3,-Og)
LEVEL_plain :=
LEVEL_avx2 := -march=x86-64-v3 -mprefer-vector-width=256
LEVEL_avx512 := -march=x86-64-v4 -mprefer-vector-width=512

ALL_CPPFLAGS := -I. -D_GNU_SOURCE -DWS_VERSION='"$(VERSION)"' $(LEVELS:%=-DWS_HAS_%) -MMD -MP $(CPPFLAGS)
ALL_CFLAGS := -std=gnu17 -fPIC -ffp-contract=off -fno-math-errno -pthread $(OPT_$(MODE)) $(WARN) $(CFLAGS)
ALL_LDFLAGS := -pthread $(OPT_$(MODE)) $(LDFLAGS)
# GSL's few functions that are needed become part of what is linked: programs of users must not load it because of us, nor get
# its symbols, and a command that needs none of it starts faster. Where there is no archive: GSL_LIBS='-lgsl -lgslcblas'.
has_archive = $(findstring /,$(shell $(CC) -print-file-name=lib$(1).a))
GSL_LIBS ?= $(foreach l,gsl gslcblas,$(if $(call has_archive,$(l)),-l:lib$(l).a,-l$(l)))
# LAPACKE and OpenBLAS of one thread, from their archives: the shared ones take as long to load as most commands run, and start a
# thread for every processor. They stand before GSL, whose own BLAS stays with it. To share them: LAPACK_LIBS='-llapacke -lopenblas'.
archive = $(abspath $(filter /%,$(shell $(CC) -print-file-name=$(1))))
OPENBLAS := $(call archive,openblas-serial/libopenblas.a)
LAPACK_LIBS ?= $(if $(OPENBLAS),$(call archive,liblapacke.a) $(OPENBLAS),-llapacke -lopenblas)
FORTRAN_LIBS ?= $(or $(foreach l,$(if $(OPENBLAS),gfortran quadmath gcc_eh),$(call archive,lib$(l).a)),-l:libgfortran.so.5)
OTHER_LIBS := $(GSL_LIBS) -lsqlite3 -lxxhash -lzstd -llzma -llz4 -liberty -lm
LIBS := $(LAPACK_LIBS) $(FORTRAN_LIBS) $(OTHER_LIBS)
# The same for all that recording needs, in the libraries that become part of users' programs: those may have an SQLite of their
# own. RECORD_LIBS='-lsqlite3 ...' shares libraries instead.
RECORD_LIBS ?= $(GSL_LIBS) $(foreach l,sqlite3 xxhash zstd lz4,$(if $(call has_archive,$(l)),-l:lib$(l).a,-l$(l))) -liberty -lm

LIBDIRS := base base/linear collect/trace collect/ptx collect/sass collect/wst collect/accelsim collect/fatbin collect/shape collect/check collect/simt metrics metrics/store pca cluster plots model model/cache model/chiplets model/coherence model/control model/divergence model/mechanism model/noc model/machine model/placement model/sample model/sharing model/sim model/sim/sm model/sim/network model/sim/memory model/tech model/updates model/array model/power model/memory model/roofline record/simulate record cli/launch cli/microbench cli/start cli/sample cli/report cli/study cli/chameleon cli/power cli/chiplets cli/divergence cli/sharing cli/atomics cli/noc cli/memory cli/annotate cli/diff cli/races cli/roofline library cli
LEVELSRC := $(wildcard collect/simt/*_level.c collect/simt/lanes_level*.c)
SRC := $(filter-out cli/main.c $(LEVELSRC),$(foreach d,$(LIBDIRS),$(wildcard $(d)/*.c)))
OBJ := $(SRC:%.c=$(B)/%.o) $(foreach l,$(LEVELS),$(LEVELSRC:%.c=$(B)/%.$(l).o))
LIB := $(B)/libwarpscape.a
# What runs in the process of a user's program: the engine, metrics and their file, and the simulator, which a program may run on.
RECORDDIRS := base collect/trace collect/ptx collect/sass collect/wst collect/fatbin collect/shape collect/check collect/simt metrics metrics/store model model/cache model/chiplets model/coherence model/divergence model/machine model/placement model/sample model/sim model/sim/sm model/sim/network model/sim/memory record/simulate record
RECORDLIB := $(B)/librecord.a

# The C library: one object in which only its own functions are seen, for static linking; and a shared one that has no more symbols either.
SONAME := libwarpscape.so.0
LIBRARYOBJ := $(patsubst %.c,$(B)/%.o,$(wildcard library/*.c))
LIBSHARED := $(B)/library/libwarpscape.so.$(VERSION)
LIBSTATIC := $(B)/library/libwarpscape.a

.DEFAULT_GOAL := all
.PHONY: all
all: $(B)/warpscape workloads ## build the program, its libraries and the workloads (MODE=release, debug, asan, tsan or cov)
	$(if $(filter 0,$(MAKELEVEL)),$(if $(filter-out all,$(MAKECMDGOALS)),,@echo 'Built. Next: $(B)/warpscape help; or make install PREFIX=$(PREFIX), then warpscape help'))

$(B)/warpscape: $(B)/cli/main.o $(LIB)
	$(call say,LINK $@)
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $< $(LIB) $(LIBS)

$(LIB): $(OBJ)
	@rm -f $@
	$(call say,AR   $@)
	$(Q)ar rcs $@ $(OBJ)
# An object of these folders that needs one of another folder does not link.
RECORDOBJ := $(foreach o,$(OBJ),$(if $(filter $(patsubst %/,%,$(dir $(o:$(B)/%=%))),$(RECORDDIRS)),$(o)))
$(RECORDLIB): $(RECORDOBJ)
	@rm -f $@
	$(call say,AR   $@)
	$(Q)ar rcs $@ $(RECORDOBJ)

$(B)/%.o: %.c $(B)/flags
	@mkdir -p $(@D)
	$(call say,CC   $@)
	$(Q)$(CC) $(ALL_CPPFLAGS) $(ALL_CFLAGS) -c -o $@ $<

$(LIBSHARED): $(LIBRARYOBJ) $(LIB) library/libwarpscape.map
	@mkdir -p $(@D)
	$(call say,LINK $@)
	$(Q)$(CC) -shared $(ALL_LDFLAGS) -Wl,-soname,$(SONAME) -Wl,--version-script=library/libwarpscape.map \
	    $(if $(findstring sanitize,$(ALL_LDFLAGS)),,-Wl,-z,defs) -Wl,--as-needed -o $@ $(LIBRARYOBJ) $(LIB) $(LAPACK_LIBS) -l:libgfortran.so.5 $(OTHER_LIBS)
	@ln -sf $(@F) $(@D)/$(SONAME)
$(LIBSTATIC): $(LIBRARYOBJ) $(LIB)
	@mkdir -p $(@D)
	$(call say,AR   $@)
	$(Q)ld -r -o $(@D)/warpscape.o $(LIBRARYOBJ) $(LIB)
	$(Q)objcopy --wildcard --keep-global-symbol='warpscape_*' $(@D)/warpscape.o
	@rm -f $@
	$(Q)ar rcs $@ $(@D)/warpscape.o && rm $(@D)/warpscape.o

# Drawing commands and the style of the report are part of the program.
$(B)/plots/plot.o: $(wildcard plots/*.gp)
$(B)/cli/report/html.o: cli/report/report.css $(wildcard cli/report/page/*)
$(B)/cli/completion.o: $(wildcard cli/completion.*sh)
$(B)/cli/libraries.o: private ALL_CPPFLAGS += -DWS_FLAGS='"$(strip $(OPT_$(MODE)) $(CFLAGS))"'

# The files that know where the program is installed; another PREFIX compiles nothing else.
$(B)/cli/start/suite_run.o: private ALL_CPPFLAGS += -DWS_PREFIX='"$(PREFIX)"'
$(B)/base/data_folder.o: private ALL_CPPFLAGS += -DWS_DATADIR='"$(DATADIR)"'
$(B)/cli/start/run_find.o: private ALL_CPPFLAGS += -DWS_LIBDIR='"$(LIBDIR)"'
$(B)/cli/start/suite_run.o $(B)/base/data_folder.o $(B)/cli/start/run_find.o: $(B)/prefix

define level_rule
$(B)/%.$(1).o: %.c $(B)/flags
	@mkdir -p $$(@D)
	$$(call say,CC   $$@)
	$$(Q)$$(CC) $$(ALL_CPPFLAGS) $$(ALL_CFLAGS) $$(LEVEL_OPT) -fno-trapping-math -DWS_LEVEL=$(1) $$(LEVEL_$(1)) -c -o $$@ $$<
endef
$(foreach l,$(LEVELS),$(eval $(call level_rule,$(l))))
# Operations that run in another rounding mode must not be evaluated by the compiler.
$(LEVELS:%=$(B)/collect/simt/lanes_level_round.%.o): ALL_CFLAGS += -frounding-math

# Rebuild when flags, or the place of the installation, change.
$(B)/prefix: FORCE
	@mkdir -p $(B)
	@echo '$(PREFIX) $(LIBDIR) $(DATADIR) $(INCLUDEDIR)' | cmp -s - $@ || echo '$(PREFIX) $(LIBDIR) $(DATADIR) $(INCLUDEDIR)' > $@
$(B)/flags: FORCE
	@mkdir -p $(B)
	@echo '$(CC) $(ALL_CPPFLAGS) $(ALL_CFLAGS) $(ALL_LDFLAGS)' | cmp -s - $@ || echo '$(CC) $(ALL_CPPFLAGS) $(ALL_CFLAGS) $(ALL_LDFLAGS)' > $@
FORCE:

# The driver API library, and the built-in workloads that link with it: one program a row of workloads.def.
LIBCUDA := $(B)/lib/libcuda.so.1
CUDAOBJ := $(patsubst %.c,$(B)/%.o,$(wildcard collect/cuda/*.c))
$(LIBCUDA): $(CUDAOBJ) $(RECORDLIB) collect/cuda/libcuda.map
	@mkdir -p $(@D)
	$(call say,LINK $@)
	$(Q)$(CC) -shared $(ALL_LDFLAGS) -Wl,-soname,libcuda.so.1 -Wl,-z,nodelete -Wl,--version-script=collect/cuda/libcuda.map \
	    $(if $(findstring sanitize,$(ALL_LDFLAGS)),,-Wl,-z,defs) -Wl,--as-needed -o $@ $(CUDAOBJ) $(RECORDLIB) $(RECORD_LIBS)

# The runtime API library, over it, in three versions: one table says what each exports.
CUDART_MAJORS := 11 12 13
CUDART_SONAME_11 := libcudart.so.11.0
CUDART_SONAME_12 := libcudart.so.12
CUDART_SONAME_13 := libcudart.so.13
LIBCUDART := $(foreach v,$(CUDART_MAJORS),$(B)/lib/$(CUDART_SONAME_$(v)))
CUDARTPER := cudart_exports runtime_versions runtime_graph_versions
CUDARTOBJ := $(patsubst %.c,$(B)/%.o,$(filter-out $(CUDARTPER:%=collect/cudart/%.c),$(wildcard collect/cudart/*.c)))
cudart_rows = sed -n 's/^\([A-Z]*\)( *\([A-Za-z0-9_]*\), *\([0-9]*\), *\([0-9]*\) )$$/\1 \2 \3 \4/p' $< | sort -k 2,2 | awk '$$3 <= $(1) && $(1) <= $$4'
define cudart_rule
$(B)/collect/cudart/rows.$(1).h: collect/cudart/cudart_api.def
	@mkdir -p $$(@D)
	@$$(call cudart_rows,$(1)) | awk '{ print "CUDART_" $$$$1 "(" $$$$2 ")" }' > $$@
$(B)/collect/cudart/exports.$(1).map: collect/cudart/cudart_api.def
	@mkdir -p $$(@D)
	@{ echo '$(CUDART_SONAME_$(1)) { global: ws_cudart_table;'; $$(call cudart_rows,$(1)) | awk '{ print $$$$2 ";" }'; \
	    echo 'local: *; };'; } > $$@
$(CUDARTPER:%=$(B)/collect/cudart/%.$(1).o): $(B)/collect/cudart/%.$(1).o: collect/cudart/%.c $(B)/collect/cudart/rows.$(1).h $(B)/flags
	$$(call say,CC   $$@)
	$$(Q)$$(CC) $$(ALL_CPPFLAGS) $$(ALL_CFLAGS) -DWS_CUDART_MAJOR=$(1) -DCUDART_ROWS='"$(B)/collect/cudart/rows.$(1).h"' -c -o $$@ $$<
$(B)/lib/$(CUDART_SONAME_$(1)): $(CUDARTPER:%=$(B)/collect/cudart/%.$(1).o) $(CUDARTOBJ) $(B)/collect/cudart/exports.$(1).map $(LIBCUDA) $(RECORDLIB)
	$$(call say,LINK $$@)
	$$(Q)$$(CC) -shared $$(ALL_LDFLAGS) -Wl,-soname,$(CUDART_SONAME_$(1)) -Wl,--version-script=$(B)/collect/cudart/exports.$(1).map \
	    $$(if $$(findstring sanitize,$$(ALL_LDFLAGS)),,-Wl,-z,defs) -Wl,-z,nodelete -Wl,--disable-new-dtags,-rpath,'$$$$ORIGIN' \
	    -Wl,--as-needed -o $$@ $$(filter %.o,$$^) $(LIBCUDA) $(RECORDLIB) $(RECORD_LIBS)
endef
$(foreach v,$(CUDART_MAJORS),$(eval $(call cudart_rule,$(v))))

# The library for LD_PRELOAD, by which programs with NVIDIA's runtime in them call ours. It begins before anything else does, so
# nothing that looks on (sanitizers, coverage) is compiled into it; what it shares with the rest is compiled once more.
LIBPRELOAD := $(B)/lib/libwarpscape-preload.so
PRELOADOBJ := $(patsubst %.c,$(B)/%.bare.o,$(wildcard collect/preload/*.c) base/elf_file.c base/note.c base/shown.c)
BARE = $(filter-out -fsanitize% -fno-sanitize% --coverage,$(1))
$(B)/%.bare.o: %.c $(B)/flags
	@mkdir -p $(@D)
	$(call say,CC   $@)
	$(Q)$(CC) $(ALL_CPPFLAGS) $(call BARE,$(ALL_CFLAGS)) -fvisibility=hidden -c -o $@ $<
$(LIBPRELOAD): $(PRELOADOBJ) collect/preload/preload.map
	@mkdir -p $(@D)
	$(call say,LINK $@)
	$(Q)$(CC) -shared $(call BARE,$(ALL_LDFLAGS)) -Wl,-soname,$(@F) -Wl,-z,initfirst -Wl,-z,now -Wl,-z,nodelete -Wl,-z,defs \
	    -Wl,--version-script=collect/preload/preload.map -o $@ $(PRELOADOBJ)

# Rows as ABBR:folder. The old kind of run path wins over LD_LIBRARY_PATH, so a vendor's driver does not get in between.
WORKLOADS := $(shell sed -n 's/^WORKLOAD. *\([0-9A-Z]*\), *\([a-z0-9_]*\),.*/\1:\2/p' data/workloads/workloads.def)
WORKLOAD_PROGRAMS := $(foreach w,$(WORKLOADS),$(B)/workloads/$(firstword $(subst :, ,$(w))))
$(B)/data/workloads/%.o: private ALL_CPPFLAGS += -Icollect/cuda
define workload_rule
$(B)/data/workloads/$(2)/$(2).o: data/workloads/$(2)/$(2).ptx
$(B)/workloads/$(1): $(patsubst %.c,$(B)/%.o,$(wildcard data/workloads/$(2)/*.c)) $(B)/data/workloads/harness/harness.o $(LIBCUDA)
	@mkdir -p $$(@D)
	$$(call say,LINK $$@)
	$$(Q)$$(CC) $$(ALL_LDFLAGS) -Wl,--disable-new-dtags,-rpath,'$$$$ORIGIN/../lib' -o $$@ $$^ $(GSL_LIBS) -lm
endef
$(foreach w,$(WORKLOADS),$(eval $(call workload_rule,$(firstword $(subst :, ,$(w))),$(lastword $(subst :, ,$(w))))))

all: $(LIBCUDART) $(LIBPRELOAD) $(LIBSHARED) $(LIBSTATIC)

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

# Benchmarks: each bench/bench_X.c is a program that prints a table; `make bench` runs them all.
BENCH := $(patsubst bench/%.c,$(B)/bench/%,$(wildcard bench/bench_*.c))
$(BENCH): $(B)/bench/%: $(B)/bench/%.o $(LIB)
	@mkdir -p $(@D)
	$(call say,LINK $@)
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $< $(LIB) $(LIBS)
NVCC ?= nvcc
cuda-ptx: ## make the PTX of tests/cuda again (needs the CUDA toolkit)
	@set -e; for n in $(CUDA_TESTS); do echo "tests/cuda/$$n.ptx"; \
	    $(NVCC) $$(grep -oe '-rdc=true' -e '-lineinfo' -e '-D[A-Z0-9_]*' tests/cuda/$$n.cu) -std=c++17 -I. -ptx -arch=$$(grep -om1 "compute_[0-9]*" tests/cuda/$$n.cu || echo compute_75) -o tests/cuda/$$n.ptx tests/cuda/$$n.cu; \
	    sed -i '/^[ \t]*\.file/s|"/.*/|"|' tests/cuda/$$n.ptx; done
	@NVCC=$(NVCC) tests/session/make_ptx.sh tests/session
.PHONY: bench bench-ptx
bench: $(BENCH) ## run the benchmarks
	@set -e; for b in $(BENCH); do echo "== $${b##*/}"; $$b; done
bench-ptx: ## make the PTX of the six kernels again (needs clang-14)
	@set -e; for f in bench/six/*.cu; do echo "$${f%.cu}.ptx"; $(CLANG) $(PTXFLAGS) -o $${f%.cu}.ptx $$f; done

# --- Tests. Each runner ends with "NAME: N passed, N failed"; CONTRIBUTING.md says what each is for. ---
JOBS ?= $(shell nproc)

# Sanitizers look at code, not at results that the other build has looked at: the longest cases are left out with them.
LIGHT := $(if $(filter asan tsan,$(MODE)),1)

# Tests are compiled more often than they run.
$(B)/tests/unit/%.o $(B)/tests/fuzz/%.o: private ALL_CFLAGS += -Og
# A link takes half the time with gold, where there is one; there are some two hundred programs.
TEST_LINKER := $(if $(shell command -v ld.gold),-fuse-ld=gold)

# Unit tests: tests/unit/test_X.c, cmocka, each a program linked with the whole library.
UNIT := $(patsubst tests/unit/%.c,$(B)/tests/%,$(wildcard tests/unit/test_*.c))
$(UNIT): $(B)/tests/%: $(B)/tests/unit/%.o $(LIB)
	@mkdir -p $(@D)
	$(call say,LINK $@)
	$(Q)$(CC) $(ALL_LDFLAGS) $(TEST_LINKER) -o $@ $< $(UNIT_LIBS) $(LIB) $(LIBS) -lcmocka
# These are programs that use the driver API.
DRIVER_UNIT := $(addprefix $(B)/tests/test_,capabilities driver driver_launches driver_link driver_textures driver_versions streams graphs pools conditions virtual)
$(DRIVER_UNIT): $(LIBCUDA)
$(DRIVER_UNIT): private UNIT_LIBS = $(LIBCUDA) -Wl,--disable-new-dtags,-rpath,'$$ORIGIN/../lib'
$(B)/tests/test_runtime_graphs: $(LIBCUDART)
$(B)/tests/test_runtime_graphs: private UNIT_LIBS = $(B)/lib/$(CUDART_SONAME_13) $(LIBCUDA) -Wl,--disable-new-dtags,-rpath,'$$ORIGIN/../lib'
$(B)/tests/test_texture_references: $(LIBCUDART)
$(B)/tests/test_texture_references: private UNIT_LIBS = $(B)/lib/$(CUDART_SONAME_11) $(LIBCUDA) -Wl,--disable-new-dtags,-rpath,'$$ORIGIN/../lib'
# Stand-ins for programs of nvcc, for the test of the library that is preloaded: what nvcc would have linked into them is local.
STANDINS := $(addprefix $(B)/tests/preload/,standin standin_fixed standin_linked standin_stripped standin_blas standin_blas_stripped standin_needs libstandin.so \
    libcufft.so.11)
STANDIN_FLAGS_standin_fixed := -no-pie
STANDIN_FLAGS_standin_linked := -DLINKED -Wl,--disable-new-dtags,-rpath,'$$ORIGIN' $(B)/tests/preload/libstandin.so
STANDIN_FLAGS_standin_stripped := -s
STANDIN_FLAGS_standin_blas := -DBLAS
STANDIN_FLAGS_standin_blas_stripped := -DBLAS -s
STANDIN_FLAGS_libcufft.so.11 := -DLIBRARY -shared -s -Wl,-soname,libcufft.so.11
STANDIN_FLAGS_libstandin.so := -DLIBRARY -shared -Wl,-soname,libstandin.so
$(B)/tests/preload/standin_linked: $(B)/tests/preload/libstandin.so
STANDIN_FLAGS_standin_needs := -Wl,--disable-new-dtags,-rpath,'$$ORIGIN' -Wl,--no-as-needed $(B)/tests/preload/libcufft.so.11
$(B)/tests/preload/standin_needs: $(B)/tests/preload/libcufft.so.11
$(STANDINS): tests/preload/standin.c $(B)/flags
	@mkdir -p $(@D)
	$(call say,LINK $@)
	$(Q)$(CC) $(ALL_CPPFLAGS) -MF $@.d $(ALL_CFLAGS) $(ALL_LDFLAGS) -o $@ $< $(STANDIN_FLAGS_$(@F))
$(B)/tests/preload/libcublas.so.12: tests/preload/wrapper.c $(B)/flags
	@mkdir -p $(@D)
	$(call say,LINK $@)
	$(Q)$(CC) $(ALL_CPPFLAGS) -MF $@.d $(ALL_CFLAGS) $(ALL_LDFLAGS) -shared -o $@ $<
$(B)/tests/test_preload: $(B)/tests/preload/libcublas.so.12
$(B)/tests/test_preload: $(STANDINS) $(LIBPRELOAD) $(B)/collect/preload/redirect.bare.o $(LIBCUDART)
$(B)/tests/test_preload: private UNIT_LIBS = $(B)/collect/preload/redirect.bare.o

# Programs that `warpscape run` is tested with: they know nothing of where our library is.
TEST_PROGRAMS := $(patsubst tests/programs/%.c,$(B)/programs/%,$(wildcard tests/programs/*.c))
$(B)/tests/programs/%.o: private ALL_CPPFLAGS += -Icollect/cuda
# Its functions are to be in the way of those of libraries.
$(B)/programs/own_sqlite: private ALL_LDFLAGS += -rdynamic
$(TEST_PROGRAMS): $(B)/programs/%: $(B)/tests/programs/%.o $(LIBCUDA)
	@mkdir -p $(@D)
	$(call say,LINK $@)
	$(Q)$(CC) $(ALL_LDFLAGS) -Wl,--as-needed -o $@ $^

# These open the three versions of the runtime library.
$(B)/tests/test_cudart $(B)/tests/test_cudart_layouts: $(LIBCUDART)
$(B)/tests/test_cudart $(B)/tests/test_cudart_layouts: private UNIT_LIBS = $(LIBCUDA) -Wl,--disable-new-dtags,-rpath,'$$ORIGIN/../lib'

# Fuzz targets: tests/fuzz/fuzz_X.c with a corpus in tests/fuzz/corpus/X. MODE=fuzz links clang's engine, any other mode a
# main() that runs the files it is given.
FUZZ := $(patsubst tests/fuzz/fuzz_%.c,%,$(wildcard tests/fuzz/fuzz_*.c))
FUZZ_SECONDS ?= 600
ifeq ($(MODE),fuzz)
FUZZ_MAIN :=
FUZZ_FLAGS := -fsanitize=fuzzer
else
FUZZ_MAIN := $(B)/tests/fuzz/replay.o
FUZZ_FLAGS :=
endif
$(FUZZ:%=$(B)/fuzz/%): $(B)/fuzz/%: $(B)/tests/fuzz/fuzz_%.o $(FUZZ_MAIN) $(LIB)
	@mkdir -p $(@D)
	$(call say,LINK $@)
	$(Q)$(CC) $(ALL_LDFLAGS) $(TEST_LINKER) $(FUZZ_FLAGS) -o $@ $(filter %.o,$^) $(LIB) $(LIBS)

# CUDA programs: tests/cuda/X.cu without its kernels, the X.ptx of them, and what nvcc would have generated; one program for
# each version of the runtime.
CUDA_TESTS := $(patsubst tests/cuda/%.cu,%,$(wildcard tests/cuda/*.cu))
CUDA_PROGRAMS := $(foreach v,$(CUDART_MAJORS),$(CUDA_TESTS:%=$(B)/tests/cuda/%-$(v)))
CUDA_LAUNCH_13 := register
CUDA_LAUNCH_12 := legacy
CUDA_LAUNCH_11 := legacy
$(B)/tests/cuda/%.register.c: tests/cuda/%.ptx tests/cuda/register.awk
	@mkdir -p $(@D)
	@awk -f tests/cuda/register.awk $< > $@
$(B)/tests/cuda/%.register.o $(B)/tests/cuda/%.legacy.o: $(B)/tests/cuda/%.register.c $(B)/flags
	$(call say,CC   $(B)/tests/cuda/$*.register.o)
	$(Q)$(CC) $(ALL_CPPFLAGS) $(ALL_CFLAGS) -c -o $(B)/tests/cuda/$*.register.o $<
	$(Q)$(CC) $(ALL_CPPFLAGS) $(ALL_CFLAGS) -DLEGACY_LAUNCH -c -o $(B)/tests/cuda/$*.legacy.o $<
$(B)/tests/cuda/%.host.o: tests/cuda/%.cu $(B)/flags
	@mkdir -p $(@D)
	$(call say,CC   $@)
	$(Q)$(CC) $(ALL_CPPFLAGS) $(ALL_CFLAGS) -x c -c -o $@ $<
define cuda_program_rule
$(B)/tests/cuda/%-$(1): $(B)/tests/cuda/%.host.o $(B)/tests/cuda/%.$(CUDA_LAUNCH_$(1)).o $(B)/lib/$(CUDART_SONAME_$(1))
	$$(call say,LINK $$@)
	$$(Q)$$(CC) $$(ALL_LDFLAGS) -Wl,--disable-new-dtags,-rpath,'$$$$ORIGIN/../../lib' -o $$@ $$^ $(LIBCUDA)
# What this one calls differs between the versions.
$(B)/tests/cuda/versions.host.$(1).o: tests/cuda/versions.cu $(B)/flags
	@mkdir -p $$(@D)
	$$(call say,CC   $$@)
	$$(Q)$$(CC) $$(ALL_CPPFLAGS) $$(ALL_CFLAGS) -DCUDART_VERSION=$(1)000 -x c -c -o $$@ $$<
$(B)/tests/cuda/versions-$(1): $(B)/tests/cuda/versions.host.$(1).o $(B)/tests/cuda/versions.$(CUDA_LAUNCH_$(1)).o $(B)/lib/$(CUDART_SONAME_$(1))
	$$(call say,LINK $$@)
	$$(Q)$$(CC) $$(ALL_LDFLAGS) -Wl,--disable-new-dtags,-rpath,'$$$$ORIGIN/../../lib' -o $$@ $$^ $(LIBCUDA)
endef
$(foreach v,$(CUDART_MAJORS),$(eval $(call cuda_program_rule,$(v))))
.PRECIOUS: $(B)/tests/cuda/%.register.c $(B)/tests/cuda/%.register.o $(B)/tests/cuda/%.legacy.o $(B)/tests/cuda/%.host.o

# The program of docs/kernels.md: its host's part, and the PTX beside it, as it is, mended, and as if it were built without lines.
SESSION := $(B)/tests/session/spots $(B)/tests/session/mended $(B)/tests/session/nolines
$(B)/tests/session/nolines.ptx: tests/session/spots.ptx
	@mkdir -p $(@D)
	@grep -v '^[[:space:]]*\.\(loc\|file\)' $< > $@
$(B)/tests/session/nolines.register.c: $(B)/tests/session/nolines.ptx tests/cuda/register.awk
	@awk -f tests/cuda/register.awk $< > $@
$(B)/tests/session/spots.c: tests/session/spots.ptx tests/session/spots.cu tests/session/host.awk
	@mkdir -p $(@D)
	@awk -f tests/session/host.awk tests/session/spots.ptx tests/session/spots.cu > $@
$(B)/tests/session/%.register.c: tests/session/%.ptx tests/cuda/register.awk
	@mkdir -p $(@D)
	@awk -f tests/cuda/register.awk $< > $@
$(SESSION:%=%.register.o) $(B)/tests/session/spots.o: %.o: %.c $(B)/flags
	$(call say,CC   $@)
	$(Q)$(CC) $(ALL_CPPFLAGS) $(ALL_CFLAGS) -c -o $@ $<
$(SESSION): $(B)/tests/session/%: $(B)/tests/session/spots.o $(B)/tests/session/%.register.o $(B)/lib/$(CUDART_SONAME_13)
	$(call say,LINK $@)
	$(Q)$(CC) $(ALL_LDFLAGS) -Wl,--disable-new-dtags,-rpath,'$$ORIGIN/../../lib' -o $@ $^ $(LIBCUDA)

# Random kernels against an interpreter that knows no warps: tests/slow/random_*.c, one program.
RANDOM_KERNELS ?= 60
RANDOM_MACHINES ?= 40
RANDOM_MACHINES_FIRST ?= 1
$(B)/tests/slow/random_kernels: $(patsubst %.c,$(B)/%.o,$(wildcard tests/slow/random_*.c)) $(LIB)
	@mkdir -p $(@D)
	$(call say,LINK $@)
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $(filter %.o,$^) $(LIB) $(LIBS)

# Kernels that try to leave their memory: the fuzz target of addresses, on random bytes.
ESCAPES ?= 3000
$(B)/tests/slow/escape: $(B)/tests/slow/drawn_inputs.o $(B)/tests/fuzz/fuzz_access.o $(LIB)
	@mkdir -p $(@D)
	$(call say,LINK $@)
	$(Q)$(CC) $(ALL_LDFLAGS) $(TEST_LINKER) -o $@ $^ $(LIBS)

# Curves of the simulator's networks and memory against reference programs: tests/slow/sim_curves.c.
$(B)/tests/slow/sim_curves: $(B)/tests/slow/sim_curves.o $(LIB)
	$(call say,LINK $@)
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $^ $(LIBS)

MUTANTS ?= 40
MUTANTS_SEED ?= 1

.PHONY: programs build
programs: all $(UNIT) $(CUDA_PROGRAMS) $(SESSION) $(TEST_PROGRAMS) $(FUZZ:%=$(B)/fuzz/%) $(B)/tests/slow/random_kernels $(B)/tests/slow/escape
build: ## all programs, as a part of the tests
	@$(MAKE) --no-print-directory -j$(JOBS) programs && echo 'build: 1 passed, 0 failed'

# What is in which is said by tests/parts.txt, a part of the tests a row.
.PHONY: test test-ci test-more test-slow check
test: deps-test ## what a change must pass: builds, and runs the tests that take minutes together
	@$(MAKE) --no-print-directory build
	@JOBS=$(JOBS) tests/run_all.sh check test
test-ci: deps-test ## what continuous integration runs after it: sanitizers, other simulators' numbers, installation, kills and limits
	@$(MAKE) --no-print-directory build
	@JOBS=$(JOBS) tests/run_all.sh ci
test-more: deps-more deps-browser ## the parts of test-ci, and threads, odd surroundings, packages, long walks, a seeded sample of each fuzz target: most of an hour
	@$(MAKE) --no-print-directory build
	@JOBS=$(JOBS) FUZZ_SECONDS=60 FUZZ_SEED=1 FUZZ_INPUTS=30000 tests/run_all.sh ci more
test-slow: deps-more deps-browser ## these and hours more: ten minutes of each fuzz target, valgrind, clang, workloads at scale small, thousands of kernels
	@$(MAKE) --no-print-directory build
	@JOBS=$(JOBS) tests/run_all.sh check test ci more slow
check: ## the quick part, for between two edits
	@$(MAKE) --no-print-directory build
	@JOBS=$(JOBS) tests/run_all.sh check

.PHONY: test-browser anchors peers peers-accelsim silicon walks machines levels odd-locales tsan reproduction cuda-programs cuda-ptx coherence closed-forms closed-forms-suite sim-laws installation limits signals unit kernels golden golden-heavy fuzz fuzz-corpus random-kernels random-machines growth sim-curves persistence mutants sampling tutorial layers names headers manual format-check cppcheck escape bounds opcodes events gallery formats readers completions package dockerfile session rows examples pages workload-mutants
cuda-programs: $(CUDA_PROGRAMS) ## CUDA programs with the runtime library of each version: tests/cuda
	@QUIET=1 JOBS=$(JOBS) tests/runners/run_cuda_programs.sh --libraries $(B)/lib --name cuda-programs $(B)/tests/cuda
unit: $(UNIT) ## unit tests of this MODE
	@JOBS=$(JOBS) tests/runners/run_unit.sh unit $(UNIT)
kernels: all ## small kernels with expected results: tests/kernels
	@JOBS=$(JOBS) LIGHT=$(LIGHT) tests/runners/run_kernels.sh $(B)/warpscape
# The unit tests in which the engine runs kernels.
LEVEL_UNIT := $(addprefix $(B)/tests/test_,engine modern_engine kernel_opcodes matrix texture async turns stepper workload_laws streams)
levels: all $(LEVEL_UNIT) ## small kernels and the engine's unit tests with each level of vector instructions
	@JOBS=$(JOBS) tests/checks/check_levels.sh $(B)/warpscape $(LEVEL_UNIT)
# Libraries that are preloaded, so without what looks on.
$(B)/tests/slow/%.so: tests/slow/%.c $(B)/flags
	@mkdir -p $(@D)
	$(call say,LINK $@)
	$(Q)$(CC) $(ALL_CPPFLAGS) -MF $@.d $(call BARE,$(ALL_CFLAGS)) -shared -o $@ $<
odd-locales: programs $(B)/tests/slow/set_locale.so ## the same bytes with a decimal comma, and without small i
	@JOBS=$(JOBS) tests/checks/check_locales.sh $(B)
# The unit tests in which threads share something: workers of launches, streams, graphs, several consumers of events, simulations.
TSAN_UNIT := $(addprefix $(B)/tests/test_,engine driver virtual streams graphs pools conditions runtime_graphs async stepper fanout source_replay experiment live_simulation)
TSAN_CUDA := $(foreach p,children copies faults graphs streams together versions,$(B)/tests/cuda/$(p)-13)
tsan: $(B)/warpscape $(TSAN_UNIT) $(TSAN_CUDA) ## with MODE=tsan: what shares data between threads, under ThreadSanitizer
	@JOBS=$(JOBS) tests/checks/check_threads.sh $(B) $(TSAN_UNIT)
golden: all $(TEST_PROGRAMS) $(CUDA_PROGRAMS) ## what commands print, against tests/golden; tests/runners/run_golden.sh --rewrite accepts changes
	@JOBS=$(JOBS) LIGHT=$(LIGHT) tests/runners/run_golden.sh $(B)/warpscape
golden-heavy: all $(TEST_PROGRAMS) $(CUDA_PROGRAMS) ## cases of tests/golden that take seconds
	@JOBS=$(JOBS) HEAVY=1 tests/runners/run_golden.sh $(B)/warpscape
test-browser: all workloads ## does everything in the report's page work, in chromium? BROWSER_CHECKS names some (make deps-browser)
	@tests/runners/run_browser.sh $(B)/warpscape $(BROWSER_CHECKS)
anchors: all ## cycles of the simulator beside those of GPGPU-Sim on a machine that it was tuned for
	@tests/runners/run_anchors.sh $(B)/warpscape

peers: all ## cycles of small kernels beside those of GPGPU-Sim: tests/peers
	@tests/runners/run_peers.sh $(B)/warpscape

peers-accelsim: all ## the same beside those of Accel-Sim
	@tests/runners/run_peers.sh $(B)/warpscape accelsim

# Of what `make machines` measures: what takes seconds.
MACHINE_GROUPS ?= instruction,conflicts,order,launch
machines: all ## are the pages of the machines current, and does no unit exceed its card's peak? A minute; MACHINE_GROUPS= for all groups
	@tests/machines/machines.sh $(B)/warpscape $(MACHINE_GROUPS)

silicon: all ## counters of a simulation in the columns of a card's
	@tests/silicon/check_silicon.sh $(B)/warpscape
fuzz: ## coverage-guided fuzzing with clang, FUZZ_SECONDS (600) a target; FUZZ_SEED= and FUZZ_INPUTS= for a sample that repeats
	@$(MAKE) --no-print-directory -j$(JOBS) MODE=fuzz CC=clang $(FUZZ:%=build/fuzz/fuzz/%)
	@tests/runners/run_fuzz.sh $(FUZZ_SECONDS) $(FUZZ:%=build/fuzz/fuzz/%)
fuzz-corpus: $(FUZZ:%=$(B)/fuzz/%) ## the fuzz corpus as an ordinary test
	@tests/runners/run_corpus.sh $(FUZZ:%=$(B)/fuzz/%)
random-kernels: $(B)/tests/slow/random_kernels ## RANDOM_KERNELS (60) random kernels on each level, with one worker and two
	@$< 1 $(RANDOM_KERNELS)
random-machines: all workloads ## RANDOM_MACHINES (40) random machines of the simulator, from RANDOM_MACHINES_FIRST (1) on, with built-in workloads
	@tests/runners/run_random_machines.sh $(B)/warpscape $(RANDOM_MACHINES) $(RANDOM_MACHINES_FIRST)
escape: $(B)/tests/slow/escape ## ESCAPES (3000) times four launches of kernels that try to leave their memory
	@$< escape 1 $(ESCAPES)
growth: all ## does work grow no faster than input? shapes of PTX and launch files at two sizes
	@tests/runners/run_growth.sh $(B)/warpscape
sim-curves: $(B)/tests/slow/sim_curves ## curves of the simulator against BookSim, DRAMsim3 and closed forms
	@$<
closed-forms: all ## how far are closed forms of coherence from the simulator? kernels of tests/coherence
	@tests/runners/run_coherence.sh $(B)/warpscape
closed-forms-suite: all workloads ## the same for the built-in workloads
	@tests/runners/run_coherence.sh $(B)/warpscape --suite tiny
coherence: $(B)/tests/test_coherence_walk ## coherence protocols in every interleaving of all programs
	@$< --slow > $(B)/coherence.txt 2>&1 && echo 'coherence: 1 passed, 0 failed' || \
	    { grep -v ' states ' $(B)/coherence.txt | tail -n 60; echo 'coherence: 0 passed, 1 failed'; exit 1; }
WALKS := $(addprefix $(B)/tests/test_,coherence_walk coherence_ahead sim_laws sim_repeats sim_rows sim_told)
walks: $(WALKS) ## walks of coherence protocols and laws of simulations, longer than in `make unit`
	@JOBS=$(JOBS) UNIT_ARGUMENTS=--more tests/runners/run_unit.sh walks $^
sim-laws: $(addprefix $(B)/tests/test_sim_,laws repeats rows told) ## laws that every simulation keeps, on more random machines
	@for laws in $^; do $$laws --slow || exit; done > $(B)/sim-laws.txt 2>&1 && echo 'sim-laws: 1 passed, 0 failed' || \
	    { tail -n 60 $(B)/sim-laws.txt; echo 'sim-laws: 0 passed, 1 failed'; exit 1; }
persistence: all $(TEST_PROGRAMS) $(B)/tests/slow/no_locks.so ## what was measured survives kills, several writers, flipped bits; PERSISTENCE_ROUNDS (20), PERSISTENCE_SECONDS (0)
	@tests/runners/run_persistence.sh $(B)/warpscape
mutants: ## do the tests find MUTANTS (40) one-line faults, drawn by MUTANTS_SEED (1)? Half an hour and more; goes on where it was ended
	@JOBS=$(JOBS) MUTANTS=$(MUTANTS) MUTANTS_SEED=$(MUTANTS_SEED) tests/runners/run_mutants.sh $(B)
workload-mutants: $(WORKLOAD_PROGRAMS) ## do the workloads' own checks notice changed instructions?
	@tests/runners/run_workload_mutants.sh $^
sampling: all ## estimates of `warpscape run --sample` against whole runs of ten programs
	@tests/runners/run_sampling.sh $(B)/warpscape
reproduction: all ## do the pages of the reproduction that take a minute say what the program says?
	@tests/studies/check_reproduction.sh $(B)/warpscape
# What examples take as programs of a user.
EXAMPLE_PROGRAMS := $(SESSION) $(B)/tests/cuda/vectors-13
examples: all workloads $(EXAMPLE_PROGRAMS) ## do the examples of all help texts and of README.md work? tests/runners/examples.txt
	@JOBS=$(JOBS) tests/runners/run_examples.sh examples $(B)/warpscape help README.md
pages: all workloads $(EXAMPLE_PROGRAMS) ## do the examples of the pages of docs and man work, and print what stands there? make session has docs/kernels.md
	@JOBS=$(JOBS) tests/runners/run_examples.sh pages $(B)/warpscape $(filter-out docs/kernels.md,$(wildcard docs/*.md)) $(wildcard man/*.1)
tutorial gallery: all workloads ## run docs/tutorial.md or docs/gallery.md and put in what comes out, pictures too
	@tests/runners/run_examples.sh --rewrite $@ $(B)/warpscape docs/$@.md
session: all $(SESSION) ## the session of docs/kernels.md, command by command; tests/runners/run_session.sh --rewrite puts in what comes out
	@tests/runners/run_session.sh $(B)
layers: all ## who includes and calls whom, and what symbols are called: tests/checks/layers.txt
	@tests/checks/check_layers.sh $(B)
names: all ## no two files define the same name
	@tests/checks/check_names.sh $(LIB)
rows: ## no row of a table without behaviour: tests/checks/rows.txt
	@tests/checks/check_rows.sh
bounds: ## no sum of a place and a size is compared but in base/bounds.h
	@tests/checks/check_bounds.sh
events: all ## events of kernels and workloads keep what events promise
	@JOBS=$(JOBS) tests/runners/run_event_checks.sh $(B)/warpscape
opcodes: ## the text of opcodes is looked into by decoders alone
	@tests/checks/check_opcodes.sh
headers: ## each header compiles by itself
	@CC='$(CC)' JOBS=$(JOBS) tests/checks/check_headers.sh -I. -D_GNU_SOURCE -std=gnu17 $(WARN)
installation: all $(B)/programs/app $(B)/tests/cuda/vectors-12 ## what install puts elsewhere works there, and uninstall takes it away
	@tests/checks/check_installation.sh
signals: all $(TEST_PROGRAMS) ## does Ctrl-C end every command, whatever it does?
	@JOBS=$(JOBS) tests/checks/check_signals.sh $(B)/warpscape
limits: all $(TEST_PROGRAMS) ## every command under limits of the system: success or a line that says why not
	@JOBS=$(JOBS) tests/checks/check_limits.sh $(B)/warpscape
readers: all ## do the readers for Python and R read what is written, and do the examples of docs/readers.md run?
	@tests/runners/run_readers.sh $(B)/warpscape
completions: $(B)/warpscape ## do zsh and fish complete words?
	@tests/checks/check_completion.sh $(B)/warpscape
package: ## do the Debian packages build, install and work in roots of their own, and has lintian nothing to say?
	@JOBS=$(JOBS) tests/checks/check_package.sh
dockerfile: ## do the steps of the Dockerfile make something that works?
	@tests/checks/check_dockerfile.sh
formats: all ## are the columns and formats that docs/formats.md promises what the program makes? tests/checks/formats.txt
	@tests/checks/check_formats.sh $(B)/warpscape
manual: all ## each command has a page, and the page has each option
	@tests/checks/check_manual.sh $(B)/warpscape
format-check: ## what clang-format would change
	@tests/checks/check_format.sh
cppcheck: ## static analysis
	@tests/checks/run_cppcheck.sh

.PHONY: format cov
format: ## lay the sources out by .clang-format
	tests/checks/check_format.sh --list | xargs clang-format -i
cov: ## coverage of the unit and golden tests, a line a file
	@$(MAKE) --no-print-directory -j$(JOBS) MODE=cov programs
	@$(MAKE) --no-print-directory MODE=cov unit golden
	@tests/tools/coverage.sh build/cov

# --- What the machine needs: Debian's names. ---
DEB_BUILD := gcc gfortran libgsl-dev liblapacke-dev libopenblas-serial-dev libsqlite3-dev libxxhash-dev libzstd-dev liblzma-dev liblz4-dev libiberty-dev uthash-dev gnuplot-nox
DEB_TEST := libcmocka-dev sqlite3 python3 procps pkgconf
DEB_MORE := clang libclang-rt-dev locales python3-pandas r-base-core r-cran-rsqlite zsh fish debhelper lintian mmdebstrap
DEB_BROWSER := chromium python3-websocket
.PHONY: deps deps-test deps-more deps-browser
deps: ## install the missing Debian packages (sudo when not root)
	@tests/tools/install_packages.sh $(DEB_BUILD)
deps-test:
	@tests/tools/install_packages.sh $(DEB_BUILD) $(DEB_TEST)
deps-more:
	@tests/tools/install_packages.sh $(DEB_BUILD) $(DEB_TEST) $(DEB_MORE)
deps-browser: # where they cannot be had, test-browser says so
	@tests/tools/install_packages.sh $(DEB_BROWSER) || true

# --- From nothing to a report. ---
.PHONY: demo
demo: deps ## install what is missing, build, run the suite, end with build/demo/index.html
	@$(MAKE) --no-print-directory -j$(JOBS) all
	@tests/tools/demo.sh $(B)/warpscape build/demo

# --- Installation: a row of TREES for each folder: its files, their mode and where they go. ---
TREES := bin lib workloads library pkgconfig include tech configs supply control published python R R_code R_man man bash zsh fish doc docs images machines examples
FOLDER_bin = $(BINDIR)
FILES_bin = $(B)/warpscape
MODE_bin := 755
FOLDER_lib = $(LIBDIR)/warpscape
FILES_lib = $(LIBCUDA) $(LIBCUDART) $(LIBPRELOAD)
MODE_lib := 755
FOLDER_workloads = $(LIBEXECDIR)/warpscape/workloads
FILES_workloads = $(WORKLOAD_PROGRAMS)
MODE_workloads := 755
FOLDER_library = $(LIBDIR)
FILES_library = $(LIBSHARED) $(LIBSTATIC)
FOLDER_pkgconfig = $(LIBDIR)/pkgconfig
FILES_pkgconfig = $(B)/warpscape.pc $(B)/warpscape-cuda.pc
FOLDER_include = $(INCLUDEDIR)/warpscape
FILES_include := library/warpscape.h
FOLDER_tech = $(DATADIR)/warpscape/tech
FILES_tech := $(wildcard data/tech/*.ini)
FOLDER_configs = $(DATADIR)/warpscape/configs
FILES_configs := $(wildcard data/configs/*.ini)
FOLDER_supply = $(DATADIR)/warpscape/supply
FILES_supply := $(wildcard data/supply/*.ini)
FOLDER_control = $(DATADIR)/warpscape/control
FILES_control := $(wildcard data/control/*)
FOLDER_published = $(DATADIR)/warpscape/published
FILES_published := $(wildcard data/published/*.csv)
FOLDER_python = $(DATADIR)/warpscape/readers/python
FILES_python := data/readers/python/warpscape.py
FOLDER_R = $(DATADIR)/warpscape/readers/R/warpscape
FILES_R := $(addprefix data/readers/R/warpscape/,DESCRIPTION NAMESPACE)
FOLDER_R_code = $(FOLDER_R)/R
FILES_R_code := $(wildcard data/readers/R/warpscape/R/*.R)
FOLDER_R_man = $(FOLDER_R)/man
FILES_R_man := $(wildcard data/readers/R/warpscape/man/*.Rd)
FOLDER_man = $(MANDIR)/man1
FILES_man := $(wildcard man/*.1)
FOLDER_bash = $(DATADIR)/bash-completion/completions
FILES_bash = $(B)/completion/warpscape
FOLDER_zsh = $(DATADIR)/zsh/site-functions
FILES_zsh = $(B)/completion/_warpscape
FOLDER_fish = $(DATADIR)/fish/vendor_completions.d
FILES_fish = $(B)/completion/warpscape.fish
FOLDER_doc = $(DOCDIR)
FILES_doc := README.md CHANGELOG.md CONTRIBUTING.md COPYING
FOLDER_docs = $(DOCDIR)/docs
FILES_docs := $(wildcard docs/*.md)
FOLDER_images = $(DOCDIR)/docs/img
FILES_images := $(wildcard docs/img/*)
FOLDER_machines = $(DOCDIR)/docs/machines
FILES_machines := $(wildcard docs/machines/*)
FOLDER_examples = $(DOCDIR)/docs/examples
FILES_examples := $(wildcard docs/examples/*)
# Those of them that are nobody else's, the innermost first.
OWN_FOLDERS = $(foreach t,examples machines images docs doc R_man R_code R python tech configs supply control published include lib workloads,'$(DESTDIR)$(FOLDER_$(t))') \
    '$(DESTDIR)$(DATADIR)/warpscape/readers/R' '$(DESTDIR)$(DATADIR)/warpscape/readers' '$(DESTDIR)$(DATADIR)/warpscape' \
    '$(DESTDIR)$(LIBEXECDIR)/warpscape/lib' '$(DESTDIR)$(LIBEXECDIR)/warpscape'

.PHONY: install uninstall completion
$(B)/completion/%: $(B)/warpscape
	@mkdir -p $(@D)
	$(Q)$< --completion $(if $(filter _%,$*),zsh,$(if $(filter %.fish,$*),fish,bash)) > $@
completion: $(FILES_bash) $(FILES_zsh) $(FILES_fish) ## completion for bash, zsh and fish
$(B)/warpscape.pc $(B)/warpscape-cuda.pc: Makefile $(B)/prefix
$(B)/warpscape.pc:
	@mkdir -p $(@D)
	$(Q)printf '%s\n' 'prefix=$(PREFIX)' 'libdir=$(LIBDIR)' 'includedir=$(INCLUDEDIR)' 'cudadir=$(LIBDIR)/warpscape' '' 'Name: warpscape' \
	    'Description: characterizes GPU workloads without a GPU: results, kernels, traces, statistics' 'Version: $(VERSION)' \
	    'Cflags: -I"$${includedir}"' 'Libs: -L"$${libdir}" -lwarpscape' \
	    'Libs.private: $(LAPACK_LIBS) -lgfortran -lgsl -lgslcblas -lsqlite3 -lxxhash -lzstd -llzma -llz4 -liberty -lm -pthread' > $@
$(B)/warpscape-cuda.pc:
	@mkdir -p $(@D)
	$(Q)printf '%s\n' 'prefix=$(PREFIX)' 'cudadir=$(LIBDIR)/warpscape' '' 'Name: warpscape-cuda' \
	    'Description: libcuda.so.1 that runs CUDA kernels on the CPU and characterizes them' 'Version: $(VERSION)' \
	    'Libs: -L"$${cudadir}" -Wl,-rpath,"$${cudadir}" -l:libcuda.so.1' > $@

install: all completion $(B)/warpscape.pc $(B)/warpscape-cuda.pc ## PREFIX (/usr/local), DESTDIR, BINDIR, LIBDIR, INCLUDEDIR, LIBEXECDIR, DATADIR, MANDIR, DOCDIR
	@set -e; $(foreach t,$(TREES),install -d '$(DESTDIR)$(FOLDER_$(t))'; install -m $(or $(MODE_$(t)),644) $(FILES_$(t)) '$(DESTDIR)$(FOLDER_$(t))'/;)
	@ln -sf $(notdir $(LIBSHARED)) '$(DESTDIR)$(LIBDIR)/$(SONAME)'
	@ln -sf $(SONAME) '$(DESTDIR)$(LIBDIR)/libwarpscape.so'
	@install -d '$(DESTDIR)$(LIBEXECDIR)'/warpscape/lib
	@ln -srf '$(DESTDIR)$(LIBDIR)/warpscape/libcuda.so.1' '$(DESTDIR)$(LIBEXECDIR)'/warpscape/lib/libcuda.so.1
	$(call say,installed: $(DESTDIR)$(BINDIR)/warpscape; man warpscape; share/doc/warpscape)

uninstall: ## remove what install put there
	@set -e; $(foreach t,$(TREES),for f in $(notdir $(FILES_$(t))); do rm -f '$(DESTDIR)$(FOLDER_$(t))'/$$f; done;)
	@rm -f '$(DESTDIR)$(LIBDIR)/$(SONAME)' '$(DESTDIR)$(LIBDIR)/libwarpscape.so' '$(DESTDIR)$(LIBEXECDIR)'/warpscape/lib/libcuda.so.1
	@-rmdir $(OWN_FOLDERS) 2>/dev/null || true

.PHONY: help
help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/\1\t\2/p' Makefile | expand -t 14

.PHONY: clean
clean: ## remove build
	rm -rf build

-include $(shell find $(B) -name '*.d' 2>/dev/null)
