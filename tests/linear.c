/* SPDX-License-Identifier: MIT */
/* Vectors and matrices on a device against plain C: odd sizes, real and complex, transposed or not.
 * The primitives of networks likewise, and plain C against other formulas.
 *
 *   linear [--device SEL] */
#include "tests/check.h"

#include "app/process/environment.h"
#include "filters/bench/bench.h"
#include "filters/linear/linear.h"

#define EPSILON 1e-5 /* of the sum of the moduli of what is added */

static struct rn_device *dev;
static struct rn_linear *linear;
static struct check tests;

static float *make(size_t n, uint32_t seed)
{
    float *v = malloc((n + 1) * sizeof *v);
    if (!v)
        exit(1);
    for (size_t i = 0; i < n; i++)
        v[i] = (float)((seed = seed * 1664525 + 1013904223) >> 8) / 16777216.0f - 0.5f;
    return v;
}

static cl_mem upload(const float *data, size_t n)
{
    cl_mem mem = NULL;
    if (rn_buffer_create(dev, CL_MEM_READ_WRITE, n * sizeof *data, &mem) ||
        clEnqueueWriteBuffer(dev->run, mem, CL_TRUE, 0, n * sizeof *data, data, 0, NULL, NULL))
        exit(5);
    return mem;
}

static cl_mem room(size_t n)
{
    cl_mem mem = NULL;
    if (rn_buffer_create(dev, CL_MEM_READ_WRITE, n * sizeof(cl_float), &mem))
        exit(5);
    return mem;
}

static float *download(cl_mem mem, size_t n)
{
    float *data = make(n, 0);
    if (rn_linear_finish(linear) ||
        clEnqueueReadBuffer(dev->run, mem, CL_TRUE, 0, n * sizeof *data, data, 0, NULL, NULL))
        exit(5);
    return data;
}

static void check(const char *what, int n, double is, double should, double tolerance)
{
    if (!(fabs(is - should) <= tolerance))
        check_bad(&tests, "%s %d: %.9g instead of %.9g", what, n, is, should);
}

static void check_same(const char *what, int n, const float *is, const float *should)
{
    if (memcmp(is, should, (size_t)n * sizeof *is) != 0)
        check_bad(&tests, "%s of %d", what, n);
}

static void test_vector(int n)
{
    float *x = make((size_t)n, 1), *y = make((size_t)n, 2), *sum = make((size_t)n, 3);
    cl_mem a = upload(x, (size_t)n), b = upload(y, (size_t)n), c = upload(sum, (size_t)n);
    if (rn_linear_add(linear, a, b, c, n))
        exit(5);
    float *out = download(c, (size_t)n);
    rn_plain_add(x, y, sum, n);
    check_same("sum", n, out, sum);
    free(out);
    if (rn_linear_copy(linear, b, c, n))
        exit(5);
    out = download(c, (size_t)n);
    check_same("copy", n, out, y);
    for (int what = RN_LINEAR_SUM; what <= RN_LINEAR_NORM; what++) {
        for (int complex = 0; complex < 2 - n % 2; complex++) {
            for (int p = 1; p <= (what == RN_LINEAR_NORM ? 5 : 1); p++) {
                double is[2], should[2];
                if (rn_linear_sum(linear, what, complex, a, b, n, p, is))
                    exit(5);
                rn_plain_sum(what, complex, x, y, n, p, should);
                check("sum", n, is[0], should[0], EPSILON * n);
                check("sum, imaginary", n, is[1], should[1], EPSILON * n);
            }
        }
    }
    rn_buffer_release(dev, &a);
    rn_buffer_release(dev, &b);
    rn_buffer_release(dev, &c);
    free(x), free(y), free(sum), free(out);
}

static void test_rows(bool complex, int rows, int cols)
{
    size_t n = (size_t)rows * (size_t)cols;
    float *m = make(n, 5);
    double *should = calloc((size_t)rows, 2 * sizeof *should);
    cl_mem a = upload(m, n), sums = room(2 * (size_t)rows);
    if (!should || rn_linear_rows(linear, complex, a, rows, cols, sums))
        exit(5);
    float *is = download(sums, 2 * (size_t)rows);
    rn_plain_rows(complex, m, rows, cols, should);
    for (int i = 0; i < 2 * rows; i++)
        check("row sum", i, (double)is[i], should[i], EPSILON * cols);
    rn_buffer_release(dev, &a);
    rn_buffer_release(dev, &sums);
    free(m), free(should), free(is);
}

