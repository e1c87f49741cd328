/* SPDX-License-Identifier: MIT */
#include "app/onnx/onnx.h"

#include "filters/base/owned.h"
#include "filters/parts/network/network.h"
#include "app/onnx/onnx.pb-c.h"

#include <endian.h>
#include <float.h>
#include <math.h>
#include <stdarg.h>

#define NODES  256 /* at most; each gives a value */
#define INPUTS 8   /* of a node */

enum { FLOAT32 = 1 }; /* TensorProto.DataType */

/* What a node gives: planes of a layer (0: the picture), perhaps as a picture of twice the size, or
 * the picture as the net changes it. */
struct value {
    const char *name;
    int layer;
    enum { PLANES, DOUBLED, CHANGED } kind;
    bool shared; /* it has another name, by which others take it */
    int cut;     /* columns that are cut off on each side where layers do not pad */
};

struct import {
    const Onnx__Graph *graph;
    struct rn_network net;
    float *floats[RN_NETWORK_MOST]; /* of each layer, with room for slopes and limits */
    struct value value[NODES + 1];
    int values;
    bool has_padding; /* net.pads is known */
    char *why;
};

__attribute__((format(printf, 2, 3))) static bool refuse(const struct import *im, const char *fmt,
                                                         ...)
{
    va_list args;
    va_start(args, fmt);
    vsnprintf(im->why, RN_TEXT_WHY, fmt, args);
    va_end(args);
    return false;
}

/* ---- the graph */

static bool is_text(const char *a, const char *b)
{
    return a && b && !strcmp(a, b);
}

static const Onnx__Attribute *find_attribute(const Onnx__Node *node, const char *name)
{
    for (size_t i = 0; i < node->n_attribute; i++)
        if (is_text(node->attribute[i]->name, name))
            return node->attribute[i];
    return NULL;
}

static int64_t integer_of(const Onnx__Node *node, const char *name, int64_t fallback)
{
    const Onnx__Attribute *a = find_attribute(node, name);
    return a && a->has_i ? a->i : fallback;
}

static float number_of(const Onnx__Node *node, const char *name, float fallback)
{
    const Onnx__Attribute *a = find_attribute(node, name);
    return a && a->has_f ? a->f : fallback;
}

/* Are all integers of this attribute v? fallback: what they are if it is not there. */
static bool are_all(const Onnx__Node *node, const char *name, int64_t v, int64_t fallback)
{
    const Onnx__Attribute *a = find_attribute(node, name);
    for (size_t i = 0; a && i < a->n_ints; i++)
        if (a->ints[i] != v)
            return false;
    return a || fallback == v;
}

static bool is_same(const Onnx__Node *node)
{
    const Onnx__Attribute *a = find_attribute(node, "auto_pad");
    return a && a->s.len > 4 && !memcmp(a->s.data, "SAME", 4);
}

/* NULL: it is left out. */
static const char *input_of(const Onnx__Node *node, size_t i)
{
    return i < node->n_input && *node->input[i] ? node->input[i] : NULL;
}

static bool is_of(const Onnx__Node *node, const char *type, const char *output)
{
    return is_text(node->op_type, type) && node->n_output && is_text(node->output[0], output);
}

/* A constant; some exporters give one tensor several names, by Identity. */
static const Onnx__Tensor *find_tensor(const struct import *im, const char *name)
{
    const Onnx__Graph *g = im->graph;
    for (size_t i = g->n_node; i--;) { /* those that it takes stand before it */
        if (is_of(g->node[i], "Constant", name)) {
            const Onnx__Attribute *a = find_attribute(g->node[i], "value");
            return a ? a->t : NULL;
        }
        name = is_of(g->node[i], "Identity", name) ? input_of(g->node[i], 0) : name;
    }
    for (size_t i = 0; i < g->n_initializer; i++)
        if (is_text(g->initializer[i]->name, name))
            return g->initializer[i];
    return NULL;
}

