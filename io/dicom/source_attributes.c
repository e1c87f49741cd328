#include "io/dicom/source_attributes.h"

#include "filters/base/err.h"
#include "filters/base/log.h"
#include "io/dicom/worker.h"

#include <stdlib.h>
#include <string.h>

const struct rn_dicom_key rn_dicom_keys[] = {
    {0x00080005, "CS", false}, /* Specific Character Set */
    {0x00080016, "UI", false}, /* SOP Class UID */
    {0x00080020, "DA", true},  /* Study Date */
    {0x00080021, "DA", false}, /* Series Date */
    {0x00080022, "DA", false}, /* Acquisition Date */
    {0x00080030, "TM", true},  /* Study Time */
    {0x00080031, "TM", false}, /* Series Time */
    {0x00080032, "TM", false}, /* Acquisition Time */
    {0x00080050, "SH", true},  /* Accession Number */
    {0x00080060, "CS", false}, /* Modality */
    {0x00080070, "LO", true},  /* Manufacturer */
    {0x00080080, "LO", false}, /* Institution Name */
    {0x00080090, "PN", true},  /* Referring Physician's Name */
    {0x00080201, "SH", false}, /* Timezone Offset From UTC */
    {0x00081010, "SH", false}, /* Station Name */
    {0x00081030, "LO", false}, /* Study Description */
    {0x0008103e, "LO", false}, /* Series Description */
    {0x00081040, "LO", false}, /* Institutional Department Name */
    {0x00081090, "LO", false}, /* Manufacturer's Model Name */
    {0x00082111, "ST", false}, /* Derivation Description */
    {0x00100010, "PN", true},  /* Patient's Name */
    {0x00100020, "LO", true},  /* Patient ID */
    {0x00100021, "LO", false}, /* Issuer of Patient ID */
    {0x00100030, "DA", true},  /* Patient's Birth Date */
    {0x00100040, "CS", true},  /* Patient's Sex */
    {0x00101010, "AS", false}, /* Patient's Age */
    {0x00101020, "DS", false}, /* Patient's Size */
    {0x00101030, "DS", false}, /* Patient's Weight */
    {0x00120062, "CS", false}, /* Patient Identity Removed */
    {0x00120063, "LO", false}, /* De-identification Method */
    {0x00180010, "LO", false}, /* Contrast/Bolus Agent */
    {0x00180015, "CS", false}, /* Body Part Examined */
    {0x00180020, "CS", false}, /* Scanning Sequence */
    {0x00180021, "CS", false}, /* Sequence Variant */
    {0x00180022, "CS", false}, /* Scan Options */
    {0x00180023, "CS", false}, /* MR Acquisition Type */
    {0x00180060, "DS", false}, /* KVP */
    {0x00180080, "DS", false}, /* Repetition Time */
    {0x00180081, "DS", false}, /* Echo Time */
    {0x00180087, "DS", false}, /* Magnetic Field Strength */
    {0x00180091, "IS", false}, /* Echo Train Length */
    {0x00181000, "LO", false}, /* Device Serial Number */
    {0x00181020, "LO", false}, /* Software Versions */
    {0x00181030, "LO", false}, /* Protocol Name */
    {0x00185100, "CS", false}, /* Patient Position */
    {0x0020000d, "UI", false}, /* Study Instance UID */
    {0x00200010, "SH", true},  /* Study ID */
    {0x00200011, "IS", false}, /* Series Number: of the source */
    {0x00200052, "UI", false}, /* Frame of Reference UID */
    {0x00200060, "CS", false}, /* Laterality */
    {0x00201040, "LO", false}, /* Position Reference Indicator */
    {0x00280301, "CS", false}, /* Burned In Annotation */
    {0x00282110, "CS", false}, /* Lossy Image Compression */
    {0x00282112, "DS", false}, /* Lossy Image Compression Ratio */
    {0x00282114, "CS", false}, /* Lossy Image Compression Method */
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

bool rn_dicom_source_attributes_is_placed(const struct rn_dicom_source_attributes *c)
{
    return rn_dicom_has_place(&c->pictures->list[0]);
}

const char *rn_dicom_source_attributes_get(const struct rn_dicom_source_attributes *c, uint32_t tag)
{
    for (int i = 0; c && i < rn_dicom_keys_n; i++)
        if (rn_dicom_keys[i].tag == tag)
            return c->value[i];
    return "";
}