static void test_product(const struct rn_linear_product *p)
{
    size_t parts = p->complex ? 2 : 1, rows = (size_t)p->rows, cols = (size_t)p->cols,
           inner = (size_t)p->inner;
    float *a = make(parts * rows * inner, 7), *b = make(parts * inner * cols, 8);
    double *row = malloc(parts * cols * sizeof *row);
    cl_mem left = upload(a, parts * rows * inner), right = upload(b, parts * inner * cols);
    cl_mem out = room(parts * rows * cols);
    if (!row || rn_linear_product(linear, p, left, right, out))
        exit(5);
    float *is = download(out, parts * rows * cols);
    for (int i = 0; i < p->rows; i++) {
        rn_plain_product_row(p, a, b, i, row);
        for (size_t j = 0; j < parts * cols; j++)
            check("product", i, (double)is[(size_t)i * parts * cols + j], row[j],
                  EPSILON * p->inner);
    }
    rn_buffer_release(dev, &left);
    rn_buffer_release(dev, &right);
    rn_buffer_release(dev, &out);
    free(a), free(b), free(row), free(is);
}

static void test_power(bool complex, int n, int p)
{
    size_t all = (size_t)n * (size_t)n * (complex ? 2 : 1);
    float *m = make(all, 10);
    double *should = malloc(all * sizeof *should), *spare = malloc(all * sizeof *spare);
    cl_mem a = upload(m, all), out = upload(m, all);
    if (!should || !spare || rn_linear_power(linear, complex, a, n, p, out))
        exit(5);
    float *is = download(out, all);
    rn_plain_power(complex, m, n, p, should, spare);
    double most = 0;
    for (size_t i = 0; i < all; i++)
        most = fmax(most, fabs(should[i]));
    for (size_t i = 0; i < all; i++)
        check("power", p, (double)is[i], should[i], 1e-4 * most);
    rn_buffer_release(dev, &a);
    rn_buffer_release(dev, &out);
    free(m), free(should), free(spare), free(is);
}

/* ---- primitives of networks */

/* What one makes of x and y in plain C, to be freed. */
static float *apply(const char *name, const float *x, const float *y)
{
    const cl_int4 size = {{3, 4, 6, 5}};
    const struct rn_primitive *p = rn_primitives;
    while (strcmp(p->name, name) != 0)
        p++;
    float *out = make((size_t)rn_primitive_count(p->out, size), 0);
    p->plain(x, y, out, size, 0.5F, 0, rn_primitive_count(p->items, size));
    return out;
}

/* The slope of f along v, weighted by w, is v by what goes back: of x, of what f gave, or of w. */
static void test_slope(const char *f, size_t n, size_t m, const char *back, char takes)
{
    const float step = 1.0f / 512;
    float *x = make(n, 11), *v = make(n, 12), *w = make(m, 13), *mid = apply(f, x, NULL);
    float *to = apply(back, takes == 'x' ? x : takes == 'f' ? mid : w, w);
    double slope = 0, weighted = 0;
    for (int sign = -1; sign <= 1; sign += 2) {
        float *at = make(n, 11);
        for (size_t i = 0; i < n; i++)
            at[i] += (float)sign * step * v[i];
        float *end = apply(f, at, NULL);
        for (size_t i = 0; i < m; i++)
            slope += sign * (double)w[i] * (double)end[i] / (2 * (double)step);
        free(at), free(end);
    }
    for (size_t i = 0; i < n; i++)
        weighted += (double)v[i] * (double)to[i];
    check(back, 0, weighted, slope, 0.002);
    free(x), free(v), free(w), free(mid), free(to);
}

/* Those without a way back, and pooling, by formulas. */
static void test_formulas(void)
{
    static const char *const names[] = {"add",     "multiply", "add_row", "axpy",
                                        "row_sum", "col_sum",  "max_pool"};
    float *x = make(1440, 15), *y = make(360, 16);
    for (int f = 0; f < 7; f++) {
        float *out = apply(names[f], x, y);
        for (int i = 0; i < (f == 4 ? 3 : f == 5 ? 120 : 360); i++) {
            const float *q = x + ((i / 120 * 8 + i / 30 % 4 * 2) * 12 + i / 5 % 6 * 2) * 5 + i % 5;
            double a = (double)x[i], b = (double)y[i], sum = 0;
            for (int j = 0; j < (f == 4 ? 120 : 3); j++)
                sum += (double)(f == 4 ? x[i * 120 + j] : x[j * 120 + i % 120]);
            double most =
                fmax(fmax((double)q[0], (double)q[5]), fmax((double)q[60], (double)q[65]));
            double want[] = {a + b, a * b, a + (double)y[i % 5], a / 2 + b, sum, sum, most};
            check(names[f], i, (double)out[i], want[f], 1e-5);
        }
        free(out);
    }
    free(x), free(y);
}

