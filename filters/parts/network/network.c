/* SPDX-License-Identifier: MIT */
#include "filters/parts/network/network.h"

#include "filters/base/log.h"
#include "filters/base/owned.h"

#include <endian.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define HEADER ((uint64_t)1 << 20) /* bytes, at most */

static void free_json(json_t **json)
{
    json_decref(*json);
}

/* ---- a network */

size_t rn_network_at(const struct rn_network *n, int layer)
{
    size_t at = 0;
    for (int l = 0; l < layer; l++)
        at += (size_t)rn_network_out(n, l) * (size_t)(9 * rn_network_in(n, l) + 1);
    return at;
}

size_t rn_network_floats(const struct rn_network *n)
{
    return rn_network_at(n, n->layers);
}

void rn_network_range(const struct rn_network *n, const struct rn_geom *geom, float *low,
                      float *high)
{
    bool stored = n->stored && (geom->scan || geom->fmt.number != RN_NUMBER_UNSIGNED);
    *low = stored ? n->low : rn_geom_black(geom);
    *high = stored ? n->high : rn_geom_white(geom);
}

float rn_network_logit(int k)
{
    return (float)log((k - 0.5) / (255.5 - k));
}

/* ---- safetensors */

struct file {
    json_t *header;
    const char *data;
    size_t bytes; /* of data */
};

static int refuse(char why[RN_TEXT_WHY], const char *text, const char *name)
{
    snprintf(why, RN_TEXT_WHY, text, name);
    return RN_EUSAGE;
}

static int open_file(struct file *file, const char *contents, size_t size, char why[RN_TEXT_WHY])
{
    uint64_t length = 0;
    if (size >= sizeof length)
        memcpy(&length, contents, sizeof length);
    length = le64toh(length);
    if (length < 2 || length > HEADER || length > size - sizeof length)
        return refuse(why, "it is no safetensors file%s", "");
    file->header =
        json_loadb(contents + sizeof length, (size_t)length, JSON_REJECT_DUPLICATES, NULL);
    file->data = contents + sizeof length + length;
    file->bytes = size - sizeof length - (size_t)length;
    return json_is_object(file->header) ? 0 : refuse(why, "its header is no JSON object%s", "");
}

/* The floats of a tensor of this shape: 9 numbers to a pair of inputs and outputs, or one to each
 * output where inputs is 0. *from: where they are in the data. */
static int find(const struct file *file, const char *prefix, int layer, int outputs, int inputs,
                size_t *from, char why[RN_TEXT_WHY])
{
    char name[48];
    snprintf(name, sizeof name, "%s%d.%s", prefix, layer, inputs ? "weight" : "bias");
    const json_t *tensor = json_object_get(file->header, name);
    const json_t *shape = json_object_get(tensor, "shape"),
                 *at = json_object_get(tensor, "data_offsets");
    const char *type = json_string_value(json_object_get(tensor, "dtype"));
    const int sides[] = {outputs, inputs, 3, 3};
    bool fits = json_array_size(shape) == (inputs ? 4 : 1), number = true;
    for (size_t i = 0; i < json_array_size(shape) && fits; i++)
        fits = json_integer_value(json_array_get(shape, i)) == sides[i];
    for (size_t i = 0; i < 2; i++)
        number = number && json_is_integer(json_array_get(at, i));
    if (!tensor || !type || !number)
        return refuse(why, "it has no tensor '%s'", name);
    if (strcmp(type, "F32") != 0)
        return refuse(why, "its tensor '%s' is not of the type F32", name);
    json_int_t begin = json_integer_value(json_array_get(at, 0)),
               end = json_integer_value(json_array_get(at, 1));
    json_int_t bytes = (json_int_t)outputs * (inputs ? 9 * inputs : 1) * (json_int_t)sizeof(float);
    if (!fits)
        return refuse(why, "its tensor '%s' has another shape than its layer", name);
    if (begin < 0 || end > (json_int_t)file->bytes || end - begin != bytes)
        return refuse(why, "its tensor '%s' lies outside of the file", name);
    *from = (size_t)begin;
    return 0;
}

static bool load(const char *from, float *to, size_t n)
{
    bool finite = true;
    for (size_t i = 0; i < n; i++) {
        uint32_t bits;
        memcpy(&bits, from + i * sizeof bits, sizeof bits);
        bits = le32toh(bits);
        memcpy(to + i, &bits, sizeof bits);
        finite = finite && isfinite(to[i]);
    }
    return finite;
}

/* A number of the metadata, which are texts. false: it is not there, or none from min to max. */
static bool read_number(const json_t *metadata, const char *name, double min, double max, double *v)
{
    const char *text = json_string_value(json_object_get(metadata, name));
    char *end = NULL;
    *v = text ? strtod(text, &end) : 0;
    return text && *text && !*end && *v >= min && *v <= max;
}

