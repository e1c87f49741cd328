/* Tables that stages write, for tests of chains whose results are known. */
#ifndef RN_TESTS_TABLES_H
#define RN_TESTS_TABLES_H

#include "tests/engine.h"

#define TABLE_HEADER                                                                               \
    "frame,time,plane,mean,variance,min,max,l1,l2,lp,linf,entropy,dot_prev,ncc_prev"

struct table {
    char path[32], chain[256];
};

/* Names a file that is not there, and the chain of stats that writes it. */
static inline struct table table_begin(const char *options)
{
    struct table t = {.path = "/tmp/table-XXXXXX"};
    int fd = mkstemp(t.path);
    if (fd >= 0)
        close(fd);
    unlink(t.path);
    snprintf(t.chain, sizeof t.chain, "stats=%s%sfile=%s", options, *options ? ":" : "", t.path);
    return t;
}

/* Compares the file and removes it. */
static inline void table_end(struct check *check, const struct table *t, const char *want)
{
    char got[4096];
    FILE *f = fopen(t->path, "r");
    got[f ? fread(got, 1, sizeof got - 1, f) : 0] = '\0';
    if (f)
        fclose(f);
    unlink(t->path);
    if (strcmp(got, want) != 0)
        check_bad(check, "stats gives\n%s# instead of\n%s", got, want);
}

#endif
