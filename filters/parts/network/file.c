/* SPDX-License-Identifier: MIT */
#include "filters/parts/network/network.h"

#include "filters/base/log.h"
#include "filters/base/owned.h"
#include "filters/base/text/number.h"

#include <ctype.h>
#include <endian.h>
#include <inttypes.h>
#include <limits.h>

#define HEADER ((uint64_t)1 << 20) /* bytes, at most */
#define DEPTH  4                   /* of what is in it */
#define TEXT   64                  /* bytes of a text that counts */

static const char *const output_names[RN_NETWORK_OUTPUTS] = {"residual", "mask", "probability",
                                                             "value"};

/* ---- a network */

/* The tensors of a layer, in the order of rn_network_at. */
enum tensor { WEIGHT, BIAS, SLOPE, LIMITS, TENSORS };
static const char *const tensor_names[TENSORS] = {"weight", "bias", "slope", "limits"};

/* Sets its shape. Returns its dimensions. */
static int shape_of(const struct rn_network_layer *l, enum tensor t, int64_t shape[4])
{
    shape[0] = t == LIMITS ? 2 : l->outputs;
    shape[1] = l->inputs;
    shape[2] = shape[3] = l->size;
    return t == WEIGHT ? 4 : 1;
}

static int64_t tensor_floats(const struct rn_network_layer *l, enum tensor t)
{
    int64_t shape[4], n = 1;
    for (int i = shape_of(l, t, shape); i--;)
        n *= shape[i];
    return n;
}

static enum tensor tensors_of(const struct rn_network_layer *l)
{
    return l->bends ? TENSORS : SLOPE;
}

size_t rn_network_at(const struct rn_network *n, int layer)
{
    int64_t at = 0;
    for (int l = 0; l < layer; l++)
        for (enum tensor t = WEIGHT; t < tensors_of(&n->layer[l]); t++)
            at += tensor_floats(&n->layer[l], t);
    return (size_t)at;
}

static int larger(int a, int b)
{
    return a > b ? a : b;
}

/* The first place that no layer holds whose output somebody from layer l on takes. */
static int free_slot(const struct rn_network *n, int l)
{
    unsigned taken = 0;
    for (int i = l; i < n->layers; i++) {
        const struct rn_network_layer *layer = &n->layer[i];
        taken |= layer->from && layer->from <= l ? 1U << n->layer[layer->from - 1].slot : 0;
        taken |= layer->add && layer->add <= l ? 1U << n->layer[layer->add - 1].slot : 0;
    }
    int slot = 0;
    while (taken >> slot & 1)
        slot++;
    return slot;
}

bool rn_network_complete(struct rn_network *n)
{
    struct rn_network_layer *layer = n->layer;
    n->reach = n->slots = 0;
    for (int l = 0; l < n->layers && !n->imported; l++)
        layer[l] = (struct rn_network_layer){.inputs = l ? n->width : n->inputs,
                                             .outputs = l + 1 < n->layers ? n->width
                                                        : n->doubles      ? 4
                                                                          : 1,
                                             .size = 3,
                                             .from = l};
    for (int l = 0; l < n->layers; l++) {
        const struct rn_network_layer *to = &layer[l];
        if (to->from > l || to->add > l ||
            to->inputs != (to->from ? layer[to->from - 1].outputs : n->inputs) ||
            (to->add && layer[to->add - 1].outputs != to->outputs))
            return false;
        layer[l].slot = free_slot(n, l);
        n->slots = larger(n->slots, l + 1 < n->layers ? layer[l].slot + 1 : 0);
        n->width = larger(n->width, to->outputs);
        layer[l].reach = 0;
    }
    for (int l = n->layers - 1; l >= 0; l--) {
        int reach = layer[l].reach + layer[l].size / 2;
        int *from = layer[l].from ? &layer[layer[l].from - 1].reach : &n->reach;
        *from = larger(*from, reach);
        if (layer[l].add)
            layer[layer[l].add - 1].reach = larger(layer[layer[l].add - 1].reach, layer[l].reach);
    }
    return n->slots <= RN_NETWORK_SLOTS && rn_network_out(n, n->layers - 1) == (n->doubles ? 4 : 1);
}

void rn_network_range(const struct rn_network *n, const struct rn_geom *geom, float *low,
                      float *high)
{
    bool stored = n->stored && (geom->scan || geom->fmt.number != RN_NUMBER_UNSIGNED);
    *low = stored ? n->low : rn_geom_black(geom);
    *high = stored ? n->high : rn_geom_white(geom);
}

