/* SPDX-License-Identifier: MIT */
#define RN_VIEW RN_VIEW_ORDER
#include "pixel.clh"

/* What the kernels consist of that filters/parts/rank/rank_compiled.c writes: networks of
 * comparators whose values are variables, for GPUs. A work-item computes a tile, and the work-items
 * of a group are tiles side by side: a value that another work-item needs is put into `shared`. */

/* The samples that a tile reads, counted from their upper left corner. */
#define IN(col, row) rn_int_of(s[(row) * sp.y + (col)])

#define LOW(v, a, b)    const int v = min(a, b);
#define HIGH(v, a, b)   const int v = max(a, b);
#define SHARE(place, v) shared[place][item] = (sample)(v);
#define OF(place, on)   ((int)shared[place][item + (on)])
#define SHARED          barrier(CLK_LOCAL_MEM_FENCE);

/* Output (col, row) of the tile. */
#define OUT(col, row, v)                                                                           \
    if (x + (col) < dp.z && y + (row) < dp.w)                                                      \
        *RN_AT(dst, dp, x + (col), y + (row)) = rn_sample_of(v);

/* items: of a group, of which the first `useful` have all that they need. Those beyond the plane
 * read what nobody uses, in the rows further down at worst: below the last row that a tile reads
 * there are rows of the margin. */
#define KERNEL(items, useful, reach, places, radius, width, height)                                \
    __kernel __attribute__((reqd_work_group_size(items, 1, 1))) void rank_compiled(                \
        __global const sample *src, int4 sp, __global sample *dst, int4 dp)                        \
    {                                                                                              \
        __local sample shared[places][items + reach];                                              \
        const int item = (int)get_local_id(0);                                                     \
        const int x = ((int)get_group_id(0) * useful + item) * width;                              \
        const int y = (int)get_group_id(1) * height;                                               \
        __global const sample *s = RN_AT(src, sp, x - radius, y - radius);
#define OUTPUTS(useful) if (item >= useful) return;
#define KERNEL_END      }
