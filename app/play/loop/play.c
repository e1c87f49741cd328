/* SPDX-License-Identifier: MIT */
#include "app/commands/commands.h"

#include "app/play/control/command_table.h"
#include "app/play/loop/player.h"
#include "app/play/runners/runners.h"
#include "app/play/edit/settings.h"
#include "app/play/export/export.h"
#include "app/play/panel/panel.h"
#include "app/play/view/presentation.h"
#include "app/play/view/compare.h"
#include "app/run/json.h"
#include "app/play/stacks/stacks.h"
#include "app/process/signals.h"
#include "app/process/terminal.h"
#include "filters/base/clock.h"
#include "filters/base/owned.h"
#include "filters/base/text/printable.h"

#include <math.h>

static int poll_kernels(struct rn_play *p)
{
    bool changed = false;
    if (rn_play_builds(p))
        return 0;
    struct rn_app_session *s = p->session;
    int err =
        rn_play_rebuild_poll(&p->rebuild, p->jobs, s->device[0], s->runner, s->chain, &changed);
    err = err ? err : rn_play_poll_original(p);
    if (err || !changed)
        return err;
    rn_play_cursor_move(p, 0); /* the list may have become shorter */
    bool bad = rn_runner_alert(p->session->runner) != NULL;
    rn_play_say(p, bad ? "the kernel does not build" : "kernel reloaded");
    rn_play_mark_stale(p);
    if (!bad)
        rn_play_three_renew(p->three);
    return 0;
}

#define MAX_EVENTS 64 /* per round: a moving mouse must not stop the picture */

static int play(struct rn_play *p)
{
    int err = rn_play_build_answer(p);
    rn_play_ask(p);
    while (!p->quit && !rn_app_signals_caught() && !err) {
        struct rn_ui_event event;
        double wait = 0;
        err = rn_play_advance(p, &wait);
        bool replaced = false;
        err = err ? err : rn_play_playlist_poll(p, &replaced);
        if (replaced)
            rn_play_remote_event(p->remote, "file-loaded", "path", p->cli->operand[0]);
        err = err ? err : rn_play_build_poll(p);
        err = err ? err : poll_kernels(p);
        err = err ? err : rn_play_work_three(p, &wait);
        rn_play_count_second(p);
        rn_play_poll_renders(p);
        rn_play_bar_poll(p);
        rn_play_next_field(p, &wait);
        bool served = false;
        err = err ? err : rn_play_remote_serve(p, &served);
        wait = served ? 0 : p->picture != RN_PICTURE_CURRENT ? fmin(wait, RN_PLAYER_BUSY) : wait;
        bool awaits = rn_play_jobs_is_busy(p->jobs) || rn_play_compare_is_busy(p);
        wait = awaits ? fmin(wait, RN_PLAYER_BUILDING) : wait;
        for (int n = 0; n < MAX_EVENTS && !err && !p->quit; n++, wait = 0) {
            if (!rn_ui_next_event(p->window, wait, &event))
                break;
            err = rn_play_handle_event(p, &event);
        }
        rn_play_poll_message(p);
        rn_play_save(p);
        err = err ? err : rn_play_refresh(p);
        if (!err) {
            rn_play_remote_tell(p);
            rn_play_follow(p);
        }
    }
    return err;
}

/* ---- the end */

static void print_quoted(const char *text, FILE *f)
{
    fputs("'", f);
    for (; *text; text++)
        fputs(*text == '\'' ? "'\\''" : (const char[]){*text, '\0'}, f);
    fputs("'", f);
}

static void print_escaped(const char *text, FILE *f)
{
    fputs("$'", f);
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (c < ' ' || c > '~')
            fprintf(f, "\\%03o", c);
        else
            fprintf(f, c == '\'' || c == '\\' ? "\\%c" : "%c", c);
    }
    fputs("'", f);
}

/* Escapes characters that a terminal would interpret. */
static bool print_chain(const char *option, const struct rn_chain *chain, FILE *f)
{
    RN_OWNED(rn_free_owned) char *text = rn_chain_format(chain);
    RN_OWNED(rn_free_owned) char *plain = text ? rn_printable(strdup(text), false) : NULL;
    if (plain) {
        fprintf(f, "%s ", option);
        (strcmp(plain, text) ? print_escaped : print_quoted)(text, f);
    }
    return plain != NULL;
}

/* Prints the tuned settings as options for a shell, in one line: -f 'CHAIN' unless the chain has
 * always been empty, --versus 'CHAIN' if that one was changed, and the marked range. */
