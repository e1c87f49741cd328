#!/bin/sh
# `bench` and its suites, with the kernels that take long to compile.
tests=$(dirname "$0")
WHOLE=1 sh "$tests/e2e_bench.sh" && WHOLE=1 exec sh "$tests/e2e_bench_suites.sh"
