#!/bin/sh
# Which streams reach the output, with more codecs.
WHOLE=1 exec sh "$(dirname "$0")/e2e_map.sh"
