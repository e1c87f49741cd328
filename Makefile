# SPDX-License-Identifier: MIT
# runnel: `make demo` and `make test` are all that a fresh Debian needs; `make help` lists the rest.
#
# Variants: V=release (default), debug, asan, tsan, fuzz. Everything that is made lies below build/, or below
# B if that is given. The engine (filters/, kernels/, its tests and its benchmark) needs nothing but
# a C compiler, make and OpenCL: see engine-test and engine-bench.

V ?= release
# Lines for backtraces; variables, too, take a quarter more of the compiler's time.
OPT.release := -O2 -g1
OPT.debug   := -Og -g3
OPT.asan    := -O1 -g -fno-omit-frame-pointer
OPT.tsan    := -O1 -g
OPT.fuzz    := -O1 -g -fno-omit-frame-pointer
SANITIZE.asan := -fsanitize=address,undefined -fno-sanitize-recover=undefined
SANITIZE.tsan := -fsanitize=thread
SANITIZE.fuzz := -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=undefined
$(if $(OPT.$(V)),,$(error unknown variant V=$(V): release, debug, asan, tsan or fuzz))
ifeq ($(V),fuzz)
CC  := clang
CXX := clang++
endif

# BIN, which people call, is linked with the engine alone. For most commands it loads one of two halves, beside
# itself or in LIBEXECDIR: runnel-media.so, which is linked with all but SDL and GDCM, or runnel-play.so, which has
# the preview and SDL, too. The processes that read DICOM, .mat and ONNX load runnel-dicom.so, runnel-mat.so or
# runnel-onnx.so instead.

# Where the variants of asan, tsan and oclgrind go.
VARIANTS := $(or $(B),build)
ifdef B
# The same objects under one name, so that whoever names their folder in full builds nothing twice.
override B := $(patsubst $(CURDIR)/%,%,$(B))
BIN := $(B)/runnel
else
B   := build/$(V)
BIN := $(if $(filter release,$(V)),build/runnel,$(B)/runnel)
endif
MEDIA := $(dir $(BIN))runnel-media.so
PLAY  := $(dir $(BIN))runnel-play.so
WORKERS = $(if $(GDCM),$(dir $(BIN))runnel-dicom.so) $(if $(MATIO),$(dir $(BIN))runnel-mat.so) \
    $(if $(ONNX),$(dir $(BIN))runnel-onnx.so)

PREFIX  ?= /usr/local
BINDIR  ?= $(PREFIX)/bin
LIBDIR  ?= $(PREFIX)/lib
LIBEXECDIR ?= $(PREFIX)/libexec/runnel
INCLUDEDIR ?= $(PREFIX)/include
DATADIR ?= $(PREFIX)/share
MANDIR  ?= $(DATADIR)/man
VERSION := $(shell sed -n 's/.*RN_VERSION  *"\(.*\)"/\1/p' filters/base/version.h)
SONAME  := librunnel.so.0
# The headers that are installed; filters/runnel.h includes them.
API     := $(addprefix filters/,$(addsuffix .h,base/api base/border base/err base/floats base/image base/log base/sample \
    base/version base/output/outfile core/chain/chain core/chain/level core/chain/measurement core/chain/param \
    core/chain/region core/chain/stage core/device/device core/pool/exchange core/pool/pool core/runner/runner runnel))
# Installed, they lie below runnel/ and include each other as such.
INSTALLED := $(patsubst filters/%,runnel/%,$(API))
DESTDIR ?=

DEPS_BUILD := gcc make libc6-dev binutils pkg-config ocl-icd-opencl-dev opencl-headers \
    pocl-opencl-icd libavformat-dev libavcodec-dev libavutil-dev libswscale-dev libavdevice-dev \
    libavfilter-dev libswresample-dev libtiff-dev zlib1g-dev libbz2-dev libxml2-dev libjansson-dev \
    libsdl2-dev libsdl2-ttf-dev libfontconfig-dev
DEPS_TEST  := libcmocka-dev python3-dev python3-setuptools python3-pip ffmpeg jq mandoc man-db zsh fish python3-pexpect python3-numpy python3-scipy python3-opencv xvfb xdotool xclip openbox procps \
    x11-xkb-utils imagemagick gnuplot-nox g++ libmatio-dev libprotobuf-c-dev protobuf-c-compiler libgdcm-dev libgdcm-tools libseccomp-dev python3-nibabel \
    python3-tifffile python3-vtk9 teem-apps python3-pydicom python3-gdcm python3-jsonschema dcmtk dcm2niix mkvtoolnix
DEPS_PACKAGE := git build-essential debhelper dh-python lintian blhc desktop-file-utils appstream man-db groff mandoc \
    autopkgtest
DEPS_LINT  := git clang-format clang-tidy cppcheck
DEPS_FUZZ  := clang libclang-rt-dev
DEPS_LONG  := gem-doc python3-torch parallel slurmctld slurmd slurm-client munge
DEPS_CROSS := gcc-aarch64-linux-gnu libc6-dev-arm64-cross gcc-riscv64-linux-gnu libc6-dev-riscv64-cross
DEPS       ?= $(DEPS_BUILD)

PKG_CONFIG ?= pkg-config
NM         ?= nm
# pkg-config may be missing; the engine then links with -lOpenCL.
pkg       = $(shell $(PKG_CONFIG) $(1) $(2) 2>/dev/null)
# These are loaded by those who need them, not linked.
DL_PKGS  := libavdevice libavfilter
IO_PKGS  := libavformat libavcodec libswscale libswresample libavutil libtiff-4 zlib libxml-2.0
APP_PKGS := jansson
UI_PKGS  := sdl2 SDL2_ttf fontconfig

# DICOM is read through GDCM, which is C++, where its headers and library are (libgdcm-dev and g++; it has
# no pkg-config file). `make GDCM=` builds without it. The process that reads it has its system calls
# filtered where libseccomp is (libseccomp-dev); `make SECCOMP=` builds without that.
GDCM_PATH  := $(lastword $(sort $(wildcard /usr/include/gdcm-[0-9]* /usr/local/include/gdcm-[0-9]*)))
GDCM_FLAGS := $(addprefix -isystem ,$(GDCM_PATH))
GDCM       := $(shell printf '\043include <gdcmImageReader.h>\n' | $(CXX) $(CPPFLAGS) $(GDCM_FLAGS) -E -x c++ - \
    >/dev/null 2>&1 && $(CXX) -print-file-name=libgdcmMSFF.so 2>/dev/null | grep /)