static void print_options(const struct rn_play *p, FILE *f)
{
    char range[RN_RANGE_TEXT];
    struct rn_play_tuned first = rn_play_tuned_state(p, false),
                         other = rn_play_tuned_state(p, true);
    bool any = (rn_chain_count(first.chain) || first.changed) && print_chain("-f", first.chain, f);
    if (other.changed)
        any |= print_chain(any ? " --versus" : "--versus", other.chain, f);
    rn_play_range(p, range);
    if (any || *range)
        fprintf(f, "%s%s\n", any && *range ? " " : "", range);
}

/* Completes all files of the user; what follows cannot damage them. */
static int finish(struct rn_play *p, int err)
{
    rn_play_remote_close(&p->remote);
    rn_play_render_queue_stop(p->renders);
    err = rn_play_end_input(p, err);
    err = rn_first_error(err, rn_app_record_close(&p->record));
    if (p->prints_options && rn_log_level() >= RN_LOG_INFO)
        print_options(p, stderr);
    p->prints_options = false;
    return err;
}

/* Ends the process after finish(). */
static _Noreturn void leave(int err)
{
    int sig = rn_app_signals_caught();
    err = err ? err : sig ? -(128 + sig) : 0;
    rn_app_kernel_crash_cancel();
    rn_app_signals_end();
    _exit(-rn_app_standard_io_close(err));
}

/* The window's functions cannot be called any more; all other parts are ended in order. */
static void on_lost_display(void *arg)
{
    struct rn_play *p = arg;
    int err = finish(p, rn_fail(RN_EINTERNAL, "the display has gone"));
    rn_play_cancel_input(p);
    if (rn_play_build_end(p))
        err = rn_app_session_close(p->session, err);
    leave(err);
}

/* ---- setting up */

static int set_up(struct rn_play *p)
{
    struct rn_app_session *s = p->session;
    rn_ui_when_lost(on_lost_display, p);
    int err = rn_app_session_open_input(s, false);
    err = err ? err : rn_play_reference_open(p);
    /* Before kernels are built: a missing display is reported at once. */
    err = err ? err : rn_play_open_window(p);
    err = err ? err : rn_play_can_ask(p);
    err = err ? err : rn_app_session_open_devices(s, 1);
    err = err ? err : rn_play_check_versus(p);
    err = err ? err : rn_play_build_begin(p);
    err = err ? err : rn_play_open_input(p); /* its first frame is shown meanwhile */
    err = err ? err : rn_play_build_first(p);
    if (err || p->quit)
        return err;
    rn_runner_keep(s->runner);
    err = rn_runner_start(s->runner);
    err = err ? err : rn_play_recording_begin(p);
    err = err ? err : rn_play_reader_begin(p->reader, s->runner);
    err = err ? err : rn_play_accompany(p);
    rn_play_reader_resume(p->reader);
    return err;
}

static int run(struct rn_play *p)
{
    int err = set_up(p);
    p->times->since = rn_clock();
    if (!err && !p->quit) {
        rn_app_signals_hold();
        rn_play_remote_wake(p->remote);
        p->prints_options = true;
        err = play(p);
    }
    err = finish(p, err);
    rn_play_free_input(p);
    rn_ui_close(&p->window);
    rn_play_history_cut(p->history, 0);
    rn_play_history_cut(p->versus_history, 0);
    rn_play_runners_end(p->runners);
    rn_play_cancel_input(p);
    if (!rn_play_build_end(p))
        leave(err); /* does not wait for the compiler */
    return rn_app_session_close(p->session, err);
}

/* The process ends before it closes the socket. */
static void forget_socket(int status)
{
    rn_play_ipc_name_remove();
}

/* ---- the player and its parts */

/* Each is zeroed at first, in memory of its own: the stack may be small. */
static const struct {
    size_t at, size;
    const struct rn_play_part_type *part; /* NULL: nothing is released */
} parts[] = {
// clang-format off
#define PLAIN(name) {offsetof(struct rn_play, name), sizeof *((struct rn_play *)0)->name, NULL}
#define PART(name) {offsetof(struct rn_play, name), 0, &rn_play_##name##_part}
    PLAIN(cli), PLAIN(session), PLAIN(keys), PLAIN(history), PLAIN(versus_history),
    PLAIN(snapshots), PLAIN(sound), PLAIN(times), PLAIN(probe), PART(bar), PART(build),
    PART(compare), PART(difference), PART(edits), PART(kept), PART(message), PART(runners),
    PART(panel), PART(playlist), PART(presentation), PART(recording), PART(reference),
    PART(region), PART(renders), PART(scopes), PART(sheet_presets), PART(slices), PART(three),
    PART(transport), PART(cursor),
    // clang-format on
};

static void *part_of(const struct rn_play *p, size_t i)
{
    void *part;
    memcpy(&part, (const char *)p + parts[i].at, sizeof part);
    return part;
}

