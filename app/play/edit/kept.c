/* SPDX-License-Identifier: MIT */
#include "app/play/edit/chain_file.h"
#include "app/play/loop/player.h"
#include "app/play/view/compare.h"
#include "app/run/files.h"
#include "filters/base/output/private.h"
#include "filters/base/output/textfile.h"
#include "filters/base/owned.h"

#define OFFER_TIME 4.0 /* seconds to add to the time of a message */

struct rn_play_kept {
    struct rn_play_autosave *autosave; /* NULL: the input cannot be opened again by its name */
    struct rn_play_autosave_own own;   /* of all inputs */
    char *input;                       /* its canonical name */
    bool greeted;                      /* see rn_play_greet */
    bool unsaved;                      /* the settings have changed since the last rn_play_save */
    struct {
        char *path, *date;  /* date NULL: unknown */
        char *chain[2];     /* texts, of -f and of --versus; NULL: none, or the current one */
        const char *origin; /* of the texts (rn_stage_origin) */
    } offer;                /* the settings of an earlier run */
};

/* ---- what was kept */

/* Reads the file. What this program kept, in a folder that nobody else can write, was typed or
 * allowed before: it has no origin that must be allowed. What it names from another folder than the
 * current one may be another file by now. */
static int read_kept(struct rn_play_kept *k, const char *path, struct rn_play_chain_file *kept)
{
    char why[RN_PRIVATE_WHY];
    RN_OWNED(rn_free_owned) char *text = NULL, *folder = getcwd(NULL, 0);
    RN_OWNED(rn_close_owned) int fd = rn_private_file(path, why);
    int err = fd < 0 ? rn_text_read(&text, path, RN_TEXT_LIMIT, why)
                     : rn_text_read_fd(&text, fd, RN_TEXT_LIMIT, why);
    if (!err && (err = rn_play_chain_file_read(kept, text)) == 0) {
        bool own = fd >= 0 && folder && kept->folder && !strcmp(folder, kept->folder);
        k->offer.origin = own ? NULL : "the kept chain";
    }
    return err;
}

/* Moves the texts to the player. They are parsed only when a key takes them, as they may name files
 * that do not exist any more. Snapshots fill the places that are empty. */
static void take_kept(struct rn_play *p, struct rn_play_chain_file *kept)
{
    for (int i = RN_SNAPSHOTS - 1; i >= 0; i--) {
        if (p->snapshots->chain[i] || p->snapshots->text[i])
            continue; /* from the former input */
        p->snapshots->text[i] = rn_take_owned(&kept->snapshot[i]);
        p->snapshots->origin = p->kept->offer.origin;
        p->snapshots->recent = p->snapshots->text[i] ? i : p->snapshots->recent;
    }
    char **chain[] = {&kept->chain, &kept->versus};
    for (int i = 0; i < 2; i++) {
        const struct rn_chain *current = rn_play_tuned_state(p, i).chain;
        RN_OWNED(rn_free_owned) char *start = current ? rn_chain_format(current) : NULL;
        if (*chain[i] && !(start && !strcmp(start, *chain[i])))
            p->kept->offer.chain[i] = rn_take_owned(chain[i]);
    }
    p->kept->offer.date = rn_take_owned(&kept->date);
}

static char *text_of(const struct rn_play *p)
{
    return rn_play_chain_file_make(p->kept->input, p->shown ? &p->shown->frame : NULL,
                                   rn_play_tuned_state(p, false).chain,
                                   rn_play_tuned_state(p, true).chain, p->snapshots);
}

int rn_play_open_kept(struct rn_play *p)
{
    const char *input = p->session->cli->operand[0];
    p->kept->input = rn_app_files_repeatable(input) ? rn_app_files_canonical(input) : NULL;
    if (!p->kept->input)
        return 0;
    char *path = rn_play_autosave_path(p->kept->input);
    if (path) {
        struct rn_play_chain_file kept;
        p->kept->offer.path = strdup(path);
        if (!read_kept(p->kept, path, &kept)) {
            take_kept(p, &kept);
            rn_play_chain_file_free(&kept);
        }
    }
    return rn_play_autosave_open(&p->kept->autosave, path, text_of(p), &p->kept->own);
}

