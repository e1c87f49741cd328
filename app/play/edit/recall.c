#include "app/play/loop/player.h"
#include "app/play/edit/kept.h"
#include "app/play/loop/playback.h"
#include "app/play/view/message.h"
#include "app/play/edit/history.h"
#include "app/play/edit/snapshots.h"
#include "app/play/runners/build.h"
#include "app/run/session.h"

#include "app/play/view/figures.h"
#include "filters/base/err.h"
#include "filters/base/log.h"

#include <stdio.h>

static void say_of(struct rn_play *p, int place, const char *what)
{
    char text[96];
    snprintf(text, sizeof text, "snapshot %c %s", rn_play_snapshot_name(place), what);
    rn_play_say(p, text);
}

int rn_play_store(struct rn_play *p, int place)
{
    const struct rn_chain *there = rn_play_snapshots_get(p->snapshots, place);
    bool same = there && rn_chain_equal(there, p->session->chain);
    struct rn_chain *copy = rn_chain_copy(p->session->chain);
    if (!copy)
        return RN_EINTERNAL;
    struct rn_chain *before = rn_play_snapshots_store(p->snapshots, place, copy);
    if (same)
        rn_chain_destroy(&before);
    else
        rn_play_history_leave(p->history, place, before);
    p->kept->tuned = true;
    say_of(p, place, "stored");
    return 0;
}

static int go_to_snapshot(struct rn_play *p, int place)
{
    char text[32];
    snprintf(text, sizeof text, "snapshot %c", rn_play_snapshot_name(place));
    int err = rn_play_snapshots_leave(p->snapshots, place, p->session->chain);
    return err ? err : rn_play_adopt(p, p->snapshots->chain[place], text);
}

int rn_play_recall(struct rn_play *p, int place)
{
    if (rn_play_snapshots_get(p->snapshots, place))
        return go_to_snapshot(p, place);
    say_of(p, place, "is empty");
    return 0;
}

int rn_play_flip(struct rn_play *p)
{
    bool back;
    const struct rn_chain *there = rn_play_snapshots_flip(p->snapshots, p->session->chain, &back);
    if (there && back)
        return rn_play_adopt(p, there, "back from the snapshot");
    if (there)
        return go_to_snapshot(p, p->snapshots->last);
    rn_play_say(p, back ? "no other settings to flip to" : "no snapshot to flip to");
    return 0;
}

/* ---- pictures */

static int copy_picture(struct rn_image *copy, const struct rn_image *from)
{
    int err = rn_image_alloc(copy, &from->geom);
    if (!err)
        rn_image_copy(from, copy);
    return err;
}

/* The settings of a snapshot, for a look at the picture: nothing is measured. NULL: out of memory
 * (logged). */
static struct rn_chain *settings_of(const struct rn_play *p, const struct rn_chain *snapshot)
{
    int first;
    struct rn_chain *draft = rn_play_draft(p, snapshot, &first);
    rn_chain_measure_nothing(draft);
    return draft;
}

/* Filters the frame on the screen with other settings. *taken: the runner can do that. Afterwards
 * the picture is made anew (stale) before anybody sees it. */
static int filter_with(struct rn_play *p, const struct rn_chain *settings, bool *taken)
{
    struct rn_runner *runner = p->session->runner;
    int err = rn_runner_try(runner, settings, true, taken);
    if (err || !*taken)
        return err;
    rn_play_outdate(p);
    err = rn_runner_again(runner);
    return err ? err : rn_runner_wait(runner, p->shown);
}

/* *taken: they were compared. */
static int compare(struct rn_play *p, const struct rn_chain *snapshot, struct rn_play_difference *d,
                   bool *taken)
{
    struct rn_image now = {0};
    struct rn_chain *settings = settings_of(p, snapshot);
    int err = settings ? copy_picture(&now, &p->shown->out) : RN_EINTERNAL;
    err = err ? err : filter_with(p, settings, taken);
    if (!err && *taken)
        *d = rn_play_difference(&now, &p->shown->out);
    rn_image_free(&now);
    rn_chain_destroy(&settings);
    return err || !*taken ? err : rn_runner_update(p->session->runner, p->session->chain);
}

/* back: the chain of now is the snapshot, and was compared with what was left for it. */
static void tell(struct rn_play *p, const struct rn_play_difference *d, bool back)
{
    char text[160], name[] = {rn_play_snapshot_name(p->snapshots->last), '\0'};
    const char *other = back ? "the chain before it" : "now";
    rn_play_say(p, rn_play_difference_tell(d, name, other, text, sizeof text));
    rn_log(RN_LOG_INFO, "%s", text);
}

int rn_play_compare(struct rn_play *p)
{
    struct rn_play_difference d;
    bool taken = false, back = false;
    const struct rn_chain *other = rn_play_snapshots_flip(p->snapshots, p->session->chain, &back);
    if (!other) { /* the snapshot is in force, and nothing was left for it */
        other = rn_play_snapshots_get(p->snapshots, p->snapshots->last);
        back = false;
    }
    if (p->build->wanted) {
        rn_play_say(p, "not now: this picture is of other filters");
        return 0;
    }
    int err = rn_play_catch_up(p); /* the parameters may have changed since */
    if (err || !other || !p->shown || !rn_runner_holds(p->session->runner, p->shown)) {
        rn_play_say(p, other ? "not now: this picture is from before a seek"
                             : "no snapshot to compare with");
        return err;
    }
    err = compare(p, other, &d, &taken);
    if (err)
        return err == RN_EUSAGE ? rn_play_refused(p, err) : err;
    if (taken)
        tell(p, &d, back);
    else
        rn_play_say(p, "other filters or formats: the two cannot be compared");
    return 0;
}
