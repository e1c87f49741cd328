#include "io/containers/fragments.h"

#include "io/containers/boxes.h"

#include <fcntl.h>
#include <stdbool.h>
#include <unistd.h>

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
    bool part = rn_container_box_is(p, "traf"), samples = false, empty = false;
    size_t pos = 8;
    while (size - pos >= 8) {
        size_t n = AV_RB32(p + pos);
        if (n < 8 || n > size - pos ||
            (rn_container_box_is(p + pos, "traf") && !is_whole(p + pos, n)))
            return false;
        samples |= rn_container_box_is(p + pos, "trun");
        empty |= rn_container_box_is(p + pos, "tfhd") && n >= 12 && AV_RB24(p + pos + 9) & 0x010000;
        pos += n;
    }
    return pos == size && (!part || samples || empty);
}

static void number(struct numbers *s, const uint8_t *moof, size_t size)
{
    if (size < 24 || !rn_container_box_is(moof + 8, "mfhd"))
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

/* Of the places that the index at the end of the file lists. */
struct places {
    int fd;
    int64_t there, gone; /* where a fragment stands, and where none does */
};

static void look_at(struct places *s, int64_t pos)
{
    uint8_t head[8];
    bool there = pread(s->fd, head, sizeof head, pos) == (ssize_t)sizeof head;
    if (there && rn_container_box_is(head, "moof"))
        s->there++;
    else
        s->gone++;
}

/* A version, flags, the track, lengths of three numbers, how many entries follow; each is a time, a
 * place, and those numbers. */
static void take_places(struct places *s, const uint8_t *tfra, size_t size)
{
    if (size < 24)
        return;
    unsigned lengths = tfra[19], wide = tfra[8] ? 8 : 4;
    size_t entry = 2 * wide + 3 + (lengths & 3) + (lengths >> 2 & 3) + (lengths >> 4 & 3);
    size_t n = AV_RB32(tfra + 20), most = (size - 24) / entry;
    int64_t last = -1, before = s->gone;
    s->gone = 0;
    for (size_t i = 0; i < n && i < most; i++) {
        const uint8_t *p = tfra + 24 + i * entry + wide;
        int64_t pos = wide == 8 ? (int64_t)AV_RB64(p) : AV_RB32(p);
        if (pos > 0 && pos != last) /* 0: none came; several pictures may stand in one */
            look_at(s, pos);
        last = pos;
    }
    s->gone = before > s->gone ? before : s->gone; /* of all tracks */
}

static bool take_index(void *arg, const uint8_t *mfra, size_t size)
{
    size_t n;
    for (size_t pos = 8; size - pos >= 8; pos += n) {
        n = AV_RB32(mfra + pos);
        if (n < 8 || n > size - pos)
            break;
        if (rn_container_box_is(mfra + pos, "tfra"))
            take_places(arg, mfra + pos, n);
    }
    return true;
}

/* Some writers list other places throughout. */
static int64_t unlisted(const char *path)
{
    struct places places = {.fd = open(path, O_RDONLY | O_CLOEXEC)};
    if (places.fd < 0)
        return 0;
    rn_container_boxes_each(path, "mfra", MOST_BYTES, take_index, &places);
    close(places.fd);
    return places.there ? places.gone : 0;
}

int64_t rn_container_fragments_lost(const char *path)
{
    struct numbers numbers = {0};
    bool whole = rn_container_boxes_each(path, "moof", MOST_BYTES, take, &numbers);
    int64_t lost = numbers.broken + missing(&numbers) + (numbers.n && !whole);
    return lost || !numbers.n ? lost : unlisted(path);
}
