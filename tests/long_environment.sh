#!/bin/sh
# Missing platforms, homes, linkers, and all ways to damage what is kept of kernels.
WHOLE=1 exec sh "$(dirname "$0")/e2e_environment.sh"
