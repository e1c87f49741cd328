#include "io/dicom/space.h"

#ifdef RN_HAVE_GDCM

#include "filters/base/log.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static double length_of(const double v[3])
{
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

/* From the first slice to the last: with a tilted gantry that is not the normal. */
static void set_slices(struct rn_dicom_volume *v, const struct rn_dicom_pictures *pictures)
{
    const struct rn_dicom_place *first = pictures->list[0].place;
    const struct rn_dicom_place *last = pictures->list[pictures->n - 1].place;
    const double *r = first->row, *c = first->column;
    const double normal[3] = {r[1] * c[2] - r[2] * c[1], r[2] * c[0] - r[0] * c[2],
                              r[0] * c[1] - r[1] * c[0]};
    const struct rn_dicom_header *h = &pictures->list[0].file->head;
    double way[3], length;
    int steps = pictures->n - 1;
    for (int i = 0; i < 3; i++)
        way[i] = last->origin[i] - first->origin[i];
    for (int i = 1; i < pictures->n; i++)
        steps += pictures->list[i].missing;
    length = pictures->placed ? length_of(way) : 0;
    if (length > 0 && pictures->n > 1) {
        v->spacing[2] = length / steps;
        for (int i = 0; i < 3; i++)
            v->direction[2][i] = way[i] / length;
    } else { /* what the header says, if it does */
        v->spacing[2] = h->between > 0 ? h->between : h->thickness;
        memcpy(v->direction[2], normal, sizeof normal);
    }
}

/* Slices that are missing, or lie unevenly, are in no grid. Of those at one place a time is. */
static bool is_even(const struct rn_dicom_pictures *pictures, double spacing)
{
    for (int i = 1; i < pictures->n; i++) {
        double distance = pictures->list[i].at - pictures->list[i - 1].at;
        double mean =
            (pictures->list[pictures->n - 1].at - pictures->list[0].at) / (pictures->n - 1);
        bool missing = pictures->list[i].missing && distance > 0;
        if (missing || fabs(distance - mean) > 0.01 * spacing)
            return false;
    }
    return true;
}

static void tell(const struct rn_dicom_volume *v, const char *input)
{
    const double *o = v->origin, *r = v->direction[0], *c = v->direction[1], *s = v->direction[2];
    rn_log(RN_LOG_DEBUG, "'%s': spacing %g %g %g mm, window %g %g", input, v->spacing[0],
           v->spacing[1], v->spacing[2], v->window_center, v->window_width);
    if (v->placed)
        rn_log(RN_LOG_DEBUG, "'%s': origin %g %g %g, direction %g %g %g, %g %g %g, %g %g %g", input,
               o[0], o[1], o[2], r[0], r[1], r[2], c[0], c[1], c[2], s[0], s[1], s[2]);
}

void rn_dicom_volume_describe(struct rn_dicom_volume *v, const struct rn_dicom_pictures *pictures,
                              const struct rn_dicom_values *values)
{
    const struct rn_dicom_header *h = &pictures->list[0].file->head;
    const struct rn_dicom_place *first = pictures->list[0].place;
    *v = (struct rn_dicom_volume){.fmt = values->fmt,
                                  .size = {h->w, h->h, pictures->n},
                                  .spacing = {first->spacing[0], first->spacing[1], 0},
                                  .rescale = values->rescale,
                                  .ranged = values->fmt.number == RN_NUMBER_FLOAT,
                                  .low = values->low,
                                  .high = values->high,
                                  .windowed = h->window[1] > 0,
                                  .window_center = h->window[0],
                                  .window_width = h->window[1],
                                  .inverted = h->is_inverted,
                                  .thickness = h->thickness};
    memcpy(v->origin, first->origin, sizeof v->origin);
    memcpy(v->direction[0], first->row, sizeof first->row);
    memcpy(v->direction[1], first->column, sizeof first->column);
    set_slices(v, pictures);
    v->placed = first->has_position && is_even(pictures, v->spacing[2]);
    snprintf(v->series, sizeof v->series, "%s", h->series);
    snprintf(v->study, sizeof v->study, "%s", h->study);
    snprintf(v->frame_of_reference, sizeof v->frame_of_reference, "%s", h->frame);
    snprintf(v->modality, sizeof v->modality, "%s", h->modality);
    snprintf(v->description, sizeof v->description, "%s", h->description);
    snprintf(v->patient, sizeof v->patient, "%s", h->patient);
    tell(v, pictures->input);
}

#endif
