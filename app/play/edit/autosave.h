/* Keeps what is tuned, while it is tuned: a file per input, in the format of chain_file.h, below
 * $XDG_STATE_HOME/runnel (~/.local/state/runnel). Whatever ends the process, even kill -9, no more
 * than the last second is lost.
 *
 * A thread writes: at once, then at most once a second, so that no disk holds up the picture. A
 * file appears whole, in place of the one before (filters/base/output/outtemp.h). The first time a
 * process writes it, the file of a former one is kept as FILE.1, that one as FILE.2 and so on, up
 * to .9; once the settings are those of the start again, FILE goes and they move back. Where the
 * process comes to an input for another time, its own file is replaced instead, and put back. Of
 * several processes with one input the last that writes wins. In all the newest RN_AUTOSAVE_MOST
 * files are kept.
 *
 * What cannot be written is said in one warning, and tried again with the next change. */
#ifndef RN_APP_PLAY_EDIT_AUTOSAVE_H
#define RN_APP_PLAY_EDIT_AUTOSAVE_H

#include <sys/types.h>

#define RN_AUTOSAVE_FORMER 9   /* of an input, beside the last one */
#define RN_AUTOSAVE_MOST   200 /* files of all inputs */

struct rn_play_autosave;

/* Files that this process has written, of any input. Zeroed before the first use; one autosave
 * uses it at a time. */
struct rn_play_autosave_own {
    struct rn_play_autosave_id {
        dev_t dev;
        ino_t ino;
    } id[RN_AUTOSAVE_MOST]; /* from the oldest */
    int n;
};

/* The name of the file for an input (rn_app_files_canonical), whether it exists or not. The caller
 * frees it. NULL: neither XDG_STATE_HOME nor HOME is set, or out of memory. */
char *rn_play_autosave_path(const char *input);

/* Begins; nothing is touched before something is put. path: as above; NULL: whatever is put cannot
 * be kept, which is then said. start: a chain file with the settings of now, which need no keeping;
 * NULL: they do. Both become the autosave's. own: outlives it. Returns 0 or RN_EINTERNAL
 * (logged). */
int rn_play_autosave_open(struct rn_play_autosave **autosave, char *path, char *start,
                          struct rn_play_autosave_own *own);

/* Has a chain file kept, unless its body is the one put last; if that is the start's, the file of
 * this process goes. text: owned from now on; NULL (out of memory) is legal. autosave: NULL: does
 * nothing. */
void rn_play_autosave_put(struct rn_play_autosave *autosave, char *text);

/* Ends, when all is written. *autosave becomes NULL; NULL is legal. */
void rn_play_autosave_close(struct rn_play_autosave **autosave);

#endif
