/* SPDX-License-Identifier: MIT */
/* Networks: the gradient against differences, on the device against plain C, bit for bit; the file
 * of a model, whole, cut and false. */
#include "tests/unit.h"

#include "app/process/environment.h"
#include "filters/base/owned.h"
#include "filters/core/device/device.h"
#include "filters/learn/gradient.h"

#include <endian.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 19, BATCH = 3, AREA = SIDE * SIDE, MOST = 4 * BATCH * AREA };

static float *make(size_t n, uint32_t seed, float scale)
{
    float *v = malloc(n * sizeof *v);
    assert_non_null(v);
    for (size_t i = 0; i < n; i++)
        v[i] = ((float)((seed = seed * 1664525 + 1013904223) >> 8) / 16777216.0F - 0.5F) * scale;
    return v;
}

struct sample {
    struct rn_gradient_setup setup;
    int outputs;
    float *floats, *input, *target;
};

/* holes: some samples of the target do not count. */
static struct sample make_sample(struct rn_network net, bool l1, bool holes)
{
    assert_true(rn_network_complete(&net));
    int outputs = net.doubles ? 4 : 1;
    size_t wide = SIDE + 2 * (size_t)net.layers, area = (size_t)(AREA * outputs);
    struct sample s = {.setup = {net, BATCH, SIDE, 2.0F / (float)area, l1},
                       .outputs = outputs,
                       .floats = make(rn_network_floats(&net), 1, 0.7F),
                       .input = make(BATCH * (size_t)net.inputs * wide * wide, 2, 2),
                       .target = make(BATCH * area, 3, 2)};
    for (size_t i = 0; i < BATCH * area && holes; i += 2)
        s.target[i] = NAN;
    return s;
}

static void free_sample(struct sample *s)
{
    free(s->floats);
    free(s->input);
    free(s->target);
}

static const struct rn_network nets[] = {
    {.layers = 2, .width = 1, .inputs = 1, .output = RN_NETWORK_PROBABILITY},
    {.layers = 3, .width = 16, .inputs = 1},
    {.layers = 4, .width = 11, .inputs = 5},
    {.layers = 3, .width = 8, .inputs = 3, .doubles = true},
};

/* Sample i of a target or an output. */
static float *sample_of(const struct rn_network_planes *p, const struct sample *s, int i)
{
    int plane = i / AREA;
    return rn_network_sample(p, plane / s->outputs, plane % s->outputs, i % SIDE, i / SIDE % SIDE);
}

static void fill(const struct rn_gradient *g, const struct sample *s)
{
    const struct rn_gradient_data *d = &g->data;
    int wide = SIDE + 2 * s->setup.net.layers, n = s->setup.net.inputs;
    for (int i = 0; i < BATCH * n * wide * wide; i++)
        *rn_network_sample(&d->in, i / (n * wide * wide), i / (wide * wide) % n, i % wide,
                           i / wide % wide) = s->input[i];
    for (int i = 0; i < BATCH * AREA * s->outputs; i++)
        *sample_of(&d->target, s, i) = s->target[i];
}

static void read_net(const struct rn_gradient *g, const struct sample *s, float *net)
{
    for (int i = 0; i < BATCH * AREA * s->outputs; i++)
        net[i] = *sample_of(&g->data.net, s, i);
}

static float *gradient_of(struct rn_device *dev, const struct sample *s, float *net)
{
    OWNED(rn_gradient_close) struct rn_gradient g = {.s = s->setup};
    float *to = make(rn_network_floats(&s->setup.net), 5, 1);
    assert_int_equal(rn_gradient_open(&g, dev), 0);
    for (int i = 0; i < 2; i++) { /* the second time nothing of the first is left */
        fill(&g, s);
        assert_int_equal(rn_gradient_forward(&g, s->floats), 0);
        read_net(&g, s, net);
        assert_int_equal(rn_gradient_compute(&g, s->floats, to), 0);
    }
    return to;
}

