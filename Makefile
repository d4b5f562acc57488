# warpscape: what is built, all of it below build/$(MODE). tests/tests.mk has the tests, data/install.mk the installation; `make help`
# lists the targets of the three. A target with words behind ## is no file.
MODE ?= release
JOBS ?= $(shell nproc)
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
say = $(if $(V),,$(info $()  $(1)))
# The folder of a target. A make makes each once, as starting a program costs milliseconds.
folder = $(if $(made-$(@D)),,$(eval made-$(@D) := $(shell mkdir -p '$(@D)')yes))

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
# once asks the compiler when the list is used first: it is part of some three hundred links.
once = $(eval $(1) := $(2))$($(1))
has_archive = $(findstring /,$(shell $(CC) -print-file-name=lib$(1).a))
GSL_LIBS ?= $(call once,GSL_LIBS,$(foreach l,gsl gslcblas,$(if $(call has_archive,$(l)),-l:lib$(l).a,-l$(l))))
# LAPACKE and OpenBLAS of one thread, from their archives: the shared ones take as long to load as most commands run, and start a
# thread for every processor. GSL stands before them, as it keeps its own BLAS. To share them: LAPACK_LIBS='-llapacke -lopenblas'.
archive = $(abspath $(filter /%,$(shell $(CC) -print-file-name=$(1))))
OPENBLAS := $(call archive,openblas-serial/libopenblas.a)
LAPACK_LIBS ?= $(call once,LAPACK_LIBS,$(if $(OPENBLAS),$(call archive,liblapacke.a) $(OPENBLAS),-llapacke -lopenblas))
FORTRAN_LIBS ?= $(call once,FORTRAN_LIBS,$(or $(foreach l,$(if $(OPENBLAS),gfortran quadmath gcc_eh),$(call archive,lib$(l).a)),-l:libgfortran.so.5))
OTHER_LIBS := -lsqlite3 -lxxhash -lzstd -llzma -llz4 -liberty -lm
LIBS := $(GSL_LIBS) $(LAPACK_LIBS) $(FORTRAN_LIBS) $(OTHER_LIBS)
# The same for all that recording needs, in the libraries that become part of users' programs: those may have an SQLite of their
# own. RECORD_LIBS='-lsqlite3 ...' shares libraries instead.
RECORD_LIBS ?= $(call once,RECORD_LIBS,$(GSL_LIBS) $(foreach l,sqlite3 xxhash zstd lz4,$(if $(call has_archive,$(l)),-l:lib$(l).a,-l$(l))) -liberty -lm)

