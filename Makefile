# runnel: `make demo` and `make test` are all that a fresh Debian needs; `make help` lists the rest.
#
# Variants: V=release (default), debug, asan, tsan. Everything that is made lies below build/, or below
# B if that is given. The engine (filters/, kernels/, its tests and its benchmark) needs nothing but
# a C compiler, make and OpenCL: see engine-test and engine-bench.

V ?= release
OPT.release := -O2 -g
OPT.debug   := -Og -g3
OPT.asan    := -O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=undefined
LINK.asan   := -fsanitize=address,undefined
OPT.tsan    := -O1 -g -fsanitize=thread
LINK.tsan   := -fsanitize=thread
$(if $(OPT.$(V)),,$(error unknown variant V=$(V): release, debug, asan or tsan))

# Where the variants of asan, tsan and oclgrind go.
VARIANTS := $(or $(B),build)
ifdef B
BIN := $(B)/runnel
else
B   := build/$(V)
BIN := $(if $(filter release,$(V)),build/runnel,$(B)/runnel)
endif

PREFIX  ?= /usr/local
DESTDIR ?=

DEPS_BUILD := gcc make libc6-dev binutils pkg-config ocl-icd-opencl-dev opencl-headers \
    pocl-opencl-icd libavformat-dev libavcodec-dev libavutil-dev libswscale-dev libavdevice-dev \
    libswresample-dev libtiff-dev libjansson-dev libsdl2-dev libsdl2-ttf-dev libfontconfig-dev
DEPS_TEST  := libcmocka-dev ffmpeg jq python3-numpy python3-scipy python3-opencv xvfb xdotool \
    imagemagick gnuplot-nox g++ libgdcm-dev
DEPS_LINT  := git clang-format clang-tidy cppcheck
DEPS       ?= $(DEPS_BUILD)

# pkg-config may be missing; the engine then links with -lOpenCL.
pkg       = $(shell pkg-config $(1) $(2) 2>/dev/null)
IO_PKGS  := libavdevice libavformat libavcodec libswscale libswresample libavutil libtiff-4
APP_PKGS := jansson
UI_PKGS  := sdl2 SDL2_ttf fontconfig

# DICOM is read through GDCM, which is C++, where its headers and library are (libgdcm-dev and g++; it has
# no pkg-config file). `make GDCM=` builds without it.
CXX        ?= g++
GDCM_PATH  := $(lastword $(sort $(wildcard /usr/include/gdcm-[0-9]* /usr/local/include/gdcm-[0-9]*)))
GDCM_FLAGS := $(addprefix -isystem ,$(GDCM_PATH))
GDCM       := $(shell printf '\043include <gdcmImageReader.h>\n' | $(CXX) $(GDCM_FLAGS) -E -x c++ - \
    >/dev/null 2>&1 && $(CXX) -print-file-name=libgdcmMSFF.so 2>/dev/null | grep /)

WARN := -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wpointer-arith -Wvla \
    -Wundef -Wimplicit-fallthrough -Werror
CPPFLAGS += -I. -D_POSIX_C_SOURCE=200809L -D_DEFAULT_SOURCE -DCL_TARGET_OPENCL_VERSION=120
# The C references are the truth, so the compiler may not contract a * b + c.
CFLAGS  += -std=c11 $(WARN) -ffp-contract=off -pthread $(OPT.$(V))
LDFLAGS += $(LINK.$(V))
CL_LIBS := $(or $(call pkg,--libs,OpenCL),-lOpenCL)
ENGINE_LIBS := $(CL_LIBS) -pthread -lm
LIBS    := $(call pkg,--libs,$(IO_PKGS) $(APP_PKGS) $(UI_PKGS)) $(ENGINE_LIBS)
IO_CFLAGS  := $(call pkg,--cflags,$(IO_PKGS))
ifneq ($(GDCM),)
LIBS      += -lgdcmMSFF -lgdcmDSED -lgdcmCommon -lstdc++
IO_CFLAGS += -DRN_HAVE_GDCM
CXXFLAGS  += -std=c++17 -Wall -Wextra -Wshadow -Werror -pthread $(OPT.$(V))
CXX_SRC   := io/dicom_gdcm.cpp
endif
APP_CFLAGS := $(call pkg,--cflags,$(APP_PKGS))
UI_CFLAGS  := $(call pkg,--cflags,$(UI_PKGS))

