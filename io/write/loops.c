#include "io/write/loops.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* Both stand in front of the first picture. */
#define FRONT 8192

static const uint8_t *find(const uint8_t *data, size_t size, const char *mark, size_t length)
{
    for (size_t i = 0; i + length <= size; i++)
        if (!memcmp(data + i, mark, length))
            return data + i + length;
    return NULL;
}

/* The Netscape extension says how often it is repeated; without one it is shown once. */
static int loops_of_gif(const uint8_t *data, size_t size)
{
    const uint8_t *at = find(data, size - 2, "NETSCAPE2.0\x03\x01", 13);
    int repeated = at ? at[0] | at[1] << 8 : 0;
    return !at ? 1 : repeated ? repeated + 1 : 0;
}

/* acTL: the number of pictures, then of plays. */
static int loops_of_apng(const uint8_t *data, size_t size)
{
    const uint8_t *at = find(data, size - 8, "acTL", 4);
    return at ? at[4] << 24 | at[5] << 16 | at[6] << 8 | at[7] : RN_LOOPS_UNKNOWN;
}

int rn_loops_of(const char *path)
{
    uint8_t data[FRONT];
    struct stat st;
    FILE *file = !stat(path, &st) && S_ISREG(st.st_mode) ? fopen(path, "rb") : NULL;
    size_t size = file ? fread(data, 1, sizeof data, file) : 0;
    if (file)
        fclose(file);
    if (size < 16)
        return RN_LOOPS_UNKNOWN;
    if (!memcmp(data, "GIF8", 4))
        return loops_of_gif(data, size);
    return !memcmp(data, "\x89PNG\r\n\x1a\n", 8) ? loops_of_apng(data, size) : RN_LOOPS_UNKNOWN;
}
