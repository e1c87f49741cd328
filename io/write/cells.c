/* SPDX-License-Identifier: MIT */
#include "io/write/cells.h"

#include "filters/base/log.h"
#include "filters/base/output/path.h"
#include "io/common/av.h"

#include <libavutil/intreadwrite.h>
#include <libavutil/md5.h>

#define MAGIC      "runnel cell 1\n"
#define HEAD       64 /* bytes: the magic, the key, the number of the cell */
#define MOST_SIDES 64 /* of a packet */
#define MD5        16

/* What precedes the bytes of a record: numbers of 64 bits, little-endian. */
enum { KIND, MOMENT, PTS, DTS, DURATION, FLAGS, NUMBER, SIDES, SIZE, FIELDS = RN_CELL_FIELDS };
/* TABLE: its NUMBER. END: MOMENT is the number of records before, SIZE that of the MD5, NUMBER
 * whether the input ends here, before all frames of the run came. */
enum { PACKET = 1, PICTURE, TABLE, END };

char *rn_write_cell_path(const struct rn_write_parts *parts, int64_t cell)
{
    size_t size = strlen(parts->dir) + strlen(parts->name) + 40;
    char *path = malloc(size);
    if (path)
        snprintf(path, size, "%s/%s.cell-%06" PRId64, parts->dir, parts->name, cell);
    return path;
}

static void make_head(const struct rn_write_parts *parts, int64_t cell, uint8_t head[HEAD])
{
    memset(head, 0, HEAD);
    snprintf((char *)head, HEAD - 8, "%s%s", MAGIC, parts->key);
    AV_WL64(head + HEAD - 8, (uint64_t)cell);
}

static uint8_t *row_of(const struct rn_plane *plane, int y)
{
    return plane->data + y * plane->stride;
}

/* ---- one file */

static void close_cell(struct rn_write_cell *c)
{
    if (c->file)
        fclose(c->file);
    av_free(c->md5);
    *c = (struct rn_write_cell){.number = -1};
}

static int open_cell(struct rn_write_cell *c, int64_t number, FILE *file)
{
    *c = (struct rn_write_cell){.number = number, .file = file, .md5 = av_md5_alloc()};
    if (!c->md5)
        return rn_fail_memory();
    av_md5_init(c->md5);
    return c->file ? 0 : 1;
}

static int damaged(const struct rn_write_cells *w, const struct rn_write_cell *c, const char *how)
{
    return rn_fail(RN_EDAMAGED, "'%s/%s.cell-%06" PRId64 "' %s: remove it and render its segment",
                   w->parts->dir, w->parts->name, c->number, how);
}

/* ---- reading */

static int get(const struct rn_write_cells *w, struct rn_write_cell *c, void *data, int64_t size)
{
    if (size > c->size - c->at || fread(data, 1, (size_t)size, c->file) != (size_t)size)
        return damaged(w, c, "ends too early");
    c->at += size;
    av_md5_update(c->md5, data, (size_t)size);
    return 0;
}

static int begin_reading(struct rn_write_cells *w, int64_t number)
{
    struct rn_write_cell *c = &w->cell;
    uint8_t head[HEAD], wanted[HEAD];
    RN_OWNED(rn_free_owned) char *path = rn_write_cell_path(w->parts, number);
    const char *why;
    int err = path ? open_cell(c, number, rn_path_open(path, &why)) : rn_fail_memory();
    if (err == 1)
        err = rn_fail(RN_EDAMAGED, "'%s': %s: its segment was not rendered", path, why);
    if (err)
        return err;
    make_head(w->parts, number, wanted);
    if (fseeko(c->file, 0, SEEK_END) || (c->size = ftello(c->file)) < 0 ||
        fseeko(c->file, 0, SEEK_SET))
        return damaged(w, c, "cannot be read");
    err = get(w, c, head, HEAD);
    return err || !memcmp(head, wanted, HEAD) ? err : damaged(w, c, "is of another plan");
}

static int get_table(const struct rn_write_cells *w, struct rn_write_cell *c)
{
    size_t size = (size_t)c->ahead[SIZE];
    if (c->ahead[NUMBER] < 0 || c->ahead[NUMBER] >= w->parts->ntables)
        return damaged(w, c, "is of another run");
    RN_OWNED(rn_free_owned) char *text = malloc(size + 1);
    int err = text ? get(w, c, text, c->ahead[SIZE]) : rn_fail_memory();
    if (!err)
        fwrite(text, 1, size, w->parts->table[c->ahead[NUMBER]].to); /* its owner sees failures */
    c->ahead[KIND] = 0;
    return err;
}