# MATLAB's files are read through libmatio where its header and library are (libmatio-dev); `make MATIO=`
# builds without. What reads them loads it by this name, so that nobody else waits for HDF5.
MATIO := $(and $(call pkg,--cflags,matio),$(shell $(CC) -print-file-name=libmatio.so 2>/dev/null | grep / | \
    xargs -r readelf -d 2>/dev/null | sed -n 's/.*SONAME.*\[\(.*\)\]/\1/p'))

# Networks of other programs are imported through protobuf-c where it and its compiler are
# (libprotobuf-c-dev, protobuf-c-compiler); `make ONNX=` builds without.
ONNX := $(and $(shell command -v protoc-c),$(call pkg,--libs,libprotobuf-c))

# CPPFLAGS, CFLAGS, CXXFLAGS, LDFLAGS and LIBS belong to whoever builds, on the command line or in the
# environment. On every command they stand between what is only a default, warnings and hardening, which
# they override, and what the program is not correct without, which they cannot override.
CFLAGS   ?= $(OPT.$(V))
CXXFLAGS ?= $(OPT.$(V))

# Warnings are errors for those who work on runnel, not for those who build it with another compiler.
WERROR ?= $(if $(filter release,$(V)),,1)
WARN   := -Wall -Wextra -Wshadow -Wundef -Wformat -Werror=format-security \
    $(if $(filter-out 0 no,$(WERROR)),-Werror)
# Callbacks take what their type says, needed or not.
WARN_C := $(WARN) -Wno-unused-parameter -Wstrict-prototypes -Wmissing-prototypes -Wpointer-arith -Wvla -Wimplicit-fallthrough

# What Debian's dpkg-buildflags gives, where the compiler takes it; `make HARDEN=` builds without. glibc
# fortifies only what is optimized, the sanitizers watch the same functions, and a compiler or a user
# that fortifies already may want another level.
HARDEN ?= 1
ifneq ($(filter-out 0 no,$(HARDEN)),)
takes   = $(shell for f in $(1); do \
    $(CC) -Werror $$f -fsyntax-only -x c /dev/null 2>/dev/null && echo $$f; done)
fortify = $(if $(SANITIZE.$(V)),,$(shell $(1) -dM -E /dev/null 2>/dev/null | awk ' \
    $$2 == "__OPTIMIZE__" {optimized = 1} \
    $$2 ~ /^(_FORTIFY_SOURCE|__SANITIZE_ADDRESS__|__SANITIZE_THREAD__)$$/ {other = 1} \
    END {if (optimized && !other) print "-D_FORTIFY_SOURCE=2"}'))
HARDEN_BOTH := -fstack-protector-strong \
    $(call takes,-fstack-clash-protection -fcf-protection -mbranch-protection=standard)
HARDEN_C    := $(HARDEN_BOTH) $(call fortify,$(CC) $(CPPFLAGS) $(CFLAGS) -x c)
HARDEN_CXX  := $(HARDEN_BOTH) $(call fortify,$(CXX) $(CPPFLAGS) $(CXXFLAGS) -x c++)
HARDEN_LD   := -fPIE -pie -Wl,-z,relro -Wl,-z,now
endif

# The C references are the truth: the compiler may not contract a * b + c nor take floats for reals, and
# at the link nothing may add the start-up code that flushes denormals.
EXACT  := -fno-fast-math -fno-unsafe-math-optimizations -fno-associative-math -fno-reciprocal-math \
    -fno-finite-math-only -fsigned-zeros -ffp-contract=off
MACROS := -D_POSIX_C_SOURCE=200809L -D_DEFAULT_SOURCE -DCL_TARGET_OPENCL_VERSION=120

ALL_CPPFLAGS = -I. $(CPPFLAGS) $(MACROS) $(CL_CFLAGS)
# Every object may go into a shared one, where its functions call each other directly. None knows the folder in which
# it was built, so that two builds give the same bytes.
SHARED := -fPIC -fno-semantic-interposition -ffile-prefix-map='$(CURDIR)'=.
ALL_CFLAGS   = $(WARN_C) $(HARDEN_C) $(CFLAGS) -std=c11 $(SHARED) -pthread $(EXACT) $(SANITIZE.$(V))
ALL_CXXFLAGS = $(WARN) $(HARDEN_CXX) $(CXXFLAGS) -std=c++17 $(SHARED) -pthread $(SANITIZE.$(V))
ALL_LDFLAGS  = $(HARDEN_LD) $(patsubst -Ofast,-O3,$(CFLAGS) $(LDFLAGS)) -pthread $(EXACT) \
    $(SANITIZE.$(V))

