/* Renders in the background: each is this program once more, as `render`, one after the other, with
 * low priority. A crash there is a failure here, and tuning goes on meanwhile. */
#ifndef RN_PLAY_EXPORTS_H
#define RN_PLAY_EXPORTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "app/cli.h"

enum { RN_EXPORTS_MOST = 16, RN_EXPORTS_TEXT = 512 };

struct rn_export_job {
    char *name;  /* of the output */
    char **argv; /* ends with NULL */
};

/* Zeroed: none. */
struct rn_exports {
    struct rn_export_job job[RN_EXPORTS_MOST]; /* the first one runs */
    int n;
    pid_t pid;            /* of the one that runs; 0: none does yet */
    int progress, errors; /* pipes from it */
    char line[1024];      /* of its progress, as far as it has come */
    char said[256];       /* its last message */
    size_t line_used, said_used;
    double percent, fps; /* percent < 0: not known */
    int64_t frames;
    bool warned; /* that the player is to be quit while one runs */
};

/* What to render. */
struct rn_export_request {
    const struct rn_cli *cli; /* of the player: the input and its options */
    const char *chain;        /* text */
    const char *from, *to;    /* as options; NULL: those of the command line */
    const char *codec;        /* NULL: by the name */
    const char *extension;    /* where --export names none */
};

/* Adds one, to a file with the first free name. Returns false if there are too many, or memory ran
 * out. text, of RN_EXPORTS_TEXT bytes, says what becomes of it. */
bool rn_exports_add(struct rn_exports *e, const struct rn_export_request *request, char *text);

/* Starts what waits, and takes what the one that runs has told. Returns whether rn_exports_tell
 * tells something else. text, of RN_EXPORTS_TEXT bytes: what became of one that has ended; "": none
 * has. Does not wait. */
bool rn_exports_poll(struct rn_exports *e, char *text);

/* Writes a line about the one that runs; "": none does. Returns text, of RN_EXPORTS_TEXT bytes. */
char *rn_exports_tell(const struct rn_exports *e, char *text);

/* Stops all, waiting for the one that runs to leave what it has as NAME.partial.EXT. */
void rn_exports_stop(struct rn_exports *e);

#endif
