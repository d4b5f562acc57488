# The tests: programs that they need, and a target for each part. Each runner ends with "NAME: N passed, N failed"; CONTRIBUTING.md says
# what each is for.

# Sanitizers look at code, not at results that the other build has looked at: the longest cases are left out with them.
LIGHT := $(if $(filter asan tsan,$(MODE)),1)

# Tests are compiled more often than they run.
$(B)/tests/unit/%.o $(B)/tests/fuzz/%.o: private ALL_CFLAGS += -Og
# A link takes half the time with gold, where there is one; there are some two hundred programs.
TEST_LINKER := $(if $(shell command -v ld.gold),-fuse-ld=gold)
# OpenBLAS is two thirds of the time of a link, and few tests need it: it is left out first, and put in where symbols are missing then.
# $(call link_test,OBJECTS AND OPTIONS,LIBRARIES OF THE TEST)
link_test = $(Q)$(CC) $(ALL_LDFLAGS) $(TEST_LINKER) -o $@ $(1) $(LIB) $(GSL_LIBS) $(OTHER_LIBS) $(2) 2>/dev/null || \
    $(CC) $(ALL_LDFLAGS) $(TEST_LINKER) -o $@ $(1) $(LIB) $(LIBS) $(2)

# Unit tests: tests/unit/test_X.c, cmocka, each a program linked with the whole library.
UNIT := $(patsubst tests/unit/%.c,$(B)/tests/%,$(wildcard tests/unit/test_*.c))
$(UNIT): $(B)/tests/%: $(B)/tests/unit/%.o $(LIB)
	$(folder)
	$(call say,LINK $@)
	$(call link_test,$< $(UNIT_LIBS),-lcmocka)
# These are programs that use the driver API.
DRIVER_UNIT := $(addprefix $(B)/tests/test_,capabilities driver driver_launches driver_link driver_textures driver_versions streams graphs pools conditions virtual)
$(DRIVER_UNIT): $(LIBCUDA)
$(DRIVER_UNIT): private UNIT_LIBS = $(LIBCUDA) -Wl,--disable-new-dtags,-rpath,'$$ORIGIN/../lib'
$(B)/tests/test_nvml: $(LIBNVML)
$(B)/tests/test_nvml: private UNIT_LIBS = $(LIBNVML) $(LIBCUDA) -Wl,--disable-new-dtags,-rpath,'$$ORIGIN/../lib'
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
	$(folder)
	$(call say,LINK $@)
	$(Q)$(CC) $(ALL_CPPFLAGS) -MF $@.d $(ALL_CFLAGS) $(ALL_LDFLAGS) -o $@ $< $(STANDIN_FLAGS_$(@F))
$(B)/tests/preload/libcublas.so.12: tests/preload/wrapper.c $(B)/flags
	$(folder)
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
	$(folder)
	$(call say,LINK $@)
	$(Q)$(CC) $(ALL_LDFLAGS) -Wl,--as-needed -o $@ $^