CL_CFLAGS   := $(call pkg,--cflags,OpenCL)
CL_LIBS     := $(or $(call pkg,--libs,OpenCL),-lOpenCL)
ENGINE_LIBS := $(CL_LIBS) -pthread -lm -ldl
MEDIA_LIBS  := $(call pkg,--libs,$(IO_PKGS) $(APP_PKGS)) -lbz2 $(ENGINE_LIBS)
UI_LIBS     := $(call pkg,--libs,$(UI_PKGS))
ALL_LIBS     = $(UI_LIBS) $(MEDIA_LIBS)
IO_CFLAGS   := $(call pkg,--cflags,$(IO_PKGS) $(DL_PKGS))
ifneq ($(GDCM),)
GDCM_LIBS := -lgdcmMSFF -lgdcmDICT -lgdcmDSED -lgdcmCommon -lstdc++
IO_CFLAGS += -DRN_HAVE_GDCM
CXX_SRC   := $(sort $(wildcard io/dicom/gdcm/*.cpp))
endif
ifneq ($(MATIO),)
IO_CFLAGS += -DRN_HAVE_MATIO=$(MATIO) $(call pkg,--cflags,matio)
endif
ifneq ($(GDCM)$(MATIO)$(ONNX),)
SECCOMP   := $(call pkg,--libs,libseccomp)
ifneq ($(SECCOMP),)
MEDIA_LIBS += $(SECCOMP)
IO_CFLAGS += -DRN_HAVE_SECCOMP $(call pkg,--cflags,libseccomp)
endif
endif
APP_CFLAGS := $(call pkg,--cflags,$(APP_PKGS))
# Nobody here uses the vector intrinsics, whose header takes the compiler half a second in each file.
UI_CFLAGS  := $(call pkg,--cflags,$(UI_PKGS)) -DSDL_DISABLE_IMMINTRIN_H

# All sources below some folders, at any depth: SOURCES(folders).
sources     = $(sort $(shell find $(1) -name '*.c'))
BENCH_SRC  := $(call sources,filters/bench filters/linear filters/learn)
ENGINE_SRC := $(filter-out $(BENCH_SRC),$(call sources,filters))
MAIN_SRC   := app/front.c app/main.c
WORKER_SRC := io/dicom/gdcm/worker_main.c io/volumes/mat/mat_worker.c app/onnx/onnx_worker.c app/onnx/convert.c
OTHER_SRC  := $(filter-out $(MAIN_SRC) $(WORKER_SRC) app/python/%,$(call sources,app io ui))
CL_SRC     := $(sort $(wildcard kernels/*.cl))
BENCH_CL   := kernels/bench.cl kernels/linear.cl kernels/primitives.cl kernels/learn.cl
CL_INC     := $(sort $(wildcard kernels/*.clh))
ENGINE_OBJ := $(ENGINE_SRC:%.c=$(B)/%.o) $(B)/kernels_gen.o \
    $(B)/filters/core/chain/vocabulary_gen.o $(B)/filters/texts_gen.o
BENCH_OBJ  := $(BENCH_SRC:%.c=$(B)/%.o) $(B)/bench_kernels_gen.o $(B)/filters/bench/filtertime_gen.o \
    $(B)/filters/bench/networks_gen.o
MAIN_OBJ   := $(MAIN_SRC:%.c=$(B)/%.o)
FRONT_OBJ  := $(patsubst %,$(B)/app/%.o,front commands/filters process/standard_io process/terminal)
PLAY_OBJ   := $(patsubst %.c,$(B)/%.o,$(filter app/play/% ui/%,$(OTHER_SRC)))
MEDIA_OBJ  := $(patsubst %.c,$(B)/%.o,$(filter-out app/play/% ui/%,$(OTHER_SRC))) \
    $(patsubst %,$(B)/app/%_gen.o,options help/habits commands/commands commands/published)
OTHER_OBJ  := $(MEDIA_OBJ) $(PLAY_OBJ)
GDCM_OBJ   := $(CXX_SRC:%.cpp=$(B)/%.o)
ONNX_OBJ   := $(addprefix $(B)/app/onnx/,convert.o onnx_gen.o)

# Tests of the engine have a main() of their own and, of the program, only what prepares the
# environment for PoCL; the unit tests use cmocka.
ENGINE_ENV   := $(B)/app/process/environment.o
ENGINE_TESTS := $(B)/tests/numeric $(B)/tests/reference $(B)/tests/point $(B)/tests/bound \
                $(B)/tests/fields $(B)/tests/scans $(B)/tests/pool $(B)/tests/batches \
                $(B)/tests/linear
UNIT_OBJ     := $(patsubst %.c,$(B)/%.o,$(sort $(wildcard tests/unit_*.c)))
PRELOADED    := $(B)/tests/settle.so $(B)/tests/prestart.so
CALLERS      := $(addprefix $(B)/tests/started/,ffmpeg ffprobe python3 runnel)
SCRIPTS      := $(wildcard tests/oracle.py) $(sort $(wildcard tests/e2e_*.sh))
LONG_SCRIPTS := $(sort $(wildcard tests/long_*.sh)) tests/long_sets.py
# Those which name WHOLE run a part of their cases without WHOLE=1.
IN_PART       = $(patsubst tests/%.c,$(B)/tests/%,$(shell grep -lwE 'WHOLE|is_whole' $(SCRIPTS) \
    $(patsubst $(B)/%,%.c,$(ENGINE_TESTS) $(UNIT_OBJ:%.o=%))))
FUZZ_TARGETS := $(patsubst %.c,$(B)/%,$(sort $(wildcard tests/fuzz_*.c)))

# A sub-make uses all CPUs unless make was told how many.
JOBS = $(if $(findstring -j,$(MAKEFLAGS)),,-j$(shell nproc 2>/dev/null || echo 2))
SUB  = +$(MAKE) --no-print-directory $(JOBS)

, := ,
# One short line per command; VERBOSE=1 shows the commands.
say = $(if $(VERBOSE),,@echo '  $(1)  $(2)';)

all: $(BIN) $(MEDIA) $(PLAY) $(WORKERS) ## build the program (default)

$(BIN): $(FRONT_OBJ) $(B)/librunnel.a $(B)/flags
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(ALL_LDFLAGS) $(filter %.o %.a,$^) $(ENGINE_LIBS) $(LIBS) -o $@

# Of two functions of one name an archive would quietly give one to all.
whole = -Wl,--whole-archive $(1) -Wl,--no-whole-archive
shared = $(CC) -shared $(filter-out -fPIE -pie,$(ALL_LDFLAGS))
part   = $(shared) -Wl,-Bsymbolic -Wl,--version-script=app/parts.map
$(MEDIA) $(PLAY): app/parts.map $(B)/app/main.o $(B)/libprogram.a $(B)/flags
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(part) $(filter %.o,$^) $(call whole,$(filter %.a,$^)) $(MEDIA_LIBS) $(LIBS) -o $@
$(PLAY): $(B)/libplay.a
$(PLAY): MEDIA_LIBS += $(UI_LIBS)

# A worker takes of the program what it needs, and none of FFmpeg's libraries but the smallest.
$(dir $(BIN))runnel-dicom.so: $(GDCM_OBJ) $(B)/io/dicom/gdcm/worker_main.o app/parts.map $(B)/libprogram.a $(B)/flags
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(part) $(filter %.o %.a,$^) $(GDCM_LIBS) -Wl,--as-needed $(MEDIA_LIBS) $(LIBS) -o $@
$(dir $(BIN))runnel-mat.so: $(B)/io/volumes/mat/mat_worker.o app/parts.map $(B)/libprogram.a $(B)/flags
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(part) $(filter %.o %.a,$^) -Wl,--as-needed $(MEDIA_LIBS) $(LIBS) -o $@

$(dir $(BIN))runnel-onnx.so: $(ONNX_OBJ) $(B)/app/onnx/onnx_worker.o app/parts.map $(B)/libprogram.a $(B)/flags
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(part) $(filter %.o %.a,$^) $(ONNX) -Wl,--as-needed $(MEDIA_LIBS) $(LIBS) -o $@

# Where the program looks for them, from its own folder: what is installed can be moved as a whole.
PARTS := $(or $(shell realpath -ms --relative-to='$(BINDIR)' '$(LIBEXECDIR)' 2>/dev/null),../libexec/runnel)
$(B)/parts: FORCE
	$(call stamp,$(PARTS))
PRESETS := $(or $(shell realpath -ms --relative-to='$(BINDIR)' '$(DATADIR)/runnel/presets' 2>/dev/null),../share/runnel/presets)
$(B)/presets: FORCE
	$(call stamp,$(PRESETS))
$(B)/app/front.o: PKG_CFLAGS += -DRN_PARTS='"$(PARTS)"'
$(B)/app/front.o: $(B)/parts
$(B)/app/help/presets.o: PKG_CFLAGS += -DRN_PRESETS='"$(PRESETS)"'
$(B)/app/help/presets.o: $(B)/presets

$(B)/libprogram.a: $(ENGINE_OBJ) $(BENCH_OBJ) $(MEDIA_OBJ)
$(B)/libplay.a: $(PLAY_OBJ)

# The library is the engine. Its objects fit into the shared one; outside of that only what the
# installed headers declare can be seen.
$(B)/filters/%.o $(B)/%_gen.o: PKG_CFLAGS := -fvisibility=hidden
$(B)/$(SONAME): $(ENGINE_OBJ) $(B)/src-list filters/librunnel.map
	$(call say,LINK,$@)$(shared) -Wl,-soname,$(SONAME) -Wl,--version-script=filters/librunnel.map $(if $(SANITIZE.$(V)),,-Wl,-z,defs) \
	    $(filter %.o,$^) $(ENGINE_LIBS) $(LIBS) -o $@
$(B)/runnel.pc: FORCE
	@mkdir -p $(@D); printf '%s\n' 'prefix=$(PREFIX)' 'libdir=$(LIBDIR)' 'includedir=$(INCLUDEDIR)' '' \
	    'Name: runnel' 'Description: Pictures through chains of OpenCL filters' \
	    'Version: $(VERSION)' 'Libs: -L$${libdir} -lrunnel' 'Libs.private: $(ENGINE_LIBS)' \
	    'Cflags: -I$${includedir}' > $@

$(B)/librunnel.a: $(ENGINE_OBJ)
# The benchmark stands on the engine and is no part of the library.
$(B)/libbench.a: $(BENCH_OBJ)
$(B)/librunnel.a $(B)/libbench.a $(B)/libprogram.a $(B)/libplay.a: $(B)/src-list
	$(call say,AR,$@)rm -f $@ && $(AR) rcs $@ $(filter %.o,$^)

$(B)/%.o: %.c $(B)/flags
	@mkdir -p $(@D)
	$(call say,CC,$<)$(CC) $(ALL_CPPFLAGS) $(ALL_CFLAGS) $(PKG_CFLAGS) -MMD -MP -c $< -o $@

# These look into the classes of libraries that were built without.
$(CXX_SRC:%.cpp=$(B)/%.o): SANITIZE.fuzz += -fno-sanitize=vptr,function
$(B)/%.o: %.cpp $(B)/flags
	@mkdir -p $(@D)
	$(call say,CXX,$<)$(CXX) $(ALL_CPPFLAGS) $(ALL_CXXFLAGS) $(GDCM_FLAGS) -MMD -MP -c $< -o $@

# What is missing is said before the compiler stumbles over it.
have-opencl:
	@echo '#include <CL/cl.h>' | $(CC) $(ALL_CPPFLAGS) -E - >/dev/null 2>&1 || \
	    { echo 'The OpenCL headers are missing: run "make deps".'; exit 1; }
have-packages: have-opencl
	@$(PKG_CONFIG) --exists $(IO_PKGS) $(DL_PKGS) $(APP_PKGS) $(UI_PKGS) || \
	    { echo 'Packages are missing: run "make deps".'; exit 1; }
have-cmocka:
	@printf '\043include <%s>\n' stdarg.h stddef.h stdint.h setjmp.h cmocka.h | $(CC) $(ALL_CPPFLAGS) -E - >/dev/null 2>&1 || \
	    { echo 'The unit tests need cmocka: run "make deps DEPS=libcmocka-dev", or "make test".'; exit 1; }
$(ENGINE_OBJ) $(BENCH_OBJ): | have-opencl
$(UNIT_OBJ) $(B)/tests/unit.o: | have-cmocka
$(filter-out $(ENGINE_ENV),$(OTHER_OBJ)) $(MAIN_OBJ): | have-packages

$(B)/io/%.o: PKG_CFLAGS := $(IO_CFLAGS) -include io/common/av_checked.h
$(B)/io/dicom/%.o $(B)/io/process/%.o $(B)/io/volumes/mat/mat_%.o: PKG_CFLAGS := $(IO_CFLAGS)
$(B)/app/%.o: PKG_CFLAGS := $(APP_CFLAGS)
$(B)/app/onnx/%.o: PKG_CFLAGS := -I$(B) $(call pkg,--cflags,libprotobuf-c)
$(B)/ui/%.o: PKG_CFLAGS := $(UI_CFLAGS)
$(B)/tests/fuzz%.o: PKG_CFLAGS := $(IO_CFLAGS)
# What runs once is not worth the compiler's time.
ONCE := $(if $(filter release,$(V)),-O0 -U_FORTIFY_SOURCE)
$(ENGINE_TESTS:%=%.o) $(B)/tests/ahead.o: PKG_CFLAGS := $(ONCE)
# cmocka gives a state to every test.
$(B)/tests/unit_%.o: PKG_CFLAGS := $(IO_CFLAGS) $(UI_CFLAGS) $(ONCE)
# It computes pictures by itself.
$(B)/tests/unit_display.o: PKG_CFLAGS := $(IO_CFLAGS) $(UI_CFLAGS)

$(B)/%_gen.o: $(B)/%_gen.c $(B)/flags
	$(call say,CC,$<)$(CC) $(ALL_CPPFLAGS) $(ALL_CFLAGS) $(PKG_CFLAGS) -MMD -MP -c $< -o $@

$(B)/kernels_gen.c: EMBED := -v table=rn_kernel_sources -f kernels/embed.awk $(filter-out $(BENCH_CL),$(CL_SRC))
$(B)/bench_kernels_gen.c: EMBED := -v table=rn_bench_sources -f kernels/embed.awk $(BENCH_CL)
# GNU Make 4.4 would remove these after the first build, and embed and link once more in the next.
.SECONDARY: $(patsubst %.o,%.c,$(filter %_gen.o,$(ENGINE_OBJ) $(BENCH_OBJ) $(MEDIA_OBJ) $(ONNX_OBJ) $(B)/tests/numeric_gen.o))
$(B)/kernels_gen.c $(B)/bench_kernels_gen.c: kernels/embed.awk $(CL_SRC) $(CL_INC) $(B)/cl-list
	$(call say,AWK,$@)awk $(EMBED) > $@.tmp && mv $@.tmp $@
# Words that stand for others, and what help says.
EMBED_TEXT = @mkdir -p $(@D); awk -v name=$(TEXT) -f filters/base/text/embed.awk $< > $@.tmp && mv $@.tmp $@
$(B)/%_gen.c: %.words filters/base/text/embed.awk
	$(EMBED_TEXT)
$(B)/app/commands/commands_gen.c: TEXT := rn_app_command_texts
$(B)/%_gen.c: %.texts filters/base/text/embed.awk
	$(EMBED_TEXT)
$(B)/%_gen.c: %.strings filters/base/text/embed.awk
	$(EMBED_TEXT)

$(B)/app/onnx/onnx_gen.c: app/onnx/onnx.proto
	@mkdir -p $(@D); protoc-c --proto_path=$(<D) --c_out=$(@D) $(<F) 2>$@.log || { cat $@.log; exit 1; } # it warns of its name
	@mv $(@D)/onnx.pb-c.c $@
$(B)/app/onnx/convert.o: $(B)/app/onnx/onnx_gen.c

# Stamps: files that change only when the text in them would, so that a change of flags, or a source
# that came or went, rebuilds what depends on it.
stamp = @mkdir -p $(@D); printf '%s\n' '$(subst ','\'',$(1))' | cmp -s - $@ || \
    printf '%s\n' '$(subst ','\'',$(1))' > $@
$(B)/flags: FORCE
	$(call stamp,$(CC) $(ALL_CPPFLAGS) $(ALL_CFLAGS) $(IO_CFLAGS) $(APP_CFLAGS) $(UI_CFLAGS) $(CXX) \
	    $(ALL_CXXFLAGS) $(ALL_LDFLAGS) $(ALL_LIBS) $(LIBS))
$(B)/src-list: FORCE
	$(call stamp,$(ENGINE_SRC) $(BENCH_SRC) $(OTHER_SRC) $(CXX_SRC) $(UNIT_OBJ))
$(B)/cl-list: FORCE
	$(call stamp,$(CL_SRC) $(CL_INC))

# ---- what the two commands of the README do

demo: ## install what is missing, build, filter the sample clip
	@$(MAKE) --no-print-directory deps
	$(SUB) all
	@mkdir -p build/demo
	$(BIN) render media/clip.mp4 build/demo/demo.mp4 -y \
	    -f 'closing=shape=disk:radius=2,convolution=preset=sharpen,stats=file=build/demo/stats.csv'
	@echo "The filtered clip is build/demo/demo.mp4, its measurements are build/demo/stats.csv."

# The mask of the material, its pores closed in 3-D; another chain by SCAN_CHAIN=...
SCAN_CHAIN ?= threshold=level=7700,closing=shape=disk:radius=2:slices=2
demo-scan: ## the same for the sample scan: close the pores of its mask, plot the norms of the slices
	@$(MAKE) --no-print-directory deps DEPS='$(DEPS_BUILD) gnuplot-nox'
	$(SUB) all
	@mkdir -p build/demo
	$(BIN) render media/scan.tif build/demo/scan-closed.tif -y -f '$(SCAN_CHAIN)' \
	    --metrics build/demo/scan.json
	$(BIN) stats build/demo/scan-closed.tif -q > build/demo/scan-closed.csv
	gnuplot -e "csv='build/demo/scan-closed.csv'" media/norms.gp > build/demo/scan-closed.svg
	@awk -F '[:,]' '/"upload_s"/ {up = $$2} /"total_s"/ {run += $$2} /"download_s"/ {down = $$2} \
	    /"frames_out"/ {n = $$2} \
	    END { printf "%d slices, ms in all: Tr in %.3f, kernel %.3f, Tr out %.3f\n", \
	          n, 1e3 * up, 1e3 * run, 1e3 * down; \
	          if (up + down == 0) print "(the device shares the memory: nothing is transferred)" }' \
	    build/demo/scan.json
	@echo "The closed stack is build/demo/scan-closed.tif, its norms are build/demo/scan-closed.csv,"
	@echo "their plot is build/demo/scan-closed.svg."

test: ## install what is missing, build, run every test, of what takes long a part
	@$(MAKE) --no-print-directory deps DEPS='$(DEPS_BUILD) $(DEPS_TEST)'
	$(SUB) test-build
	@$(MAKE) --no-print-directory check

test-long: test ## after them the tests that take long: many frames, many keys, damaged files, fuzz
	@$(MAKE) --no-print-directory deps DEPS='$(DEPS_LONG)'
	@$(MAKE) --no-print-directory check-long
	@$(MAKE) --no-print-directory mutants
	@$(MAKE) --no-print-directory fuzz

# What apt-get prints goes to a log, of which the end is shown if it fails. A question is asked only at a terminal.
APT_LOG := $(VARIANTS)/apt.log
deps: ## install the packages that the build needs (Debian, Ubuntu)
	@if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then \
	    echo 'Packages:' $(DEPS); \
	    echo 'This is not Debian or Ubuntu: install what these packages hold, then go on with "make".'; \
	    exit 1; \
	fi; \
	missing=; \
	for p in $(DEPS); do \
	    dpkg-query -W -f '$${Status}' $$p 2>/dev/null | grep -q '^install ok installed' || \
	        missing="$$missing $$p"; \
	done; \
	if [ -z "$$missing" ]; then echo 'All packages that this needs are installed.'; exit 0; fi; \
	echo "Missing packages:$$missing"; \
	if [ "$$(id -u)" = 0 ]; then sudo=; \
	elif command -v sudo >/dev/null; then sudo=sudo; \
	else echo "Neither root nor sudo: ask for 'apt-get install$$missing', then go on."; exit 1; fi; \
	mkdir -p $(dir $(APT_LOG)); \
	echo 'Updating the package lists:' $$sudo apt-get update; \
	$$sudo apt-get update >$(APT_LOG) 2>&1 || echo 'They could not be updated; trying with those here.'; \
	apt() { $$sudo env LC_ALL=C DEBIAN_FRONTEND=noninteractive sh -c \
	    'apt-get install --no-install-recommends "$$@" 3>&1 >>$(APT_LOG) 2>&1' apt "$$@" $$missing; }; \
	apt --assume-no; \
	awk '/newly installed/ {n = $$1 + $$3} \
	    /^Need to get/ {sub(/.*get /, ""); sub(/ of archives.*/, ""); sub("/", " of "); download = $$0} \
	    /^After this/ {disk = $$4 " " $$5} \
	    END {if (n) print "Packages, with all that they depend on: " n ", " download " to download, " disk " on disk."; \
	         exit !n}' $(APT_LOG) || { tail -n 30 $(APT_LOG); echo; exit 1; }; \
	echo 'Next:' $$sudo 'apt-get install, whose output goes to $(APT_LOG)'; \
	if [ -t 0 ] && [ -t 2 ]; then \
	    printf 'Go on? [Y/n] ' >&2; \
	    read -r answer || answer=no; \
	    case $$answer in [nN]*) echo 'Nothing was installed.'; exit 1 ;; esac; \
	fi; \
	{ apt -y -o Dpkg::Use-Pty=0 -o APT::Status-Fd=3; echo "ended:$$?"; } | while read -r line; do \
	    text=$${line#*:*:}; \
	    [ ! -t 2 ] || printf '\r\033[K' >&2; \
	    case $$line in \
	    dlstatus:* | pmstatus:*) [ ! -t 2 ] || printf '%3d %% %.70s' "$${text%%.*}" "$${text#*:}" >&2 ;; \
	    ended:*) exit "$${line#*:}" ;; \
	    esac; \
	done || { tail -n 30 $(APT_LOG); echo; exit 1; }; \
	echo 'The packages are installed.'

# ---- tests

test-build: all lib $(ENGINE_TESTS) $(B)/tests/unit $(B)/tests/bench $(B)/tests/peer $(B)/tests/ahead $(PRELOADED) $(CALLERS)

RUN_TESTS = RUNNEL=$(abspath $(BIN)) BUILD=$(abspath $(B)) VARIANT=$(V) sh tests/run.sh

# ONLY='words' runs only suites whose names have one of them.
check: test-build ## run the tests without installing anything (ONLY='parts of names')
	@$(RUN_TESTS) '$(ONLY)' $(SCRIPTS) $(ENGINE_TESTS) $(UNIT_OBJ:%.o=%)

times: ## write tests/times, by which tests begin, from the last run of all
	cat $(B)/logs/*.time | sort -k 2,2nr -k 1,1 | awk '$$2 >= 3' | paste -d ' ' - - - - - > tests/times

check-long: test-build $(B)/tests/faults.so ## run only what `test-long` has beyond `test` (ONLY='parts of names')
	@WHOLE=1 $(RUN_TESTS) '$(ONLY)' $(LONG_SCRIPTS) $(IN_PART)

check-whole: test-build ## run in whole the tests of which `test` runs a part (ONLY='parts of names')
	@WHOLE=1 $(RUN_TESTS) '$(ONLY)' $(IN_PART)

wrap = $(patsubst %,-Wl$(,)--wrap=%,$(1))
WRAP.pool := $(call wrap,clEnqueueNDRangeKernel rn_runner_lend)
$(B)/tests/numeric: $(B)/tests/numeric_gen.o
$(ENGINE_TESTS) $(B)/tests/ahead $(B)/tests/bench $(B)/tests/peer: $(B)/tests/%: $(B)/tests/%.o $(ENGINE_ENV) $(B)/libbench.a $(B)/librunnel.a
	$(call say,LINK,$@)$(CC) $(ALL_LDFLAGS) $(WRAP.$(@F)) $^ $(ENGINE_LIBS) $(LIBS) -o $@

# What is preloaded must not be a sanitizer's, see below.
$(B)/tests/prestart.so: ALL_PRESTART = -DSERVER -fPIC -shared
$(B)/tests/prestart.so $(CALLERS): tests/prestart.c $(B)/flags
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(WARN) -O2 -g -std=c11 $(ALL_PRESTART) $< -o $@ -ldl

$(B)/tests/settle.so: tests/settle.c $(B)/flags
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(ALL_CPPFLAGS) -U_FORTIFY_SOURCE $(if $(filter asan,$(V)),-DKEEP_LIBRARIES) $(UI_CFLAGS) \
	    $(WARN) -O2 -g -std=c11 -fPIC -shared $< -Wl,--no-as-needed $(UI_LIBS) -o $@

# All groups are one program: run.sh starts it anew for each.
WITH_GDCM := $(addprefix $(B)/tests/,unit fuzz_dicom)
$(WITH_GDCM): $(GDCM_OBJ)
$(WITH_GDCM): ALL_LIBS += $(GDCM_LIBS)
$(B)/tests/fuzz_onnx: $(ONNX_OBJ)
$(B)/tests/fuzz_onnx: ALL_LIBS += $(ONNX)
$(B)/tests/unit: $(B)/tests/unit.o $(UNIT_OBJ) $(B)/libplay.a $(B)/libprogram.a $(B)/src-list
	$(call say,LINK,$@)$(CC) $(ALL_LDFLAGS) $(filter %.o,$^) $(filter %.a,$^) -lcmocka $(ALL_LIBS) $(LIBS) -o $@

WRAP.fuzz_chain       := $(call wrap,rn_nearest)
WRAP.fuzz_dicom_reply := $(call wrap,posix_spawnp posix_spawn_file_actions_adddup2 kill waitpid)
$(FUZZ_TARGETS): $(B)/tests/%: $(B)/tests/%.o $(B)/tests/fuzz.o $(B)/libplay.a $(B)/libprogram.a
	$(call say,LINK,$@)$(CC) $(ALL_LDFLAGS) -fsanitize=fuzzer $(WRAP.$(@F)) $(filter %.o,$^) $(filter %.a,$^) $(ALL_LIBS) $(LIBS) -o $@

engine-test: $(ENGINE_TESTS) ## test the engine; needs only a C compiler, make and OpenCL
	@WHOLE=1 BUILD=$(abspath $(B)) VARIANT=$(V) sh tests/run.sh '' $(ENGINE_TESTS)

engine-bench: $(B)/tests/bench ## measure kernels and streaming; needs only cc, make and OpenCL (ARGS=...)
	$(B)/tests/bench $(ARGS)

bench: engine-bench

bench-peers: all $(B)/tests/peer ## measure beside OpenCV and FFmpeg; prints tables for the README (ARGS=...)
	@RUNNEL=$(abspath $(BIN)) PEER=$(abspath $(B)/tests/peer) \
	    $(or $(PYTHON),$(firstword $(wildcard /usr/bin/python3) python3)) tests/bench_peers.py $(ARGS)

asan: ## every test under the address and undefined-behaviour sanitizers
	$(SUB) V=asan B=$(VARIANTS)/asan test-build
	@$(MAKE) --no-print-directory V=asan B=$(VARIANTS)/asan check ONLY='$(ONLY)'

tsan: ## every test under the thread sanitizer
	$(SUB) V=tsan B=$(VARIANTS)/tsan test-build
	@$(MAKE) --no-print-directory V=tsan B=$(VARIANTS)/tsan check ONLY='$(ONLY)'

mutants: ## feed damaged files to the program under the address sanitizer (N=, FIRST=, KEEP=FOLDER)
	$(SUB) V=asan B=$(VARIANTS)/asan all
	@RUNNEL=$(abspath $(VARIANTS)/asan/runnel) BUILD=$(abspath $(VARIANTS)/asan) VARIANT=asan LIMIT=86400 \
	    sh tests/run.sh '' tests/long_mutants.py

fuzz-build: $(FUZZ_TARGETS)

# RUNS=N: each target N times; else SECS=N (20) seconds of each; ONLY='parts of names'.
fuzz: ## feed the parsers what libFuzzer makes up (RUNS=, SECS=, ONLY='parts of names')
	@$(MAKE) --no-print-directory deps DEPS='$(DEPS_BUILD) $(DEPS_TEST) $(DEPS_FUZZ)'
	$(SUB) V=fuzz B=$(VARIANTS)/fuzz fuzz-build
	@BUILD=$(abspath $(VARIANTS)/fuzz) RUNS='$(RUNS)' SECS='$(SECS)' \
	    sh tests/fuzz.sh '$(ONLY)' $(FUZZ_TARGETS:$(B)/%=$(abspath $(VARIANTS)/fuzz)/%)

oclgrind: ## the engine's numeric tests, small, under Oclgrind
	@command -v oclgrind >/dev/null || { echo 'oclgrind is missing: apt-get install oclgrind'; exit 1; }
	$(SUB) V=debug B=$(VARIANTS)/debug $(VARIANTS)/debug/tests/numeric
	@BUILD=$(abspath $(VARIANTS)/debug) LIMIT=1800 sh tests/run.sh '' tests/oclgrind.sh

# Functions that stand for those of OpenCL that a library or an archive calls.
CL_CALLS := filters/core/device/opencl_calls.awk
cl_calls = echo '\#include "filters/core/device/opencl.h"' | $(CC) $(ALL_CPPFLAGS) -E -P - | \
    awk -v wanted="$$($(NM) $(if $(filter %.so,$(1)),-D) --undefined-only $(1) | awk '{sub(/@.*/, "", $$NF)} \
    $$NF ~ /^cl[A-Z]/ && !seen[$$NF]++ {printf "%s ", $$NF}')" -f $(CL_CALLS)

