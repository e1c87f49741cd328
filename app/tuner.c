#include "app/tuner.h"

#include "app/version.h"
#include "filters/core/level.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "filters/base/err.h"
#include "filters/base/log.h"
#include "filters/base/printable.h"
#include "filters/base/textout.h"

/* Finds entry n of the list, or counts all (n < 0). */
static int walk(const struct rn_tuner *t, int n, int *stage, const struct rn_param **found)
{
    int count = 0;
    for (int i = 0; i < t->chain->n; i++) {
        for (const struct rn_param *row = t->chain->stage[i]->table; row->name; row++) {
            if (row->fixed)
                continue;
            if (count == n) {
                *stage = i;
                *found = row;
            }
            count++;
        }
    }
    return count;
}

int rn_tuner_count(const struct rn_tuner *t)
{
    return walk(t, -1, NULL, NULL);
}

bool rn_tuner_selected(const struct rn_tuner *t, int *stage, const struct rn_param **row)
{
    return t->selected < walk(t, t->selected, stage, row);
}

void rn_tuner_move(struct rn_tuner *t, int n)
{
    int count = rn_tuner_count(t);
    if (count)
        t->selected = ((t->selected + n) % count + count) % count;
}

void rn_tuner_reset_all(struct rn_chain *chain)
{
    for (int i = 0; i < chain->n; i++) {
        struct rn_stage *s = chain->stage[i];
        for (const struct rn_param *row = s->table; row->name; row++)
            if (!row->fixed)
                rn_param_reset(row, s->params);
    }
}

static bool take_value(struct rn_stage *to, const struct rn_stage *from, const struct rn_param *row)
{
    char text[128];
    if (to->table != from->table ||
        rn_param_equal(row, rn_stage_values(to, row), rn_stage_values(from, row)))
        return false;
    rn_param_format(row, rn_stage_values(from, row), text, sizeof text);
    return !rn_stage_set(to, row, text);
}

int rn_tuner_take(struct rn_chain *draft, const struct rn_chain *from, int *first)
{
    int at = 0, values = 0, differed = 0;
    for (int i = 0; i < draft->n && i < from->n; i++) {
        struct rn_stage *stage = draft->stage[i];
        differed += stage->on != from->stage[i]->on;
        stage->on = from->stage[i]->on;
        for (const struct rn_param *row = stage->table; row->name; row++) {
            if (row->fixed)
                continue;
            if (take_value(stage, from->stage[i], row) && !values++)
                *first = at;
            at++;
        }
    }
    return differed + values;
}

void rn_tuner_step(const struct rn_tuner *t, int stage, const struct rn_param *row,
                   struct rn_stage *draft, int n)
{
    rn_level_step(row, rn_stage_values(draft, row), &t->analysis->stage[stage].in, n);
}

char *rn_tuner_describe(const struct rn_tuner *t, char *buf, size_t size)
{
    int stage = 0;
    const struct rn_param *row = NULL;
    char value[64], range[128];
    if (!rn_tuner_selected(t, &stage, &row)) {
        snprintf(buf, size, "nothing to tune in this chain");
        return buf;
    }
    const struct rn_stage *s = t->chain->stage[stage];
    const struct rn_geom *in = &t->analysis->stage[stage].in;
    const char *unit = rn_param_unit(row, rn_stage_values(s, row));
    snprintf(buf, size, "%d/%d  %s.%s  %s%s%s  [%s]%s", t->selected + 1, rn_tuner_count(t),
             s->label ? s->label : s->desc->name, row->name,
             rn_level_value(row, s->params, in, value, sizeof value), *unit ? " " : "", unit,
             rn_level_range(row, in, range, sizeof range), s->on ? "" : "  (off)");
    return buf;
}

/* Quotes keep everything as it is. */
static void print_quoted(const char *text, FILE *f)
{
    fputs("-f '", f);
    for (; *text; text++)
        fputs(*text == '\'' ? "'\\''" : (const char[]){*text, '\0'}, f);
    fputs("'\n", f);
}

static void print_escaped(const char *text, FILE *f)
{
    fputs("-f $'", f);
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (c < ' ' || c > '~')
            fprintf(f, "\\%03o", c);
        else
            fprintf(f, c == '\'' || c == '\\' ? "\\%c" : "%c", c);
    }
    fputs("'\n", f);
}

/* What would do something to a terminal is escaped. */
void rn_tuner_print(const struct rn_chain *chain, FILE *f)
{
    char *text = rn_chain_format(chain), *plain = text ? strdup(text) : NULL;
    if (plain) {
        rn_printable(plain, false);
        (strcmp(plain, text) ? print_escaped : print_quoted)(text, f);
    }
    free(plain);
    free(text);
}

void rn_free_name(const char *prefix, const char *ext, char name[64])
{
    for (int i = 1; i < 10000; i++) {
        snprintf(name, 64, "%s-%04d.%s", prefix, i, ext);
        if (access(name, F_OK) != 0)
            return;
    }
}

int rn_tuner_write(const struct rn_tuner *t, const char *input, const struct rn_frame *frame,
                   char name[64])
{
    char *text = rn_chain_format(t->chain);
    struct rn_textout *out = NULL;
    rn_free_name("runnel", "chain", name);
    int err = text ? rn_textout_open(&out, name) : rn_fail_memory();
    if (!err) {
        FILE *f = rn_textout_stream(out);
        fputs("# tuned on ", f);
        for (; *input; input++) /* a name may hold what would end the comment */
            fputc(*input == '\n' || *input == '\r' ? '?' : *input, f);
        if (frame)
            fprintf(f, "\n# at frame %" PRId64 ", %.3f s", frame->index, frame->time);
        fprintf(f, "\n# by runnel %s\n%s\n", RN_VERSION, text);
        err = rn_textout_close(&out, RN_TEXT_COMPLETE);
    }
    free(text);
    return err;
}