/* Reads a tensor of n floats, whatever its shape. */
static bool read_floats(const struct import *im, const char *name, int64_t n, float *to)
{
    const Onnx__Tensor *t = find_tensor(im, name);
    if (!t)
        return refuse(im, "'%.60s' is no constant", name ? name : "");
    int64_t count = 1;
    for (size_t i = 0; i < t->n_dims && count <= n; i++)
        count = t->dims[i] < 0 || t->dims[i] > n ? n + 1 : count * t->dims[i];
    bool raw = t->raw_data.len == (size_t)n * sizeof *to;
    if (t->data_type != FLOAT32 || count != n || (!raw && t->n_float_data != (size_t)n))
        return refuse(im, "'%.60s' does not hold %d floats of 32 bits in this file", name, (int)n);
    for (int64_t i = 0; i < n; i++) {
        const void *from = raw ? (const void *)(t->raw_data.data + 4 * i) : t->float_data + i;
        uint32_t bits;
        memcpy(&bits, from, sizeof bits);
        bits = raw ? le32toh(bits) : bits;
        memcpy(to + i, &bits, sizeof bits);
    }
    return true;
}

static const struct value *find_value(const struct import *im, const char *name)
{
    for (int i = 0; i < im->values; i++)
        if (is_text(im->value[i].name, name))
            return &im->value[i];
    return NULL;
}

/* How often a value is taken. */
static int uses_of(const struct import *im, const char *name)
{
    int n = 0;
    for (size_t i = 0; i < im->graph->n_node; i++)
        for (size_t k = 0; k < im->graph->node[i]->n_input; k++)
            n += is_text(im->graph->node[i]->input[k], name);
    for (size_t i = 0; i < im->graph->n_output; i++)
        n += is_text(im->graph->output[i]->name, name);
    return n;
}

/* ---- layers */

static bool add_picture(struct import *im, struct value *v);

static struct rn_network_layer *layer_of(struct import *im, const struct value *v)
{
    return &im->net.layer[v->layer - 1];
}

static float *weights_of(const struct import *im, const struct value *v)
{
    return im->floats[v->layer - 1];
}

static float *biases_of(struct import *im, const struct value *v)
{
    const struct rn_network_layer *l = layer_of(im, v);
    return weights_of(im, v) + l->outputs * l->inputs * l->size * l->size;
}

/* The slopes; behind them the two limits. */
static float *slopes_of(struct import *im, const struct value *v)
{
    return biases_of(im, v) + layer_of(im, v)->outputs;
}

/* Adds a layer that takes *v, and sets *v to what it gives. All its floats are 0. */
static bool add_layer(struct import *im, struct value *v, int64_t inputs, int64_t outputs,
                      int64_t size)
{
    int64_t is = v->layer ? layer_of(im, v)->outputs : im->net.layers ? im->net.inputs : inputs;
    if (v->kind == CHANGED && !add_picture(im, v))
        return false;
    if (v->kind == DOUBLED)
        return refuse(im, "layers follow on the picture of twice the size");
    if (im->net.layers == RN_NETWORK_MOST)
        return refuse(im, "it has more than %d layers", RN_NETWORK_MOST);
    if (size > RN_NETWORK_SIZE || size % 2 == 0)
        return refuse(im, "a kernel is not of an odd size up to %d", RN_NETWORK_SIZE);
    if (inputs != is || (!v->layer && (inputs > RN_NETWORK_INPUTS || inputs % 2 == 0)))
        return refuse(im, "a layer takes %d planes: it is for colours, or of another form",
                      (int)inputs);
    int l = im->net.layers++;
    if (!v->layer)
        im->net.inputs = (int)inputs;
    im->net.layer[l] = (struct rn_network_layer){
        .inputs = (int)inputs, .outputs = (int)outputs, .size = (int)size, .from = v->layer};
    im->floats[l] = calloc((size_t)(outputs * (inputs * size * size + 2) + 2), sizeof(float));
    v->layer = l + 1;
    v->cut += (int)size / 2;
    v->shared = false;
    return im->floats[l] || refuse(im, "there is no memory for its layers");
}