# What makes calls fail is preloaded, so nothing of it may be a sanitizer's or fortified; it stands in front
# of each function of OpenCL that the program calls.
$(B)/tests/faults_cl.h: $(CL_CALLS) $(MEDIA)
	@mkdir -p $(@D)
	$(call say,AWK,$@)$(call cl_calls,$(MEDIA)) > $@.tmp && mv $@.tmp $@
$(B)/tests/faults.so: tests/faults.c $(B)/tests/faults_cl.h
	$(call say,LINK,$@)$(CC) $(ALL_CPPFLAGS) -U_FORTIFY_SOURCE -I$(B)/tests $(WARN) -O2 -g -std=c11 \
	    -fno-builtin -fPIC -shared $< -ldl -o $@

.PHONY: faults
faults: all $(B)/tests/faults.so ## let every call that can fail do so, 8 minutes of it (FAULTS_SECONDS=n, FULL=1)
	@LIMIT=$(or $(LIMIT),86400) $(RUN_TESTS) '' tests/long_faults.sh

# ---- hygiene

lint: $(B)/libprogram.a $(B)/libplay.a $(B)/python/opencl_gen.h $(if $(ONNX),$(B)/app/onnx/onnx_gen.c) ## format, dependency rules, static checks
	@LIB=$(B)/libprogram.a CC='$(CC)' NM='$(NM)' CPPFLAGS='$(subst ','\'',$(ALL_CPPFLAGS) $(IO_CFLAGS) $(APP_CFLAGS) $(UI_CFLAGS) $(PY_CFLAGS) -I$(B))' sh tests/lint.sh

