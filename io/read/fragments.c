#include "io/read/fragments.h"

#include "io/read/boxes.h"

#include <stdbool.h>

#include <libavutil/intreadwrite.h>

#define MOST_BYTES (16 << 20) /* of one fragment's tables; larger ones are not looked into */

struct numbers {
    int64_t broken; /* fragments */
    int64_t n, last;
    int64_t steps, jumps; /* from one to the next; those of more than one */
    int64_t between;      /* numbers left out by the jumps */
};

/* Boxes fill the one that they stand in. A track's part lists samples, unless it says that it has
 * none. */
static bool is_whole(const uint8_t *p, size_t size)
{
    bool part = rn_box_is(p, "traf"), samples = false, empty = false;
    size_t pos = 8;
    while (size - pos >= 8) {
        size_t n = AV_RB32(p + pos);
        if (n < 8 || n > size - pos || (rn_box_is(p + pos, "traf") && !is_whole(p + pos, n)))
            return false;
        samples |= rn_box_is(p + pos, "trun");
        empty |= rn_box_is(p + pos, "tfhd") && n >= 12 && AV_RB24(p + pos + 9) & 0x010000;
        pos += n;
    }
    return pos == size && (!part || samples || empty);
}

static void number(struct numbers *s, const uint8_t *moof, size_t size)
{
    if (size < 24 || !rn_box_is(moof + 8, "mfhd"))
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

static bool take(void *arg, const uint8_t *moof, size_t size)
{
    struct numbers *s = arg;
    s->broken += !is_whole(moof, size);
    number(s, moof, size);
    return true;
}

int64_t rn_fragments_lost(const char *path)
{
    struct numbers numbers = {0};
    bool whole = rn_boxes_each(path, "moof", MOST_BYTES, take, &numbers);
    return numbers.broken + missing(&numbers) + (numbers.n && !whole);
}
