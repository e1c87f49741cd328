/* What the two sides of mat_worker.h agree on. */
#ifndef RN_IO_VOLUMES_MAT_MAT_PROCESS_H
#define RN_IO_VOLUMES_MAT_MAT_PROCESS_H

#define RN_MAT_WORD "mat-worker" /* argv[1] of a worker */

/* From now on workers can be started: this program knows the hidden command. */
void rn_vol_mat_worker_allow(void);

#endif
