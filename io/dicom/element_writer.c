/* SPDX-License-Identifier: MIT */
#include "io/dicom/element_writer.h"

#include "io/common/av.h"

#include <libavutil/intreadwrite.h>

#define EXPLICIT_LITTLE_ENDIAN "1.2.840.10008.1.2.1"
#define IMPLEMENTATION         "2.25.214823571603928851427336945220178306051" /* a UUID */

enum { UNDEFINED = -1, ITEM = 0xe000, ITEM_END = 0xe00d, SEQUENCE_END = 0xe0dd };

static uint8_t *put_head(uint8_t *to, uint32_t tag, const char *vr, uint32_t size)
{
    static const char large[] = "OB OD OF OL OV OW SQ SV UC UN UR UT UV";
    const char name[3] = {vr[0], vr[1], '\0'};
    const bool is_large = strstr(large, name) != NULL;
    if (!is_large && size > UINT16_MAX) /* what the standard asks for, 6.2.2 */
        return put_head(to, tag, "UN", size);
    AV_WL16(to, tag >> 16);
    AV_WL16(to + 2, tag);
    to[4] = (uint8_t)name[0];
    to[5] = (uint8_t)name[1];
    AV_WL16(to + 6, is_large ? 0 : size);
    if (is_large)
        AV_WL32(to + 8, size);
    return to + (is_large ? 12 : 8);
}

static uint8_t *put_value(uint8_t *to, uint32_t tag, const char *vr, const void *value,
                          uint32_t size)
{
    to = put_head(to, tag, vr, size);
    if (size)
        memcpy(to, value, size);
    return to + size;
}

static uint8_t *put_mark(uint8_t *to, int mark, int size)
{
    AV_WL16(to, 0xfffe);
    AV_WL16(to + 2, mark);
    AV_WL32(to + 4, (uint32_t)size);
    return to + 8;
}

/* Writes *e and the deeper elements behind it; sets *e to the next one. */
static uint8_t *put(uint8_t *to, const struct rn_dicom_element **e,
                    const struct rn_dicom_element *end)
{
    const struct rn_dicom_element *first = (*e)++;
    if (*e == end || (*e)->depth <= first->depth)
        return put_value(to, first->tag, first->vr, first->value, first->size);
    to = put_head(to, first->tag, "SQ", (uint32_t)UNDEFINED);
    if (first->size)
        memcpy(to, first->value, first->size);
    to = put_mark(to + first->size, ITEM, UNDEFINED);
    while (*e < end && (*e)->depth > first->depth)
        to = put(to, e, end);
    return put_mark(put_mark(to, ITEM_END, 0), SEQUENCE_END, 0);
}

/* An element of the main data set. */
struct top {
    uint32_t tag;
    const struct rn_dicom_element *at;
};

static int compare(const void *a, const void *b)
{
    const struct top *x = a, *y = b;
    return x->tag != y->tag ? (x->tag < y->tag ? -1 : 1) : x->at < y->at ? -1 : x->at > y->at;
}

static uint8_t *put_uid(uint8_t *to, uint32_t tag, const char *uid)
{
    char text[66] = "";
    size_t n = av_strlcpy(text, uid, 65);
    n = n < 64 ? n : 64;
    return put_value(to, tag, "UI", text, (uint32_t)(n + n % 2));
}

size_t rn_dicom_elements_max_size(const struct rn_dicom_element *elements, int n)
{
    size_t size = 1024; /* preamble and meta elements */
    for (int i = 0; i < n; i++)
        size += elements[i].size + 36; /* heads, marks */
    return size;
}

size_t rn_dicom_elements_write(const struct rn_dicom_element *elements, int n, const char *class,
                               const char *instance, uint8_t *to)
{
    RN_OWNED(rn_free_owned) struct top *top = calloc((size_t)n + 1, sizeof *top);
    if (!top)
        return 0;
    size_t tops = 0;
    for (int i = 0; i < n; i++)
        if (!elements[i].depth)
            top[tops++] = (struct top){elements[i].tag, &elements[i]};
    qsort(top, tops, sizeof *top, compare);
    static const uint8_t magic[] = {'D', 'I', 'C', 'M'};
    memset(to, 0, 128);
    memcpy(to + 128, magic, sizeof magic);
    uint8_t *meta = to + 132 + 12, *at = meta; /* behind the length of the group */
    at = put_value(at, 0x00020001, "OB", "\0\1", 2);
    at = put_uid(at, 0x00020002, class);
    at = put_uid(at, 0x00020003, instance);
    at = put_uid(at, 0x00020010, EXPLICIT_LITTLE_ENDIAN);
    at = put_uid(at, 0x00020012, IMPLEMENTATION);
    at = put_value(at, 0x00020013, "SH", "RUNNEL", 6);
    uint8_t length[4];
    AV_WL32(length, (uint32_t)(at - meta));
    put_value(to + 132, 0x00020000, "UL", length, 4);
    for (size_t i = 0; i < tops; i++) {
        const struct rn_dicom_element *e = top[i].at;
        if (i + 1 == tops || top[i + 1].tag != top[i].tag)
            at = put(at, &e, elements + n);
    }
    return (size_t)(at - to);
}