# The C of the program and of the engine's tests, by compilers that make no code: their C library is that of
# the other processor, the headers of all other libraries are this computer's.
CROSS       := aarch64-linux-gnu riscv64-linux-gnu
CROSS_FLAGS  = -O2 -fsyntax-only $(addprefix -idirafter ,/usr/include /usr/include/$(shell $(CC) -print-multiarch))
cross: ## check that the C sources compile for arm64 and riscv64
	@$(MAKE) --no-print-directory deps DEPS='$(DEPS_BUILD) $(DEPS_CROSS)'
	+@for target in $(CROSS); do \
	    $(MAKE) --no-print-directory $(JOBS) -k sources CC=$$target-gcc B=$(VARIANTS)/$$target GDCM= WERROR=1 HARDEN= \
	        CFLAGS='$(CROSS_FLAGS)' && echo "ok - $$target" || { echo "not ok - $$target"; status=1; }; \
	done; exit $${status:-0}
sources: $(ENGINE_OBJ) $(BENCH_OBJ) $(OTHER_OBJ) $(MAIN_OBJ) $(ENGINE_TESTS:%=%.o)

format: ## clang-format all C sources
	clang-format -i $$(git ls-files -co --exclude-standard '*.c' '*.h' '*.cpp')

# ---- the rest

