/* Loads the drivers of OpenCL in a thread of its own, while the caller has other things to do: that
 * takes 30 ms for PoCL, with its compiler, and more for GPUs. Nothing else of OpenCL may be used in
 * between. */
#ifndef RN_WAKE_H
#define RN_WAKE_H

#include <pthread.h>
#include <stdbool.h>

struct rn_wake {
    pthread_t thread;
    bool started;
};

/* Begins. What fails, fails again, and is told, where devices are opened. */
void rn_wake_begin(struct rn_wake *wake);

/* Waits for the end; legal where nothing was begun, and a second time. */
void rn_wake_end(struct rn_wake *wake);

#endif
