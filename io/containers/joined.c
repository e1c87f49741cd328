#include "io/containers/joined.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <libavutil/intreadwrite.h>

/* A movie has one box that describes it, whatever fragments follow. */
static bool has_second_movie(int fd, int64_t size, int64_t end)
{
    (void)end;
    uint8_t head[16];
    int movies = 0;
    for (int64_t pos = 0; pos < size && pread(fd, head, sizeof head, pos) >= 8;) {
        uint64_t box = AV_RB32(head);
        movies += !memcmp(head + 4, "moov", 4);
        if (box == 1)
            box = AV_RB64(head + 8);
        if (box < 8 || box > (uint64_t)(size - pos))
            break;
        pos += (int64_t)box;
    }
    return movies > 1;
}

/* A header of 9 bytes and the length of no tag; its fifth byte says which streams there are. */
static bool has_second_flv(int fd, int64_t size, int64_t end)
{
    (void)size;
    uint8_t buf[1 << 16];
    ssize_t n = pread(fd, buf, sizeof buf, end > 0 ? end : 9);
    for (ssize_t i = 0; i + 13 <= n; i++)
        if (!memcmp(buf + i, "FLV\1", 4) && !memcmp(buf + i + 5, "\0\0\0\11\0\0\0", 8))
            return true;
    return false;
}

/* Objects: 16 bytes of an identity, 8 of the size. Live recordings know no sizes. */
static bool has_second_asf(int fd, int64_t size, int64_t end)
{
    (void)end;
    static const uint8_t header[] = {0x30, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11,
                                     0xA6, 0xD9, 0x00, 0xAA, 0x00, 0x62, 0xCE, 0x6C};
    uint8_t head[24];
    int headers = 0;
    for (int64_t pos = 0; pos < size && pread(fd, head, sizeof head, pos) == sizeof head;) {
        uint64_t object = AV_RL64(head + 16);
        headers += !memcmp(head, header, sizeof header);
        if (object < sizeof head || object > (uint64_t)(size - pos))
            break;
        pos += (int64_t)object;
    }
    return headers > 1;
}

/* Their first bytes stand nowhere else. */
static bool has_second_head(int fd, int64_t size, int64_t end)
{
    enum { HEAD = 16 };
    uint8_t head[HEAD], buf[1 << 16];
    ssize_t n = HEAD;
    if (pread(fd, head, HEAD, 0) != HEAD)
        return false;
    for (int64_t pos = end > HEAD ? end : HEAD; pos < size && n >= HEAD; pos += n - HEAD + 1) {
        n = pread(fd, buf, sizeof buf, pos);
        for (ssize_t i = 0; i + HEAD <= n; i++)
            if (!memcmp(buf + i, head, HEAD))
                return true;
    }
    return false;
}

/* Its demuxer finds packets of the second one, too, but not all. */
static bool has_second_realmedia(int fd, int64_t size, int64_t end)
{
    (void)end;
    return has_second_head(fd, size, 0);
}

bool rn_container_file_is_joined(const char *path, const char *demuxer, int64_t end)
{
    static const struct {
        const char *demuxers;
        bool (*check)(int fd, int64_t size, int64_t end);
    } kinds[] = {
        {"mov,mp4,m4a,3gp,3g2,mj2", has_second_movie},
        {"flv", has_second_flv},
        {"asf", has_second_asf},
        {"apng", has_second_head},
        {"rm", has_second_realmedia},
        {"wtv", has_second_head},
    };
    bool joined = false;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    struct stat st;
    if (fd >= 0 && !fstat(fd, &st) && S_ISREG(st.st_mode))
        for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
            if (!strcmp(demuxer, kinds[i].demuxers))
                joined = kinds[i].check(fd, st.st_size, end);
    if (fd >= 0)
        close(fd);
    return joined;
}