# Forms of PTX instructions, which run on a card as well: tests/card. The program knows nothing of where our library is.
$(B)/tests/card/%.o: private ALL_CPPFLAGS += -Icollect/cuda
$(B)/tests/card/card: $(patsubst %.c,$(B)/%.o,$(wildcard tests/card/*.c)) $(LIBCUDA)
	$(folder)
	$(call say,LINK $@)
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $^ $(if $(call has_archive,xxhash),-l:libxxhash.a,-lxxhash)

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
FUZZ_MAIN := $(B)/tests/fuzz/corpus_replay.o
FUZZ_FLAGS :=
endif
$(B)/tests/fuzz/fuzz_graph.o: private ALL_CPPFLAGS += -Icollect/cuda
$(FUZZ:%=$(B)/fuzz/%): $(B)/fuzz/%: $(B)/tests/fuzz/fuzz_%.o $(FUZZ_MAIN) $(LIB)
	$(folder)
	$(call say,LINK $@)
	$(call link_test,$(FUZZ_FLAGS) $(filter %.o,$^))

# CUDA programs: tests/cuda/X.cu without its kernels, the X.ptx of them, and what nvcc would have generated; one program for
# each version of the runtime.
CUDA_TESTS := $(patsubst tests/cuda/%.cu,%,$(wildcard tests/cuda/*.cu))
CUDA_PROGRAMS := $(foreach v,$(CUDART_MAJORS),$(CUDA_TESTS:%=$(B)/tests/cuda/%-$(v)))
CUDA_LAUNCH_13 := register
CUDA_LAUNCH_12 := legacy
CUDA_LAUNCH_11 := legacy
$(B)/tests/cuda/%.register.c: tests/cuda/%.ptx tests/cuda/register.awk
	$(folder)
	@awk -f tests/cuda/register.awk $< > $@
$(B)/tests/cuda/%.register.o $(B)/tests/cuda/%.legacy.o: $(B)/tests/cuda/%.register.c $(B)/flags
	$(call say,CC   $(B)/tests/cuda/$*.register.o)
	$(Q)$(CC) $(ALL_CPPFLAGS) $(ALL_CFLAGS) -c -o $(B)/tests/cuda/$*.register.o $<
	$(Q)$(CC) $(ALL_CPPFLAGS) $(ALL_CFLAGS) -DLEGACY_LAUNCH -c -o $(B)/tests/cuda/$*.legacy.o $<
$(B)/tests/cuda/%.host.o: tests/cuda/%.cu $(B)/flags
	$(folder)
	$(call say,CC   $@)
	$(Q)$(CC) $(ALL_CPPFLAGS) $(ALL_CFLAGS) -x c -c -o $@ $<
define cuda_program_rule
$(B)/tests/cuda/%-$(1): $(B)/tests/cuda/%.host.o $(B)/tests/cuda/%.$(CUDA_LAUNCH_$(1)).o $(B)/lib/$(CUDART_SONAME_$(1))
	$$(call say,LINK $$@)
	$$(Q)$$(CC) $$(ALL_LDFLAGS) -Wl,--disable-new-dtags,-rpath,'$$$$ORIGIN/../../lib' -o $$@ $$^ $(LIBCUDA)
# What this one calls differs between the versions.
$(B)/tests/cuda/versions.host.$(1).o: tests/cuda/versions.cu $(B)/flags
	$$(folder)
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
	$(folder)
	@grep -v '^[[:space:]]*\.\(loc\|file\)' $< > $@
$(B)/tests/session/nolines.register.c: $(B)/tests/session/nolines.ptx tests/cuda/register.awk
	@awk -f tests/cuda/register.awk $< > $@
$(B)/tests/session/spots.c: tests/session/spots.ptx tests/session/spots.cu tests/session/host.awk
	$(folder)
	@awk -f tests/session/host.awk tests/session/spots.ptx tests/session/spots.cu > $@
$(B)/tests/session/%.register.c: tests/session/%.ptx tests/cuda/register.awk
	$(folder)
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
	$(folder)
	$(call say,LINK $@)
	$(call link_test,$(filter %.o,$^))

# Kernels that try to leave their memory: the fuzz target of addresses, on random bytes.
ESCAPES ?= 3000
$(B)/tests/slow/escape: $(B)/tests/slow/drawn_inputs.o $(B)/tests/fuzz/fuzz_access.o $(LIB)
	$(folder)
	$(call say,LINK $@)
	$(call link_test,$(filter %.o,$^))

# Curves of the simulator's networks and memory against reference programs: tests/slow/sim_curves.c.
$(B)/tests/slow/sim_curves: $(B)/tests/slow/sim_curves.o $(LIB)
	$(call say,LINK $@)
	$(call link_test,$(filter %.o,$^))

MUTANTS ?= 40
MUTANTS_SEED ?= 1

# What code runs in, of the tests; without what is only built, installed and measured.
CODE_TESTS := $(B)/warpscape $(UNIT) $(CUDA_PROGRAMS) $(FUZZ:%=$(B)/fuzz/%) $(B)/tests/slow/random_kernels $(B)/tests/slow/escape
.PHONY: programs code-tests
code-tests: $(CODE_TESTS)
programs: all $(CODE_TESTS) $(SESSION) $(TEST_PROGRAMS) $(B)/tests/card/card
build: ## all programs, as a part of the tests
	@$(MAKE) --no-print-directory -j$(JOBS) programs && echo 'build: 1 passed, 0 failed'
build-code: ## of them, those that a MODE looks on
	@$(MAKE) --no-print-directory -j$(JOBS) code-tests && echo 'build: 1 passed, 0 failed'

# What is in which is said by tests/parts.txt, a part of the tests a row.
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

cuda-programs: $(CUDA_PROGRAMS) ## CUDA programs with the runtime library of each version: tests/cuda
	@QUIET=1 JOBS=$(JOBS) tests/runners/run_cuda_programs.sh --libraries $(B)/lib --name cuda-programs $(B)/tests/cuda
unit: $(UNIT) ## unit tests of this MODE
	@JOBS=$(JOBS) tests/runners/run_unit.sh unit $(UNIT)
kernels: $(B)/warpscape ## small kernels with expected results: tests/kernels
	@JOBS=$(JOBS) LIGHT=$(LIGHT) tests/runners/run_kernels.sh $(B)/warpscape
card: $(B)/tests/card/card ## forms of PTX instructions against the results of an NVIDIA H200: tests/card
	@tests/runners/run_card.sh $< $(B)/lib
# The unit tests in which the engine runs kernels.
LEVEL_UNIT := $(addprefix $(B)/tests/test_,engine modern_engine kernel_opcodes matrix texture async turns stepper workload_laws streams)
levels: all $(LEVEL_UNIT) ## small kernels and the engine's unit tests with each level of vector instructions
	@JOBS=$(JOBS) tests/checks/check_levels.sh $(B)/warpscape $(LEVEL_UNIT)
# Libraries that are preloaded, so without what looks on.
$(B)/tests/slow/%.so: tests/slow/%.c $(B)/flags
	$(folder)
	$(call say,LINK $@)
	$(Q)$(CC) $(ALL_CPPFLAGS) -MF $@.d $(call BARE,$(ALL_CFLAGS)) -shared -o $@ $<
odd-locales: programs $(B)/tests/slow/set_locale.so ## the same bytes with a decimal comma, and without small i
	@JOBS=$(JOBS) tests/checks/check_locales.sh $(B)
# The unit tests in which threads share something: workers of launches, streams, graphs, several consumers of events, simulations.
TSAN_UNIT := $(addprefix $(B)/tests/test_,engine driver virtual streams graphs pools conditions runtime_graphs async stepper fanout crew experiment live_simulation)
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
growth: all ## does work grow no faster than input? shapes of PTX, launch files and files of claims at two sizes
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
cluster: all ## do sweeps survive a Slurm cluster of this host: dead nodes, killed submitters, preemption, a full disk? Without Slurm it says so
	@tests/runners/run_cluster.sh $(B)/warpscape
mutants: ## do the tests find MUTANTS (40) one-line faults, drawn by MUTANTS_SEED (1)? Half an hour and more; goes on where it was ended
	@JOBS=$(JOBS) MUTANTS=$(MUTANTS) MUTANTS_SEED=$(MUTANTS_SEED) tests/runners/run_mutants.sh $(B)
loaded: build ## does `make test` pass beside other work? RUNS (10) of it, AT_ONCE (5) at a time
	@JOBS=$(JOBS) RUNS=$(RUNS) AT_ONCE=$(AT_ONCE) tests/runners/run_loaded.sh build/loaded
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
architecture: ## is the table of folders in docs/architecture.md that of tests/checks/layers.txt?
	@tests/checks/check_architecture.sh
names: all ## no two files define the same name, or have it
	@tests/checks/check_names.sh $(LIB)
extensions: all ## does docs/adding.md hold? toys are added by its steps to copies of the tree; EXTENSIONS= names some
	@JOBS=$(JOBS) tests/extensions/run.sh $(EXTENSIONS)
english: ## wordings that the limits of tests/checks/english.txt count; check_english.sh --list shows them, --update lowers limits
	@tests/checks/check_english.sh
links: ## every link of a page leads to a file of the tree, and to a heading of it
	@tests/checks/check_links.sh
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
apptainer: ## do those of apptainer.def?
	@tests/checks/check_dockerfile.sh apptainer.def
formats: all ## are the columns and formats that docs/formats.md promises what the program makes? tests/checks/formats.txt
	@tests/checks/check_formats.sh $(B)/warpscape
manual: all ## each command has a page, and the page has each option
	@tests/checks/check_manual.sh $(B)/warpscape
format-check: ## what clang-format would change
	@tests/checks/check_format.sh
cppcheck: ## static analysis
	@tests/checks/run_cppcheck.sh

format: ## lay the sources out by .clang-format
	tests/checks/check_format.sh --list | xargs clang-format -i
cov: ## coverage of the unit and golden tests, a line a file
	@$(MAKE) --no-print-directory -j$(JOBS) MODE=cov programs
	@$(MAKE) --no-print-directory MODE=cov unit golden
	@tests/tools/coverage.sh build/cov

NVCC ?= nvcc
cuda-ptx: ## make the PTX of tests/cuda again (needs the CUDA toolkit)
	@set -e; for n in $(CUDA_TESTS); do echo "tests/cuda/$$n.ptx"; \
	    $(NVCC) $$(grep -oe '-rdc=true' -e '-lineinfo' -e '-D[A-Z0-9_]*' tests/cuda/$$n.cu) -std=c++17 -I. -ptx -arch=$$(grep -om1 "compute_[0-9]*" tests/cuda/$$n.cu || echo compute_75) -o tests/cuda/$$n.ptx tests/cuda/$$n.cu; \
	    sed -i '/^[ \t]*\.file/s|"/.*/|"|' tests/cuda/$$n.ptx; done
	@NVCC=$(NVCC) tests/session/make_ptx.sh tests/session
