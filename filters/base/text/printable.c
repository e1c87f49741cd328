/* SPDX-License-Identifier: MIT */
#include "filters/base/text/printable.h"

#include <string.h>

static bool is_character(uint32_t c)
{
    return c <= 0x10FFFF && (c < 0xD800 || c > 0xDFFF);
}

size_t rn_utf8_decode(const char *text, uint32_t *c)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    const unsigned char *p = (const unsigned char *)text;
    size_t n = p[0] < 0x80 ? 1 : p[0] < 0xC2 ? 0 : p[0] < 0xE0 ? 2 : p[0] < 0xF0 ? 3 : 4;
    if (n == 0 || p[0] > 0xF4)
        return 0;
    *c = n == 1 ? p[0] : p[0] & (0x7Fu >> n);
    for (size_t i = 1; i < n; i++) {
        if ((p[i] & 0xC0) != 0x80) /* also where the text ends */
            return 0;
        *c = *c << 6 | (p[i] & 0x3F);
    }
    return *c < least[n] || !is_character(*c) ? 0 : n;
}

size_t rn_utf8_encode(uint32_t c, char text[RN_UTF8_MOST])
{
    static const unsigned char lead[] = {0, 0, 0xC0, 0xE0, 0xF0};
    size_t n = !is_character(c) ? 0 : c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    for (size_t i = n; i > 1; i--, c >>= 6)
        text[i - 1] = (char)(0x80 | (c & 0x3F));
    if (n)
        text[0] = (char)(lead[n] | c);
    text[n] = '\0';
    return n;
}

bool rn_utf8_is_control(uint32_t c)
{
    return c < ' ' || (c >= 0x7F && c < 0xA0) || (c >= 0x2028 && c <= 0x202E) ||
           (c >= 0x2066 && c <= 0x2069);
}

char *rn_printable(char *text, bool lines)
{
    char *end = text;
    for (const char *p = text; p && *p;) {
        uint32_t c = 0;
        size_t n = rn_utf8_decode(p, &c);
        bool keep = n && (!rn_utf8_is_control(c) || (lines && c == '\n'));
        if (keep)
            memmove(end, p, n);
        else
            *end = n && c == '\t' ? ' ' : '?';
        end += keep ? n : 1;
        p += n ? n : 1;
    }
    if (text)
        *end = '\0';
    return text;
}

void rn_mark_cut(char *text, size_t size)
{
    if (size < sizeof RN_CUT || strlen(text) + 1 < size)
        return;
    size_t n = size - sizeof RN_CUT;
    while (n && ((unsigned char)text[n] & 0xc0) == 0x80)
        n--;
    memcpy(text + n, RN_CUT, sizeof RN_CUT);
}
