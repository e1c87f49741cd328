#include "app/player.h"

#include "filters/base/clock.h"
#include "filters/base/err.h"
#include "filters/base/log.h"

#include <math.h>
#include <stdio.h>

/* ---- changes */

/* The selected stage of the draft, and its row; NULL if there is none. */
static struct rn_stage *selected(const struct rn_player *p, const struct rn_chain *draft,
                                 const struct rn_param **row)
{
    int stage = 0;
    return rn_tuner_selected(&p->tuner, &stage, row) ? draft->stage[stage] : NULL;
}

typedef void edit_fn(const struct rn_player *p, struct rn_chain *draft, int count);

static void edit_step(const struct rn_player *p, struct rn_chain *draft, int count)
{
    const struct rn_param *row = NULL;
    int stage = 0;
    if (rn_tuner_selected(&p->tuner, &stage, &row))
        rn_tuner_step(&p->tuner, stage, row, draft->stage[stage], count);
}

static void edit_reset(const struct rn_player *p, struct rn_chain *draft, int count)
{
    const struct rn_param *row = NULL;
    struct rn_stage *stage = selected(p, draft, &row);
    (void)count;
    if (stage)
        rn_param_reset(row, stage->params);
}

static void edit_reset_all(const struct rn_player *p, struct rn_chain *draft, int count)
{
    (void)p, (void)count;
    rn_tuner_reset_all(draft);
}

static void edit_toggle(const struct rn_player *p, struct rn_chain *draft, int count)
{
    const struct rn_param *row = NULL;
    struct rn_stage *stage = selected(p, draft, &row);
    (void)count;
    if (stage)
        stage->on = !stage->on;
}

/* Takes settings that the runner has taken. Returns those from before. */
static struct rn_chain *take(struct rn_player *p, struct rn_chain *draft)
{
    struct rn_chain *before = p->session.chain;
    p->tuner.chain = p->session.chain = draft;
    p->stale = true;
    rn_player_say_parameter(p);
    return before;
}

/* Whether draft, a copy of the chain, has other settings. */
static bool differs(const struct rn_player *p, const struct rn_chain *draft)
{
    int first;
    struct rn_chain *copy = rn_chain_copy(draft);
    bool differs = !copy || rn_tuner_take(copy, p->session.chain, &first);
    rn_chain_destroy(&copy);
    return differs;
}

static int refused(struct rn_player *p, struct rn_chain *draft, int err)
{
    rn_chain_destroy(&draft);
    rn_player_say(p, "refused: see the message in the terminal");
    return err == RN_EUSAGE ? 0 : err;
}

/* What the runner refuses leaves no trace. */
static int change(struct rn_player *p, edit_fn *edit, int count)
{
    struct rn_chain *draft = rn_chain_copy(p->session.chain);
    if (!draft)
        return RN_EINTERNAL;
    edit(p, draft, count);
    int err = rn_runner_update(p->session.runner, draft);
    if (err)
        return refused(p, draft, err);
    bool other = differs(p, draft);
    struct rn_chain *before = take(p, draft);
    if (other)
        rn_history_leave(&p->history, before);
    else
        rn_chain_destroy(&before);
    return 0;
}

/* Back (-1) or forth (1) by one change. Files stay as they were read last. */
static int undo(struct rn_player *p, int direction)
{
    const struct rn_chain *there = rn_history_look(&p->history, direction);
    if (!there) {
        rn_player_say(p, direction < 0 ? "nothing to undo" : "nothing to redo");
        return 0;
    }
    struct rn_chain *draft = rn_chain_copy(p->session.chain);
    if (!draft)
        return RN_EINTERNAL;
    int selected = p->tuner.selected;
    rn_tuner_take(draft, there, &selected);
    int err = rn_runner_update(p->session.runner, draft);
    if (err)
        return refused(p, draft, err);
    p->tuner.selected = selected;
    rn_history_move(&p->history, direction, take(p, draft));
    return 0;
}

/* ---- files */

static int screenshot(struct rn_player *p)
{
    char name[64], text[96];
    struct rn_sink *sink = NULL;
    struct rn_sink_opts opts = {0};
    if (!p->shown)
        return 0;
    rn_free_name("runnel", "png", name);
    struct rn_frame frame = p->shown->frame;
    frame.data = NULL;
    int err = rn_sink_open(&sink, name, &opts, p->session.source, &p->session.analysis.out);
    err = err ? err : rn_sink_write(sink, &p->shown->out, &frame);
    int closed = rn_sink_close(&sink, err ? RN_ENDING_ABANDON : RN_ENDING_COMPLETE);
    err = err ? err : closed;
    snprintf(text, sizeof text, err ? "could not write %s" : "wrote %s", name);
    rn_player_say(p, text);
    if (!err)
        rn_log(RN_LOG_INFO, "%s", text);
    return 0; /* a full disk does not end the preview */
}

