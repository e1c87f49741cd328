#!/bin/sh
# The preview loads nothing that it does not need.
. "$(dirname "$0")/lib.sh" # SPDX-License-Identifier: MIT

stay="$stay " # with nothing loaded ahead
make_tiny clip.mkv yuv420p 160x120

loaded() { # libraries, as a regular expression
    grep -Eio "[^/]*($1)[^/]*$" /proc/$player/maps | sort -u | tr '\n' ' '
}
drivers='pocl|libLLVM|libnvidia-opencl|intel-opencl|amdocl'

begin "without filters no OpenCL driver is loaded; the first filter brings it, and the picture is render's"
run runnel devices
grep -q '^ *[0-9]' out && found=1 || found=0
play_paused clip.mkv
expect_eq "drivers" "$(loaded "$drivers")" ""
expect_as_rendered clip.mkv
after n type_in erosion=radius=2
tuned "Return" erosion=radius=2 clip.mkv
[ $found = 0 ] || [ -n "$(loaded "$drivers")" ] || complain "no driver came with the filter"
after Delete expect_as_rendered clip.mkv

begin "a stack of 256 KiB is enough for it, also while kernels are built"
stack=$(ulimit -S -s)
ulimit -S -s 256
play clip.mkv -f erosion=radius=2
ulimit -S -s "$stack"
pause
after n type_in median=radius=2
tuned "Return" erosion=radius=2,median=radius=2 clip.mkv

begin "a device that is named and is not there is refused at once"
fails 5 '' runnel play clip.mkv -d nosuchdevice

begin "where there is no graphics hardware, none is imitated on the processor"
unset SDL_RENDER_DRIVER
play_paused clip.mkv
expect_eq "Mesa's software" "$(loaded 'swrast|llvmpipe|libLLVM')" ""
SDL_RENDER_DRIVER=software
export SDL_RENDER_DRIVER
play_paused clip.mkv
expect_eq "Mesa's software, by way of SDL's" "$(loaded 'swrast|llvmpipe|libLLVM')" ""