static void test_primitives(void)
{
    float *x = make(360, 14), *columns = apply("im2col", x, NULL);
    for (int i = 0; i < 9 * 360; i++) {
        int t = i / 5 % 9, at = i / 45, u = at % 6 + t % 3 - 1, v = at / 6 % 4 + t / 3 - 1;
        int from =
            u >= 0 && u < 6 && v >= 0 && v < 4 ? ((at / 24 * 4 + v) * 6 + u) * 5 + i % 5 : -1;
        check("im2col", i, (double)columns[i], from < 0 ? 0 : (double)x[from], 0);
    }
    free(x), free(columns);
    test_formulas();
    test_slope("im2col", 360, 9 * 360, "col2im", 'w');
    test_slope("max_pool", 4 * 360, 360, "max_pool_back", 'x');
    test_slope("relu", 360, 360, "relu_back", 'f');
    test_slope("sigmoid", 360, 360, "sigmoid_back", 'f');
    test_slope("softmax", 360, 360, "softmax_back", 'f');
}

static int check_figure(void *arg, const struct rn_figure *m)
{
    *(int *)arg += 1;
    check(m->name, 0, m->error, 0, 0);
    return 0;
}

/* Primitives, and 3 steps of training. */
static void test_network(const char *form)
{
    float *samples = make(100 * RN_TRAINING_AREA, 15);
    const struct rn_training_images images = {90, 10, samples, (uint8_t[100]){3}};
    const struct rn_measure_opts opts = {.repeats = 1, .quick = true, .images = &images};
    int threads, n = 0;
    CHECK_EQ(&tests, rn_measures(dev, &opts, &threads, check_figure, &n), 0);
    CHECK_EQ(&tests, n, 21);
    test_primitives();
    check_end(&tests, "%s: networks", form);
    free(samples);
}

static void test_all(const char *form)
{
    static const int lengths[] = {1, 2, 15, 64, 1000, 65536, 70001, 262144, 300002};
    static const int sizes[][3] = {{1, 1, 1},    {6, 64, 8},   {7, 65, 9},
                                   {64, 64, 64}, {130, 33, 1}, {200, 130, 77},
                                   {17, 1, 300}, {1, 70, 260}, {129, 257, 515}};
    for (int i = 0; i < COUNT(lengths); i++)
        test_vector(lengths[i]);
    check_end(&tests, "%s: vectors", form);
    for (int complex = 0; complex < 2; complex++) {
        const char *kind = complex ? "complex" : "real";
        test_rows(complex, 3, 2);
        test_rows(complex, 33, 130 + !complex);
        test_rows(complex, 5, 5002);
        check_end(&tests, "%s: row sums, %s", form, kind);
        for (int i = 0; i < COUNT(sizes); i++)
            for (int t = 0; t < 4; t++)
                test_product(&(struct rn_linear_product){sizes[i][0], sizes[i][1], sizes[i][2],
                                                         complex, t & 1, t & 2});
        check_end(&tests, "%s: products, %s", form, kind);
        for (int p = 1; p < 9; p++)
            test_power(complex, 30 + p, p);
        check_end(&tests, "%s: powers, %s", form, kind);
    }
}

int main(int argc, char **argv)
{
    const char *select = argc == 3 && !strcmp(argv[1], "--device") ? argv[2] : NULL;
    /* forms of other devices, too: groups of many items; WHOLE=1: and of one */
    static const char *const forms[] = {NULL, "4,2,32,4", "64,16,1,1"};
    rn_app_environment_prepare(0);
    for (int i = 0; i < COUNT(forms) - !is_whole(); i++) {
        if (forms[i])
            setenv("RUNNEL_FORM", forms[i], 1);
        int err = rn_device_open(&dev, select);
        if (err)
            return -err;
        if (!dev) {
            printf("ok 1 - linear # SKIP no device\n");
            return 0;
        }
        if (rn_linear_open(&linear, dev))
            return 1;
        test_all(forms[i] ? forms[i] : "the device's form");
        test_network(forms[i] ? forms[i] : "the device's form");
        rn_linear_close(&linear);
        CHECK_EQ(&tests, rn_device_close(&dev), 0);
        check_end(&tests, "all objects are released");
    }
    return tests.failed ? 1 : 0;
}