/* ---- JSON */

/* What is left of a text; no text at all if at is NULL. */
struct span {
    const char *at, *end;
};

static void skip_blanks(struct span *s)
{
    while (s->at < s->end && *s->at && strchr(" \t\r\n", *s->at))
        s->at++;
}

/* Takes a character, and the blanks in front of it. */
static bool take(struct span *s, char c)
{
    skip_blanks(s);
    bool is = s->at < s->end && *s->at == c;
    s->at += is;
    return is;
}

/* Takes a string. *text: what is between its quotes, escapes as they stand. */
static bool take_string(struct span *s, struct span *text)
{
    if (!take(s, '"'))
        return false;
    text->at = s->at;
    while (s->at < s->end && *s->at != '"')
        s->at += *s->at == '\\' && s->end - s->at > 1 ? 2 : 1;
    text->end = s->at;
    return take(s, '"');
}

static bool take_value(struct span *s, int depth);

/* Takes the rest of an object or an array. */
static bool take_members(struct span *s, char close, int depth)
{
    struct span name;
    if (take(s, close))
        return true;
    do {
        if (close == '}' && !(take_string(s, &name) && take(s, ':')))
            return false;
        if (!take_value(s, depth - 1))
            return false;
    } while (take(s, ','));
    return take(s, close);
}

static bool take_value(struct span *s, int depth)
{
    struct span text;
    if (take(s, '{'))
        return depth && take_members(s, '}', depth);
    if (take(s, '['))
        return depth && take_members(s, ']', depth);
    const char *from = s->at;
    while (s->at < s->end &&
           (isalnum((unsigned char)*s->at) || *s->at == '+' || *s->at == '-' || *s->at == '.'))
        s->at++;
    return s->at > from || take_string(s, &text);
}

/* The value of a member of an object, from its first character on. */
static struct span find(struct span object, const char *name)
{
    const struct span none = {NULL, NULL};
    struct span is, value;
    if (!object.at || !take(&object, '{'))
        return none;
    do {
        if (!take_string(&object, &is) || !take(&object, ':'))
            return none;
        value.at = object.at;
        if (!take_value(&object, DEPTH))
            return none;
        value.end = object.at;
        if ((size_t)(is.end - is.at) == strlen(name) && !memcmp(is.at, name, strlen(name)))
            return value;
    } while (take(&object, ','));
    return none;
}

/* Takes an array of n whole numbers, and nothing else. */
static bool take_numbers(struct span s, int64_t *v, int n)
{
    bool fits = s.at && take(&s, '[');
    for (int i = 0; i < n && fits; i++) {
        fits = !i || take(&s, ',');
        skip_blanks(&s);
        const char *from = s.at;
        for (v[i] = 0; s.at < s.end && isdigit((unsigned char)*s.at) && v[i] < INT64_MAX / 16;)
            v[i] = 10 * v[i] + *s.at++ - '0';
        fits = fits && s.at > from;
    }
    return fits && take(&s, ']');
}

static bool copy_text(struct span value, char text[TEXT])
{
    struct span is;
    bool fits = value.at && take_string(&value, &is) && is.end - is.at < TEXT;
    if (fits)
        snprintf(text, TEXT, "%.*s", (int)(is.end - is.at), is.at);
    return fits;
}

/* ---- reading */

struct file {
    struct span header, data;
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
        return refuse(why, "it is no safetensors file, nor ONNX%s", "");
    const char *begin = contents + sizeof length;
    file->header = (struct span){begin, begin + length};
    file->data = (struct span){begin + length, contents + size};
    struct span all = file->header;
    bool whole = take(&all, '{') && take_members(&all, '}', DEPTH);
    skip_blanks(&all);
    return whole && all.at == all.end ? 0 : refuse(why, "its header is no JSON object%s", "");
}

static struct span find_tensor(const struct file *file, const char *prefix, int layer,
                               enum tensor t, char name[48])
{
    snprintf(name, 48, "%s%d.%s", prefix, layer, tensor_names[t]);
    return find(file->header, name);
}

