/* SPDX-License-Identifier: MIT */
/* The parent of mat_worker.h: starts processes and receives from them. */

#include "filters/base/log.h"
#include "filters/base/owned.h"
#include "filters/base/text/printable.h"
#include "io/volumes/mat/mat_worker.h"
#include "io/volumes/volume.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <sys/socket.h>

#define MAX_SKIPPED (64 << 20) /* bytes; a new process skips more than that faster */

static atomic_bool allowed;

void rn_vol_mat_worker_allow(void)
{
    atomic_store(&allowed, true);
}

/* variable -1: the list. Returns 0 or an errno. */
static int start(struct rn_io_child *c, const char *path, int variable, int64_t first)
{
    char name[] = "runnel", word[] = RN_MAT_WORD, number[24], from[24];
    char *argv[] = {name, word, number, from, (char *)path, NULL};
    snprintf(number, sizeof number, "%d", variable);
    snprintf(from, sizeof from, "%" PRId64, first);
    *c = (struct rn_io_child){.socket = -1};
    return atomic_load(&allowed)
               ? rn_io_child_start(c, rn_io_child_own_program(), argv, SOCK_STREAM, -1)
               : ENOSYS;
}

static bool is_sane(const struct rn_vol_mat_array *a)
{
    bool sane = (a->kind == RN_MAT_NUMBERS || a->kind == RN_MAT_OTHER) && a->type >= 0 &&
                a->type < RN_STORED_TYPES && (a->complex == 0 || a->complex == 1) && a->rank >= 0 &&
                memchr(a->name, 0, sizeof a->name);
    for (int i = 0; i < RN_MAT_RANK; i++)
        sane = sane && a->size[i] >= -1 && a->size[i] <= INT32_MAX;
    return sane && a->surplus >= 0;
}

struct rn_vol_mat_array *rn_vol_mat_check_reply(uint8_t *data, size_t n, int *count, char why[128])
{
    struct rn_vol_mat_reply *r = (struct rn_vol_mat_reply *)(void *)data;
    struct rn_vol_mat_array *list = (struct rn_vol_mat_array *)(void *)(data + sizeof *r);
    *count = 0;
    snprintf(why, 128, "the process that read it has died of it");
    if (n < sizeof *r || memcmp(r->magic, RN_MAT_MAGIC, sizeof r->magic) != 0 || r->n < 0 ||
        r->n > RN_MAT_MAX_ARRAYS || n != sizeof *r + (size_t)r->n * sizeof *list ||
        !memchr(r->why, 0, sizeof r->why))
        return NULL;
    for (int i = 0; i < r->n; i++) {
        if (!is_sane(&list[i]))
            return NULL;
        rn_printable(list[i].name, false);
    }
    *count = r->n;
    if (r->missing)
        snprintf(why, 128, "libmatio is missing: install the package libmatio11 or a later one");
    else if (!r->n)
        snprintf(why, 128, "%s", r->why);
    return r->n ? list : NULL;
}

int rn_vol_mat_list(const char *path, struct rn_vol_mat_array **out, int *n)
{
    size_t max =
        sizeof(struct rn_vol_mat_reply) + RN_MAT_MAX_ARRAYS * sizeof(struct rn_vol_mat_array);
    RN_OWNED(rn_free_owned) uint8_t *data = malloc(max + 1);
    struct rn_io_child c;
    char why[128];
    if (!data)
        return rn_fail_memory();
    int cause = start(&c, path, -1, 0);
    size_t got = cause ? 0 : rn_io_child_receive(&c, data, max + 1);
    rn_io_child_end(&c);
    struct rn_vol_mat_array *list = rn_vol_mat_check_reply(data, got, n, why);
    int err = cause  ? rn_fail(RN_EINTERNAL, "cannot start the process that reads '%s': %s", path,
                               strerror(cause))
              : list ? 0
                     : rn_fail(RN_EINPUT, "'%s' (MATLAB) cannot be read: %s", path, why);
    if (err)
        return err;
    memmove(data, list, (size_t)*n * sizeof *list);
    *out = rn_take_owned(&data);
    return 0;
}

static bool seek_to(struct rn_vol_mat_stream *s, int64_t at)
{
    uint8_t buf[1 << 14];
    if (s->at < 0 || at < s->at || at - s->at > MAX_SKIPPED) {
        rn_io_child_end(&s->child);
        s->at = at / s->picture * s->picture;
        if (start(&s->child, s->path, s->variable, at / s->picture))
            s->at = -1;
    }
    while (s->at >= 0 && s->at < at) {
        size_t n = at - s->at < (int64_t)sizeof buf ? (size_t)(at - s->at) : sizeof buf;
        s->at = rn_io_child_receive(&s->child, buf, n) == n ? s->at + (int64_t)n : -1;
    }
    return s->at == at;
}

size_t rn_vol_mat_read(struct rn_vol_mat_stream *s, int64_t at, void *to, size_t n)
{
    if (!seek_to(s, at))
        return 0;
    size_t got = rn_io_child_receive(&s->child, to, n);
    s->at = got == n ? at + (int64_t)n : -1;
    return got;
}