TEST(device_equals_plain_c)
{
    struct rn_device *dev;
    assert_int_equal(rn_device_open(&dev, NULL), 0);
    for (size_t i = 0; i < sizeof nets / sizeof *nets; i++)
        for (int how = 0; how < 4; how++) {
            struct sample s = make_sample(nets[i], how & 1, how & 2);
            size_t bytes = rn_network_floats(&s.setup.net) * sizeof(float);
            static float net[2][MOST];
            RN_OWNED(rn_free_owned) float *a = gradient_of(dev, &s, net[0]);
            RN_OWNED(rn_free_owned) float *b = gradient_of(NULL, &s, net[1]);
            assert_memory_equal(net[0], net[1], sizeof net[0]);
            assert_memory_equal(a, b, bytes);
            free_sample(&s);
        }
    rn_device_close(&dev);
}

/* Half of the squared error, or the cross-entropy, over the samples that count. */
static double error_of(struct rn_gradient *g, const struct sample *s)
{
    static float net[MOST];
    const struct rn_network *n = &s->setup.net;
    int wide = SIDE + 2 * n->layers;
    double sum = 0;
    assert_int_equal(rn_gradient_forward(g, s->floats), 0);
    read_net(g, s, net);
    for (int i = 0; i < BATCH * AREA * s->outputs; i++) {
        int p = i / AREA / s->outputs, y = i / SIDE % SIDE, x = i % SIDE;
        double in = s->input[((p * n->inputs + n->inputs / 2) * wide + y + n->layers) * wide + x +
                             n->layers];
        double z = (double)net[i], e = in + z - s->target[i];
        if (!isnan(e))
            sum += n->output ? log1p(exp(z)) - z * (double)s->target[i] : e * e / 2;
    }
    return sum * s->setup.step;
}

TEST(gradient_is_that_of_the_error)
{
    for (size_t k = 0; k < sizeof nets / sizeof *nets; k++) {
        struct sample s = make_sample(nets[k], false, true);
        struct rn_gradient g = {.s = s.setup};
        static float net[MOST];
        RN_OWNED(rn_free_owned) float *to = gradient_of(NULL, &s, net);
        assert_int_equal(rn_gradient_open(&g, NULL), 0);
        fill(&g, &s);
        for (size_t i = 0; i < rn_network_floats(&s.setup.net); i += 7) {
            float was = s.floats[i], step = 2e-4F;
            s.floats[i] = was + step;
            double up = error_of(&g, &s);
            s.floats[i] = was - step;
            double slope = (up - error_of(&g, &s)) / (2 * (double)step);
            s.floats[i] = was;
            /* Across the edge of a ReLU the difference is not the slope. */
            if (fabs(slope - (double)to[i]) > 0.05 * fabs(slope) + 4e-3)
                fail_msg("net %zu, float %zu: %g instead of %g", k, i, (double)to[i], slope);
        }
        rn_gradient_close(&g);
        free_sample(&s);
    }
}

TEST(the_sigmoid_is_near_and_finite)
{
    for (float z = -16; z <= 16; z += 0.0078125F)
        if (fabs((double)rn_network_sigmoid(z) * (1 + exp(-(double)z)) - 1) > 1e-5)
            fail_msg("%g: %.9g", (double)z, (double)rn_network_sigmoid(z));
    assert_true(isfinite(rn_network_sigmoid(NAN)) && rn_network_sigmoid(-HUGE_VALF) > 0);
}

static size_t write_model(const struct rn_network *n, const float *floats, char **text)
{
    size_t size;
    FILE *f = open_memstream(text, &size);
    const char *prefixes[] = {"", "adam.m."};
    const float *both[] = {floats, floats};
    assert_non_null(f);
    assert_int_equal(rn_network_write(f, n, "\"step\":\"7\"", prefixes, both, 2), 0);
    fclose(f);
    return size;
}