/* ---- the offer */

/* The date of the offer, to the minute. */
static const char *date_of(const struct rn_play *p, char date[32])
{
    snprintf(date, 32, "%.16s", p->kept->offer.date ? p->kept->offer.date : "an unknown date");
    return date;
}

/* How to take the saved chain of -f, or of --versus. */
static const char *way(const struct rn_play *p, bool other, char text[160])
{
    char swap[RN_KEY_NAME], take[RN_KEY_NAME];
    snprintf(text, 160, "%s%s%s%s take%s", other && !rn_play_has_versus(p) ? "with --versus, " : "",
             other ? rn_play_key(p, "swap", swap) : "", other ? " and " : "",
             rn_play_key(p, "take", take), other ? "" : "s");
    return text;
}

void rn_play_greet(struct rn_play *p)
{
    char date[32], keys[160], swap[160], rest[200] = "";
    if (p->kept->greeted)
        return;
    p->kept->greeted = true;
    rn_play_say_parameter(p);
    if (!rn_chain_count(p->session->chain))
        rn_play_extend_message(p, OFFER_TIME); /* it says what to do */
    bool other = !p->kept->offer.chain[0];
    if (!p->kept->offer.path || (other && !p->kept->offer.chain[1]))
        return;
    rn_play_say(p, "%s the chain tuned on %s", way(p, other, keys), date_of(p, date));
    rn_play_extend_message(p, OFFER_TIME);
    if (!other && p->kept->offer.chain[1])
        snprintf(rest, sizeof rest, "; %s %s", way(p, true, swap),
                 rn_play_has_versus(p) ? "that of --versus" : "the other one");
    rn_log(RN_LOG_INFO, "%s tuned on this input is kept, of %s: %s it%s%s%s",
           other ? "the chain of --versus" : "a chain", date, keys, other ? "" : ", or -f @",
           other ? "" : p->kept->offer.path, rest);
}

int rn_play_take_offer(struct rn_play *p)
{
    char text[96], date[32], keys[160];
    RN_OWNED(rn_chain_destroy) struct rn_chain *chain = NULL;
    const char *kept = p->kept->offer.chain[rn_play_is_swapped(p)];
    if (!kept) {
        bool other = p->kept->offer.chain[!rn_play_is_swapped(p)];
        rn_play_say(p, "%s%s", other ? way(p, true, keys) : "no other chain is kept",
                    other ? " the chain that is kept" : "");
        return 0;
    }
    int err = rn_app_chain_from(&chain, kept, p->kept->offer.origin);
    if (err)
        return rn_play_refused(p, err);
    snprintf(text, sizeof text, "the chain of %s", date_of(p, date));
    return rn_play_adopt(p, chain, text);
}

/* ---- keeping */

void rn_play_mark_unsaved(struct rn_play *p)
{
    p->kept->unsaved = true;
}

void rn_play_save(struct rn_play *p)
{
    if (p->kept->unsaved && p->kept->autosave)
        rn_play_autosave_put(p->kept->autosave, text_of(p));
    p->kept->unsaved = false;
}

void rn_play_close_kept(struct rn_play *p)
{
    struct rn_play_kept *k = p->kept;
    rn_play_save(p);
    rn_play_autosave_close(&k->autosave);
    free(k->offer.chain[0]);
    free(k->offer.chain[1]);
    free(k->offer.path);
    free(k->offer.date);
    free(k->input);
    *k = (struct rn_play_kept){.own = k->own};
}

const struct rn_play_part_type rn_play_kept_part = {.size = sizeof(struct rn_play_kept)};
