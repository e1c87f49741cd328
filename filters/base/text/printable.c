/* SPDX-License-Identifier: MIT */
#include "filters/base/text/printable.h"

#include <string.h>

#include "filters/base/text/utf8.h"

void rn_printable(char *text, bool lines)
{
    char *end = text;
    for (const char *p = text; *p;) {
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
    *end = '\0';
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
