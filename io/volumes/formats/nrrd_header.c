/* SPDX-License-Identifier: MIT */
#include "io/volumes/formats/nrrd_header.h"

#include <stdio.h>
#include <string.h>

#include <libavutil/avstring.h>

const char *const rn_vol_nrrd_field_names[] = {
    "type",        "dimension",       "sizes",       "number",       "encoding",
    "endian",      "data file",       "line skip",   "byte skip",    "content",
    "block size",  "old min",         "old max",     "sample units", "measurement frame",
    "space",       "space dimension", "space units", "space origin", "space directions",
    "kinds",       "spacings",        "axis mins",   "axis maxs",    "units",
    "thicknesses", "centers",         "labels"};
_Static_assert(sizeof rn_vol_nrrd_field_names / sizeof *rn_vol_nrrd_field_names == RN_NRRD_FIELDS,
               "each field has a name");

const char *const rn_vol_nrrd_types[RN_STORED_TYPES] = {
    [RN_STORED_U8] = "uint8,uchar,unsigned char,uint8_t",
    [RN_STORED_S8] = "signed char,int8,int8_t",
    [RN_STORED_U16] = "uint16,ushort,unsigned short,unsigned short int,uint16_t",
    [RN_STORED_S16] = "int16,short,short int,signed short,signed short int,int16_t",
    [RN_STORED_U32] = "uint,unsigned int,uint32,uint32_t",
    [RN_STORED_S32] = "int,signed int,int32,int32_t",
    [RN_STORED_U64] = "ulonglong,unsigned long long,unsigned long long int,uint64,uint64_t",
    [RN_STORED_S64] = "longlong,long long,long long int,signed long long,int64,int64_t",
    [RN_STORED_F32] = "float",
    [RN_STORED_F64] = "double",
};

void rn_vol_nrrd_split(char *text, char *word[RN_VOL_NRRD_MAX_DIM])
{
    for (int n = 0; n < RN_VOL_NRRD_MAX_DIM && *(text += strspn(text, " \t")); n++) {
        word[n] = text;
        char close = *text == '(' ? ')' : *text == '"' ? '"' : '\0';
        for (text++; close && *text && *text != close; text++)
            text += *text == '\\' && text[1];
        text += strcspn(text, " \t");
        if (*text)
            *text++ = '\0';
    }
}

bool rn_vol_nrrd_parse_space(const char *name, double sign[3])
{
    static const struct {
        const char *names;
        double sign[3];
    } spaces[] = {
        {"left-posterior-superior,LPS", {1, 1, 1}},
        {"right-anterior-superior,RAS", {-1, -1, 1}},
        {"left-anterior-superior,LAS", {1, -1, 1}},
    };
    for (size_t i = 0; i < sizeof spaces / sizeof spaces[0]; i++)
        if (av_match_name(name, spaces[i].names)) {
            memcpy(sign, spaces[i].sign, sizeof spaces[i].sign);
            return true;
        }
    return false;
}

double rn_vol_nrrd_unit_of(const char *word, bool time)
{
    char text[24];
    if (!word)
        return 0;
    word += *word == '"';
    snprintf(text, sizeof text, "%.*s", (int)strcspn(word, "\""), word);
    return time ? rn_vol_unit_seconds(text) : rn_vol_unit_mm(text);
}

bool rn_vol_nrrd_parse_space_units(const char *text, double mm[3])
{
    char copy[256], *word[RN_VOL_NRRD_MAX_DIM] = {NULL};
    snprintf(copy, sizeof copy, "%s", text ? text : "");
    rn_vol_nrrd_split(copy, word);
    bool known = true;
    for (int k = 0; k < 3; k++) {
        mm[k] = rn_vol_nrrd_unit_of(word[k], false);
        known = known && mm[k] > 0;
        mm[k] = mm[k] > 0 ? mm[k] : 1;
    }
    return known;
}

const char *const rn_vol_nrrd_own_names[RN_VOL_KEYS] = {
    "rescale slope", "rescale intercept", "rescale unit", "window", "range", NULL, "made by"};
