/* SPDX-License-Identifier: MIT */
#include "filters/parts/measure.h"

#include "filters/base/owned.h"
#include "filters/parts/histogram.h"

static void set_entropy(struct rn_measure *m, const uint64_t *histogram)
{
    for (int v = 0; v < m->bins; v++) {
        double count = (double)histogram[v], n = (double)m->samples;
        if (count > 0)
            m->entropy -= count / n * log2(count / n);
    }
    m->entropy = m->entropy > 0 ? m->entropy : 0; /* not -0 for a flat plane */
}

static void finish(struct rn_measure *m, struct rn_measured *previous)
{
    double both = m->l2 * previous->l2;
    m->ncc_prev = m->has_previous && both > 0 ? m->dot_prev / both : 0;
    previous->l2 = m->l2;
}

/* Exact sums over stored integer samples. least: the value of the first bin. Returns their sum. */
static double derive(struct rn_measure *m, int least)
{
    unsigned __int128 squares = 0;
    __int128 sum = 0, all = 0;
    bool found = false;
    for (int i = 0; i < m->bins; i++) {
        uint64_t count = m->histogram[i];
        int v = i + least, size = v < 0 ? -v : v;
        if (!count)
            continue;
        m->samples += count;
        m->nonzero += v ? count : 0;
        sum += (__int128)count * v;
        all += (__int128)count * size;
        squares += (unsigned __int128)count * (uint64_t)size * (uint64_t)size;
        m->max = v;
        m->min = found ? m->min : v;
        found = true;
    }
    double n = (double)m->samples, scaled = 0;
    m->linf = fmax(fabs(m->min), fabs(m->max));
    m->l1 = (double)all;
    m->mean = (double)sum / n;
    m->variance = (double)(squares * m->samples - (unsigned __int128)(sum * sum)) / n / n;
    m->l2 = sqrt((double)squares);
    for (int i = 0; i < m->bins && m->linf > 0; i++)
        if (m->histogram[i])
            scaled += (double)m->histogram[i] * pow(fabs((double)(i + least)) / m->linf, m->order);
    m->lp = m->linf > 0 ? m->linf * pow(scaled, 1.0 / m->order) : 0;
    return (double)sum;
}

static void rescale(struct rn_measure *m, const struct rn_rescale *r, int least)
{
    double a = r->slope * m->min + r->intercept, b = r->slope * m->max + r->intercept;
    double l1 = 0, squares = 0, scaled = 0;
    m->mean = r->slope * m->mean + r->intercept;
    m->variance *= r->slope * r->slope;
    m->min = fmin(a, b);
    m->max = fmax(a, b);
    m->linf = fmax(fabs(a), fabs(b));
    for (int i = 0; i < m->bins; i++) {
        double count = (double)m->histogram[i], v = fabs(r->slope * (i + least) + r->intercept);
        if (!m->histogram[i])
            continue;
        l1 += count * v;
        squares += count * v * v;
        if (m->linf > 0)
            scaled += count * pow(v / m->linf, m->order);
    }
    m->l1 = l1;
    m->l2 = sqrt(squares);
    m->lp = m->linf > 0 ? m->linf * pow(scaled, 1.0 / m->order) : 0;
}

void rn_measure_integers(struct rn_measure *m, struct rn_measured *previous,
                         const struct rn_geom *geom)
{
    const struct rn_rescale *r = &geom->rescale;
    int least = rn_format_min(&geom->fmt);
    double sum = derive(m, least), n = (double)m->samples;
    m->whole = r->slope == 0;
    m->dot_prev = least < 0 ? (double)(int64_t)m->whole_dot : (double)m->whole_dot;
    if (!m->whole)
        rescale(m, r, least);
    if (!m->whole && m->has_previous)
        m->dot_prev = r->slope * r->slope * m->dot_prev +
                      r->slope * r->intercept * (sum + previous->sum) +
                      n * r->intercept * r->intercept;
    previous->sum = sum;
    set_entropy(m, m->histogram);
    finish(m, previous);
}

/* ---- floats, on the host */

static double value_of(const struct rn_rescale *r, float v)
{
    return r->slope != 0 ? r->slope * (double)v + r->intercept : (double)v;
}