/* All layers pad, or none. */
static bool set_padding(struct import *im, int64_t size, bool pads)
{
    if (size == 1)
        return true;
    if (im->has_padding && im->net.pads != pads)
        return refuse(im, "some of its layers pad, and some do not");
    im->has_padding = true;
    im->net.pads = pads;
    return true;
}

/* Is the layer of *v still open: nobody takes the value but this node? */
static bool is_open(const struct import *im, const struct value *v)
{
    bool alone = !v->name || (!v->shared && uses_of(im, v->name) == 1);
    return v->layer && v->kind != CHANGED && alone;
}

/* Adds a layer that passes on the planes of *v as they are, and is open. */
static bool add_copy(struct import *im, struct value *v)
{
    int n = v->layer ? layer_of(im, v)->outputs : im->net.layers ? im->net.inputs : 1;
    if (!add_layer(im, v, n, n, 1))
        return false;
    v->name = NULL;
    for (int o = 0; o < n; o++)
        weights_of(im, v)[o * n + o] = 1;
    return true;
}

/* Makes the picture that *v changes the sum of two layers, which others can take. */
static bool add_picture(struct import *im, struct value *v)
{
    struct value picture = {.layer = 0};
    v->kind = PLANES;
    if (!add_copy(im, &picture) || !add_copy(im, v))
        return false;
    layer_of(im, v)->add = picture.layer;
    return true;
}

/* Makes the layer of *v one that bends, if it is none: by slopes of 1, within no limits. */
static bool bend(struct import *im, struct value *v)
{
    if (v->kind == CHANGED && !add_picture(im, v))
        return false;
    if (!is_open(im, v) && !add_copy(im, v))
        return false;
    struct rn_network_layer *l = layer_of(im, v);
    float *slope = slopes_of(im, v);
    for (int o = 0; o < l->outputs && !l->bends; o++)
        slope[o] = 1;
    if (!l->bends) {
        slope[l->outputs] = -FLT_MAX;
        slope[l->outputs + 1] = FLT_MAX;
    }
    l->bends = true;
    return true;
}

static bool limit(struct import *im, struct value *v, float low, float high)
{
    if (!(low <= high))
        return refuse(im, "the limits of a clipping are no limits");
    if (!bend(im, v))
        return false;
    float *limits = slopes_of(im, v) + layer_of(im, v)->outputs;
    limits[0] = fminf(fmaxf(limits[0], low), high);
    limits[1] = fmaxf(fminf(limits[1], high), low);
    return true;
}

/* ---- operators: each makes of its first input what its node gives */

typedef bool operator(struct import *im, const Onnx__Node *node, struct value *v);

static bool take_identity(struct import *im, const Onnx__Node *node, struct value *v)
{
    v->shared |= uses_of(im, v->name) != 1;
    return true;
}

static bool take_dropout(struct import *im, const Onnx__Node *node, struct value *v)
{
    const Onnx__Tensor *t = find_tensor(im, input_of(node, 2));
    if (input_of(node, 2) && (!t || t->raw_data.len != 1 || *t->raw_data.data))
        return refuse(im, "a dropout is in the state of training");
    return take_identity(im, node, v);
}

/* Checks what both convolutions have in common, and finds their weights: four dimensions. */
static const Onnx__Tensor *find_weights(const struct import *im, const Onnx__Node *node,
                                        int64_t stride)
{
    const Onnx__Tensor *t = find_tensor(im, input_of(node, 1));
    bool plain = are_all(node, "strides", stride, 1) && are_all(node, "dilations", 1, 1) &&
                 integer_of(node, "group", 1) == 1;
    bool fits = t && t->n_dims == 4 && t->dims[2] == t->dims[3];
    for (int i = 0; i < 4 && fits; i++)
        fits = t->dims[i] >= 1 && t->dims[i] <= RN_NETWORK_WIDTH;
    if (!plain)
        refuse(im, "a convolution has strides, dilations or groups");
    else if (!fits)
        refuse(im, "a convolution is not square, of two dimensions and at most %d planes",
               RN_NETWORK_WIDTH);
    return plain && fits ? t : NULL;
}

