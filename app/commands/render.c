/* SPDX-License-Identifier: MIT */
#include "app/commands/commands.h"

#include "app/commands/segments.h"
#include "app/run/run.h"

static int render_run(const struct rn_app_cli *cli)
{
    int here = cli->parts.here ? cli->parts.here : cli->parts.resume;
    if (!cli->parts.plan && cli->parts.segment)
        return rn_fail(RN_EUSAGE, "--segment goes with --plan FILE");
    if (cli->parts.dir && !cli->parts.plan && !here)
        return rn_fail(RN_EUSAGE, "--dir goes with --plan FILE, --segments N or --resume");
    if (here && !cli->dry_run && !cli->parts.plan)
        return rn_app_render_segments_here(cli, here);
    return cli->parts.plan ? rn_app_render_segment(cli) : rn_app_run(cli, cli->operand[1], NULL);
}

const struct rn_app_command rn_app_command_render = {
    .name = "render",
    .operands = "INPUT OUTPUT",
    .summary = "filter INPUT and write the result to OUTPUT",
    .options = RN_OPTIONS_FILTERS | RN_OPTIONS_PIPELINE | RN_OPTIONS_DEVICE | RN_OPTIONS_INPUT |
               RN_OPTIONS_ENCODE | RN_OPTIONS_OVERWRITE | RN_OPTIONS_REPORT | RN_OPTIONS_METRICS |
               RN_OPTIONS_GUARD | RN_OPTIONS_REPLAY | RN_OPTIONS_PART | RN_OPTIONS_DIR,
    .min_operands = 2,
    .max_operands = 2,
    .about = RN_ABOUT_INPUT
    "\n"
    "OUTPUT:\n"
    "  clip.mp4, clip.mkv ...  a media file, container by extension; audio,\n"
    "                          subtitles, chapters, tags and time stamps of the input\n"
    "                          are kept; sound that it cannot hold is converted\n"
    "  out_%04d.png            one image per frame (png, tif, ...)\n"
    "  stack.tif               a multi-page TIFF, as ImageJ reads it\n"
    "  scan.nii.gz             a volume: .nii, .nrrd, .nhdr, .mha, .mhd, .npy\n"
    "  out_%04d.dcm            DICOM, one file for each picture\n"
    "  -                       y4m on stdout, or what --container says; a named pipe\n"
    "                          and /dev/fd/3 do, too\n"
    "  null:                   nowhere; for measuring\n"
    "  md5:                    a checksum per frame and plane on stdout\n"
    "OUTPUT appears under its name only when it is complete; what was written until a\n"
    "failure is in NAME.partial.EXT.\n",
    .examples = "  runnel render clip.mp4 sharp.mp4 -f convolution=preset=sharpen\n"
                "  runnel render clip.mkv edges.mkv -f convolution=preset=outline --to 1:30\n"
                "  runnel render 'slices/*.png' closed.tif -f closing=shape=disk:radius=2\n"
                "  runnel render clip.mp4 - -f gray | ffmpeg -i - -c:v libx265 gray.mkv\n"
                "  runnel render clip.mp4 null: -f @tuned.chain --metrics run.json\n",
    .status = RN_STATUS_STREAM(
        "complete: every frame of the input was decoded, filtered and written",
        "; with --strict: or something\n"
        "     else was lost; with --exact: or fewer frames came than were asked for"),
    .run = render_run,
};