static double to_power(double v, int n)
{
    double result = 1;
    for (; n; n /= 2, v *= v)
        if (n % 2)
            result *= v;
    return result;
}

static void sum_floats(struct rn_measure *m, const struct rn_rescale *r, const float *v, size_t n)
{
    double sum = 0, squares = 0, deviations = 0, scaled = 0;
    m->min = INFINITY;
    m->max = -INFINITY;
    for (size_t i = 0; i < n; i++) {
        double x = value_of(r, v[i]);
        if (x != x) {
            m->nans++;
            continue;
        }
        m->samples++;
        m->nonzero += v[i] != 0;
        m->min = x < m->min ? x : m->min;
        m->max = x > m->max ? x : m->max;
        sum += x;
        m->l1 += fabs(x);
        squares += x * x;
    }
    m->mean = sum / (double)m->samples;
    m->linf = fmax(fabs(m->min), fabs(m->max));
    for (size_t i = 0; i < n; i++) {
        double x = value_of(r, v[i]), d = x - m->mean;
        if (x != x)
            continue;
        deviations += d * d;
        if (m->linf > 0)
            scaled += to_power(fabs(x) / m->linf, m->order);
    }
    m->variance = deviations / (double)m->samples;
    m->l2 = sqrt(squares);
    m->lp = m->linf > 0 && isfinite(m->linf) ? m->linf * pow(scaled, 1.0 / m->order) : m->linf;
}

/* Bins from the smallest to the largest finite sample. */
static struct rn_binning own_binning(const float *v, size_t n)
{
    float low = INFINITY, high = -INFINITY;
    for (size_t i = 0; i < n; i++) {
        if (!isfinite(v[i]))
            continue;
        low = v[i] < low ? v[i] : low;
        high = v[i] > high ? v[i] : high;
    }
    double range = (double)high - (double)low;
    return (struct rn_binning){.bins = RN_FLOAT_BINS,
                               .low = low <= high ? low : 0,
                               .scale = low < high ? (float)(RN_FLOAT_BINS / range) : 1};
}

static void count_bins(uint64_t *h, const struct rn_binning *b, const struct rn_format *fmt,
                       const float *v, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        int bin = rn_bin_of(b, fmt, v[i]);
        if (bin >= 0)
            h[bin]++;
    }
}

int rn_measure_floats(struct rn_measure *m, struct rn_measured *previous,
                      const struct rn_geom *geom, const float *v, size_t n, uint64_t *h)
{
    const struct rn_binning b = rn_binning_of(geom);
    const struct rn_rescale *r = &geom->rescale;
    sum_floats(m, r, v, n);
    if (!m->samples)
        m->min = m->max = m->linf = m->l1 = m->l2 = m->lp = NAN;
    count_bins(h, &b, &geom->fmt, v, n);
    for (size_t i = 0; i < n && m->has_previous && previous->samples; i++)
        if (v[i] == v[i] && previous->samples[i] == previous->samples[i])
            m->dot_prev += value_of(r, v[i]) * value_of(r, previous->samples[i]);
    if (!previous->samples && !(previous->samples = malloc(n * sizeof *v)))
        return rn_fail_memory();
    memcpy(previous->samples, v, n * sizeof *v);
    finish(m, previous);
    /* The declared range may be that of another frame: the entropy must not depend on it. */
    const struct rn_binning own = own_binning(v, n);
    RN_OWNED(rn_free_owned)
    uint64_t *own_histogram = calloc((size_t)own.bins, sizeof *own_histogram);
    if (!own_histogram)
        return rn_fail_memory();
    count_bins(own_histogram, &own, &geom->fmt, v, n);
    set_entropy(m, own_histogram);
    return 0;
}

void rn_measure_bins(struct rn_measure *m, const struct rn_geom *geom)
{
    const struct rn_binning b = rn_binning_of(geom);
    const struct rn_rescale *r = &geom->rescale;
    bool floats = geom->fmt.number == RN_NUMBER_FLOAT;
    double step = floats ? 1 / (double)b.scale : 1;
    double first = floats ? (double)b.low + step / 2 : rn_format_min(&geom->fmt);
    m->bins = b.bins;
    m->bin_first = r->slope != 0 ? r->slope * first + r->intercept : first;
    m->bin_step = r->slope != 0 ? r->slope * step : step;
    m->unit = r->unit;
}
