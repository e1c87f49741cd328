#!/bin/sh
# Random calls of all functions of the library (tests/api_calls.h): 10^6 by themselves, 10^6 from four threads, 10^5 on
# a device. The sanitizers see most: make V=asan B=build/asan check-long ONLY=api, and so V=tsan.
. "$(dirname "$0")/lib.sh" # SPDX-License-Identifier: MIT

: "${BUILD:?}"
patience=3600
calls() { # what, variables...
    begin "$1"
    shift
    ok env "$@" "$BUILD/tests/unit" api
    ! grep '^not ok' out || complain "not all right"
}

calls "10^6 calls on the C path" RUNS=2000
calls "10^6 calls from four threads, which share a chain" RUNS=500 THREADS=4
calls "10^5 calls on a device" RUNS=200 DEVICE=
