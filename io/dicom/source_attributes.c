/* SPDX-License-Identifier: MIT */
#include "io/dicom/series_internal.h"

#include "filters/base/log.h"
#include "io/dicom/worker.h"

#include <stdlib.h>
#include <string.h>

const struct rn_dicom_key rn_dicom_keys[] = {
    {0x00080005, "CS"}, /* Specific Character Set */
    {0x00080016, "UI"}, /* SOP Class UID */
    {0x0008103e, "LO"}, /* Series Description */
    {0x00082111, "ST"}, /* Derivation Description */
    {0x0020000d, "UI"}, /* Study Instance UID */
    {0x00200011, "IS"}, /* Series Number */
    {0x00200052, "UI"}, /* Frame of Reference UID */
};

const int rn_dicom_keys_n = sizeof rn_dicom_keys / sizeof *rn_dicom_keys;

/* The value is written unchanged, so it must be a text: ESC, which switches character sets, is the
 * only control character allowed. */
static bool is_sound(const struct rn_dicom_key *key, const char *value)
{
    if (!strcmp(key->vr, "UI"))
        return value[strspn(value, "0123456789.")] == '\0' && strlen(value) <= 64;
    for (const unsigned char *c = (const unsigned char *)value; *c; c++)
        if (*c < ' ' && *c != 0x1B)
            return false;
    return true;
}

static void take(void *arg, const struct rn_dicom_entry *part)
{
    struct rn_dicom_source_attributes *c = arg;
    int key = part->attribute.key;
    if (key >= 0 && key < rn_dicom_keys_n && is_sound(&rn_dicom_keys[key], part->attribute.value))
        memcpy(c->value[key], part->attribute.value, sizeof *c->value);
}

int rn_dicom_source_attributes_read(struct rn_dicom_source_attributes *c,
                                    struct rn_dicom_worker *worker,
                                    const struct rn_dicom_pictures *pictures)
{
    c->pictures = pictures;
    c->value = calloc((size_t)rn_dicom_keys_n, sizeof *c->value);
    if (!c->value)
        return rn_fail_memory();
    const char *path = pictures->list[0].file->path;
    if (!rn_dicom_read_attributes(worker, path, take, c))
        rn_log(RN_LOG_DEBUG, "'%s': whose it is was not read", path);
    return 0;
}

const char *rn_dicom_source_attributes_get(const struct rn_dicom_source_attributes *c, uint32_t tag)
{
    for (int i = 0; c && i < rn_dicom_keys_n; i++)
        if (rn_dicom_keys[i].tag == tag)
            return c->value[i];
    return "";
}
