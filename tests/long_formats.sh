#!/bin/sh
# Every pixel format in every size, and back.
WHOLE=1 exec sh "$(dirname "$0")/e2e_formats.sh"
