/* SPDX-License-Identifier: MIT */
/* A small convolutional network for planes, and the file that holds it.
 *
 * Its layers are convolutions of 3x3 (correlations, as everywhere in this field), with ReLU behind
 * all but the last. The first takes `inputs` planes: the picture, or with its neighbours across
 * frames an odd number of them, the picture in the middle. The last gives one plane, all others
 * `width`; of a network that doubles the size it gives four, of which sample (x, y) of the output,
 * twice as wide and high, takes sample (x / 2, y / 2) of plane 2 (y % 2) + x % 2 (Shi et al.:
 * "Real-time single image and video super-resolution using an efficient sub-pixel convolutional
 * neural network", CVPR 2016), and v is the picture's sample there. The picture is extended once,
 * by a sample for each layer on every side; no layer pads.
 *
 * One of another program (`imported`) has kernels of odd sizes, and layers that take the output of
 * any before them (`from`), add that of another to their sums (`add`), and then bend samples: those
 * below 0 times a slope of their plane, all kept within two limits. Where it pads, each layer takes
 * zeros around its input instead of an extension.
 *
 * A sample v goes in as (v - low) * (1 / (high - low)), and comes out as
 * v + strength * (high - low) * net, all in fp32 without contraction, but that each sum of a layer
 * begins with its bias and takes input after input, in each of them row after row and column after
 * column, by fma. So the samples are the same on every device. low and high are those of the file
 * for scans, signed samples and floats; else black and white, so that a network learned from 8 bits
 * works at every depth. Where the output is a probability, sigmoid(net), the sample becomes
 * v * (1 - strength) + (strength * low + strength * (high - low) * sigmoid(net)); where it is the
 * sample itself, net stands for the sigmoid.
 *
 * The file is a safetensors file: 8 bytes of length (little-endian), a JSON header, floats. Tensor
 * N.weight has the shape [outputs, inputs, 3, 3], N.bias [outputs], N from 0; the names are those
 * of PyTorch's modules. An imported one says "padding" ("layer" or "none"), "from" and "add", has
 * other sizes, and N.slope [outputs] with N.limits [2] where a layer bends. It is data, never code.
 * The engine does without libraries, so the header is read here: it is JSON of strings and whole
 * numbers, three objects deep. */
#pragma once

#include <stdio.h>

#include "filters/base/image.h"
#include "filters/base/output/textfile.h"
#include "kernels/sigmoid.clh"

#define RN_NETWORK_LAYERS 16 /* the most that are learned, */
#define RN_NETWORK_MOST   32 /* and that are imported */
#define RN_NETWORK_SLOTS  6  /* outputs of layers that are kept at a time */
#define RN_NETWORK_SIZE   11 /* rows and columns of a kernel */
#define RN_NETWORK_WIDTH  64
#define RN_NETWORK_INPUTS 15
#define RN_NETWORK_BYTES  ((size_t)64 << 20) /* of a file */

/* What the last layer gives: what is added to the samples; of a mask, what makes a probability of
 * them (models of earlier versions, or on request); the logit of a probability; or the samples. */
enum rn_network_output {
    RN_NETWORK_RESIDUAL,
    RN_NETWORK_MASK,
    RN_NETWORK_PROBABILITY,
    RN_NETWORK_VALUE,
    RN_NETWORK_OUTPUTS
};

struct rn_network_layer {
    int inputs, outputs, size;
    int from, add; /* layers, counted from 1; 0: the picture, or none that is added */
    bool bends;
    int reach; /* of the layers behind it, in samples each way */
    int slot;  /* where its output is kept until nobody needs it; the last one's is nowhere */
};

struct rn_network {
    int layers, width, inputs; /* width: the most planes of a layer */
    enum rn_network_output output;
    bool doubles;    /* width and height */
    bool stored;     /* low and high are stored values, not those of the format */
    float low, high; /* of the samples it was learned from */
    int steps;       /* of learning; for people */
    bool imported, pads;
    int reach, slots;                               /* of all layers */
    struct rn_network_layer layer[RN_NETWORK_MOST]; /* rn_network_complete fills it */
};

/* Sets layer[] of a network that is learned, from the members before it; of an imported one, whose
 * inputs, outputs, sizes, from, add and bends are set, the rest of it. Returns false if the layers
 * do not fit together. */
bool rn_network_complete(struct rn_network *n);

static inline int rn_network_in(const struct rn_network *n, int layer)
{
    return n->layer[layer].inputs;
}

static inline int rn_network_out(const struct rn_network *n, int layer)
{
    return n->layer[layer].outputs;
}

static inline bool rn_network_is_mask(const struct rn_network *n)
{
    return n->output == RN_NETWORK_MASK || n->output == RN_NETWORK_PROBABILITY;
}

/* Where the floats of a layer begin, among those of all: each its weights in the order of the file,
 * its biases and, if it bends, its slopes and the two limits; and how many these are. */
size_t rn_network_at(const struct rn_network *n, int layer);
static inline size_t rn_network_floats(const struct rn_network *n)
{
    return rn_network_at(n, n->layers);
}

/* The samples that go in as 0 and as 1. */
void rn_network_range(const struct rn_network *n, const struct rn_geom *geom, float *low,
                      float *high);

/* rn_network_sigmoid(z): 1 / (1 + exp(-z)), within 1e-5 of it, relative. */
#define RN_INLINE static inline
#define RN_UNROLL
RN_SIGMOID(rn_network_sigmoid, float)

/* ---- file.c */

/* Reads the contents of a file: size bytes. floats: gets rn_network_floats(n) of them, to be freed;
 * NULL: only *n is wanted. prefix: of the tensors' names, "" for the network itself. Returns 0;
 * RN_EUSAGE, with why; or RN_EINTERNAL (logged). */
int rn_network_parse(struct rn_network *n, const char *contents, size_t size, const char *prefix,
                     float **floats, char why[RN_TEXT_WHY]);

/* Writes a file. floats[i]: of the tensors whose names begin with prefixes[i], count of them. more:
 * further members of the metadata, `"name":"text"` parted by commas. Whether f has an error is for
 * the caller to look. Returns 0 or RN_EINTERNAL (logged). */
int rn_network_write(FILE *f, const struct rn_network *n, const char *more,
                     const char *const prefixes[], const float *const floats[], int count);