/* Reads what precedes the bytes of the next record, whatever it is. */
static int look_at_any(const struct rn_write_cells *w, struct rn_write_cell *c)
{
    uint8_t raw[8 * FIELDS];
    uint8_t sum[MD5], kept[MD5];
    if (c->size - c->at < (int64_t)sizeof raw || fread(raw, 1, sizeof raw, c->file) != sizeof raw)
        return damaged(w, c, "ends too early");
    c->at += (int64_t)sizeof raw;
    for (int i = 0; i < FIELDS; i++)
        c->ahead[i] = (int64_t)AV_RL64(raw + 8 * i);
    if (c->ahead[KIND] != END) {
        av_md5_update(c->md5, raw, sizeof raw);
        c->records++;
        bool sound = c->ahead[KIND] >= PACKET && c->ahead[KIND] < END && c->ahead[SIZE] >= 0 &&
                     c->ahead[SIZE] <= c->size - c->at && c->ahead[SIZE] <= INT32_MAX / 2 &&
                     c->ahead[SIDES] >= 0 && c->ahead[SIDES] <= MOST_SIDES;
        return sound ? 0 : damaged(w, c, "is damaged");
    }
    av_md5_final(c->md5, sum);
    bool whole = c->ahead[MOMENT] == c->records && c->size - c->at == MD5 &&
                 fread(kept, 1, MD5, c->file) == MD5 && !memcmp(sum, kept, MD5);
    return whole ? 0 : damaged(w, c, "is damaged");
}

/* Reads up to the next picture or packet, or the end. */
static int look(const struct rn_write_cells *w, struct rn_write_cell *c)
{
    int err = c->ahead[KIND] ? 0 : look_at_any(w, c);
    while (!err && c->ahead[KIND] == TABLE)
        if ((err = get_table(w, c)) == 0)
            err = look_at_any(w, c);
    return err;
}

/* All of a cell must have been read. */
static int conclude(const struct rn_write_cells *w, struct rn_write_cell *c)
{
    int err = c->number < 0 ? 0 : look(w, c);
    return err || c->number < 0 || c->ahead[KIND] == END
               ? err
               : damaged(w, c, "has more than belongs there");
}

/* The cell, which is this one, the one before, or the next. */
static int find_cell(struct rn_write_cells *w, int64_t number, struct rn_write_cell **found)
{
    int err = 0;
    if (w->cell.number >= 0 && number == w->cell.number + 1) {
        err = conclude(w, &w->before);
        close_cell(&w->before);
        w->before = w->cell;
        w->cell = (struct rn_write_cell){.number = -1};
    }
    *found = number == w->before.number ? &w->before : &w->cell;
    if (!err && (*found)->number < 0)
        err = begin_reading(w, number);
    return err ? err : look(w, *found);
}

static int get_packet(const struct rn_write_cells *w, struct rn_write_cell *c, AVPacket *pkt)
{
    uint8_t raw[16];
    int err = av_new_packet(pkt, (int)c->ahead[SIZE]) < 0 ? rn_fail_memory() : 0;
    for (int64_t i = 0; i < c->ahead[SIDES] && !err; i++) {
        err = get(w, c, raw, sizeof raw);
        int64_t size = err ? 0 : (int64_t)AV_RL64(raw + 8);
        if (!err && (size < 0 || size > c->size - c->at || size > INT32_MAX / 2))
            err = damaged(w, c, "is damaged");
        enum AVPacketSideDataType type = (enum AVPacketSideDataType)AV_RL64(raw);
        uint8_t *data = err ? NULL : av_packet_new_side_data(pkt, type, (size_t)size);
        err = err ? err : data ? get(w, c, data, size) : rn_fail_memory();
    }
    err = err ? err : get(w, c, pkt->data, pkt->size);
    pkt->pts = c->ahead[PTS];
    pkt->dts = c->ahead[DTS];
    pkt->duration = c->ahead[DURATION];
    pkt->flags = (int)c->ahead[FLAGS];
    pkt->pos = c->ahead[NUMBER];
    return err;
}

int rn_write_cells_get_packet(struct rn_write_cells *w, int64_t number, int64_t moment,
                              AVPacket *pkt)
{
    struct rn_write_cell *c;
    int err = find_cell(w, number, &c);
    if (err || c->ahead[KIND] == END || c->ahead[MOMENT] > moment)
        return err ? err : RN_END;
    if (c->ahead[KIND] != PACKET || c->ahead[MOMENT] < moment)
        return damaged(w, c, "is of another run");
    err = get_packet(w, c, pkt);
    c->ahead[KIND] = 0;
    return err;
}

