/* SPDX-License-Identifier: MIT */
/* The tags of a file and of its streams. */
#pragma once

#include <libavformat/avformat.h>

/* Returns the value of a tag; NULL: there is none. */
static inline const char *rn_io_tag(const AVDictionary *tags, const char *key)
{
    const AVDictionaryEntry *e = av_dict_get(tags, key, NULL, 0);
    return e ? e->value : NULL;
}

/* The same with the timecode of a file, or else of one of its streams. */
static inline const char *rn_io_timecode(const AVFormatContext *fmt)
{
    const char *found = rn_io_tag(fmt->metadata, "timecode");
    for (unsigned i = 0; !found && i < fmt->nb_streams; i++)
        found = rn_io_tag(fmt->streams[i]->metadata, "timecode");
    return found;
}
