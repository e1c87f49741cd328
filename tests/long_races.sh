#!/bin/sh
# SPDX-License-Identifier: MIT
# The races with another user's process, some hundred programs long.
ROUNDS=15 exec sh "$(dirname "$0")/e2e_races.sh"