int rn_write_cells_get_picture(struct rn_write_cells *w, int64_t number, struct rn_image *img)
{
    struct rn_write_cell *c;
    int bytes = rn_format_bytes(&img->geom.fmt), err = find_cell(w, number, &c);
    int64_t size = rn_geom_samples(&img->geom) * bytes;
    if (!err && (c->ahead[KIND] != PICTURE || c->ahead[SIZE] != size))
        err = damaged(w, c, "is of another run");
    for (int p = 0; p < rn_format_planes(&img->geom.fmt) && !err; p++)
        for (int y = 0; y < img->plane[p].h && !err; y++)
            err = get(w, c, row_of(&img->plane[p], y), (int64_t)img->plane[p].w * bytes);
    c->ahead[KIND] = 0;
    return err;
}

int rn_write_cells_conclude(struct rn_write_cells *w, int64_t number)
{
    int err = conclude(w, &w->before);
    err = err ? err : conclude(w, &w->cell);
    return err || w->cell.number >= number ? err : damaged(w, &w->cell, "is not the last one");
}

/* Checks the end of a file; with `all` also the sum of what is in front of it. */
static int check_end(struct rn_write_cells *w, struct rn_write_cell *c, bool all)
{
    uint8_t raw[8 * FIELDS], sum[MD5], kept[MD5], data[1 << 14];
    int64_t end = c->size - (int64_t)sizeof raw - MD5;
    int err = end < c->at ? damaged(w, c, "ends too early") : 0;
    while (all && !err && c->at < end)
        err = get(w, c, data,
                  end - c->at < (int64_t)sizeof data ? end - c->at : (int64_t)sizeof data);
    if (err)
        return err;
    if (fseeko(c->file, end, SEEK_SET) || fread(raw, 1, sizeof raw, c->file) != sizeof raw ||
        fread(kept, 1, MD5, c->file) != MD5 || AV_RL64(raw) != END)
        return damaged(w, c, "ends too early");
    av_md5_final(c->md5, sum);
    c->ahead[NUMBER] = (int64_t)AV_RL64(raw + 8 * NUMBER);
    return all && memcmp(sum, kept, MD5) != 0 ? damaged(w, c, "is damaged") : 0;
}

int rn_write_cell_check(const struct rn_write_parts *parts, int64_t number, bool all, bool quiet)
{
    enum rn_log_level level = rn_log_level();
    struct rn_write_cells w = {.parts = parts, .cell.number = -1, .before.number = -1};
    RN_OWNED(rn_free_owned) char *path = rn_write_cell_path(parts, number);
    if (path && access(path, F_OK) && errno == ENOENT)
        return 0;
    if (quiet)
        rn_log_set_level(RN_LOG_QUIET);
    int err = begin_reading(&w, number);
    err = err ? err : check_end(&w, &w.cell, all);
    bool last = w.cell.ahead[NUMBER];
    close_cell(&w.cell);
    rn_log_set_level(level);
    return err ? err : last ? RN_CELL_IS_LAST : 1;
}

/* ---- writing */

static void put(struct rn_write_cells *w, const void *data, size_t size)
{
    fwrite(data, 1, size, w->cell.file); /* ferror() tells at the end of the cell */
    av_md5_update(w->cell.md5, data, size);
}

static void put_fields(struct rn_write_cells *w, const int64_t fields[FIELDS])
{
    uint8_t raw[8 * FIELDS];
    for (int i = 0; i < FIELDS; i++)
        AV_WL64(raw + 8 * i, (uint64_t)fields[i]);
    if (fields[KIND] == END)
        fwrite(raw, 1, sizeof raw, w->cell.file);
    else
        put(w, raw, sizeof raw);
    w->cell.records += fields[KIND] != END;
}

/* A cell may be replaced, but nothing else of that name. */
static int check_place(const char *path)
{
    char magic[sizeof MAGIC] = "";
    const char *why;
    RN_OWNED(rn_close_file_owned) FILE *f = rn_path_open(path, &why);
    bool other =
        f ? fread(magic, 1, sizeof magic - 1, f) > 0 && strcmp(magic, MAGIC) != 0 : errno == ENXIO;
    return other ? rn_fail(RN_EOUTPUT, "cannot write '%s': it exists, and is no cell", path) : 0;
}

/* Opens the file where the first record comes. */
static int begin_writing(struct rn_write_cells *w)
{
    if (w->cell.file)
        return 0;
    uint8_t head[HEAD];
    int64_t number = w->cell.number;
    RN_OWNED(rn_free_owned) char *path = rn_write_cell_path(w->parts, number);
    int err = path ? check_place(path) : rn_fail_memory();
    err = err ? err : rn_outfile_permit(path);
    err = err ? err : rn_outfile_begin(&w->out, path);
    err = err ? err : open_cell(&w->cell, number, fopen(w->out.temp, "r+e"));
    if (err == 1)
        err = rn_fail(RN_EOUTPUT, "cannot write '%s': %s", path, strerror(errno));
    if (err)
        return err;
    make_head(w->parts, number, head);
    put(w, head, HEAD);
    return 0;
}

