# Installation: a row of TREES for each folder: its files, their mode and where they go. Most of it is of data.
TREES := bin lib workloads library pkgconfig include tech configs plans supply control published claims python R R_code R_man man bash zsh fish doc docs images machines examples
FOLDER_bin = $(BINDIR)
FILES_bin = $(B)/warpscape
MODE_bin := 755
FOLDER_lib = $(LIBDIR)/warpscape
FILES_lib = $(LIBCUDA) $(LIBCUDART) $(LIBNVML) $(LIBPRELOAD)
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
FOLDER_plans = $(DATADIR)/warpscape/plans
FILES_plans := $(wildcard data/plans/*.ini)
FOLDER_supply = $(DATADIR)/warpscape/supply
FILES_supply := $(wildcard data/supply/*.ini)
FOLDER_control = $(DATADIR)/warpscape/control
FILES_control := $(wildcard data/control/*)
FOLDER_published = $(DATADIR)/warpscape/published
FILES_published := $(wildcard data/published/*.csv)
FOLDER_claims = $(DATADIR)/warpscape/claims
FILES_claims := $(wildcard data/claims/*.ini data/claims/*.csv)
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
OWN_FOLDERS = $(foreach t,examples machines images docs doc R_man R_code R python tech configs plans supply control published claims include lib workloads,'$(DESTDIR)$(FOLDER_$(t))') \
    '$(DESTDIR)$(DATADIR)/warpscape/readers/R' '$(DESTDIR)$(DATADIR)/warpscape/readers' '$(DESTDIR)$(DATADIR)/warpscape' \
    '$(DESTDIR)$(LIBEXECDIR)/warpscape/lib' '$(DESTDIR)$(LIBEXECDIR)/warpscape'

$(B)/completion/%: $(B)/warpscape
	$(folder)
	$(Q)$< --completion $(if $(filter _%,$*),zsh,$(if $(filter %.fish,$*),fish,bash)) > $@
completion: $(FILES_bash) $(FILES_zsh) $(FILES_fish) ## completion for bash, zsh and fish
$(B)/warpscape.pc $(B)/warpscape-cuda.pc: Makefile data/install.mk $(B)/prefix
$(B)/warpscape.pc:
	$(folder)
	$(Q)printf '%s\n' 'prefix=$(PREFIX)' 'libdir=$(LIBDIR)' 'includedir=$(INCLUDEDIR)' 'cudadir=$(LIBDIR)/warpscape' '' 'Name: warpscape' \
	    'Description: characterizes GPU workloads without a GPU: results, kernels, traces, statistics' 'Version: $(VERSION)' \
	    'Cflags: -I"$${includedir}"' 'Libs: -L"$${libdir}" -lwarpscape' \
	    'Libs.private: -lgsl -lgslcblas $(LAPACK_LIBS) -lgfortran -lsqlite3 -lxxhash -lzstd -llzma -llz4 -liberty -lm -pthread' > $@
$(B)/warpscape-cuda.pc:
	$(folder)
	$(Q)printf '%s\n' 'prefix=$(PREFIX)' 'cudadir=$(LIBDIR)/warpscape' '' 'Name: warpscape-cuda' \
	    'Description: libcuda.so.1 that runs CUDA kernels on the CPU and characterizes them' 'Version: $(VERSION)' \
	    'Libs: -L"$${cudadir}" -Wl,-rpath,"$${cudadir}" -l:libcuda.so.1' > $@

install: all completion $(B)/warpscape.pc $(B)/warpscape-cuda.pc ## PREFIX (/usr/local), DESTDIR, BINDIR, LIBDIR, INCLUDEDIR, LIBEXECDIR, DATADIR, MANDIR, DOCDIR
	@set -e; $(foreach t,$(TREES),install -d '$(DESTDIR)$(FOLDER_$(t))'; install -m $(or $(MODE_$(t)),644) $(FILES_$(t)) '$(DESTDIR)$(FOLDER_$(t))'/;)
	@ln -sf $(notdir $(LIBSHARED)) '$(DESTDIR)$(LIBDIR)/$(SONAME)'
	@ln -sf $(SONAME) '$(DESTDIR)$(LIBDIR)/libwarpscape.so'
	@install -d '$(DESTDIR)$(LIBEXECDIR)'/warpscape/lib
	@ln -srf '$(DESTDIR)$(LIBDIR)/warpscape/libcuda.so.1' '$(DESTDIR)$(LIBEXECDIR)'/warpscape/lib/libcuda.so.1
	$(if $(V),,@echo '  installed: $(DESTDIR)$(BINDIR)/warpscape; man warpscape; share/doc/warpscape')

uninstall: ## remove what install put there
	@set -e; $(foreach t,$(TREES),for f in $(notdir $(FILES_$(t))); do rm -f '$(DESTDIR)$(FOLDER_$(t))'/$$f; done;)
	@rm -f '$(DESTDIR)$(LIBDIR)/$(SONAME)' '$(DESTDIR)$(LIBDIR)/libwarpscape.so' '$(DESTDIR)$(LIBEXECDIR)'/warpscape/lib/libcuda.so.1
	@-rmdir $(OWN_FOLDERS) 2>/dev/null || true