/* The floats of a tensor of layer `layer`, which is like l. */
static int find_floats(const struct file *file, const char *prefix, int layer,
                       const struct rn_network_layer *l, enum tensor t, float *to,
                       char why[RN_TEXT_WHY])
{
    char name[48], type[TEXT];
    int64_t shape[4], is[4], at[2], count = tensor_floats(l, t);
    struct span tensor = find_tensor(file, prefix, layer, t, name);
    if (!copy_text(find(tensor, "dtype"), type) ||
        !take_numbers(find(tensor, "data_offsets"), at, 2))
        return refuse(why, "it has no tensor '%s'", name);
    if (strcmp(type, "F32") != 0)
        return refuse(why, "its tensor '%s' is not of the type F32", name);
    int n = shape_of(l, t, shape);
    if (!take_numbers(find(tensor, "shape"), is, n) ||
        memcmp(is, shape, (size_t)n * sizeof *is) != 0)
        return refuse(why, "its tensor '%s' has another shape than its layer", name);
    if (at[1] > file->data.end - file->data.at || at[1] - at[0] != count * (int64_t)sizeof *to)
        return refuse(why, "its tensor '%s' lies outside of the file", name);
    for (int64_t i = 0; i < count; i++) {
        uint32_t bits;
        memcpy(&bits, file->data.at + at[0] + i * (int64_t)sizeof bits, sizeof bits);
        bits = le32toh(bits);
        memcpy(to + i, &bits, sizeof bits);
        if (!isfinite(to[i]))
            return refuse(why, "its tensor '%s' holds numbers that are not finite", name);
    }
    return 0;
}

/* A number of the metadata, which are texts. false: it is not there, or none from min to max. */
static bool read_number(struct span metadata, const char *name, double min, double max, double *v)
{
    char text[TEXT], *end;
    if (!copy_text(find(metadata, name), text))
        return false;
    *v = rn_number_parse(text, &end);
    return end > text && !*end && *v >= min && *v <= max;
}

static bool read_count(struct span metadata, const char *name, int min, int max, int *n)
{
    double v;
    bool is = read_number(metadata, name, min, max, &v) && v == floor(v);
    *n = is ? (int)v : 0;
    return is;
}

/* A text that holds an array of n whole numbers. */
static bool read_list(struct span metadata, const char *name, int64_t *v, int n)
{
    struct span value = find(metadata, name), text;
    return value.at && take_string(&value, &text) && take_numbers(text, v, n);
}

/* Of an imported network: the layers, as metadata and tensors say. */
static int read_layers(struct rn_network *n, const struct file *file, struct span metadata,
                       char why[RN_TEXT_WHY])
{
    int64_t from[RN_NETWORK_MOST] = {0}, add[RN_NETWORK_MOST] = {0}, shape[4] = {0};
    bool whole =
        read_list(metadata, "from", from, n->layers) && read_list(metadata, "add", add, n->layers);
    n->width = 0;
    for (int l = 0; l < n->layers && whole; l++) {
        char name[48];
        whole = take_numbers(find(find_tensor(file, "", l, WEIGHT, name), "shape"), shape, 4) &&
                shape[0] >= 1 && shape[0] <= RN_NETWORK_WIDTH && shape[1] >= 1 &&
                shape[1] <= RN_NETWORK_WIDTH && shape[2] % 2 == 1 && shape[2] <= RN_NETWORK_SIZE &&
                from[l] <= l && add[l] <= l;
        n->layer[l] =
            (struct rn_network_layer){.inputs = (int)shape[1],
                                      .outputs = (int)shape[0],
                                      .size = (int)shape[2],
                                      .from = (int)from[l],
                                      .add = (int)add[l],
                                      .bends = find_tensor(file, "", l, SLOPE, name).at != NULL};
    }
    return whole ? 0 : refuse(why, "it does not say what its layers are like%s", "");
}

static int read_shape(struct rn_network *n, const struct file *file, char why[RN_TEXT_WHY])
{
    struct span metadata = find(file->header, "__metadata__");
    char output[TEXT] = "", padding[TEXT] = "";
    double low = 0, high = 0;
    int slices, scale = 1, err;
    *n = (struct rn_network){.layers = 0};
    n->imported = copy_text(find(metadata, "padding"), padding);
    n->pads = !strcmp(padding, "layer");
    if (!copy_text(find(metadata, "output"), output) ||
        !read_count(metadata, "layers", n->imported ? 1 : 2,
                    n->imported ? RN_NETWORK_MOST : RN_NETWORK_LAYERS, &n->layers) ||
        !read_count(metadata, "width", 1, RN_NETWORK_WIDTH, &n->width) ||
        !read_count(metadata, "slices", 0, RN_NETWORK_INPUTS / 2, &slices))
        return refuse(why, "it says of no network that `runnel learn` writes%s", "");
    while (n->output < RN_NETWORK_OUTPUTS && strcmp(output, output_names[n->output]) != 0)
        n->output++;
    if (n->output == RN_NETWORK_OUTPUTS)
        return refuse(why, "its output, '%s', is none that this version knows", output);
    if (find(metadata, "scale").at && !read_count(metadata, "scale", 1, 2, &scale))
        return refuse(why, "it scales otherwise than by 2%s", "");
    n->doubles = scale == 2;
    read_count(metadata, "step", 0, INT_MAX, &n->steps);
    n->stored = read_number(metadata, "low", -3e38, 3e38, &low);
    if (n->stored && (!read_number(metadata, "high", -3e38, 3e38, &high) || high <= low))
        return refuse(why, "its range is none%s", "");
    n->inputs = 2 * slices + 1;
    n->low = (float)low;
    n->high = (float)high;
    err = n->imported ? read_layers(n, file, metadata, why) : 0;
    return err || rn_network_complete(n) ? err
                                         : refuse(why, "its layers do not fit together%s", "");
}