static bool take_convolution(struct import *im, const Onnx__Node *node, struct value *v)
{
    const Onnx__Tensor *t = find_weights(im, node, 1);
    if (!t)
        return false;
    int64_t outputs = t->dims[0], inputs = t->dims[1], size = t->dims[2];
    bool same = is_same(node), pads = same || !are_all(node, "pads", 0, 0);
    if (!same && pads && !are_all(node, "pads", size / 2, 0))
        return refuse(im, "a convolution pads otherwise than by half of its kernel");
    return set_padding(im, size, pads) && add_layer(im, v, inputs, outputs, size) &&
           read_floats(im, node->input[1], outputs * inputs * size * size, weights_of(im, v)) &&
           (!input_of(node, 2) || read_floats(im, node->input[2], outputs, biases_of(im, v)));
}

/* Finds what a transposed convolution that doubles cuts off in front. */
static bool find_pad(const Onnx__Node *node, int size, int *pad)
{
    const Onnx__Attribute *pads = find_attribute(node, "pads");
    int64_t front = 0, back = 0;
    if (is_same(node)) {
        front = back = size / 2 - 1; /* of odd sizes, programs do not agree about the rest */
    } else if (pads && pads->n_ints) {
        if (pads->n_ints != 4 || pads->ints[0] != pads->ints[1] || pads->ints[2] != pads->ints[3])
            return false;
        front = pads->ints[0];
        back = pads->ints[2];
    }
    *pad = (int)front;
    return front >= 0 && front < size && back >= 0 && back < size &&
           are_all(node, "output_padding", front + back + 2 - size, 0);
}

/* One that doubles is a convolution for each of the four samples that one becomes: sample 2 i + a
 * takes that at i + d by its weight a + pad - 2 d. */
static bool take_transposed(struct import *im, const Onnx__Node *node, struct value *v)
{
    const Onnx__Tensor *t = find_weights(im, node, 2);
    if (!t)
        return false;
    int inputs = (int)t->dims[0], size = (int)t->dims[2], pad;
    if (!find_pad(node, size, &pad) || t->dims[1] != 1)
        return refuse(im, "a transposed convolution does not make one plane of twice the size");
    int front = (1 + pad) / 2, back = (size - 1 - pad) / 2; /* |d| at most, each way */
    int half = front > back ? front : back, wide = 2 * half + 1;
    RN_OWNED(rn_free_owned) float *from = calloc((size_t)(inputs * size * size), sizeof *from);
    float bias = 0;
    if (!from || !read_floats(im, node->input[1], inputs * size * size, from) ||
        (input_of(node, 2) && !read_floats(im, node->input[2], 1, &bias)) ||
        !set_padding(im, wide, true) || !add_layer(im, v, inputs, 4, wide))
        return false;
    float *to = weights_of(im, v);
    for (int i = 0; i < 4 * inputs * wide * wide; i++) {
        int plane = i / (inputs * wide * wide), c = i / (wide * wide) % inputs;
        int y = plane / 2 + pad - 2 * (i / wide % wide - half);
        int x = plane % 2 + pad - 2 * (i % wide - half);
        bool is = x >= 0 && x < size && y >= 0 && y < size;
        to[i] = is ? from[(c * size + y) * size + x] : 0;
    }
    for (int o = 0; o < 4; o++)
        biases_of(im, v)[o] = bias;
    v->kind = DOUBLED;
    return true;
}

static bool take_normalisation(struct import *im, const Onnx__Node *node, struct value *v)
{
    float p[4][RN_NETWORK_WIDTH]; /* scale, bias, mean, variance */
    bool folds =
        is_open(im, v) && v->kind == PLANES && !layer_of(im, v)->bends && !layer_of(im, v)->add;
    if (integer_of(node, "training_mode", 0))
        return refuse(im, "a batch normalisation is in the state of training");
    if (!folds && !add_copy(im, v))
        return false;
    const struct rn_network_layer *l = layer_of(im, v);
    for (size_t i = 0; i < 4; i++)
        if (!read_floats(im, input_of(node, i + 1), l->outputs, p[i]))
            return false;
    int each = l->inputs * l->size * l->size;
    for (int o = 0; o < l->outputs; o++) {
        double by =
            (double)p[0][o] / sqrt((double)p[3][o] + (double)number_of(node, "epsilon", 1e-5F));
        float *bias = biases_of(im, v) + o;
        for (int i = 0; i < each; i++)
            weights_of(im, v)[o * each + i] *= (float)by;
        *bias = (float)((double)(*bias - p[2][o]) * by + (double)p[1][o]);
    }
    return true;
}

