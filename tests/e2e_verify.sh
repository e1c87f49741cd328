#!/bin/sh
# --verify: what was written is read back.
. "$(dirname "$0")/lib.sh" # SPDX-License-Identifier: MIT

numpy <<'PY'
np.save('gray.npy', np.stack([noise(i, (9, 11), np.uint8) for i in range(5)]))
np.save('deep.npy', np.stack([noise(i, (9, 11)) for i in range(5)]))
np.save('floats.npy', np.stack([noise(i, (9, 11)) for i in range(5)]).astype(np.float32))
PY
make_clip film.mkv 0.4

begin "lossless outputs have the samples that were written"
while read -r input outputs; do
    for output in $outputs; do
        says "'$output' was read back: its .* pictures have the samples that were written" \
            runnel render "$input" "$output" --verify -y -f invert
    done
done <<'LIST'
gray.npy a.npy a.nii a.nii.gz a.nrrd a.nhdr a.mha a.mhd a.tif a_%d.png a_%d.tif
deep.npy b.nii b.tif b_%d.png b_%03d.dcm
floats.npy c.npy c.nii c.tif c.nrrd
film.mkv d.avi d.y4m
LIST
says 'have the samples' runnel render film.mkv ffv1.mkv --codec ffv1 --verify

begin "of others their number is compared"
for output in e.mp4 e.webm e_%d.jpg e_%d.png; do
    says "'$output' was read back: its 10 pictures are all there; samples are not compared" \
        runnel render film.mkv "$output" --verify
done

begin "samples that change on their way are found"
cat >flip.c <<'C'
/* A disk or a network that flips a bit of every block that is no header. */
ssize_t write(int fd, const void *data, size_t n)
{
    char copy[396];
    if (n != sizeof copy)
        return REAL(write)(fd, data, n);
    memcpy(copy, data, n);
    copy[7] ^= 1;
    return REAL(write)(fd, copy, n);
}
C
make_preload flip
for output in f.nrrd f.nii; do
    # shellcheck disable=SC2046
    fails 4 "verify: picture 1 of '$output' is not as written" \
        env $(preload flip) "$RUNNEL" render floats.npy $output --verify
done

begin "what cannot be read back is refused"
refuses 2 "'null:' is no file that can be read back" runnel render gray.npy null: --verify
refuses 2 'no file that can be read back' runnel render gray.npy - --verify
