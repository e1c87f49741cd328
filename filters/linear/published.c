#include "filters/linear/published.h"

#include <stddef.h>
#include <string.h>

/* Only what stands in the source; what it leaves open (clocks, drivers) is not added. */
static const struct rn_published list[] = {
    {"copy", NULL, "2,979 GB/s (NVIDIA GH200, CUDA, doubles)",
     "BabelStream 5.0, github.com/UoB-HPC/BabelStream/issues/194"},
    {"vector add", NULL, "3,301 GB/s (NVIDIA GH200, CUDA, doubles)",
     "BabelStream 5.0, github.com/UoB-HPC/BabelStream/issues/194"},
    {"dot product", NULL, "1,838 GB/s (NVIDIA GH200, CUDA, doubles)",
     "BabelStream 5.0, github.com/UoB-HPC/BabelStream/issues/194"},
    {"matrix product", "1024 x 1024 x 1024", "3,943 GFLOP/s (GeForce RTX 2070, CLBlast)",
     "GEMM tests on GeForce RTX 2070, 2019, lighthouseprep.net/rtx2070.html"},
    {"matrix product", "4096 x 4096 x 4096", "6,786 GFLOP/s (GeForce RTX 2070, CLBlast)",
     "GEMM tests on GeForce RTX 2070, 2019, lighthouseprep.net/rtx2070.html"},
    {"matrix product", "4096 x 4096 x 4096", "21,779 GFLOP/s, cuBLAS 23,250 (NVIDIA A6000, CUDA)",
     "S. Boehm, Fast CUDA SGEMM from Scratch, github.com/siboehm/SGEMM_CUDA"},
    {"closing of a scan, 2-D", "771 of 512 x 512 gray",
     "71.7 ms, kernel 6.0; sequential 29,960 ms (RTX 2080 Ti, OpenCL)",
     "an experiment with a CT scan of 771 slices of 512 x 512"},
    {"median 3 x 3", NULL, "up to 1,854 Mpixel/s = 2,012 planes of 720p (Tesla C2070, CUDA)",
     "Perrot et al., J. Signal Process. Syst. 75 (2014), 10.1007/s11265-013-0799-2"},
};

static bool is_of(const struct rn_published *p, const struct rn_figure *measure)
{
    return !strcmp(p->name, measure->name) && (!p->size || !strcmp(p->size, measure->size));
}

const struct rn_published *rn_published_next(const struct rn_figure *measure,
                                             const struct rn_published *last)
{
    const struct rn_published *end = list + sizeof list / sizeof *list;
    for (const struct rn_published *p = last ? last + 1 : list; p < end; p++)
        if (is_of(p, measure))
            return p;
    return NULL;
}
