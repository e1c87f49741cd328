/* SPDX-License-Identifier: MIT */
/* What the fuzz targets share. Each target is a file fuzz_NAME.c with one function that libFuzzer
 * calls with what it made up; tests/fuzz.sh makes what it begins with and runs them. Messages are
 * formatted and go nowhere. Targets run in a folder of files made by tests/fuzz_seeds.sh. */
#pragma once

#include "io/read/source.h"
#include "tests/check.h"

/* Called by libFuzzer, in each target. Returns 0, or -1: the input is not to be kept. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Called by libFuzzer before anything else. */
int LLVMFuzzerInitialize(int *argc, char ***argv);

/* Ends the target as a find. */
#define FUZZ_CHECK(condition)                                                                      \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s:%d: %s does not hold\n", __FILE__, __LINE__, #condition);          \
            abort();                                                                               \
        }                                                                                          \
    } while (0)

/* The input as a text, of exactly its size, up to its first zero. The caller frees it. */
char *rn_fuzz_text(const uint8_t *data, size_t size);

/* Makes data the contents of a file and returns its name, which stays the same. */
const char *rn_fuzz_file(const uint8_t *data, size_t size);

/* Reads an input to its end, and once more from its middle. */
void rn_fuzz_source(const char *input);
void rn_fuzz_choice(const char *input, const struct rn_io_read_opts *opts);
