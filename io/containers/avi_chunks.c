#include "io/containers/avi_chunks.h"

#include <ctype.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <libavutil/intreadwrite.h>
#include <libavutil/mem.h>

#define MOST_BYTES (1 << 20) /* that are searched for the index */

static bool is_name(const uint8_t *p)
{
    for (int i = 0; i < 4; i++)
        if (!isalnum(p[i]) && p[i] != ' ' && p[i] != '_')
            return false;
    return true;
}

/* The end of the chunks that begin the file, or of the file. */
static int64_t end_of_chunks(int fd, int64_t size)
{
    uint8_t head[8];
    int64_t pos = 0;
    while (pos < size && pread(fd, head, sizeof head, pos) == (ssize_t)sizeof head) {
        bool riff = !memcmp(head, "RIFF", 4);
        int64_t n = AV_RL32(head + 4);
        if (!is_name(head) || (!riff && n > size - pos - 8))
            return pos;
        pos += riff ? 12 : 8 + n + (n & 1);
    }
    return size;
}

static bool has_index(int fd, int64_t pos)
{
    uint8_t *buf = av_malloc(MOST_BYTES);
    ssize_t n = buf ? pread(fd, buf, MOST_BYTES, pos) : 0;
    bool found = false;
    for (ssize_t i = 0; i + 8 <= n && !found; i++)
        found = !memcmp(buf + i, "idx1", 4) && AV_RL32(buf + i + 4) % 16 == 0;
    av_free(buf);
    return found;
}

bool rn_container_avi_is_shifted(const char *path)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    struct stat st;
    if (fd < 0)
        return false;
    int64_t end = !fstat(fd, &st) && S_ISREG(st.st_mode) ? end_of_chunks(fd, st.st_size) : 0;
    bool shifted = end > 0 && end < st.st_size && has_index(fd, end);
    close(fd);
    return shifted;
}
