/* Standard input, output and error: what holds for them in every program and command. */
#ifndef RN_APP_PROCESS_STANDARD_IO_H
#define RN_APP_PROCESS_STANDARD_IO_H

/* Makes sure that the descriptors 0, 1 and 2 exist, so that no file that is opened later is taken
 * for one of them, and ignores SIGPIPE and SIGXFSZ: writes then fail with an error that can be
 * reported. Ends the process if it cannot. Call first, before threads run. */
void rn_app_standard_io_open(void);

/* Writes out what stdout holds. Returns 0, or RN_EOUTPUT where data were lost, also before; logged,
 * unless its reader has gone. */
int rn_app_standard_io_flush(void);

/* The same at the end. err: how the command ended, 0 or an error. Returns err, or
 * where it is 0 what rn_app_standard_io_flush says. */
int rn_app_standard_io_close(int err);

#endif
