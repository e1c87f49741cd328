/* SPDX-License-Identifier: MIT */
#include "io/volumes/layout.h"

#include "filters/base/log.h"
#include "filters/base/text/number.h"
#include "filters/base/text/plural.h"
#include "io/read/source.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

struct raw {
    long long w, h, n; /* n 0: as many as the file holds */
    enum rn_vol_sample_type type;
    bool big;
    long long offset;
};

static bool parse_type(const char *text, struct raw *raw)
{
    static const char *const names[RN_STORED_TYPES] = {"u8",  "s8",  "u16", "s16", "u32", "s32",
                                                       "u64", "s64", "f16", "f32", "f64"};
    for (int i = 0; i < RN_STORED_TYPES; i++) {
        size_t n = strlen(names[i]);
        if (strncmp(text, names[i], n) != 0)
            continue;
        raw->type = (enum rn_vol_sample_type)i;
        raw->big = !strcmp(text + n, "be");
        return raw->big || !strcmp(text + n, "le") ||
               (!text[n] && rn_vol_sample_types[raw->type].bytes == 1);
    }
    return false;
}

static bool parse_raw(const char *text, struct raw *raw)
{
    char copy[128], *save = NULL;
    *raw = (struct raw){0};
    if (strlen(text) >= sizeof copy)
        return false;
    snprintf(copy, sizeof copy, "%s", text);
    char *plus = strchr(copy, '+'), *colon = strchr(copy, ':');
    if (!colon || (plus && plus < colon))
        return false;
    if (plus)
        *plus++ = '\0';
    *colon++ = '\0';
    long long *side[] = {&raw->w, &raw->h, &raw->n};
    int n = 0;
    for (char *word = strtok_r(copy, "x", &save); word; word = strtok_r(NULL, "x", &save), n++)
        if (n == 3 || !rn_number_whole(word, 1, n < 2 ? RN_MAX_SIDE : INT32_MAX, side[n]))
            return false;
    return n >= 2 && parse_type(colon, raw) &&
           (!plus || rn_number_whole(plus, 0, INT64_MAX / 2, &raw->offset));
}

bool rn_vol_raw_check(const char *text)
{
    struct raw raw;
    return parse_raw(text, &raw);
}

int rn_vol_raw_layout(const char *text, const char *path, struct rn_vol_layout *l)
{
    struct raw raw;
    struct stat st;
    if (!parse_raw(text, &raw))
        return rn_fail(RN_EUSAGE, "--raw takes WxHxN:TYPE[+BYTES]");
    if (stat(path, &st))
        return rn_fail(RN_EINPUT, "cannot open '%s': %s", path, strerror(errno));
    int64_t each = raw.w * raw.h * rn_vol_sample_types[raw.type].bytes;
    int64_t have = (int64_t)st.st_size - raw.offset;
    if (!raw.n && (have <= 0 || have % each))
        return rn_fail(RN_EINPUT, "'%s' holds no whole number of pictures %s: give it as WxHxN",
                       path, text);
    l->volume.w = (int)raw.w;
    l->volume.h = (int)raw.h;
    l->volume.n[RN_AXIS_SLICE] = raw.n ? raw.n : have / each;
    l->type = raw.type;
    l->swapped = rn_vol_is_swapped(raw.big);
    l->skip = raw.offset;
    if (raw.n && have > raw.n * each)
        snprintf(l->note, sizeof l->note, "%lld byte%s behind the pictures of --raw %s left out",
                 (long long)(have - raw.n * each), rn_plural(have - raw.n * each),
                 rn_is_or_are(have - raw.n * each));
    return 0;
}
