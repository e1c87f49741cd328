/* A stage: one filter in a chain. Adding a filter is one .c with a descriptor at its foot, one .cl
 * and one line in filters/registry.c; everything else follows from the descriptor.
 *
 * A frame goes plane by plane. For each plane that rn_stage.planes names, the engine calls ref (C
 * reference) or enqueue (device) to compute plane p of dst from src. All other planes of dst are
 * src's own, passed on without a copy. The reference is the truth: enqueue must give the same
 * samples, bit for bit.
 *
 * One kind of stage has no reference: that whose arithmetic is the user's own (custom). Its ref is
 * NULL, it needs a device, and opening a runner without one is RN_EDEVICE then.
 *
 * A stage that looks at neighbouring frames gives each frame late, by rn_stage.delay frames: it is
 * called with src, the frame that comes in, and dst, which belongs to the frame that came in
 * `delay` calls before; it keeps what it needs of the frames between (filters/core/ring.h). While
 * the first frames come in, dst is NULL; once the input has ended, src is NULL.
 *
 * A measuring stage (result_bytes set) writes no plane: ref and enqueue fill a block of results
 * instead, and collect gets it on the host, frame after frame.
 *
 * Call order of one instance, all in one thread except collect:
 *   create -> check (per input geometry)
 *          -> [prepare -> enqueue* -> ...] or [ref*] -> release -> destroy
 *   start before the first real frame; collect per frame, in order (writer thread); then stop. */
#ifndef RN_STAGE_H
#define RN_STAGE_H

#include <stdbool.h>
#include <stddef.h>

#include "filters/core/border.h"
#include "filters/core/image.h"
#include "filters/core/param.h"

struct rn_cmd;
struct rn_device;
struct rn_dimage;
struct rn_stage;

/* What a stage computes, besides the picture. */
struct rn_call {
    int64_t frame; /* index of the frame, as in the output */
    int64_t tick;  /* counts the calls for a plane, from 0 after a reset */
    void *result;  /* the zeroed block of results of this frame; NULL unless measuring */
};

struct rn_stage_desc {
    const char *name;              /* as in a chain */
    const char *help;              /* one sentence without a full stop, lower case */
    const struct rn_param *params; /* ends with RN_P_END */
    size_t params_size;            /* of the struct of values */
    size_t priv_size;              /* of stage->priv, zeroed at creation */

    /* Parameters against each other and against the input. Sets what differs from the presets:
     * *out, the geometry after the stage (the input's), and of the stage's fields planes (what the
     * parameter `planes` says, see rn_geom_planes), reads, margin and delay (0). Optional. Called
     * again when a parameter or the input's geometry changed. Returns 0 or RN_EUSAGE (logged). */
    int (*check)(struct rn_stage *stage, const struct rn_geom *in, struct rn_geom *out);

    /* Computes plane p. src has the input's geometry, dst the output's. Required, but see above.
     * Returns 0 or an error (logged). */
    int (*ref)(struct rn_stage *stage, const struct rn_call *call, const struct rn_image *src,
               struct rn_image *dst, int p);

    /* Device: parameters or the input's geometry changed (or first call): kernels, tables and
     * scratch memory, kept in priv. Frames may be under way with the old ones: rn_buffer_update is
     * ordered behind them, and memory that is released lives as long as they need it. */
    int (*prepare)(struct rn_stage *stage, struct rn_device *dev);
    /* Device: enqueues what ref computes; src's margin may be written. */
    int (*enqueue)(struct rn_stage *stage, struct rn_cmd *cmd, const struct rn_dimage *src,
                   struct rn_dimage *dst, int p);
    /* Device: releases what prepare made. Legal when nothing was prepared. */
    void (*release)(struct rn_stage *stage, struct rn_device *dev);

    /* Host: frees what check or ref allocated in priv. Optional. */
    void (*destroy)(struct rn_stage *stage);

    /* Forgets earlier frames: after the warm-up, and when a player goes elsewhere. Optional. */
    void (*reset)(struct rn_stage *stage);

    /* Host: the row was just parsed into this instance, which may take it as an occasion to extend
     * its own table and values (`custom` reads its file): rows are to be found anew afterwards.
     * Optional. Returns 0 or RN_EUSAGE (logged). */
    int (*set)(struct rn_stage *stage, const struct rn_param *row);

    /* Device thread, between frames: looks for changes of files that the stage was made of. What
     * is good is taken over; what is not leaves the stage as it was, with an alert. *changed: true
     * if the stage will compute something else from now on, or its table or alert is another; the
     * values fit the new table. Optional. Returns 0, RN_EDEVICE or RN_EINTERNAL (logged). */
    int (*poll)(struct rn_stage *stage, struct rn_device *dev, bool *changed);

    /* What is wrong with such a file, a few lines for people; NULL: nothing. Valid until the next
     * poll, and for its thread. Optional. */
    const char *(*alert)(const struct rn_stage *stage);

    /* Measuring stages only. */
    size_t (*result_bytes)(const struct rn_stage *stage); /* after check; multiple of 8 */
    int (*start)(struct rn_stage *stage);                 /* opens output; returns 0, RN_EOUTPUT */
    int (*collect)(struct rn_stage *stage, const struct rn_frame *frame, const void *result);
    int (*stop)(struct rn_stage *stage, bool complete); /* ends output; after start only */
    /* For an overlay, in the thread that collects: the numbers of the last frame as lines of text,
     * and the histogram of its first measured plane (owned by the stage; NULL if there is none
     * yet). Optional. */
    void (*show)(struct rn_stage *stage, char *text, size_t size, const uint64_t **histogram,
                 int *nbins);
};

struct rn_stage {
    const struct rn_stage_desc *desc;
    char *label;                  /* name@label, or NULL */
    bool on;                      /* an inactive stage costs nothing */
    const struct rn_param *table; /* desc->params, or the instance's own; tables that it had before
                                     live as long as the stage */
    size_t params_size;           /* of params */
    void *params;                 /* as the table says */
    void *priv;                   /* desc->priv_size */
    struct rn_geom in, out;       /* after check */
    unsigned reads; /* mask of the planes of src that it looks at; planes, unless check says more */
    unsigned planes; /* mask of the planes that it writes, or measures; set by check */
    int margin;      /* samples it reads beyond the edge at most, over all values its live
                        parameters can take; set by check, 0 without. What is read further out is
                        not there. */
    int delay;       /* frames by which the output is late; set by check, 0 without. It cannot
                        change while running. */
};

/* All filters, sorted by name, NULL at the end (filters/registry.c). */
extern const struct rn_stage_desc *const rn_registry[];

const struct rn_stage_desc *rn_registry_find(const char *name);

/* Makes an instance with default parameters. Returns NULL when out of memory. */
struct rn_stage *rn_stage_create(const struct rn_stage_desc *desc);
void rn_stage_destroy(struct rn_stage **stage);

/* Reads text into a row of the stage's table and tells the stage. Returns 0 or RN_EUSAGE (logged).
 */
int rn_stage_set(struct rn_stage *stage, const struct rn_param *row, const char *text);

/* For check: refuses border=wrap where a filter reaches across frames. Returns 0 or RN_EUSAGE
 * (logged). */
int rn_stage_check_slices(const struct rn_stage *stage, int slices, enum rn_border border);

/* Runs check (or its default) for this input: fills in, out, planes, margin. */
int rn_stage_check(struct rn_stage *stage, const struct rn_geom *in);

#endif
