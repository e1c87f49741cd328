#include "app/play.h"

#include "app/clock.h"
#include "app/player.h"
#include "filters/core/err.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static volatile sig_atomic_t caught;

static void on_signal(int sig)
{
    static double first; /* when the first signal came */
    double now = rn_clock();
    if (!caught) {
        caught = sig;
        first = now;
    } else if (now - first > 0.1) { /* not its echo, see signals.c */
        rn_outfile_remove_all();
        _exit(128 + sig);
    }
}

static int poll_kernels(struct rn_player *p)
{
    bool changed = false;
    int err = rn_runner_poll(p->runner, &changed);
    if (err || !changed)
        return err;
    rn_tuner_move(&p->tuner, 0); /* the list may have become shorter */
    rn_player_say(p, rn_player_alert(p) ? "the kernel does not build" : "kernel reloaded");
    p->stale = true;
    return 0;
}

#define MOST_EVENTS 64 /* at a time: a mouse that moves on and on must not stop the picture */

static int play(struct rn_player *p)
{
    int err = 0;
    while (!p->quit && !caught && !err) {
        struct rn_event event;
        double wait = 0;
        bool message = rn_clock() < p->message_until;
        err = rn_player_advance(p, &wait);
        err = err ? err : poll_kernels(p);
        rn_player_count_second(p);
        wait = p->stale ? 0 : wait;
        for (int n = 0; n < MOST_EVENTS && !err && !p->quit; n++, wait = 0) {
            if (!rn_window_event(p->window, wait, &event))
                break;
            err = rn_player_act(p, &event);
        }
        if (message && rn_clock() >= p->message_until)
            p->redraw = true; /* the message goes */
        err = err ? err : rn_player_refresh(p);
    }
    return err;
}

/* ---- setting up */