LIBDIRS := base base/cube base/linear base/options collect/trace collect/ptx collect/sass collect/wst collect/accelsim collect/fatbin collect/shape collect/check collect/simt metrics metrics/store pca cluster plots model model/cache model/chiplets model/coherence model/control model/mechanism model/noc model/machine model/placement model/sample model/sim model/sim/sm model/sim/network model/sim/memory model/tech model/array model/power model/memory record/simulate record record/microbench record/start record/plan record/sweep $(patsubst %/,%,$(wildcard model/mechanism/*/)) cli/launch cli/sample cli/report cli/study cli/annotate cli/claims cli/diff library cli
LEVELSRC := $(wildcard collect/simt/*_level.c collect/simt/lanes_level*.c)
SRC := $(filter-out cli/main.c $(LEVELSRC),$(foreach d,$(LIBDIRS),$(wildcard $(d)/*.c)))
OBJ := $(SRC:%.c=$(B)/%.o) $(foreach l,$(LEVELS),$(LEVELSRC:%.c=$(B)/%.$(l).o))
LIB := $(B)/libwarpscape.a
# What runs in the process of a user's program: the engine, metrics and their file, and the simulator, which a program may run on.
RECORDDIRS := base collect/trace collect/ptx collect/sass collect/wst collect/fatbin collect/shape collect/check collect/simt metrics metrics/store model model/cache model/chiplets model/coherence model/machine model/placement model/sample model/sim model/sim/sm model/sim/network model/sim/memory record/simulate record
RECORDLIB := $(B)/librecord.a

# The C library: one object in which only its own functions are seen, for static linking; and a shared one that has no more symbols either.
SONAME := libwarpscape.so.0
LIBRARYOBJ := $(patsubst %.c,$(B)/%.o,$(wildcard library/*.c))
LIBSHARED := $(B)/library/libwarpscape.so.$(VERSION)
LIBSTATIC := $(B)/library/libwarpscape.a

.DEFAULT_GOAL := all
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
	$(folder)
	$(call say,CC   $@)
	$(Q)$(CC) $(ALL_CPPFLAGS) $(ALL_CFLAGS) -c -o $@ $<

$(LIBSHARED): $(LIBRARYOBJ) $(LIB) library/libwarpscape.map
	$(folder)
	$(call say,LINK $@)
	$(Q)$(CC) -shared $(ALL_LDFLAGS) -Wl,-soname,$(SONAME) -Wl,--version-script=library/libwarpscape.map \
	    $(if $(findstring sanitize,$(ALL_LDFLAGS)),,-Wl,-z,defs) -Wl,--as-needed -o $@ $(LIBRARYOBJ) $(LIB) $(GSL_LIBS) $(LAPACK_LIBS) -l:libgfortran.so.5 $(OTHER_LIBS)
	@ln -sf $(@F) $(@D)/$(SONAME)
$(LIBSTATIC): $(LIBRARYOBJ) $(LIB)
	$(folder)
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
$(B)/record/start/suite_run.o: private ALL_CPPFLAGS += -DWS_PREFIX='"$(PREFIX)"'
$(B)/base/data_folder.o: private ALL_CPPFLAGS += -DWS_DATADIR='"$(DATADIR)"'
$(B)/record/start/run_find.o: private ALL_CPPFLAGS += -DWS_LIBDIR='"$(LIBDIR)"'
$(B)/record/start/suite_run.o $(B)/base/data_folder.o $(B)/record/start/run_find.o: $(B)/prefix

define level_rule
$(B)/%.$(1).o: %.c $(B)/flags
	$$(folder)
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
	$(folder)
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
	$$(folder)
	@$$(call cudart_rows,$(1)) | awk '{ print "CUDART_" $$$$1 "(" $$$$2 ")" }' > $$@
$(B)/collect/cudart/exports.$(1).map: collect/cudart/cudart_api.def
	$$(folder)
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

# NVIDIA's management library, over the driver.
LIBNVML := $(B)/lib/libnvidia-ml.so.1
NVMLOBJ := $(patsubst %.c,$(B)/%.o,$(wildcard collect/nvml/*.c))
$(LIBNVML): $(NVMLOBJ) $(LIBCUDA) collect/nvml/libnvidia-ml.map
	$(folder)
	$(call say,LINK $@)
	$(Q)$(CC) -shared $(ALL_LDFLAGS) -Wl,-soname,libnvidia-ml.so.1 -Wl,--version-script=collect/nvml/libnvidia-ml.map \
	    $(if $(findstring sanitize,$(ALL_LDFLAGS)),,-Wl,-z,defs) -Wl,--disable-new-dtags,-rpath,'$$ORIGIN' -o $@ $(NVMLOBJ) $(LIBCUDA)

# The library for LD_PRELOAD, by which programs with NVIDIA's runtime in them call ours. It begins before anything else does, so
# nothing that looks on (sanitizers, coverage) is compiled into it; what it shares with the rest is compiled once more.
LIBPRELOAD := $(B)/lib/libwarpscape-preload.so
PRELOADOBJ := $(patsubst %.c,$(B)/%.bare.o,$(wildcard collect/preload/*.c) base/elf_file.c base/note.c base/shown.c)
BARE = $(filter-out -fsanitize% -fno-sanitize% --coverage,$(1))
$(B)/%.bare.o: %.c $(B)/flags
	$(folder)
	$(call say,CC   $@)
	$(Q)$(CC) $(ALL_CPPFLAGS) $(call BARE,$(ALL_CFLAGS)) -fvisibility=hidden -c -o $@ $<
$(LIBPRELOAD): $(PRELOADOBJ) collect/preload/preload.map
	$(folder)
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
	$$(folder)
	$$(call say,LINK $$@)
	$$(Q)$$(CC) $$(ALL_LDFLAGS) -Wl,--disable-new-dtags,-rpath,'$$$$ORIGIN/../lib' -o $$@ $$^ $(GSL_LIBS) -lm
endef
$(foreach w,$(WORKLOADS),$(eval $(call workload_rule,$(firstword $(subst :, ,$(w))),$(lastword $(subst :, ,$(w))))))

all: $(LIBCUDART) $(LIBNVML) $(LIBPRELOAD) $(LIBSHARED) $(LIBSTATIC)

workloads: $(WORKLOAD_PROGRAMS) ## build the built-in workloads

# The PTX of the workloads is checked in; this makes it again, with clang and libclc alone.
CLANG ?= clang-14
LIBCLC ?= /usr/lib/clc/nvptx64--nvidiacl.bc
PTXFLAGS := -x cuda --cuda-device-only --cuda-path=/nonexistent -nocudainc -nocudalib --cuda-gpu-arch=sm_70 \
    -Xclang -target-feature -Xclang +ptx64 -fms-extensions -O2 -S -Wall -Werror \
    -Xclang -mlink-builtin-bitcode -Xclang $(LIBCLC) -Wno-linker-warnings
ptx: ## make the PTX of the workloads again (needs clang-14 and libclc-14)
	@set -e; for w in $(WORKLOADS); do f=data/workloads/$${w#*:}/$${w#*:}; echo "$$f.ptx"; \
	    $(CLANG) $(PTXFLAGS) -o $$f.ptx $$f.cu; done

# Benchmarks: each bench/bench_X.c is a program that prints a table; `make bench` runs them all.
BENCH := $(patsubst bench/%.c,$(B)/bench/%,$(wildcard bench/bench_*.c))
$(BENCH): $(B)/bench/%: $(B)/bench/%.o $(LIB)
	$(folder)
	$(call say,LINK $@)
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $< $(LIB) $(LIBS)
bench: $(BENCH) ## run the benchmarks
	@set -e; for b in $(BENCH); do echo "== $${b##*/}"; $$b; done
bench-ptx: ## make the PTX of the six kernels again (needs clang-14)
	@set -e; for f in bench/six/*.cu; do echo "$${f%.cu}.ptx"; $(CLANG) $(PTXFLAGS) -o $${f%.cu}.ptx $$f; done

# The commit's files under a folder named by the version. The archive has the time of the commit and gzip none, so the bytes depend on the commit alone.
DIST := build/warpscape-$(VERSION).tar.gz
dist: ## a source archive of the last commit in build, which builds without git
	@git diff --quiet HEAD -- || echo "dist: changes after the last commit are not in the archive" >&2
	@mkdir -p build && git archive --format=tar --prefix=warpscape-$(VERSION)/ HEAD | gzip -9n >$(DIST).tmp && mv $(DIST).tmp $(DIST)
	@echo $(DIST)

# --- What the machine needs: Debian's names. ---
DEB_BUILD := gcc gfortran libgsl-dev liblapacke-dev libopenblas-serial-dev libsqlite3-dev libxxhash-dev libzstd-dev liblzma-dev liblz4-dev libiberty-dev uthash-dev gnuplot-nox
DEB_TEST := libcmocka-dev sqlite3 python3 procps pkgconf
DEB_MORE := clang libclang-rt-dev locales python3-pandas r-base-core r-cran-rsqlite zsh fish debhelper lintian mmdebstrap slurmctld slurmd slurm-client slurm-wlm-basic-plugins munge slurmdbd mariadb-server-core mariadb-client-core
DEB_BROWSER := chromium python3-websocket
deps: ## install the missing Debian packages (sudo when not root)
	@tests/tools/install_packages.sh $(DEB_BUILD)
deps-test: ## and those of `make test`
	@tests/tools/install_packages.sh $(DEB_BUILD) $(DEB_TEST)
deps-more: ## and those of `make test-more`
	@tests/tools/install_packages.sh $(DEB_BUILD) $(DEB_TEST) $(DEB_MORE)
deps-browser: ## a browser; where it cannot be had, test-browser says so
	@tests/tools/install_packages.sh $(DEB_BROWSER) || true

# --- From nothing to a report. ---
demo: deps ## install what is missing, build, run the suite, end with build/demo/index.html
	@$(MAKE) --no-print-directory -j$(JOBS) all
	@tests/tools/demo.sh $(B)/warpscape build/demo

# Where there are no tests, in a container say, the program is built without.
include data/install.mk $(wildcard tests/tests.mk)
MAKEFILES_READ := $(MAKEFILE_LIST)
DOCUMENTED = sed -n 's/^\([a-z -]*\):.*\#\# \(.*\)/$(1)/p' $(MAKEFILES_READ)
.PHONY: $(shell $(call DOCUMENTED,\1))

help: ## this list
	@$(call DOCUMENTED,\1\t\2) | expand -t 14
clean: ## remove build
	rm -rf build

# tests/run_all.sh says which MODE it has just built. Then headers are not looked at again, which is most of the work of a make that has
# nothing to do; what this make starts looks at them.
unexport BUILT
ifneq ($(BUILT),$(MODE))
-include $(shell find $(B) -name '*.d' 2>/dev/null)
endif