static int read_shape(struct rn_network *n, const json_t *header, char why[RN_TEXT_WHY])
{
    const json_t *metadata = json_object_get(header, "__metadata__");
    const char *output = json_string_value(json_object_get(metadata, "output"));
    double layers = 0, width = 0, slices = 0, low = 0, high = 0;
    *n = (struct rn_network){.mask = output && !strcmp(output, "mask")};
    if (!output || (!n->mask && strcmp(output, "residual") != 0) ||
        !read_number(metadata, "layers", 2, RN_NETWORK_LAYERS, &layers) ||
        !read_number(metadata, "width", 1, RN_NETWORK_WIDTH, &width) ||
        !read_number(metadata, "slices", 0, (RN_NETWORK_INPUTS - 1) / 2, &slices) ||
        layers != floor(layers) || width != floor(width) || slices != floor(slices))
        return refuse(why, "it says of no network that `runnel learn` writes%s", "");
    n->stored = read_number(metadata, "low", -3e38, 3e38, &low);
    if (n->stored && (!read_number(metadata, "high", -3e38, 3e38, &high) || high <= low))
        return refuse(why, "its range is none%s", "");
    n->layers = (int)layers;
    n->width = (int)width;
    n->inputs = 2 * (int)slices + 1;
    n->low = (float)low;
    n->high = (float)high;
    return 0;
}

int rn_network_parse(struct rn_network *n, const char *contents, size_t size, const char *prefix,
                     float **floats, char why[RN_TEXT_WHY])
{
    struct file file = {.header = NULL};
    int err = open_file(&file, contents, size, why);
    RN_OWNED(free_json) json_t *header = file.header;
    RN_OWNED(rn_free_owned) float *values = NULL;
    err = err ? err : read_shape(n, header, why);
    if (!err && !(values = malloc(rn_network_floats(n) * sizeof *values)))
        return rn_fail_memory();
    for (int l = 0, at = 0; l < n->layers && !err; l++)
        for (int bias = 0; bias < 2 && !err; bias++) {
            int outputs = rn_network_out(n, l), inputs = bias ? 0 : rn_network_in(n, l);
            int count = outputs * (bias ? 1 : 9 * inputs);
            size_t from = 0;
            err = find(&file, prefix, l, outputs, inputs, &from, why);
            if (!err && !load(file.data + from, values + at, (size_t)count))
                err = refuse(why, "it holds numbers that are not finite%s", "");
            at += count;
        }
    if (!err && floats) {
        *floats = values;
        values = NULL;
    }
    return err;
}

json_t *rn_network_metadata(const char *contents, size_t size)
{
    struct file file = {.header = NULL};
    char why[RN_TEXT_WHY];
    int err = open_file(&file, contents, size, why);
    RN_OWNED(free_json) json_t *header = file.header;
    return err ? NULL : json_incref(json_object_get(header, "__metadata__"));
}

/* Adds a tensor to the header, behind `at` bytes of others. Returns the end of it. */
static json_int_t describe(json_t *header, const char *prefix, int layer, int outputs, int inputs,
                           json_int_t at)
{
    char name[48];
    json_int_t end = at + (json_int_t)outputs * (inputs ? 9 * inputs : 1) * 4;
    json_t *shape =
        inputs ? json_pack("[i, i, i, i]", outputs, inputs, 3, 3) : json_pack("[i]", outputs);
    snprintf(name, sizeof name, "%s%d.%s", prefix, layer, inputs ? "weight" : "bias");
    json_object_set_new(
        header, name,
        json_pack("{s:s, s:o, s:[I, I]}", "dtype", "F32", "shape", shape, "data_offsets", at, end));
    return end;
}

int rn_network_write(FILE *f, const struct rn_network *n, json_t *metadata,
                     const char *const prefixes[], const float *const floats[], int count)
{
    RN_OWNED(free_json) json_t *header = json_pack("{s:O}", "__metadata__", metadata);
    json_int_t at = 0;
    for (int i = 0; i < count; i++)
        for (int l = 0; l < n->layers; l++) {
            at = describe(header, prefixes[i], l, rn_network_out(n, l), rn_network_in(n, l), at);
            at = describe(header, prefixes[i], l, rn_network_out(n, l), 0, at);
        }
    RN_OWNED(rn_free_owned) char *text = json_dumps(header, JSON_COMPACT | JSON_SORT_KEYS);
    if (!text)
        return rn_fail_memory();
    int length = (int)strlen(text), padded = (length + 7) / 8 * 8; /* floats are aligned */
    uint64_t bytes = htole64((uint64_t)padded);
    fwrite(&bytes, sizeof bytes, 1, f);
    fprintf(f, "%-*s", padded, text);
    for (int i = 0; i < count; i++)
        for (size_t k = 0; k < rn_network_floats(n); k++) {
            uint32_t bits;
            memcpy(&bits, floats[i] + k, sizeof bits);
            bits = htole32(bits);
            fwrite(&bits, sizeof bits, 1, f);
        }
    return 0;
}
