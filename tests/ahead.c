/* SPDX-License-Identifier: MIT */
/* Compiles what many tests need, before they begin, into the cache that they share. PoCL reads a
 * library of 10 MB before the first program that a process compiles, which takes it half a second
 * of processor time, and a hundredth for each further one: the tests are thousands of processes.
 * Nothing depends on it: what is not in the cache is compiled by the first test that needs it. */
#include "filters/core/device/opencl.h"
#include "tests/samples.h"

static void leave(struct rn_image *image, int64_t frame, void *unused)
{
    (void)image, (void)frame, (void)unused;
}

/* Those of common chains, which compile theirs when they run first. */
static void compile_kernels(struct rn_device *dev, const char *format)
{
    char chains[] = "erosion=radius=1 erosion=radius=2 dilation=shape=disk:radius=2,invert median "
                    "closing=slices=1 convolution=preset=sharpen median=radius=2 blur boxblur "
                    "sobel threshold=otsu=1 levels=gamma=2 equalize stats";
    struct rn_geom geom = geometry(format, 64, 48);
    for (char *rest = NULL, *one = chains; (one = strtok_r(rest ? NULL : one, " ", &rest)) != NULL;)
        run_chain(dev, one, &geom, 0, 2, leave, leave, NULL);
}

static void compile_programs(struct rn_device *dev, enum rn_sample sample)
{
    struct rn_kernel *kernel;
    for (const struct rn_source_text *s = rn_kernel_sources; s->name; s++)
        if (strcmp(s->name, "custom.cl") != 0) /* lacks the user's function */
            rn_kernel_get(dev, s->name, "", sample, &kernel);
}

/* Any argument: kernels, too. */
int main(int argc, char **argv)
{
    (void)argv;
    struct rn_device *dev = NULL;
    if (open_device(&dev, NULL) || !dev)
        return 0;
    rn_log_set_level(RN_LOG_QUIET); /* no kernel has the empty name */
    for (int sample = RN_SAMPLE_U8; sample <= RN_SAMPLE_F32; sample++)
        compile_programs(dev, (enum rn_sample)sample);
    if (argc > 1) {
        compile_kernels(dev, "gray");
        compile_kernels(dev, "gray16");
    }
    return rn_device_close(&dev) ? 1 : 0;
}