lib: $(B)/$(SONAME) $(B)/librunnel.a $(B)/runnel.pc ## the engine as a library, shared and static

# The binding for Python, of whichever version from 3.11 on; app/python/setup.py calls this. The engine is in it, and
# loads OpenCL where there is one.
PY     := $(B)/python/runnel
PY_RUN  = $(or $(PYTHON),$(firstword $(wildcard /usr/bin/python3) python3))
PY_SRC := $(sort $(wildcard app/python/src/runnel/*.py))
PY_OBJ := $(B)/app/python/src/runnel/_runnel.o $(B)/app/python/opencl.o
PY_CFLAGS = -I$(B)/python -isystem $(shell $(PY_RUN) -c 'import sysconfig; print(sysconfig.get_path("include"))')
$(B)/app/python/%.o: PKG_CFLAGS = -fvisibility=hidden $(PY_CFLAGS)
$(B)/app/python/opencl.o: $(B)/python/opencl_gen.h
$(B)/python/opencl_gen.h: $(CL_CALLS) $(B)/librunnel.a
	@mkdir -p $(@D)
	$(call say,AWK,$@)$(call cl_calls,$(B)/librunnel.a) > $@.tmp && mv $@.tmp $@
$(PY)/_runnel.abi3.so: $(PY_OBJ) $(B)/librunnel.a
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(shared) -Wl,--exclude-libs,ALL $^ -lm -ldl $(LIBS) -o $@
python: $(PY)/_runnel.abi3.so ## build the binding for Python, below build/release/python
	@rm -f $(PY)/*.py*; cp $(PY_SRC) app/python/src/runnel/py.typed $(PY)
	@$(if $(filter asan,$(V)),ASAN_OPTIONS=detect_leaks=0 LD_PRELOAD=$$($(CC) -print-file-name=libasan.so)) \
	    PYTHONPATH=$(B)/python $(PY_RUN) -m runnel._generate $(PY)

# Manual pages, of the Markdown in app/man; SOURCE_DATE_EPOCH dates them for who builds twice.
MAN_SRC  := $(sort $(wildcard app/man/*.md))
MAN_PAGE := $(MAN_SRC:app/man/%.md=$(B)/man/%)
man: $(MAN_PAGE) ## make the manual pages
$(MAN_PAGE): $(B)/man/%: app/man/%.md app/man/roff.awk filters/base/version.h
	@mkdir -p $(@D)
	$(call say,MAN,$@)LC_ALL=C awk -v version=$(VERSION) -v date="$$(date -u -d "@$${SOURCE_DATE_EPOCH:-$$(date +%s)}" +%Y-%m-%d)" \
	    -f app/man/roff.awk $< >$@

documents: all ## make the tables in README.md and the manuals anew
	sh app/man/tables.sh $(BIN) README.md $(MAN_SRC)

# What is installed as it stands: below app/packaging, below DATADIR.
SHARED_FILES := completion/runnel.bash:bash-completion/completions/runnel \
    completion/_runnel:zsh/vendor-completions/_runnel completion/runnel.fish:fish/vendor_completions.d/runnel.fish \
    desktop/runnel.desktop:applications/runnel.desktop \
    desktop/org.runnel.runnel.metainfo.xml:metainfo/org.runnel.runnel.metainfo.xml \
    desktop/runnel.svg:icons/hicolor/scalable/apps/runnel.svg \
    desktop/runnel-symbolic.svg:icons/hicolor/symbolic/apps/runnel-symbolic.svg \
    $(foreach f,$(notdir $(wildcard app/presets/*.chain)),../presets/$f:runnel/presets/$f)

install: all lib man ## install to PREFIX (/usr/local), below DESTDIR
	install -D -m 755 $(BIN) '$(DESTDIR)$(BINDIR)/runnel'
	install -d '$(DESTDIR)$(LIBEXECDIR)'
	install -m 644 $(MEDIA) $(PLAY) $(WORKERS) '$(DESTDIR)$(LIBEXECDIR)'
	install -d '$(DESTDIR)$(LIBDIR)/pkgconfig'
	install -m 644 $(B)/$(SONAME) $(B)/librunnel.a '$(DESTDIR)$(LIBDIR)'
	ln -sf $(SONAME) '$(DESTDIR)$(LIBDIR)/librunnel.so'
	install -m 644 $(B)/runnel.pc '$(DESTDIR)$(LIBDIR)/pkgconfig'
	for h in $(INSTALLED); do \
	    install -d "$$(dirname "$(DESTDIR)$(INCLUDEDIR)/$$h")" && sed '$(foreach h,$(INSTALLED),s,$(h:runnel/%=filters/%),$h,;)' \
	        "filters/$${h#runnel/}" > "$(DESTDIR)$(INCLUDEDIR)/$$h" && chmod 644 "$(DESTDIR)$(INCLUDEDIR)/$$h" || exit 1; \
	done
	for page in $(MAN_PAGE:$(B)/man/%=%); do \
	    install -D -m 644 $(B)/man/$$page "$(DESTDIR)$(MANDIR)/man$${page##*.}/$$page" || exit 1; done
	for file in $(SHARED_FILES); do \
	    install -D -m 644 app/packaging/$${file%%:*} "$(DESTDIR)$(DATADIR)/$${file#*:}" || exit 1; done

uninstall: ## remove what install put there
	for part in media play dicom mat onnx; do rm -f "$(DESTDIR)$(LIBEXECDIR)/runnel-$$part.so" || exit 1; done
	rm -f '$(DESTDIR)$(BINDIR)/runnel' '$(DESTDIR)$(LIBDIR)/pkgconfig/runnel.pc'
	rm -f '$(DESTDIR)$(LIBDIR)/librunnel.so' '$(DESTDIR)$(LIBDIR)/$(SONAME)' '$(DESTDIR)$(LIBDIR)/librunnel.a'
	rm -rf '$(DESTDIR)$(INCLUDEDIR)/runnel'
	for page in $(MAN_PAGE:$(B)/man/%=%); do rm -f "$(DESTDIR)$(MANDIR)/man$${page##*.}/$$page" || exit 1; done
	for file in $(SHARED_FILES); do rm -f "$(DESTDIR)$(DATADIR)/$${file#*:}" || exit 1; done
	for d in runnel/presets runnel; do [ ! -d "$(DESTDIR)$(DATADIR)/$$d" ] || \
	    rmdir --ignore-fail-on-non-empty "$(DESTDIR)$(DATADIR)/$$d" || exit 1; done
	! [ -d '$(DESTDIR)$(LIBEXECDIR)' ] || rmdir --ignore-fail-on-non-empty '$(DESTDIR)$(LIBEXECDIR)'

# The same commit gives the same bytes. An unpacked one, which has no history, packs itself.
NAME := runnel-$(VERSION)
dist: ## pack the sources of the last commit: build/dist/runnel-VERSION.tar.gz
	@mkdir -p build/dist
	if [ -e .git ]; then git archive --prefix=$(NAME)/ HEAD; \
	    else tar -c --sort=name --owner=0 --group=0 --numeric-owner --exclude=./build --exclude=./debian \
	    --transform='s,^\./,$(NAME)/,' ./*; fi | gzip -9n >build/dist/$(NAME).tar.gz

# dpkg-buildpackage wants debian/ at the top level, so it gets a tree of its own. DEB_FLAGS: its options.
deb: dist ## build Debian packages of the last commit below build/deb
	rm -rf build/deb && mkdir -p build/deb && cp build/dist/$(NAME).tar.gz build/deb/runnel_$(VERSION).orig.tar.gz
	tar -xzf build/dist/$(NAME).tar.gz -C build/deb && cp -r build/deb/$(NAME)/app/packaging/debian build/deb/$(NAME)
	cd build/deb/$(NAME) && { env -u MAKEFLAGS -u MAKELEVEL -u MAKEOVERRIDES dpkg-buildpackage -us -uc $(DEB_FLAGS) 2>&1; \
	    echo $$? >../status; } | tee ../build.log; exit $$(cat ../status)

tag: ## tag the last commit as the release of the version in filters/base/version.h
	git tag -a -m 'runnel $(VERSION)' v$(VERSION)

clean: ## remove everything that was made
	rm -rf build

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):[^#]*## /\1\t/p' Makefile | expand -t 14

.PHONY: python dist deb tag man documents times lib have-opencl have-packages have-cmocka all demo demo-scan test deps test-build check engine-test engine-bench bench bench-peers asan tsan oclgrind mutants fuzz fuzz-build test-long check-long check-whole \
    lint cross sources format install uninstall clean help FORCE
.DELETE_ON_ERROR:
-include $(patsubst %.o,%.d,$(ENGINE_OBJ) $(BENCH_OBJ) $(OTHER_OBJ) $(GDCM_OBJ) $(MAIN_OBJ) \
    $(WORKER_SRC:%.c=$(B)/%.o)) $(wildcard $(B)/tests/*.d)