void rn_play_leave_parts(const struct rn_play *p)
{
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (part_of(p, i) && parts[i].part && parts[i].part->leave)
            parts[i].part->leave(part_of(p, i));
}

static void destroy(struct rn_play *p)
{
    rn_play_leave_parts(p);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        void *part = part_of(p, i);
        if (part && parts[i].part && parts[i].part->release)
            parts[i].part->release(part);
        free(part);
    }
    free(p);
}

/* NULL: out of memory (logged). */
static struct rn_play *create(void)
{
    struct rn_play *p = calloc(1, sizeof *p);
    bool whole = p;
    for (size_t i = 0; i < sizeof parts / sizeof *parts && whole; i++) {
        void *part = calloc(1, parts[i].part ? parts[i].part->size : parts[i].size);
        memcpy((char *)p + parts[i].at, &part, sizeof part);
        whole = part;
    }
    if (!whole) {
        rn_fail_memory();
        if (p)
            destroy(p);
        return NULL;
    }
    p->sound->volume = 1;
    rn_play_runners_begin(p->runners, p->session);
    return p;
}

static int play_inputs(struct rn_play *p, const struct rn_app_cli *cli)
{
    const char *one = cli->play.record ? "--record" : cli->replay ? "--replay" : NULL;
    one = cli->play.reference ? "--reference" : one;
    int err = one && cli->noperands > 1
                  ? rn_fail(RN_EUSAGE, "%s tells of the frames of one input: name one alone", one)
                  : 0;
    for (int i = 0; i < cli->noperands && !err; i++)
        err = rn_play_add_input(p, cli->operand[i]);
    err = err ? err : rn_app_session_read(p->session, p->cli, NULL, NULL, NULL);
    p->session->on_demand = true;
    err = err ? err : rn_play_set_aside(p);
    err = err ? err : rn_play_read_versus(p);
    err = err ? err : rn_play_open_kept(p);
    err = err ? err : rn_app_signals_install(forget_socket, forget_socket);
    err = err || !cli->play.ipc ? err : rn_play_remote_open(&p->remote, cli->play.ipc);
    err = err ? err : run(p);
    rn_app_signals_end();
    rn_play_close_kept(p);
    rn_play_snapshots_clear(p->snapshots);
    rn_app_session_forget(p->session);
    int sig = rn_app_signals_caught();
    return err ? err : sig ? -(128 + sig) : 0;
}

static int play_run(const struct rn_app_cli *cli)
{
    struct rn_play *p = create();
    if (!p)
        return RN_EINTERNAL;
    rn_ui_keymap_default(p->keys, rn_play_commands());
    int err = rn_ui_keymap_load(p->keys);
    if (cli->json && !cli->play.keys)
        err = rn_fail(RN_EUSAGE, "--json goes with --keys alone");
    else if (cli->json)
        err = rn_app_json_write(rn_app_json_make("schema:i commands:o properties:o", 1,
                                                 rn_play_command_list(), rn_play_property_list()),
                                NULL);
    else if (cli->play.keys) /* also after a mistake, which was logged */
        rn_ui_keymap_print(p->keys, stdout);
    *p->cli = *cli;
    if (cli->noperands < RN_MAX_OPERANDS) /* the first one remains an input of this run */
        p->cli->operand[p->cli->noperands++] = cli->operand[0];
    p->loop = cli->play.loop;
    err = err || cli->play.keys ? err : play_inputs(p, cli);
    destroy(p);
    return err;
}

static void print_keys(void)
{
    static const char *const titles[] = {
        "Keys in the window, unless ~/.config/runnel/keys has others (see --keys)",
        "A game controller"};
    struct rn_ui_keymap keys;
    rn_ui_keymap_default(&keys, rn_play_commands());
    for (int pad = 0; pad < 2; pad++) {
        RN_OWNED(rn_free_owned) struct rn_ui_key_line *lines = NULL;
        int n = rn_ui_keymap_lines(&keys, pad, &lines);
        printf("\n%s:\n", titles[pad]);
        for (int i = 0; i < n; i++)
            printf("  %-24s %s\n", lines[i].keys, lines[i].help);
    }
}

const struct rn_app_command rn_play_command_play = {
    .name = "play",
    .operands = "INPUT...",
    .summary = "filter inputs and show them; keys tune the filters",
    .options = RN_OPTIONS_FILTERS | RN_OPTIONS_DEVICE | RN_OPTIONS_INPUT | RN_OPTIONS_PLAY |
               RN_OPTIONS_JSON | RN_OPTIONS_OVERWRITE | RN_OPTIONS_REPLAY,
    .min_operands = 1,
    .max_operands = RN_MAX_OPERANDS,
    .notes = print_keys,
    .run = play_run,
};
