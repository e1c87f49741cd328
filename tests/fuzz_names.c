/* SPDX-License-Identifier: MIT */
/* Names of inputs: patterns, globs, times and rates. */
#include "tests/fuzz.h"

#include "io/read/images/names.h"
#include "io/read/input.h"

static void try_pattern(const char *text)
{
    static const int64_t numbers[] = {0, 1, 12, 99999, 999999999999999999};
    struct rn_read_pattern pattern;
    struct rn_read_names names;
    if (!rn_read_pattern_parse(text, &pattern))
        return;
    for (int i = 0; i < COUNT(numbers); i++) {
        char *name = rn_read_pattern_name(&pattern, numbers[i]);
        FUZZ_CHECK(name && rn_read_pattern_makes(text, name));
        av_free(name);
    }
    FUZZ_CHECK(!rn_read_names_of_pattern(&pattern, &names));
    for (int i = 0; i < names.n; i++) {
        char *name = rn_read_pattern_name(&pattern, names.number[i]);
        FUZZ_CHECK(name && !strcmp(name, names.path[i]));
        FUZZ_CHECK(!i || names.number[i] > names.number[i - 1]);
        av_free(name);
    }
    rn_read_names_free(&names);
    rn_read_pattern_free(&pattern);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (memchr(data, '/', size)) /* the files of the folder suffice */
        return -1;
    struct rn_read_names names;
    struct rn_io_time time;
    struct rn_io_rational rate;
    OWNED(rn_free_owned) char *text = rn_fuzz_text(data, size);
    try_pattern(text);
    if (!rn_read_names_of_input(text, RN_FOLDER_IMAGES, NULL, &names))
        rn_read_names_free(&names);
    rn_read_names_hold(text, "scan_0001.png");
    rn_read_images_match(text);
    rn_dicom_match(text);
    rn_read_pattern_makes("scan_%04d.png", text);
    rn_read_pattern_makes(text, "scan_0001.png");
    if (rn_read_time_parse(text, &time))
        FUZZ_CHECK(time.kind == RN_TIME_FRAME ? time.frame >= 0 : time.seconds >= 0);
    if (rn_read_rate_parse(text, &rate))
        FUZZ_CHECK(rate.num > 0 && rate.den > 0);
    return 0;
}
