/* What the two halves of the comparison share: compare.c, which opens what was written and looks at
 * all that stands beside the pictures, and compare_pictures.c. */
#ifndef RN_IO_WRITE_REPORT_COMPARE_INTERNAL_H
#define RN_IO_WRITE_REPORT_COMPARE_INTERNAL_H

#include "io/containers/table.h"
#include "io/write/report/compare.h"

/* The input, what was asked for, and what is found. */
struct rn_write_pair {
    const struct rn_write_written *written;
    const struct rn_io_media *media;
    struct rn_write_look *look; /* NULL where nothing can be opened */
    const AVFormatContext *is;  /* likewise */
};

/* A list for a line; zeroed it is empty. */
struct rn_write_names {
    char text[160];
    int n, left; /* counted; those that found no place */
};

void rn_write_names_add(struct rn_write_names *names, const char *name);

/* Whether a tag says something of the contents, rather than of the old file or its maker. */
bool rn_write_is_worth_keeping(const AVDictionaryEntry *tag);

/* Whether tags hold the same. */
bool rn_write_has_tag(const AVDictionary *tags, const AVDictionaryEntry *tag);

/* The list, with how many more there are; names owns it. */
const char *rn_write_names_text(struct rn_write_names *names);

/* text, unless the output's container keeps that already: then "". */
const char *rn_write_advice(const struct rn_write_pair *p, const char *text,
                            enum rn_container_kept kept);

/* Adds a line to the loss report: the output's name, text, and more behind it. */
void rn_write_lose(const struct rn_write_pair *p, const char *kind, const char *text,
                   const char *more);

/* Compares the channels and the rate of a stream of sound: was is the input's, given what the muxer
 * got, is what was found. Of other streams nothing. */
void rn_write_compare_sound(const struct rn_write_pair *p, const AVStream *was,
                            const AVStream *given, const AVStream *is);

/* Compares the pictures. */
void rn_write_compare_pictures(const struct rn_write_pair *p);

/* Compares when pictures and sound end in the file, and how many packets of them it has, with what
 * was written. Call it last: the look ends at the end of the file. */
void rn_write_compare_lengths(const struct rn_write_pair *p);

/* The timecode that a file names, or one of its streams; NULL: none does. */
const char *rn_write_compare_timecode(const AVFormatContext *fmt);

/* The stream of the output that stream i of what was given to the muxer has become, or NULL. */
const AVStream *rn_write_compare_find(const struct rn_write_pair *p, unsigned i);

#endif