ENGINE_SRC := $(wildcard filters/core/*.c filters/*.c)
OTHER_SRC  := $(wildcard io/*.c ui/*.c) $(filter-out app/main.c,$(wildcard app/*.c))
CL_SRC     := $(sort $(wildcard kernels/*.cl))
CL_INC     := $(sort $(wildcard kernels/*.clh))
ENGINE_OBJ := $(ENGINE_SRC:%.c=$(B)/%.o) $(B)/kernels_gen.o
OTHER_OBJ  := $(OTHER_SRC:%.c=$(B)/%.o) $(CXX_SRC:%.cpp=$(B)/%.o)

# Tests of the engine have a main() of their own; the unit tests use cmocka.
ENGINE_TESTS := $(B)/tests/numeric $(B)/tests/reference $(B)/tests/point
UNIT_TESTS   := $(patsubst %.c,$(B)/%,$(sort $(wildcard tests/unit_*.c)))
SCRIPTS      := $(wildcard tests/oracle.py) $(sort $(wildcard tests/e2e_*.sh)) # the longest first

# A sub-make uses all CPUs unless make was told how many.
JOBS = $(if $(findstring -j,$(MAKEFLAGS)),,-j$(shell nproc 2>/dev/null || echo 2))
SUB  = +$(MAKE) --no-print-directory $(JOBS)

# One short line per command; VERBOSE=1 shows the commands.
say = $(if $(VERBOSE),,@echo '  $(1)  $(2)';)

all: $(BIN) ## build the program (default)

$(BIN): $(B)/app/main.o $(B)/librunnel.a $(B)/flags
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(LDFLAGS) $(filter %.o %.a,$^) $(LIBS) -o $@

$(B)/librunnel.a: $(ENGINE_OBJ) $(OTHER_OBJ) $(B)/src-list
	$(call say,AR,$@)rm -f $@ && $(AR) rcs $@ $(filter %.o,$^)

$(B)/libengine.a: $(ENGINE_OBJ) $(B)/src-list
	$(call say,AR,$@)rm -f $@ && $(AR) rcs $@ $(filter %.o,$^)

$(B)/%.o: %.c $(B)/flags
	@mkdir -p $(@D)
	$(call say,CC,$<)$(CC) $(CPPFLAGS) $(CFLAGS) $(EXTRA_CFLAGS) -MMD -MP -c $< -o $@

$(B)/%.o: %.cpp $(B)/flags
	@mkdir -p $(@D)
	$(call say,CXX,$<)$(CXX) $(CPPFLAGS) $(GDCM_FLAGS) $(CXXFLAGS) -MMD -MP -c $< -o $@

# What is missing is said before the compiler stumbles over it.
have-opencl:
	@echo '#include <CL/cl.h>' | $(CC) $(CPPFLAGS) -E - >/dev/null 2>&1 || \
	    { echo 'The OpenCL headers are missing: run "make deps".'; exit 1; }
have-packages: have-opencl
	@pkg-config --exists $(IO_PKGS) $(APP_PKGS) $(UI_PKGS) || \
	    { echo 'Packages are missing: run "make deps".'; exit 1; }
$(ENGINE_OBJ): | have-opencl
$(OTHER_OBJ) $(B)/app/main.o: | have-packages

$(B)/io/%.o: EXTRA_CFLAGS := $(IO_CFLAGS)
$(B)/app/%.o: EXTRA_CFLAGS := $(APP_CFLAGS)
$(B)/ui/%.o: EXTRA_CFLAGS := $(UI_CFLAGS)
$(B)/tests/unit_%.o: EXTRA_CFLAGS := $(IO_CFLAGS)

$(B)/kernels_gen.o: $(B)/kernels_gen.c $(B)/flags
	$(call say,CC,$<)$(CC) $(CPPFLAGS) $(CFLAGS) -MMD -MP -c $< -o $@

$(B)/kernels_gen.c: kernels/embed.awk $(CL_SRC) $(CL_INC) $(B)/cl-list
	$(call say,AWK,$@)awk -f $< $(CL_SRC) > $@.tmp && mv $@.tmp $@

# Stamps: files that change only when the text in them would, so that a change of flags, or a source
# that came or went, rebuilds what depends on it.
stamp = @mkdir -p $(@D); printf '%s\n' '$(subst ','\'',$(1))' | cmp -s - $@ || \
    printf '%s\n' '$(subst ','\'',$(1))' > $@
$(B)/flags: FORCE
	$(call stamp,$(CC) $(CPPFLAGS) $(CFLAGS) $(IO_CFLAGS) $(APP_CFLAGS) $(UI_CFLAGS) $(CXX) $(CXXFLAGS) $(LDFLAGS))
$(B)/src-list: FORCE
	$(call stamp,$(ENGINE_SRC) $(OTHER_SRC) $(CXX_SRC))
$(B)/cl-list: FORCE
	$(call stamp,$(CL_SRC) $(CL_INC))

# ---- what the two commands of the README do

demo: ## install what is missing, build, filter the sample clip
	@$(MAKE) --no-print-directory deps
	$(SUB) all
	@mkdir -p build/demo
	$(BIN) render media/clip.mp4 build/demo/demo.mp4 -y \
	    -f 'convolution=preset=sharpen,closing=shape=disk:radius=2,stats=file=build/demo/stats.csv'
	@echo "The filtered clip is build/demo/demo.mp4, its measurements are build/demo/stats.csv."

# The mask of the material, its pores closed in 3-D; another chain by SCAN_CHAIN=...
SCAN_CHAIN ?= threshold=level=30,closing=shape=disk:radius=2:slices=2
demo-scan: ## the same for the sample scan: close the pores of its mask, plot the norms of the slices
	@$(MAKE) --no-print-directory deps DEPS='$(DEPS_BUILD) gnuplot-nox'
	$(SUB) all
	@mkdir -p build/demo
	$(BIN) render media/scan.tif build/demo/scan-closed.tif -y -f '$(SCAN_CHAIN)' \
	    --metrics build/demo/scan.json
	$(BIN) stats build/demo/scan-closed.tif -y -q --plot build/demo/scan-closed.svg \
	    > build/demo/scan-closed.csv
	@awk -F '[:,]' '/"upload_s"/ {up = $$2} /"total_s"/ {run += $$2} /"download_s"/ {down = $$2} \
	    /"frames_out"/ {n = $$2} \
	    END { printf "%d slices, ms in all: Tr in %.3f, kernel %.3f, Tr out %.3f\n", \
	          n, 1e3 * up, 1e3 * run, 1e3 * down; \
	          if (up + down == 0) print "(the device shares the memory: nothing is transferred)" }' \
	    build/demo/scan.json
	@echo "The closed stack is build/demo/scan-closed.tif, its norms are build/demo/scan-closed.csv,"
	@echo "their plot is build/demo/scan-closed.svg."

test: ## install what is missing, build, run every test
	@$(MAKE) --no-print-directory deps DEPS='$(DEPS_BUILD) $(DEPS_TEST)'
	$(SUB) test-build
	@$(MAKE) --no-print-directory check

deps: ## install the packages that the build needs (Debian, Ubuntu)
	@echo 'Packages:' $(DEPS); \
	if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then \
	    echo 'This is not Debian or Ubuntu: install what these packages hold, then go on with "make".'; \
	    exit 1; \
	fi; \
	missing=; \
	for p in $(DEPS); do \
	    dpkg-query -W -f '$${Status}' $$p 2>/dev/null | grep -q '^install ok installed' || \
	        missing="$$missing $$p"; \
	done; \
	if [ -z "$$missing" ]; then echo 'All of them are installed.'; exit 0; fi; \
	echo "Missing:$$missing"; \
	if [ "$$(id -u)" = 0 ]; then sudo=; \
	elif command -v sudo >/dev/null; then sudo=sudo; \
	else echo "Neither root nor sudo: ask for 'apt-get install$$missing', then go on."; exit 1; fi; \
	$$sudo apt-get update -qq || echo 'The package lists could not be updated; trying with those here.'; \
	$$sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $$missing

# ---- tests

test-build: all $(ENGINE_TESTS) $(UNIT_TESTS) $(B)/tests/bench

# ONLY=part of a name runs only such suites.
check: test-build ## run the tests without installing anything (ONLY=part-of-a-name)
	@RUNNEL=$(abspath $(BIN)) BUILD=$(abspath $(B)) VARIANT=$(V) sh tests/run.sh '$(ONLY)' \
	    $(SCRIPTS) $(ENGINE_TESTS) $(UNIT_TESTS)

$(ENGINE_TESTS) $(B)/tests/bench: $(B)/tests/%: $(B)/tests/%.o $(B)/libengine.a
	$(call say,LINK,$@)$(CC) $(LDFLAGS) $^ $(ENGINE_LIBS) -o $@

$(UNIT_TESTS): $(B)/tests/%: $(B)/tests/%.o $(B)/librunnel.a
	$(call say,LINK,$@)$(CC) $(LDFLAGS) $^ -lcmocka $(LIBS) -o $@

engine-test: $(ENGINE_TESTS) ## test the engine; needs only a C compiler, make and OpenCL
	@BUILD=$(abspath $(B)) VARIANT=$(V) sh tests/run.sh '' $(ENGINE_TESTS)

engine-bench: $(B)/tests/bench ## measure kernels and streaming; needs only cc, make and OpenCL (ARGS=...)
	$(B)/tests/bench $(ARGS)

bench: engine-bench

asan: ## every test under the address and undefined-behaviour sanitizers
	$(SUB) V=asan B=$(VARIANTS)/asan test-build
	@$(MAKE) --no-print-directory V=asan B=$(VARIANTS)/asan check ONLY='$(ONLY)'

tsan: ## every test under the thread sanitizer
	$(SUB) V=tsan B=$(VARIANTS)/tsan test-build
	@$(MAKE) --no-print-directory V=tsan B=$(VARIANTS)/tsan check ONLY='$(ONLY)'

# Oclgrind itself always exits 0: its log has to be empty.
OCLGRIND_LOG := $(VARIANTS)/oclgrind.log
oclgrind: ## the engine's numeric tests, small, under Oclgrind
	@command -v oclgrind >/dev/null || { echo 'oclgrind is missing: apt-get install oclgrind'; exit 1; }
	$(SUB) V=debug B=$(VARIANTS)/debug $(VARIANTS)/debug/tests/numeric
	@rm -f $(OCLGRIND_LOG)
	oclgrind --data-races --uninitialized --check-api --log $(OCLGRIND_LOG) \
	    $(VARIANTS)/debug/tests/numeric --small $(ARGS)
	@! test -s $(OCLGRIND_LOG) || { head -50 $(OCLGRIND_LOG); exit 1; }
	@echo 'Oclgrind found nothing.'

soak: all ## 20,000 frames with a watch on the memory
	RUNNEL=$(abspath $(BIN)) sh tests/soak.sh

# ---- hygiene

lint: $(B)/librunnel.a ## format, dependency rules, static checks
	@LIB=$(B)/librunnel.a CC='$(CC)' CPPFLAGS='$(subst ','\'',$(CPPFLAGS) $(IO_CFLAGS) $(APP_CFLAGS) $(UI_CFLAGS))' sh tests/lint.sh

format: ## clang-format all C sources
	clang-format -i $$(git ls-files -co --exclude-standard '*.c' '*.h' '*.cpp')

# ---- the rest

install: all ## install to PREFIX (/usr/local), below DESTDIR
	install -D -m 755 $(BIN) $(DESTDIR)$(PREFIX)/bin/runnel

uninstall: ## remove what install put there
	rm -f $(DESTDIR)$(PREFIX)/bin/runnel

clean: ## remove everything that was made
	rm -rf build

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):[^#]*## /\1\t/p' Makefile | expand -t 14

.PHONY: have-opencl have-packages all demo demo-scan test deps test-build check engine-test engine-bench bench asan tsan oclgrind soak \
    lint format install uninstall clean help FORCE
.DELETE_ON_ERROR:
-include $(patsubst %.o,%.d,$(ENGINE_OBJ) $(OTHER_OBJ) $(B)/app/main.o) $(wildcard $(B)/tests/*.d)
