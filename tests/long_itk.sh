#!/bin/sh
# What ITK reads of scans that runnel wrote (libinsighttoolkit5-dev, which `make deps` does not install).
. "$(dirname "$0")/lib.sh" # SPDX-License-Identifier: MIT
headers=$(ls -d /usr/include/ITK-5* 2>/dev/null) || {
    echo "ok 1 - ITK's readers # SKIP no libinsighttoolkit5-dev"
    exit 0
}
version=${headers##*-}
modules='ITK(Common|IO(NIFTI|NRRD|Meta|GDCM|ImageBase)|MetaIO|NrrdIO)|itk(vnl|vcl|sys|v3p).*'
libs=$(find /usr/lib -maxdepth 1 -printf '%f\n' | grep -E "^lib($modules)-$version\.so$")
# shellcheck disable=SC2046
g++ -std=c++17 -O0 -w -I"$headers" -I/usr/include/gdcm-3.0 "$root/tests/itk_reader.cpp" -o reader -L/usr/lib \
    -Wl,--as-needed $(printf ' -l:%s' $libs) -lgdcmMSFF -lgdcmDSED -lgdcmDICT -lgdcmCommon || exit
python3 "$root/tests/long_itk.py" reader
