/* Subtitles that are on screen where a range begins, but stand in the file in front of the keyframe
 * from which its pictures are decoded: whoever goes there does not meet them. MOV and MP4 find them
 * themselves; what is read from its beginning meets all. */
#ifndef RN_IO_READ_DEMUX_PREROLL_H
#define RN_IO_READ_DEMUX_PREROLL_H

struct rn_read_source;

/* Reads what lies before that keyframe once more, RN_PREROLL_SECONDS from the first picture back,
 * and puts those subtitles in front of the packets that wait in the source, which is open and was
 * not read from. Returns 0 or an error (logged). */
int rn_read_preroll_take(struct rn_read_source *src);

#define RN_PREROLL_SECONDS 30 /* few subtitles stay longer, and that is quickly read */

#endif