static bool take_relu(struct import *im, const Onnx__Node *node, struct value *v)
{
    return limit(im, v, 0, FLT_MAX);
}

static bool take_clip(struct import *im, const Onnx__Node *node, struct value *v)
{
    float low = number_of(node, "min", -FLT_MAX), high = number_of(node, "max", FLT_MAX);
    for (size_t i = 1; i < 3; i++) /* since version 11 they are inputs */
        if (input_of(node, i) && !read_floats(im, node->input[i], 1, i == 1 ? &low : &high))
            return false;
    return limit(im, v, low, high);
}

/* By one slope, or one of each plane. */
static bool take_slopes(struct import *im, const Onnx__Node *node, struct value *v)
{
    bool again = v->layer && v->kind != CHANGED && layer_of(im, v)->bends;
    if ((again && !add_copy(im, v)) || !bend(im, v))
        return false;
    int outputs = layer_of(im, v)->outputs;
    float *slope = slopes_of(im, v), one = number_of(node, "alpha", 0.01F);
    const Onnx__Tensor *t = find_tensor(im, input_of(node, 1));
    bool each = t && (t->raw_data.len > sizeof one || t->n_float_data > 1);
    if (each)
        return v->kind == PLANES ? read_floats(im, node->input[1], outputs, slope)
                                 : refuse(im, "an activation has slopes of planes that it joins");
    if (input_of(node, 1) && !read_floats(im, node->input[1], 1, &one))
        return false;
    for (int o = 0; o < outputs; o++)
        slope[o] = one;
    return true;
}

/* The sum of two layers, or of one and the picture: the later one adds the other. Of a difference
 * it is what is taken away, as its opposite. One that others take, or that does more, is copied. */
static bool take_sum(struct import *im, const Onnx__Node *node, struct value *v)
{
    const struct value *other = find_value(im, input_of(node, 1));
    bool minus = is_text(node->op_type, "Sub");
    if (!other || v->kind == DOUBLED || other->kind == DOUBLED || v->layer == other->layer)
        return refuse(im, "it adds what is no layer of the same form");
    struct value left = *v, right = *other;
    if ((left.kind == CHANGED && !add_picture(im, &left)) ||
        (right.kind == CHANGED && !add_picture(im, &right)))
        return false;
    bool swaps = !minus && left.layer > right.layer;
    struct value first = swaps ? right : left, last = swaps ? left : right;
    bool copies = first.layer > last.layer || !is_open(im, &last) || layer_of(im, &last)->add ||
                  layer_of(im, &last)->bends;
    if (copies && !add_copy(im, &last))
        return false;
    struct rn_network_layer *l = layer_of(im, &last);
    int planes = first.layer ? layer_of(im, &first)->outputs : im->net.inputs;
    if (planes != l->outputs || (!first.layer && planes != 1) ||
        (im->has_padding && !im->net.pads && first.cut != last.cut))
        return refuse(im, "it adds what is of another size, or has other planes");
    for (float *f = weights_of(im, &last); f < slopes_of(im, &last) && minus; f++)
        *f = -*f;
    l->add = first.layer;
    last.kind = first.layer ? PLANES : CHANGED;
    *v = last;
    return true;
}

static bool take_shuffle(struct import *im, const Onnx__Node *node, struct value *v)
{
    if (v->kind != PLANES || !v->layer || layer_of(im, v)->outputs != 4 ||
        integer_of(node, "blocksize", 0) != 2)
        return refuse(im, "depth to space does not make one plane of twice the size of four");
    v->kind = DOUBLED;
    return true;
}

