/* What the preview prints at its end. */
#ifndef RN_APP_PLAY_EDIT_PASTE_H
#define RN_APP_PLAY_EDIT_PASTE_H

#include <stdio.h>

struct rn_play;

/* Prints what was tuned as options to paste into a shell, in one line: -f 'CHAIN', which is there
 * unless the chain has always been empty; --versus 'CHAIN', where that one was changed; what is
 * marked, --from 150f. Nothing where there is none of these. */
void rn_play_print_line(const struct rn_play *p, FILE *f);

#endif