int rn_network_parse(struct rn_network *n, const char *contents, size_t size, const char *prefix,
                     float **floats, char why[RN_TEXT_WHY])
{
    struct file file = {0};
    RN_OWNED(rn_free_owned) float *values = NULL;
    int err = open_file(&file, contents, size, why);
    err = err ? err : read_shape(n, &file, why);
    if (!err && !(values = malloc(rn_network_floats(n) * sizeof *values)))
        return rn_fail_memory();
    float *to = values;
    for (int l = 0; l < n->layers; l++)
        for (enum tensor t = WEIGHT; !err && t < tensors_of(&n->layer[l]); t++) {
            err = find_floats(&file, prefix, l, &n->layer[l], t, to, why);
            to += tensor_floats(&n->layer[l], t);
        }
    if (!err && floats)
        *floats = rn_take_owned(&values);
    return err;
}

/* ---- writing */

/* Adds the tensors of a layer to the header, from byte `at` of the data on. Returns the end. */
static size_t describe(FILE *f, const char *prefix, int layer, const struct rn_network_layer *l,
                       size_t at)
{
    for (enum tensor t = WEIGHT; t < tensors_of(l); t++) {
        int64_t shape[4];
        int n = shape_of(l, t, shape);
        size_t end = at + (size_t)tensor_floats(l, t) * sizeof(float);
        fprintf(f, ",\"%s%d.%s\":{\"dtype\":\"F32\",\"shape\":", prefix, layer, tensor_names[t]);
        for (int i = 0; i < n; i++)
            fprintf(f, "%c%" PRId64, i ? ',' : '[', shape[i]);
        fprintf(f, "],\"data_offsets\":[%zu,%zu]}", at, end);
        at = end;
    }
    return at;
}

/* Of an imported network. */
static void write_layers(FILE *f, const struct rn_network *n)
{
    fprintf(f, "\"padding\":\"%s\"", n->pads ? "layer" : "none");
    for (int add = 0; add < 2; add++) {
        fprintf(f, ",\"%s\":\"[", add ? "add" : "from");
        for (int l = 0; l < n->layers; l++)
            fprintf(f, "%s%d", l ? "," : "", add ? n->layer[l].add : n->layer[l].from);
        fputs("]\"", f);
    }
    fputs(",", f);
}

int rn_network_write(FILE *f, const struct rn_network *n, const char *more,
                     const char *const prefixes[], const float *const floats[], int count)
{
    RN_OWNED(rn_free_owned) char *text = NULL;
    size_t length = 0, at = 0;
    FILE *header = open_memstream(&text, &length);
    if (!header)
        return rn_fail_memory();
    fprintf(header,
            "{\"__metadata__\":{\"output\":\"%s\",\"layers\":\"%d\",\"width\":\"%d\","
            "\"slices\":\"%d\",\"step\":\"%d\",",
            output_names[n->output], n->layers, n->width, n->inputs / 2, n->steps);
    if (n->doubles)
        fputs("\"scale\":\"2\",", header);
    if (n->stored)
        rn_number_write(header, "\"low\":\"%.9g\",\"high\":\"%.9g\",", (double)n->low,
                        (double)n->high);
    if (n->imported)
        write_layers(header, n);
    fprintf(header, "%s}", more);
    for (int i = 0; i < count; i++)
        for (int l = 0; l < n->layers; l++)
            at = describe(header, prefixes[i], l, &n->layer[l], at);
    fputc('}', header);
    if (fclose(header))
        return rn_fail_memory();
    int padded = (int)(length + 7) / 8 * 8; /* floats are aligned */
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
