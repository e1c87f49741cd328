/* SPDX-License-Identifier: MIT */
/* Reads an input in pieces, each of which is filtered as an input of its own: a recording changes
 * filters, or values of filters across frames, between them. Neighbours that two pieces share are
 * kept in memory, so the input is read once. */
#pragma once

#include "app/run/pipeline.h"
#include "app/run/recording/record.h"

struct rn_app_pieces;

/* source: borrowed, read from now on through the feed alone. reach: the most frames that one piece
 * needs of another (rn_app_replay_reach). Returns 0 or RN_EINTERNAL (logged). */
int rn_app_pieces_create(struct rn_app_pieces **pieces, struct rn_read_source *source,
                         const struct rn_geom *geom, int reach);
void rn_app_pieces_destroy(struct rn_app_pieces **pieces); /* NULL is legal */

/* The next piece: the feed gives its frames and then RN_END. The data of a frame (rn_frame.data)
 * comes with the piece that writes it. Pieces follow one another. While no pipeline reads. */
void rn_app_pieces_begin(struct rn_app_pieces *pieces, struct rn_app_piece piece);
struct rn_app_feed rn_app_pieces_feed(struct rn_app_pieces *pieces);

/* Whether the input may have frames behind the piece. While no pipeline reads. */
bool rn_app_pieces_more(const struct rn_app_pieces *pieces);
