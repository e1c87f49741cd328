#!/bin/sh
# The device and the C reference, with the kernels that take long to compile.
WHOLE=1 exec sh "$(dirname "$0")/e2e_device.sh"
