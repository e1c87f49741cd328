/* One render beside the preview: what it is to make, as the words of a command line of this
 * program, `runnel render`. */
#ifndef RN_APP_PLAY_EXPORT_RENDER_JOB_H
#define RN_APP_PLAY_EXPORT_RENDER_JOB_H

#include "app/cli.h"
#include "app/play/loop/marks.h"

struct rn_play_render_job {
    char *name;  /* of the output */
    char **argv; /* ends with NULL */
};

/* What to render. */
struct rn_play_render_request {
    const struct rn_app_cli *cli;    /* of the player: the input and its options */
    const char *chain;               /* text */
    const struct rn_play_part *part; /* NULL: what the command line says */
    const char *codec;               /* NULL: by the name */
    const char *extension;           /* where --export names none */
};

/* Name number n, from 1 on, of the files that a request may be written to: NAME-0001.EXT for
 * `--export NAME.EXT`. The caller frees it. NULL: out of memory. */
char *rn_play_render_job_name(const struct rn_play_render_request *request, int n);

/* Makes the job that writes the file name, which becomes the job's. Returns false when out of
 * memory; name is freed then, and the job zeroed. */
bool rn_play_render_job_make(struct rn_play_render_job *job,
                             const struct rn_play_render_request *request, char *name);

/* Releases what it holds; a zeroed one is legal. */
void rn_play_render_job_free(struct rn_play_render_job *job);

#endif