static void write_chain(struct rn_player *p)
{
    char name[64], text[96];
    int err = rn_tuner_write(&p->tuner, p->session.cli->operand[0],
                             p->shown ? &p->shown->frame : NULL, name);
    snprintf(text, sizeof text, err ? "could not write %s" : "wrote %s", name);
    rn_player_say(p, text);
    if (!err)
        rn_log(RN_LOG_INFO, "%s; `render -f @%s` applies it", text, name);
}

/* ---- keys */

/* A held key repeats faster than frames may come: no more than a few wait. */
static void step_frame(struct rn_player *p, int count)
{
    rn_player_pause(p, true);
    p->steps += count;
    p->steps = p->steps > 10 ? 10 : p->steps < -10 ? -10 : p->steps;
}

static void seek(struct rn_player *p, double time)
{
    const struct rn_rational *rate = &p->session.stream->rate;
    double frame = rate->num > 0 && rate->den > 0 ? (double)rate->den / rate->num : 0.04;
    double last = p->session.stream->duration - 1.5 * frame; /* not beyond it */
    p->steps = 0;
    rn_player_seek(p, p->session.stream->duration > 0 ? fmin(time, last) : time);
}

static void set_volume(struct rn_player *p, int count)
{
    char text[64];
    if (count)
        p->volume = fmin(1, fmax(0, p->volume + 0.05 * count));
    else
        p->muted = !p->muted;
    if (p->speaker)
        rn_speaker_volume(p->speaker, p->muted ? 0 : p->volume);
    snprintf(text, sizeof text, p->speaker ? "volume %.0f %%%s" : "no sound", 100 * p->volume,
             p->muted ? " (muted)" : "");
    rn_player_say(p, text);
}

int rn_player_act(struct rn_player *p, const struct rn_event *e)
{
    double now = !isnan(p->goal) ? p->goal : p->shown ? p->shown->frame.time : 0;
    p->redraw = true;
    switch (e->action) {
    case RN_ACT_QUIT:
        p->quit = true;
        return 0;
    case RN_ACT_STEP:
        return change(p, edit_step, e->count);
    case RN_ACT_RESET:
        return change(p, edit_reset, 0);
    case RN_ACT_RESET_ALL:
        return change(p, edit_reset_all, 0);
    case RN_ACT_TOGGLE_STAGE:
        return change(p, edit_toggle, 0);
    case RN_ACT_UNDO:
        return undo(p, -e->count);
    case RN_ACT_PARAM_NEXT:
        rn_tuner_move(&p->tuner, e->count);
        rn_player_say_parameter(p);
        break;
    case RN_ACT_BYPASS:
        p->bypass = !p->bypass;
        rn_player_say(p, p->bypass ? "chain bypassed" : "chain on");
        break;
    case RN_ACT_SPLIT:
        p->split = !p->split;
        break;
    case RN_ACT_SPLIT_TO:
        p->split_at = e->position;
        break;
    case RN_ACT_SPLIT_BY:
        p->split_at = fmin(1, fmax(0, p->split_at + 0.01 * e->count));
        break;
    case RN_ACT_PAUSE:
        rn_player_pause(p, !p->paused);
        break;
    case RN_ACT_FRAME:
        step_frame(p, e->count);
        break;
    case RN_ACT_SEEK:
        seek(p, now + e->count);
        break;
    case RN_ACT_HOME:
        seek(p, 0);
        break;
    case RN_ACT_TIMES:
        p->times = !p->times;
        break;
    case RN_ACT_SCREENSHOT: {
        int err = rn_player_refresh(p); /* the parameters may have changed since */
        return err ? err : screenshot(p);
    }
    case RN_ACT_WRITE_CHAIN:
        write_chain(p);
        break;
    case RN_ACT_LOOP:
        p->loop = !p->loop;
        rn_player_say(p, p->loop ? "loop on" : "loop off");
        break;
    case RN_ACT_HELP:
        p->help = !p->help;
        break;
    case RN_ACT_VOLUME:
        set_volume(p, e->count);
        break;
    case RN_ACT_MUTE:
        set_volume(p, 0);
        break;
    case RN_ACT_FULLSCREEN:
    case RN_ACT_REDRAW:
    case RN_ACT_NONE:
        break;
    }
    return 0;
}
