#!/bin/sh
# Readers and writers that stream take less than 250 MiB, whatever comes: here 771 slices of 400 MB.
. "$(dirname "$0")/lib.sh" # SPDX-License-Identifier: MIT

begin "771 slices through every reader and writer in less than 250 MiB"
expect_python "$root/tests/long_memory.py" "$RUNNEL"
sed 's/^/# /' py.out
