/* SPDX-License-Identifier: MIT */
/* Texts of matrices: a first line with the size, then the matrix. */
#include "tests/fuzz.h"

#include "filters/parts/matrix.h"

static void expect_sane(const struct rn_matrix_taps *m)
{
    FUZZ_CHECK(m->w % 2 == 1 && m->w <= RN_MATRIX_MAX && m->h % 2 == 1 && m->h <= RN_MATRIX_MAX);
    double sum_abs = 0, most = 0;
    for (int k = 0; k < m->w * m->h; k++) {
        sum_abs += fabs(m->value[k]);
        most = fmax(most, fabs(m->value[k]));
    }
    FUZZ_CHECK(sum_abs == m->sum_abs && fabs(m->sum) <= sum_abs * (1 + 1e-9));
    for (int k = 0; m->separable && k < m->w * m->h; k++)
        FUZZ_CHECK(fabs(m->column[k / m->w] * m->row[k % m->w] - m->value[k]) <=
                   (m->whole ? 0 : 1e-6 * most));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct rn_matrix_taps m;
    char *text = rn_fuzz_text(data, size), *matrix = strchr(text, '\n');
    if (matrix)
        *matrix++ = '\0';
    else
        matrix = text + strlen(text);
    for (int lines = 0; lines < 2; lines++) {
        if (!rn_matrix_parse(&m, "fuzz", matrix, text, lines))
            expect_sane(&m);
        if (!rn_matrix_parse(&m, "fuzz", matrix, "", lines))
            expect_sane(&m);
    }
    free(text);
    return 0;
}
