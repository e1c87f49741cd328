/* SPDX-License-Identifier: MIT */
#include "io/volumes/layout.h"

#include "filters/base/log.h"
#include "filters/base/text/number.h"
#include "filters/base/text/plural.h"
#include "io/read/source.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

static bool parse_type(const char *text, struct rn_vol_layout *l)
{
    static const char *const names[RN_STORED_TYPES] = {"u8",  "s8",  "u16", "s16", "u32", "s32",
                                                       "u64", "s64", "f16", "f32", "f64"};
    for (int i = 0; i < RN_STORED_TYPES; i++) {
        size_t n = strlen(names[i]);
        if (strncmp(text, names[i], n) != 0)
            continue;
        bool big = !strcmp(text + n, "be");
        l->type = (enum rn_vol_sample_type)i;
        l->swapped = rn_vol_is_swapped(big);
        return big || !strcmp(text + n, "le") ||
               (!text[n] && rn_vol_sample_types[l->type].bytes == 1);
    }
    return false;
}

/* No slices: as many as the file holds. */
static bool parse_raw(const char *text, struct rn_vol_layout *l)
{
    char copy[128], *save = NULL;
    if (strlen(text) >= sizeof copy)
        return false;
    snprintf(copy, sizeof copy, "%s", text);
    char *plus = strchr(copy, '+'), *colon = strchr(copy, ':');
    if (!colon || (plus && plus < colon))
        return false;
    if (plus)
        *plus++ = '\0';
    *colon++ = '\0';
    long long side[3] = {0}, offset = 0; /* columns, rows, slices */
    int n = 0;
    for (char *word = strtok_r(copy, "x", &save); word; word = strtok_r(NULL, "x", &save), n++)
        if (n == 3 || !rn_number_whole(word, 1, n < 2 ? RN_MAX_SIDE : INT32_MAX, &side[n]))
            return false;
    bool sound = n >= 2 && parse_type(colon, l) &&
                 (!plus || rn_number_whole(plus, 0, INT64_MAX / 2, &offset));
    l->volume.w = (int)side[0];
    l->volume.h = (int)side[1];
    l->volume.n[RN_AXIS_SLICE] = side[2];
    l->skip = offset;
    return sound;
}

bool rn_vol_raw_check(const char *text)
{
    struct rn_vol_layout l;
    return parse_raw(text, &l);
}

int rn_vol_raw_layout(const char *text, const char *path, struct rn_vol_layout *l)
{
    struct stat st;
    if (!parse_raw(text, l))
        return rn_fail(RN_EUSAGE, "--raw takes WxHxN:TYPE[+BYTES]");
    if (stat(path, &st))
        return rn_fail(RN_EINPUT, "cannot open '%s': %s", path, strerror(errno));
    int64_t each = (int64_t)l->volume.w * l->volume.h * rn_vol_sample_types[l->type].bytes;
    int64_t have = (int64_t)st.st_size - l->skip, *n = &l->volume.n[RN_AXIS_SLICE];
    if (!*n && (have <= 0 || have % each))
        return rn_fail(RN_EINPUT, "'%s' holds no whole number of pictures %s: give it as WxHxN",
                       path, text);
    int64_t surplus = *n ? have - *n * each : 0;
    *n = *n ? *n : have / each;
    if (surplus > 0)
        snprintf(l->note, sizeof l->note, "%lld byte%s behind the pictures of --raw %s left out",
                 (long long)surplus, rn_plural(surplus), rn_is_or_are(surplus));
    return 0;
}