static void take_signals(void)
{
    struct sigaction action = {.sa_handler = on_signal};
    sigaddset(&action.sa_mask, SIGINT);
    sigaddset(&action.sa_mask, SIGTERM);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

static int open_sound(struct rn_player *p)
{
    int channels;
    if (p->cli->play.untimed)
        return 0;
    int err = rn_audio_open(&p->audio, p->source, &p->rate, &channels);
    if (!err && p->audio && rn_speaker_open(&p->speaker, p->rate, channels))
        rn_audio_close(&p->audio);
    return 0; /* a picture without sound is better than none */
}

static int make_chain(struct rn_player *p)
{
    int err = rn_chain_parse(&p->chain, p->cli->filters);
    if (!err && p->cli->play.kernel) {
        struct rn_stage *stage = rn_chain_append(p->chain, "custom");
        const struct rn_param *row = stage ? rn_param_find(stage->table, "file") : NULL;
        err = row ? rn_stage_set(stage, row, p->cli->play.kernel) : RN_EUSAGE;
    }
    return err;
}

static int open_window(struct rn_player *p)
{
    char title[512];
    const struct rn_rational *a = &p->stream->aspect;
    double aspect = a->num > 0 && a->den > 0 ? (double)a->num / a->den : 1;
    snprintf(title, sizeof title, "%.400s - runnel", p->cli->operand[0]);
    return rn_window_open(&p->window, title, p->chain->out.w, p->chain->out.h, aspect);
}

static int set_up(struct rn_player *p)
{
    const struct rn_cli *cli = p->cli;
    struct rn_source_opts opts = cli->source;
    struct rn_sink_opts none = {0};
    opts.threads = cli->threads;
    int err = make_chain(p);
    err = err ? err : rn_source_open(&p->source, cli->operand[0], &opts);
    if (err)
        return err;
    p->stream = rn_source_stream(p->source);
    err = rn_chain_check(p->chain, &p->stream->geom);
    if (!err)
        rn_chain_warn(p->chain);
    if (!err && cli->play.record && rn_chain_delay(p->chain))
        err =
            rn_fail(RN_EUSAGE, "--record does not go with filters across frames: the key w writes "
                               "the chain");
    err = err ? err : open_window(p); /* before kernels are built: no display is told at once */
    take_signals();
    err = err ? err : rn_device_open(&p->device, cli->device);
    if (err)
        return err;
    p->late = rn_chain_delay(p->chain);
    p->held = calloc((size_t)p->late + 2, sizeof(struct rn_slot *));
    p->past = calloc((size_t)p->late + 2, sizeof(struct rn_slot *));
    if (!p->held || !p->past)
        return rn_fail_memory();
    err = rn_runner_open(&p->runner, p->device, p->chain, &p->stream->geom,
                         RN_PLAYER_SLOTS + p->late);
    if (err)
        return err;
    rn_runner_keep_input(p->runner);
    err = rn_display_create(&p->show_in, &p->chain->in);
    err = err ? err : rn_display_create(&p->show_out, &p->chain->out);
    err = err ? err : open_sound(p);
    if (!err && cli->play.md5)
        err = rn_sink_open(&p->hashes, "md5:", &none, p->source, &p->chain->out);
    if (!err && cli->play.record)
        err = rn_record_create(&p->record, cli->play.record, p->chain);
    err = err ? err : rn_runner_start(p->runner);
    return err ? err : rn_reader_start(&p->reader, p->source, p->runner);
}

static int tear_down(struct rn_player *p, int err)
{
    if (p->next)
        rn_runner_wait(p->runner, p->next); /* its commands use the slots' memory */
    if (p->runner) {
        int stopped = rn_runner_stop(p->runner, !err && !caught);
        err = err ? err : stopped;
    }
    if (p->next)
        rn_frame_release(&p->next->frame);
    if (p->shown)
        rn_frame_release(&p->shown->frame);
    for (int i = 0; i < p->nahead; i++)
        rn_frame_release(&p->ahead[i]->frame);
    for (int i = 0; i < p->nheld; i++)
        rn_frame_release(&p->held[i]->frame);
    for (int i = 0; i < p->npast; i++)
        rn_frame_release(&p->past[i]->frame);
    rn_reader_stop(&p->reader);
    int closed = rn_record_close(&p->record, p->shown);
    err = err ? err : closed;
    closed = rn_sink_close(&p->hashes, RN_ENDING_COMPLETE);
    err = err ? err : closed;
    rn_speaker_close(&p->speaker);
    rn_audio_close(&p->audio);
    rn_window_close(&p->window);
    rn_display_destroy(&p->show_in);
    rn_display_destroy(&p->show_out);
    rn_runner_close(&p->runner);
    closed = rn_device_close(&p->device);
    err = err ? err : closed;
    rn_source_close(&p->source);
    rn_chain_destroy(&p->chain);
    free(p->held);
    free(p->past);
    return err;
}

static int play_run(const struct rn_cli *cli)
{
    struct rn_player p = {.cli = cli,
                          .split_at = 0.5,
                          .volume = 1,
                          .hurry = true,
                          .last_time = NAN,
                          .goal = NAN,
                          .before = NAN,
                          .lead_in = NAN,
                          .loop = cli->play.loop};
    /* Until there is something to give back, a signal just ends the process: opening an input may
     * wait for ever. */
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    rn_device_environment(cli->threads);
    rn_io_init();
    int err = set_up(&p);
    p.tuner.chain = p.chain;
    p.second = rn_clock();
    if (!err) {
        take_signals(); /* again: PoCL's compiler took them, see rn_signals_hold */
        rn_player_say_parameter(&p);
        err = play(&p);
    }
    err = tear_down(&p, err);
    return err ? err : caught ? -(128 + caught) : 0;
}

static void print_keys(void)
{
    printf("\nKeys in the window:\n");
    for (const struct rn_key *key = rn_key_help; key->keys; key++)
        printf("  %-22s %s\n", key->keys, key->help);
}

const struct rn_command rn_command_play = {
    .name = "play",
    .operands = "INPUT",
    .summary = "filter INPUT and show it; keys tune the filters",
    .options = RN_OPTIONS_FILTERS | RN_OPTIONS_DEVICE | RN_OPTIONS_INPUT | RN_OPTIONS_PLAY |
               RN_OPTIONS_OVERWRITE,
    .min_operands = 1,
    .max_operands = 1,
    .notes = print_keys,
    .about = RN_ABOUT_INPUT,
    .examples = "  runnel play clip.mp4 -f convolution=preset=sharpen,closing=shape=disk:radius=2\n"
                "  runnel play 'slices/*.png' -f closing --fps 10 --loop\n"
                "  runnel play clip.mp4 --kernel my.cl\n",
    .status = "  0  the window was closed\n"
              "  1  no window could be opened, or an internal error\n"
              "  2  wrong usage, or a mistake in the chain\n"
              "  3  the input is unusable\n"
              "  4  --md5 or --record could not be written\n"
              "  5  the device or a kernel failed, or there is no such device\n"
              "  130, 143  stopped by Ctrl-C or SIGTERM\n",
    .run = play_run,
};
