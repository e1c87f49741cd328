/* SPDX-License-Identifier: MIT */
/* A run in parts: what an output gets of each cell (io/write/encode/encoder.c) lies in a file of
 * its own, whoever made it, until all of them are there and the output is put together. Of coded
 * pictures a cell holds the packets, of others the samples; and its rows of each table that a
 * filter writes.
 *
 * A file appears when it is whole: DIR/NAME.cell-000012. It begins with the key of its plan and
 * ends with the number of its records and their MD5. */
#pragma once

#include <stdio.h>

#include <libavcodec/packet.h>

#include "filters/base/image.h"
#include "filters/base/output/outfile.h"
#include "io/common/digest.h"

#define RN_CELL_LAST   INT64_MAX /* the moment of packets that come when the encoder ends */
#define RN_CELL_TABLES 32        /* the most that a run has */

/* A table that a filter writes: a line for people, then rows that begin with the frame's index. */
struct rn_write_table {
    int fd;   /* where cells are written: of a file that it has written so far */
    FILE *to; /* where they are read: gets the rows of all cells */
};

/* What the parts of a run have in common. */
struct rn_write_parts {
    const char *dir, *name; /* of the files */
    char key[RN_DIGEST];    /* of the plan */
    int64_t cell_frames;    /* pictures of a cell */
    int64_t frames;         /* of the run */
    int64_t first_index;    /* rn_frame.index of its first one */
    int64_t first_pts;      /* and its time, in the input's time base */
    struct rn_write_table table[RN_CELL_TABLES];
    int ntables;
};

#define RN_CELL_FIELDS 9

/* The file of one. */
struct rn_write_cell {
    int64_t number; /* -1: none */
    FILE *file;
    struct AVMD5 *md5;
    int64_t records;
    int64_t size, at; /* of a file that is read */
    int64_t
        ahead[RN_CELL_FIELDS]; /* the head of the record that is next; its kind 0: not read yet */
};

struct rn_write_cells {
    const struct rn_write_parts *parts;
    bool writes;      /* else they are read */
    bool short_input; /* it has ended before the frames that were planned; set by the caller, and
                       * the last cell says so */
    struct rn_write_cell cell, before; /* before: of those that are read */
    struct rn_outfile out;
    int64_t first;               /* cell */
    off_t taken[RN_CELL_TABLES]; /* bytes of each table */
};

/* The file of a cell. The caller frees it; NULL when out of memory. */
char *rn_write_cell_path(const struct rn_write_parts *parts, int64_t cell);

/* Looks at the beginning and the end of a cell's file; with `all` at all of it. Returns 1 if it is
 * whole and of this plan, RN_CELL_IS_LAST if the input ended in it, 0 if there is none, RN_EDAMAGED
 * (logged, unless quiet) if it is neither, or RN_EINTERNAL. */
#define RN_CELL_IS_LAST 2
int rn_write_cell_check(const struct rn_write_parts *parts, int64_t cell, bool all, bool quiet);

/* Begins with a cell: to write it and those behind it, or to read them. parts: borrowed. Returns 0
 * or RN_EINTERNAL (logged). */
int rn_write_cells_open(struct rn_write_cells **cells, const struct rn_write_parts *parts,
                        int64_t cell, bool writes);

/* Write what is next. pkt->pos: what is kept with it, for its reader. moment: how many pictures of
 * the cell the encoder had taken, or RN_CELL_LAST.
 * Return 0, RN_EOUTPUT or RN_EINTERNAL (logged). */
int rn_write_cells_put_packet(struct rn_write_cells *cells, const AVPacket *pkt, int64_t moment);
int rn_write_cells_put_picture(struct rn_write_cells *cells, const struct rn_image *img);

/* The cell is whole, and the rows of its frames are written: gives it its name; what is written
 * next belongs to the next one. last: there is none. Likewise. */
int rn_write_cells_end_cell(struct rn_write_cells *cells, bool last);

/* Read what is next of a cell: this one, or the one before. The packet is of the moment, else
 * RN_END.
 * Return 0, RN_END, RN_EDAMAGED (logged: the file is missing or damaged) or RN_EINTERNAL. */
int rn_write_cells_get_packet(struct rn_write_cells *cells, int64_t cell, int64_t moment,
                              AVPacket *pkt);
int rn_write_cells_get_picture(struct rn_write_cells *cells, int64_t cell, struct rn_image *img);

/* Checks that all of the last cell was read. Returns 0 or RN_EDAMAGED (logged). */
int rn_write_cells_conclude(struct rn_write_cells *cells, int64_t cell);

/* A cell that is not whole leaves no file. NULL is legal; *cells becomes NULL. */
void rn_write_cells_close(struct rn_write_cells **cells);
