/* SPDX-License-Identifier: MIT */
#include "app/help/habits.h"

#include "filters/base/text/word_list.h"

#include <stddef.h>
#include <string.h>

/* The words of a row are parted by blanks; behind a : or = anything may follow, so -c:a stands
 * before -c. */
static const struct {
    const char *words, *ours;
} habits[] = {
    {"-i", "INPUT and OUTPUT stand without an option: `runnel render INPUT OUTPUT`"},
    {"-ss --start", "--from T"},
    {"-to --end", "--to T"},
    {"-t --length", "--to T, the end itself, or --frames N"},
    {"-vf -af -filter -filter_complex -lavfi --vf", "-f CHAIN"},
    {"-c:a -acodec -codec:a --oac", "--audio ENCODER, such as aac:b=192k"},
    {"-c:s -scodec -codec:s", "--subs ENCODER"},
    {"-b:a -ab -ar -ac", "--audio ENCODER with its options, such as aac:b=192k"},
    {"-c:v -vcodec -codec:v -c -codec --ovc", "--codec NAME"},
    {"-crf -preset -tune -profile -b -b:v -g -qp -qscale -q:v -bf -x264-params -x265-params "
     "-quality",
     "--codec-opts NAME=VALUE, such as crf=20:preset=slow"},
    {"-an --no-audio", "--audio none"},
    {"-sn --no-sub", "--subs none"},
    {"-dn", "--drop d"},
    {"-vn --no-video", "the pictures are what runnel is for; ffmpeg -vn copies the sound alone"},
    {"-r -framerate", "frames keep their times; --fps R is for image files"},
    {"-pix_fmt", "--pix-fmt FMT"},
    {"-s -resize --geometry", "--scale WxH"},
    {"-crop", "--crop WxH+X+Y"},
    {"-rotate -flip -flop", "--rotate 90, 180, 270, hflip or vflip"},
    {"-aspect", "--codec-opts aspect=W/H"},
    {"-vframes -frames -frames:v", "--frames N"},
    {"-map", "--map STREAM"},
    {"-threads", "--threads N"},
    {"-loglevel --msg-level", "--log-level LEVEL"},
    {"-hide_banner -nostats --really-quiet --quiet", "-q"},
    {"-progress", "--progress FILE"},
    {"-benchmark", "`runnel bench INPUT`"},
    {"-metadata", "tags of the input are kept; ffmpeg changes them"},
    {"-hwaccel --hwdec", "decoding is done by the CPU; -d chooses where filters run"},
    {"-stream_loop --loop-file --loop-playlist", "`runnel play` has --loop"},
    {"-gaussian-blur -blur", "-f blur=sigma=S"},
    {"-sharpen -unsharp", "-f sharpen=amount=A"},
    {"-median -statistic", "-f median=radius=R"},
    {"-negate", "-f invert"},
    {"-threshold", "-f threshold=LEVEL"},
    {"-morphology", "-f erosion, dilation, opening, closing, gradient, tophat or blackhat"},
    {"-level -gamma -contrast-stretch", "-f levels=black=B:white=W:gamma=G"},
    {"-equalize -normalize", "-f equalize"},
    {"-edge", "-f sobel"},
    {"-emboss", "-f emboss"},
    {"-noise", "-f noise=sigma=S"},
    {"-convolve", "-f convolution=matrix='...'"},
    {"-colorspace -grayscale -monochrome", "-f gray"},
    {"-depth", "-f format=gray16 and the like, or --pix-fmt"},
    {"-compress", "--compression NAME"},
    {"--input-ipc-server", "`runnel play` has --ipc SOCKET"},
    {"--input-conf", "keys are changed in ~/.config/runnel/keys; see `runnel play --keys`"},
    {"--speed", "the keys [ and ] of `runnel play`"},
    {"--screenshot-directory", "the key s of `runnel play` saves the frame here"},
    {"--fs --fullscreen", "the key f of `runnel play`"},
};

const char *rn_app_habit(const char *word)
{
    for (size_t i = 0; i < sizeof habits / sizeof *habits; i++)
        for (size_t n = 0, all = strlen(word); n < all;) {
            n += 1 + strcspn(word + n + 1, "=:"); /* up to the next sign, or to the end */
            if (rn_word_is_listed(habits[i].words, ' ', word, n, false))
                return habits[i].ours;
        }
    return NULL;
}
