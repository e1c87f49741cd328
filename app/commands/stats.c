/* SPDX-License-Identifier: MIT */
#include "app/commands/commands.h"

#include "app/run/session.h"
#include "app/process/terminal.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define STAGE "stats"

/* Measures of one plane over the run. The sums have one summand a frame. */
struct total {
    int64_t frames;
    double min, max, min_mean, max_mean;
    double means, squared_means, variances, entropies, volumes; /* sums */
};

struct session {
    struct rn_format fmt;
    struct total plane[RN_MAX_PLANES];
    const struct rn_chain *chain; /* ends with the measuring stage */
};

static int add_measure(void *arg, const struct rn_measure *m)
{
    struct session *session = arg;
    struct total *t = &session->plane[m->plane];
    bool first = t->frames == 0;
    session->fmt = *m->fmt;
    t->frames++;
    t->min = first || m->min < t->min ? m->min : t->min;
    t->max = first || m->max > t->max ? m->max : t->max;
    t->min_mean = first || m->mean < t->min_mean ? m->mean : t->min_mean;
    t->max_mean = m->mean > t->max_mean ? m->mean : t->max_mean;
    t->means += m->mean;
    t->squared_means += m->mean * m->mean;
    t->variances += m->variance;
    t->entropies += m->entropy;
    t->volumes += m->volume_mm3;
    return 0;
}

static int listen(void *arg, struct rn_pool *pool)
{
    struct session *session = arg;
    return rn_pool_listen(pool, rn_chain_count(session->chain) - 1, add_measure, session);
}

/* Prints the measures of the run: means over frames, as all frames have the same size. */
static void print_totals(const struct session *session)
{
    for (int p = 0; p < RN_MAX_PLANES; p++) {
        const struct total *t = &session->plane[p];
        double n = (double)t->frames;
        if (!t->frames)
            continue;
        double mean = t->means / n;
        double variance = t->variances / n + fmax(t->squared_means / n - mean * mean, 0);
        rn_app_terminal_line(
            "  %-6s %" PRId64 " frame%s: mean %.6g (%.6g..%.6g), sd %.6g, min %.10g, max %.10g, "
            "entropy %.4g bits",
            rn_plane_name(&session->fmt, p), t->frames, t->frames == 1 ? "" : "s", mean,
            t->min_mean, t->max_mean, sqrt(variance), t->min, t->max, t->entropies / n);
        if (t->volumes > 0)
            rn_app_terminal_line("  %-6s what is not zero: %.6g mm3",
                                 rn_plane_name(&session->fmt, p), t->volumes);
    }
}

/* Uses the measuring stage at the end of the chain, or appends one. */
static int amend_chain(void *arg, struct rn_chain *chain, const struct rn_app_cli *cli)
{
    struct session *session = arg;
    int last = rn_chain_count(chain) - 1;
    const struct rn_stage *stage = last >= 0 ? rn_chain_stage(chain, last) : NULL;
    if (!stage || !stage->on || strcmp(stage->desc->name, STAGE) != 0) {
        stage = rn_chain_append(chain, STAGE);
        last++;
    }
    if (!stage)
        return RN_EUSAGE;
    const struct rn_param *row = rn_param_find(stage->desc->params, "file");
    int err = 0;
    if (!row || rn_param_is_default(row, stage->params))
        err = rn_chain_set(chain, last, "file", "-");
    if (!err && cli->p)
        err = rn_chain_set(chain, last, "p", cli->p);
    if (!err && cli->json)
        err = rn_chain_set(chain, last, "format", "json");
    session->chain = chain;
    return err;
}

static int stats_run(const struct rn_app_cli *cli)
{
    struct session session = {0};
    const struct rn_app_run_hooks hooks = {.arg = &session, .amend = amend_chain, .bound = listen};
    int err = rn_app_run(cli, "null:", &hooks);
    bool shown = !err || err == RN_EDAMAGED || err < -128; /* stopped by a signal */
    if (shown && rn_log_level() >= RN_LOG_INFO)
        print_totals(&session);
    return err;
}

const struct rn_app_command rn_app_command_stats = {
    .name = "stats",
    .operands = "INPUT",
    .summary = "measure every frame of INPUT: CSV or JSON on stdout",
    .options = RN_OPTIONS_FILTERS | RN_OPTIONS_PIPELINE | RN_OPTIONS_STATS | RN_OPTIONS_JSON |
               RN_OPTIONS_DEVICE | RN_OPTIONS_INPUT | RN_OPTIONS_OVERWRITE | RN_OPTIONS_REPORT |
               RN_OPTIONS_METRICS | RN_OPTIONS_GUARD,
    .min_operands = 1,
    .max_operands = 1,
    .run = stats_run,
};
