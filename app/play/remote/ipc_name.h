/* The name of a socket in a folder: taken without a moment in which others could reach it, or in
 * which nobody listens, and given back at the end. One at a time in a process. */
#ifndef RN_APP_PLAY_REMOTE_IPC_NAME_H
#define RN_APP_PLAY_REMOTE_IPC_NAME_H

/* Makes a socket that listens under a name. *listener: its descriptor; -1 after an error. See
 * rn_play_ipc_open. */
int rn_play_ipc_name_take(const char *path, int *listener);

/* Removes the name, unless it is another file's by now. Async-signal-safe; any thread. */
void rn_play_ipc_name_remove(void);

#endif