int rn_write_cells_put_packet(struct rn_write_cells *w, const AVPacket *pkt, int64_t moment)
{
    int err = begin_writing(w);
    if (err)
        return err;
    put_fields(w, (int64_t[FIELDS]){PACKET, moment, pkt->pts, pkt->dts, pkt->duration, pkt->flags,
                                    pkt->pos, pkt->side_data_elems, pkt->size});
    for (int i = 0; i < pkt->side_data_elems; i++) {
        uint8_t raw[16];
        AV_WL64(raw, (uint64_t)pkt->side_data[i].type);
        AV_WL64(raw + 8, (uint64_t)pkt->side_data[i].size);
        put(w, raw, sizeof raw);
        put(w, pkt->side_data[i].data, pkt->side_data[i].size);
    }
    put(w, pkt->data, (size_t)pkt->size);
    return 0;
}

int rn_write_cells_put_picture(struct rn_write_cells *w, const struct rn_image *img)
{
    int bytes = rn_format_bytes(&img->geom.fmt), err = begin_writing(w);
    if (err)
        return err;
    put_fields(w, (int64_t[FIELDS]){PICTURE, [SIZE] = rn_geom_samples(&img->geom) * bytes});
    for (int p = 0; p < rn_format_planes(&img->geom.fmt); p++)
        for (int y = 0; y < img->plane[p].h; y++)
            put(w, row_of(&img->plane[p], y), (size_t)(img->plane[p].w * bytes));
    return 0;
}

/* Whether a line of CSV or JSON is a row, and of which frame. */
static bool is_row(const char *line, int64_t *frame)
{
    static const char json[] = "{\"frame\":";
    char *end;
    line += strncmp(line, json, sizeof json - 1) ? 0 : sizeof json - 1;
    *frame = strtoll(line, &end, 10);
    return end > line;
}

/* Puts the rows of the cell's frames. Frames before and behind it may have rows, too. */
static int put_table(struct rn_write_cells *w, int t)
{
    const struct rn_write_parts *p = w->parts;
    int64_t begin = p->first_index + w->cell.number * p->cell_frames, frame;
    struct stat st = {.st_size = 0};
    fstat(p->table[t].fd, &st);
    off_t size = st.st_size - w->taken[t];
    RN_OWNED(rn_free_owned) char *text = malloc((size_t)size + 1);
    char *from, *to, *next;
    if (!text)
        return rn_fail_memory();
    if (pread(p->table[t].fd, text, (size_t)size, w->taken[t]) != size)
        size = 0; /* it is memory */
    text[size] = '\0';
    for (from = to = text; (next = strchr(to, '\n')); to = next + 1) {
        bool row = is_row(to, &frame);
        if (row && frame >= begin + p->cell_frames)
            break;
        if (row ? frame < begin : w->cell.number > 0)
            from = next + 1;
    }
    put_fields(w, (int64_t[FIELDS]){TABLE, [NUMBER] = t, [SIZE] = to - from});
    put(w, from, (size_t)(to - from));
    w->taken[t] += to - text;
    return 0;
}

int rn_write_cells_end_cell(struct rn_write_cells *w, bool last)
{
    uint8_t sum[MD5];
    int64_t number = w->cell.number;
    int err = begin_writing(w); /* a cell may be empty */
    for (int t = 0; t < w->parts->ntables && !err; t++)
        err = put_table(w, t);
    if (err)
        return err;
    put_fields(w, (int64_t[FIELDS]){
                      END, w->cell.records, [NUMBER] = last && w->short_input, [SIZE] = MD5});
    av_md5_final(w->cell.md5, sum);
    fwrite(sum, 1, MD5, w->cell.file);
    bool failed = ferror(w->cell.file) != 0;
    failed |= fclose(w->cell.file) != 0;
    w->cell.file = NULL;
    err = failed ? rn_fail(RN_EOUTPUT, "cannot write '%s': %s", w->out.path, strerror(errno))
                 : rn_outfile_commit(&w->out, false);
    rn_outfile_free(&w->out);
    close_cell(&w->cell);
    w->cell.number = number + 1;
    return err;
}

int rn_write_cells_open(struct rn_write_cells **cells, const struct rn_write_parts *parts,
                        int64_t cell, bool writes)
{
    struct rn_write_cells *w = *cells = calloc(1, sizeof *w);
    if (!w)
        return rn_fail_memory();
    w->parts = parts;
    w->writes = writes;
    w->first = cell;
    w->before.number = -1;
    w->cell.number = writes ? cell : -1;
    return 0;
}

void rn_write_cells_close(struct rn_write_cells **cells)
{
    struct rn_write_cells *w = rn_take_owned(cells);
    if (!w)
        return;
    close_cell(&w->cell);
    close_cell(&w->before);
    rn_outfile_free(&w->out);
    free(w);
}
