/* What the two sides of mat_worker.h agree on. */
#ifndef RN_MAT_PROCESS_H
#define RN_MAT_PROCESS_H

#define RN_MAT_WORD "mat-worker" /* argv[1] of a worker */

enum { RN_MAT_SOCKET = 3 }; /* a worker's descriptor; 0, 1 and 2 are /dev/null */

/* From now on workers can be started: this program knows the hidden command. */
void rn_mat_worker_allow(void);

#endif
