/* Renders in the background: each is this program once more, as `render`, one after the other, with
 * low priority. A crash there is a failure here, and tuning goes on meanwhile. */
#ifndef RN_APP_PLAY_EXPORT_RENDER_QUEUE_H
#define RN_APP_PLAY_EXPORT_RENDER_QUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "app/cli.h"
#include "app/play/loop/marks.h"

enum { RN_RENDERS_MOST = 16, RN_RENDERS_TEXT = 512 };

/* What to render. */
struct rn_play_render_request {
    const struct rn_app_cli *cli;    /* of the player: the input and its options */
    const char *chain;               /* text */
    const struct rn_play_part *part; /* NULL: what the command line says */
    const char *codec;               /* NULL: by the name */
    const char *extension;           /* where --export names none */
};

/* Zeroed: none. */
struct rn_play_render_queue {
    struct rn_play_render_job {
        char *name;         /* of the output */
        char **argv;        /* of `runnel render`; ends with NULL */
    } job[RN_RENDERS_MOST]; /* the first one runs */
    int n;
    pid_t pid;            /* of the one that runs; 0: none does yet */
    int progress, errors; /* pipes from it */
    char line[1024];      /* of its progress, as far as it has come */
    char heard[256];      /* of its messages, likewise */
    char said[256];       /* the last one */
    size_t line_used, heard_used;
    double percent, fps; /* percent < 0: not known */
    int64_t frames;
    bool warned; /* that the player is to be quit while one runs */
};

/* Adds one, to a file with the first free name. Returns false if there are too many, or memory ran
 * out. text, of RN_RENDERS_TEXT bytes, says what becomes of it. */
bool rn_play_render_queue_add(struct rn_play_render_queue *queue,
                              const struct rn_play_render_request *request, char *text);

/* Starts what waits, and takes what the one that runs has told. Returns whether
 * rn_play_render_queue_tell tells something else. text, of RN_RENDERS_TEXT bytes: what became of
 * one that has ended; "": none has. Does not wait. */
bool rn_play_render_queue_poll(struct rn_play_render_queue *queue, char *text);

/* Writes a line about the one that runs; "": none does. Returns text, of RN_RENDERS_TEXT bytes. */
char *rn_play_render_queue_tell(const struct rn_play_render_queue *queue, char *text);

/* Stops all, waiting for the one that runs to leave what it has as NAME.partial.EXT. */
void rn_play_render_queue_stop(struct rn_play_render_queue *queue);

#endif
