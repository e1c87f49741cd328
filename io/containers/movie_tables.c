#include "io/containers/movie_tables.h"

#include "io/containers/boxes.h"

#include <libavutil/intreadwrite.h>

#define MOST_BYTES   (64 << 20) /* larger tables are not looked into */
#define MOST_HEADERS 16         /* of media data: less than a sample */

/* Samples by each table of a track; -1: it has none such. */
struct counts {
    int64_t sizes, times, chunks;
    const uint8_t *stsc;
    size_t stsc_size;
    int64_t nchunks;
};

static int64_t sum_times(const uint8_t *p, size_t size)
{
    int64_t sum = 0;
    size_t n = AV_RB32(p + 12);
    for (size_t i = 0; i < n && 16 + 8 * i + 8 <= size; i++)
        sum += AV_RB32(p + 16 + 8 * i);
    return sum;
}

/* Runs of chunks with the same number of samples. */
static int64_t sum_chunks(const struct counts *c)
{
    int64_t sum = 0;
    int64_t n = c->stsc ? AV_RB32(c->stsc + 12) : 0;
    if (n <= 0 || (int64_t)c->stsc_size < 16 + 12 * n)
        return -1;
    for (int64_t i = 0; i < n; i++) {
        const uint8_t *e = c->stsc + 16 + 12 * i;
        int64_t first = AV_RB32(e), next = i + 1 < n ? AV_RB32(e + 12) : c->nchunks + 1;
        sum += next > first ? (next - first) * (int64_t)AV_RB32(e + 4) : 0;
    }
    return sum;
}

static void read_table(struct counts *c, const uint8_t *p, size_t size)
{
    if (size < 20)
        return;
    if (rn_container_box_is(p, "stsz"))
        c->sizes = AV_RB32(p + 16);
    else if (rn_container_box_is(p, "stts"))
        c->times = sum_times(p, size);
    else if (rn_container_box_is(p, "stco") || rn_container_box_is(p, "co64"))
        c->nchunks = AV_RB32(p + 12);
    if (rn_container_box_is(p, "stsc")) {
        c->stsc = p;
        c->stsc_size = size;
    }
}

/* Where samples have one size they are those of sound, which chunks may hold otherwise. */
static int64_t lack_of(const struct counts *c)
{
    int64_t most = c->sizes, least = most;
    const int64_t others[] = {c->times, c->chunks};
    if (c->sizes <= 0 || c->times <= 0 || c->chunks <= 0)
        return 0;
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        most = others[i] > most ? others[i] : most;
        least = others[i] < least ? others[i] : least;
    }
    return most - least;
}

/* Goes through the boxes in the size bytes at p. */
static int64_t walk(const uint8_t *p, size_t size, struct counts *c)
{
    static const char *const inner[] = {"trak", "mdia", "minf"};
    int64_t most = 0;
    for (size_t pos = 0; size - pos >= 8;) {
        size_t n = AV_RB32(p + pos);
        int64_t lack = 0;
        if (n < 8 || n > size - pos)
            break;
        for (size_t i = 0; i < sizeof inner / sizeof inner[0]; i++)
            if (rn_container_box_is(p + pos, inner[i]))
                lack = walk(p + pos + 8, n - 8, c);
        if (rn_container_box_is(p + pos, "stbl")) {
            *c = (struct counts){-1, -1, -1, NULL, 0, 0};
            walk(p + pos + 8, n - 8, c);
            c->chunks = sum_chunks(c);
            lack = lack_of(c);
        } else {
            read_table(c, p + pos, n);
        }
        most = lack > most ? lack : most;
        pos += n;
    }
    return most;
}

static bool take(void *arg, const uint8_t *moov, size_t size)
{
    struct counts counts;
    int64_t *lack = arg;
    *lack = walk(moov + 8, size - 8, &counts);
    return false;
}

int64_t rn_container_movie_tables_lack(const char *path)
{
    int64_t lack = 0;
    rn_container_boxes_each(path, "moov", MOST_BYTES, take, &lack);
    return lack;
}

bool rn_container_movie_is_filled(const char *path, int64_t bytes)
{
    int64_t data = rn_container_boxes_size(path, "mdat");
    return data > 0 && data - bytes <= MOST_HEADERS;
}

bool rn_container_movie_is_short(const char *path, int64_t bytes)
{
    int64_t data = rn_container_boxes_size(path, "mdat");
    return data > 0 && bytes > data;
}
