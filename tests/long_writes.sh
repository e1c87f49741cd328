#!/bin/sh
# Full disks: every one of the first writes fails, and all sizes of a disk.
WHOLE=1 exec sh "$(dirname "$0")/e2e_disk.sh"