TEST(a_file_is_read_as_written)
{
    struct rn_network n = nets[2], is;
    assert_true(rn_network_complete(&n));
    RN_OWNED(rn_free_owned) float *floats = make(rn_network_floats(&n), 1, 1);
    RN_OWNED(rn_free_owned) char *text = NULL;
    float *read = NULL;
    char why[RN_TEXT_WHY];
    size_t size = write_model(&n, floats, &text);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(rn_network_parse(&is, text, size, i ? "adam.m." : "", &read, why), 0);
        assert_memory_equal(read, floats, rn_network_floats(&n) * sizeof *read);
        free(read);
    }
    assert_int_equal(is.inputs, 5);
    for (size_t cut = 0; cut < size; cut += cut < 2000 ? 1 : 977)
        assert_int_equal(rn_network_parse(&is, text, cut, "adam.m.", NULL, why), RN_EUSAGE);
    srand(1);
    for (int i = 0; i < 20000; i++) { /* any answer, but no crash; most are read */
        size_t at = (size_t)rand() % (i & 1 ? 1200 : size);
        char was = text[at];
        text[at] = (char)rand();
        int err = rn_network_parse(&is, text, size, "", NULL, why);
        assert_true(err == 0 || err == RN_EUSAGE);
        text[at] = was;
    }
    memset(text + size - sizeof *floats, 0xff, sizeof *floats);
    assert_true(rn_network_parse(&is, text, size, "adam.m.", NULL, why) && strstr(why, "finite"));
}

/* What a header says, or what is wrong with it. */
static const char *parse_header(const char *header)
{
    static char contents[4096], why[RN_TEXT_WHY];
    struct rn_network is;
    uint64_t length = strlen(header), bytes = htole64(length);
    memset(contents, 0, sizeof contents);
    memcpy(contents, &bytes, sizeof bytes);
    memcpy(contents + sizeof bytes, header, length);
    return rn_network_parse(&is, contents, sizeof contents, "", NULL, why) ? why : "";
}

#define META(layers, output, more)                                                                 \
    "{\"__metadata__\":{\"layers\":\"" layers                                                      \
    "\",\"width\":\"1\",\"slices\":\"0\",\"output\":\"" output "\"" more "}"
#define TENSOR(name, shape, at)                                                                    \
    ", \"" name "\" : {\"data_offsets\":[" at "] , \"dtype\":\"F32\",\"shape\":[" shape "]}"
#define TENSORS(at)                                                                                \
    TENSOR("0.weight", "1, 1,3,3", at)                                                             \
    TENSOR("0.bias", "1", "36,40")                                                                 \
    TENSOR("1.weight", "1,1,3,3", "40,76") TENSOR("1.bias", "1", "76,80")

TEST(headers_of_other_programs_are_read_and_false_ones_refused)
{
    static const char *const texts[][2] = {
        {META("2", "mask", ",\"a\\\"b\":[{},[ ],-1.5e3,null]") TENSORS("0,36") " } ", ""},
        {META("2", "residual", "") TENSORS("0,36") "} x", "no JSON"},
        {META("2", "residual", "") TENSORS("0,36"), "no JSON"},
        {META("2", "residual", "") TENSORS("0,36,"), "no JSON"},
        {META("2", "residual", ",\"a\":[[[[[]]]]]") "}", "no JSON"},
        {META("2", "residual", ",\"a\":\"\\") "}", "no JSON"},
        {META("2", "residual", "") TENSORS("0,-36") "}", "no tensor '0.weight'"},
        {META("2", "residual", "") TENSORS("36,0") "}", "outside"},
        {META("2", "residual", "") TENSORS("9999999999999999999999,1") "}", "no tensor '0.weight'"},
        {META("2", "residual", "") TENSORS("4060,4096") "}", "outside"},
        {META("2", "residual", "") TENSOR("0.weight", "1,1,9", "0,36") "}", "another shape"},
        {META("17", "mask", "") "}", "no network"},
        {META("2", "mask", ",\"scale\":\"3\"") "}", "by 2"},
        {META("", "mask", "") "}", "no network"},
        {META("2.5", "mask", "") "}", "no network"},
        {META("nan", "mask", "") "}", "no network"},
        {META("2", "code", "") "}", "its output, 'code', is none"},
        {META("2", "mask", ",\"low\":\"5\",\"high\":\"5\"") "}", "range"},
        {"{}", "no network"},
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        const char *why = parse_header(texts[i][0]);
        if (!strstr(why, texts[i][1]) || !*why != !*texts[i][1])
            fail_msg("%s: '%s' instead of '%s'", texts[i][0], why, texts[i][1]);
    }
}

static int prepare(void **state)
{
    rn_app_environment_prepare(0);
    return 0;
}

GROUP(.before_all = prepare);