static const struct {
    const char *name;
    operator* take;
} operators[] = {
    {"Conv", take_convolution},  {"ConvTranspose", take_transposed},
    {"Relu", take_relu},         {"BatchNormalization", take_normalisation},
    {"Clip", take_clip},         {"LeakyRelu", take_slopes},
    {"PRelu", take_slopes},      {"Add", take_sum},
    {"Sub", take_sum},           {"DepthToSpace", take_shuffle},
    {"Identity", take_identity}, {"Dropout", take_dropout},
};

/* ---- the whole */

static bool take_node(struct import *im, const Onnx__Node *node)
{
    if (node->n_output && find_tensor(im, node->output[0]))
        return true; /* a constant */
    operator* take = NULL;
    for (size_t i = 0; i < sizeof operators / sizeof *operators && !take; i++)
        take = is_text(node->op_type, operators[i].name) ? operators[i].take : NULL;
    if (!take)
        return refuse(im, "its operator '%.40s' is none that networks have here",
                      node->op_type ? node->op_type : "");
    const struct value *from = find_value(im, input_of(node, 0));
    if (!from || !node->n_output || node->n_input > INPUTS)
        return refuse(im, "'%s' does not take what was computed before it", node->op_type);
    struct value v = *from;
    if (!take(im, node, &v))
        return false;
    v.name = node->output[0];
    im->value[im->values++] = v;
    return true;
}

/* The picture, which goes in, is the input that is no constant. */
static bool take_graph(struct import *im)
{
    const Onnx__Graph *g = im->graph;
    int pictures = 0;
    if (!g || g->n_node > NODES || g->n_output != 1)
        return refuse(im, "it is no network of one output and up to %d operators", NODES);
    for (size_t i = 0; i < g->n_input; i++)
        if (!find_tensor(im, g->input[i]->name) && !pictures++)
            im->value[im->values++] = (struct value){.name = g->input[i]->name};
    if (pictures != 1)
        return refuse(im, "it takes %d inputs, not one picture", pictures);
    for (size_t i = 0; i < g->n_node; i++)
        if (!take_node(im, g->node[i]))
            return false;
    const struct value *v = find_value(im, g->output[0]->name);
    if (!v || !v->layer || v->layer != im->net.layers)
        return refuse(im, "its output is not what its last layer gives");
    int planes = rn_network_out(&im->net, v->layer - 1);
    if (planes != (v->kind == DOUBLED ? 4 : 1))
        return refuse(im, "it gives %d planes: it is for colours, or of another form", planes);
    im->net.imported = true;
    im->net.doubles = v->kind == DOUBLED;
    im->net.output = v->kind == CHANGED ? RN_NETWORK_RESIDUAL : RN_NETWORK_VALUE;
    return rn_network_complete(&im->net) ||
           refuse(im, "more than %d of its layers are needed at a time", RN_NETWORK_SLOTS);
}

static bool write_model(const struct import *im, FILE *f)
{
    const struct rn_network *n = &im->net;
    const char *const prefix = "";
    RN_OWNED(rn_free_owned) float *floats = malloc(rn_network_floats(n) * sizeof *floats);
    for (int l = 0; l < n->layers && floats; l++)
        memcpy(floats + rn_network_at(n, l), im->floats[l],
               (rn_network_at(n, l + 1) - rn_network_at(n, l)) * sizeof *floats);
    const float *from = floats;
    return floats && !rn_network_write(f, n, "\"source\":\"onnx\"", &prefix, &from, 1);
}

bool rn_onnx_convert(const uint8_t *data, size_t size, FILE *f, char why[RN_TEXT_WHY])
{
    Onnx__Model *model = onnx__model__unpack(NULL, size, data);
    struct import im = {.graph = model ? model->graph : NULL, .why = why};
    bool done = model ? take_graph(&im) : refuse(&im, "it is no whole ONNX file");
    done = done && (write_model(&im, f) || refuse(&im, "there is no memory for its model"));
    for (int l = 0; l < im.net.layers; l++)
        free(im.floats[l]);
    if (model)
        onnx__model__free_unpacked(model, NULL);
    return done;
}
