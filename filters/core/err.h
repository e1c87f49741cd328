/* Results. Every function that can fail returns 0 or one of these; the process exit status of an
 * error is its negation, so a result travels unchanged from the place where it arose to exit().
 * Whoever finds the cause logs it, once, with rn_fail(); everybody above only passes it on. */
#ifndef RN_ERR_H
#define RN_ERR_H

enum rn_err {
    RN_END = 1, /* no error: end of the stream, or a queue that was closed */
    RN_OK = 0,
    RN_EINTERNAL = -1, /* our own mistake, or out of memory */
    RN_EUSAGE = -2,    /* command line or chain */
    RN_EINPUT = -3,    /* input unusable */
    RN_EOUTPUT = -4,   /* output failed */
    RN_EDEVICE = -5,   /* device or kernel failed */
    RN_EDAMAGED = -6,  /* finished, but frames of the input were damaged or missing */
};

#endif
