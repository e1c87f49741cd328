#include "io/read/fragments.h"

#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include <libavutil/intreadwrite.h>
#include <libavutil/mem.h>

#define MOST_BYTES (16 << 20) /* of one fragment's tables; larger ones are not looked into */

struct numbers {
    int64_t n, last;
    int64_t steps, jumps; /* from one to the next; those of more than one */
    int64_t between;      /* numbers left out by the jumps */
};

static bool is(const uint8_t *box, const char *type)
{
    return !memcmp(box + 4, type, 4);
}

/* Boxes fill the one that they stand in. A track's part lists samples, unless it says that it has
 * none. */
static bool is_whole(const uint8_t *p, size_t size)
{
    bool part = is(p, "traf"), samples = false, empty = false;
    size_t pos = 8;
    while (size - pos >= 8) {
        size_t n = AV_RB32(p + pos);
        if (n < 8 || n > size - pos || (is(p + pos, "traf") && !is_whole(p + pos, n)))
            return false;
        samples |= is(p + pos, "trun");
        empty |= is(p + pos, "tfhd") && n >= 12 && AV_RB24(p + pos + 9) & 0x010000;
        pos += n;
    }
    return pos == size && (!part || samples || empty);
}

static void number(struct numbers *s, const uint8_t *moof, size_t size)
{
    if (size < 24 || !is(moof + 8, "mfhd"))
        return;
    int64_t now = AV_RB32(moof + 20);
    if (s->n++) {
        s->steps++;
        s->jumps += now != s->last + 1;
        s->between += now > s->last + 1 ? now - s->last - 1 : 0;
    }
    s->last = now;
}

/* Some writers number all files of a presentation together, or do not count at all. */
static int64_t missing(const struct numbers *s)
{
    return 3 * s->jumps <= s->steps || s->jumps == 1 ? s->between : 0;
}

static int64_t size_of_box(int fd, int64_t pos, uint8_t head[16])
{
    ssize_t n = pread(fd, head, 16, pos);
    if (n < 8)
        return 0;
    return AV_RB32(head) == 1 && n == 16 ? (int64_t)AV_RB64(head + 8) : AV_RB32(head);
}

int64_t rn_fragments_lost(const char *path)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    struct numbers numbers = {0};
    int64_t broken = 0, size;
    uint8_t head[16];
    for (int64_t pos = 0; fd >= 0 && (size = size_of_box(fd, pos, head)) >= 8; pos += size) {
        if (!is(head, "moof") || size > MOST_BYTES)
            continue;
        uint8_t *moof = av_malloc((size_t)size);
        if (moof && pread(fd, moof, (size_t)size, pos) == size) {
            broken += !is_whole(moof, (size_t)size);
            number(&numbers, moof, (size_t)size);
        }
        av_free(moof);
    }
    if (fd >= 0)
        close(fd);
    return broken + missing(&numbers);
}
