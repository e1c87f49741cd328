#include "filters/base/printable.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* The bytes of the character that begins at p, 0 if it is not UTF-8 (as RFC 3629 has it). */
static size_t decode(const unsigned char *p, uint32_t *c)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    size_t n = p[0] < 0x80 ? 1 : p[0] < 0xC2 ? 0 : p[0] < 0xE0 ? 2 : p[0] < 0xF0 ? 3 : 4;
    if (n == 0 || p[0] > 0xF4)
        return 0;
    *c = n == 1 ? p[0] : p[0] & (0x7Fu >> n);
    for (size_t i = 1; i < n; i++) {
        if ((p[i] & 0xC0) != 0x80) /* also where the text ends */
            return 0;
        *c = *c << 6 | (p[i] & 0x3F);
    }
    return *c < least[n] || *c > 0x10FFFF || (*c >= 0xD800 && *c <= 0xDFFF) ? 0 : n;
}

static bool is_control(uint32_t c)
{
    return c < ' ' || (c >= 0x7F && c < 0xA0) || (c >= 0x2028 && c <= 0x202E) ||
           (c >= 0x2066 && c <= 0x2069);
}

void rn_printable(char *text, bool lines)
{
    char *end = text;
    for (const char *p = text; *p;) {
        uint32_t c = 0;
        size_t n = decode((const unsigned char *)p, &c);
        bool keep = n && (!is_control(c) || (lines && c == '\n'));
        if (keep)
            memmove(end, p, n);
        else
            *end = n && c == '\t' ? ' ' : '?';
        end += keep ? n : 1;
        p += n ? n : 1;
    }
    *end = '\0';
}
