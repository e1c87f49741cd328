#!/bin/sh
# `bench` without INPUT: its suites. Nothing here depends on how long anything takes. WHOLE=1 builds
# wrong programs, too, and measures beside OpenCV and FFmpeg.
. "$(dirname "$0")/lib.sh" # SPDX-License-Identifier: MIT

expect_sound() { # JSON file
    expect_eq "what is wrong in $1" "$(python3 "$root/tests/bench_json.py" "$1" 2>&1)" ""
}

begin "devices: the table, and the JSON; every device and plain C; one that computes right is recommended"
ok runnel bench --quick --repeats 1 --metrics m.json
expect_sound m.json
expect_eq "devices" "$(jq -r '.rows[].select' m.json)" \
    "$(runnel devices | awk '/ [0-9]+:[0-9]+ / {sub(/^\*/, ""); print $1}'; echo none)"
expect_eq "recommended" "$(jq '[.rows[].select] - [.recommended] | length' m.json)" \
    "$(($(jq '.rows | length' m.json) - 1))"
expect_eq "differing" "$(jq -c '[.rows[].differing] | unique' m.json)" "[0]"
for line in '^copy, GB/s' '^upload, page-locked ' '^both at once, pageable ' '^launch, us ' '^build and first run, ms ' \
    '^as the references compute  *20 of 20' '^frames/s, 160x90 yuv420p ' '^chain  *convolution' '^recommended: -d '; do
    grep -q "$line" out || complain "no line $line"
done
expect_plain out
expect_narrow out
jq 'del(.rows[0].build_s)' m.json >less.json
jq '.rows[0].copy_s.median = "1"' m.json >other.json
for file in less other; do # the schema is looked at
    [ -n "$(python3 "$root/tests/bench_json.py" $file.json)" ] || complain "nothing is wrong in $file.json"
done

begin "devices: the one of -d alone, here plain C; another chain; JSON on stdout"
ok env POCL_DEVICES="pthread pthread pthread" "$started" bench --quick -d 0,2 -f invert --repeats 1 --json -q
expect_sound out
expect_eq "rows" "$(jq -c '[.rows[].select]' out)" '["0","2"]'
ok runnel bench --quick -d none -f invert,median --json -q
expect_eq "stderr" "$(wc -c <err)" 0
expect_sound out
expect_eq "rows" "$(jq -c '[.recommended, [.rows[] | .select, .stream_chain]]' out)" '["none",["none","invert,median"]]'

begin "filters and streaming: -f alone, all formats; plain C; the table"
ok runnel bench --suite filters --quick -f 'median=radius=2' --json
expect_sound out
expect_eq "rows" "$(jq -c '[.rows[] | .format, .width, .height] | unique' out)" \
    '[90,160,"gray","gray16","grayf32","grays16"]'
ok runnel bench --suite filters --quick -f invert -d none --json
expect_sound out
expect_eq "copies" "$(jq -c '[.rows[].copies] | unique' out)" '[null]'
ok runnel bench --suite streaming --quick --json
expect_sound out
expect_eq "rows" "$(jq '.rows | length' out)" 12
ok runnel bench --suite streaming --quick -f invert
grep -q '^160x90 yuv420p, [0-9]* frames in flight, ' out || complain "no row: $(tail -n 3 out)"
grep -Eq '^( +[0-9.]+){8} (kernels|upload|download)$' out || complain "no row: $(tail -n 1 out)"
expect_narrow out
ok env POCL_DEVICES="pthread pthread" "$started" bench --suite streaming --quick -f invert -d 0,1 --json
expect_sound out
expect_eq "lanes" "$(jq '.rows[0].lanes >= 2 and (.device | test(" \\+ "))' out)" true
ok runnel bench --suite filters --quick -f invert
expect_narrow out

begin "linear: all measures are there, and right; a BLAS that is installed is measured beside"
mkdir -p blas
cat >blas/blas.c <<'C'
static int threads;
void openblas_set_num_threads(int n) { threads = n; }
int openblas_get_num_threads(void) { return threads; }
float cblas_sdot(int n, const float *x, int dx, const float *y, int dy)
{
    float sum = 0;
    for (int i = 0; i < n; i++)
        sum += x[i * dx] * y[i * dy];
    return sum;
}
C
beside='[null,[]]'
# nor a real CLBlast, which compiles for a minute
echo 'int nothing;' | ${CC:-cc} -shared -fPIC -x c - -o blas/libclblast.so.1 2>cc.out
${CC:-cc} -shared -fPIC blas/blas.c -o blas/libopenblas.so.0 2>cc.out && beside='[2,["dot product"]]'
mkdir -p "$XDG_CONFIG_HOME/runnel"
echo 'filters = invert' >"$XDG_CONFIG_HOME/runnel/config" # which a suite without a chain leaves out
ok env LD_LIBRARY_PATH="$scratch/blas" "$RUNNEL" bench --suite linear --quick --threads 2 --metrics linear.json
rm "$XDG_CONFIG_HOME/runnel/config"
expect_eq "its chain" "$(jq .chain linear.json)" null
expect_sound linear.json
expect_narrow out
for line in '^dot product, 65536: GB/s' '^  published: ' '^  ms: Tr in ' '^ *ours  *plain  *OpenBLAS'; do
    grep -q "$line" out || complain "no line $line"
done
mv linear.json out
expect_eq "wrong" "$(jq '[.rows[] | select(.right | not)] | length' out)" 0
expect_eq "published without a source" \
    "$(jq '[.rows[].published[] | select((.figure == "") or (.source == ""))] | length' out)" 0
for name in 'vector add' 'reduction (sum)' 'dot product, complex' 'p-norm, p=3, complex' 'row sums' 'matrix product' \
    'matrix product, transposed left right' 'matrix product, complex' 'matrix power 10' 'convolution 7 x 7' \
    'closing of a scan, 3-D' 'prewitt' 'median 3 x 3'; do
    jq -e --arg name "$name" 'any(.rows[]; .name == $name)' out >not || complain "no $name"
done
expect_eq "beside" "$(jq -c '[.openblas_threads, [.rows[] | select(.openblas_s) | .name]]' out)" "$beside"

begin "network: all primitives are there; digits are learned; a line says that there are none"
cat >digits.c <<'C'
int open(const char *path, int flags, ...) { return REAL(open)(strstr(path, "/digits.csv.gz") ? getenv("DIGITS") : path, flags); }
C
ok env POCL_DEVICES="pthread" "$RUNNEL" bench --suite network --quick --metrics network.json
expect_sound network.json
expect_narrow out
make_preload digits
seq 0 1790 | awk '{for (i = 0; i < 64; i++) printf "%d,", (i + $1 % 10 * 7) % 64 < 6 ? 16 : 0; print $1 % 10}' | gzip >d.gz
ok env DIGITS=d.gz $(preload digits) "$RUNNEL" bench --suite network -d none --json
expect_sound out
expect_eq "accuracy" "$(jq -c "[.rows[].accuracy == 1]" out)" "[true,true]"
echo 1 | gzip >bad.gz
fails 3 'no images' env DIGITS=bad.gz $(preload digits) "$RUNNEL" bench --suite network -d none
ok env DIGITS=none.gz $(preload digits) "$RUNNEL" bench --suite network -d none
expect_eq "warned" "$(grep -c python3-sklearn err)" 1

begin "what is refused, before anything is measured"
for options in "--suite nothing" "--suite linear -f invert" "--suite linear -d none" "--metrics -" "--repeats 0" \
    "$root/media/scan.tif --suite linear" "$root/media/scan.tif --quick" "-f nosuch" "--suite filters -f nosuch" "--suite linear -d 0,1" "--mnist ."; do
    refuses 2 '' runnel bench $options
    expect_eq "stdout of $options" "$(grep -cv '^suite\|^device\|^$\|^format' out)" 0
done
fails 5 '' runnel bench -d no-such-device --quick

[ -n "${WHOLE-}" ] || finish

begin "network: MNIST's files, packed or not"
numpy <<'PY'
images = np.loadtxt("d.gz", delimiter=",", dtype=int)
for name, part in ("train", images[:1500]), ("t10k", images[1500:]):
    wide = np.pad((part[:, :64].reshape(-1, 8, 8) * 15).repeat(3, 1).repeat(3, 2), ((0, 0), (2, 2), (2, 2))).astype("u1")
    for kind, sizes, data in ("images-idx3", [0x803, len(part), 28, 28], wide), ("labels-idx1", [0x801, len(part)], part[:, 64]):
        open(f"{name}-{kind}-ubyte", "wb").write(np.array(sizes, ">i4").tobytes() + data.astype("u1").tobytes())
PY
gzip t10k-images-idx3-ubyte
ok runnel bench --suite network --mnist . -d none --json
expect_eq "accuracy" "$(jq -c "[.rows[].accuracy == 1]" out)" "[true,true]"
fails 3 "none of MNIST" runnel bench --suite network --mnist / -d none

begin "beside OpenCV and FFmpeg: the tables of make bench-peers"
peer=${BUILD:-$root/build/release}/tests/peer
if [ -x "$peer" ] && python3 -c 'import cv2' 2>/dev/null && command -v ffmpeg >/dev/null; then
    ok env RUNNEL="$RUNNEL" PEER="$peer" "$PYTHON" "$root/tests/bench_peers.py" --quick --only 'outline' --bits 8
    grep -Eq '^\| outline 3x3 \| 8 \| [0-9.]+ / [0-9.]+ \| [0-9.]+ \|$' out || complain "no row: $(grep outline out)"
    ok env RUNNEL="$RUNNEL" PEER="$peer" "$PYTHON" "$root/tests/bench_peers.py" --quick --only 'outline' --section --skip ffmpeg
    grep -q '^## Performance$' out || complain "no title: $(head -n 1 out)"
    grep -Eq '^\| outline 3x3 \|( [0-9.]+ \([0-9.]+\) \|){2}$' out || complain "no row: $(grep outline out)"
    ok env RUNNEL="$RUNNEL" PEER="$peer" "$PYTHON" "$root/tests/bench_peers.py" --quick --only prewitt --skip opencv
    grep -Eq '^\| prewitt \| 3 \| [0-9.]+ \| [0-9.]+ \| [0-9.]+ \|' out || complain "no row: $(grep prewitt out)"
else
    skip_this "no OpenCV, no FFmpeg, or tests/peer is not built"
fi

begin "a device that computes something else is not recommended: status 5"
cat >swap.c <<'C'
/* The larger of two is the smaller one, in what morphology builds. */
cl_program clCreateProgramWithSource(cl_context context, cl_uint n, const char **texts, const size_t *sizes,
                                     cl_int *code)
{
    char *text = n == 1 && strstr(texts[0], "morphology") ? strdup(texts[0]) : NULL;
    char *at = text ? strstr(text, "((a) > (b)") : NULL;
    if (at)
        at[5] = '<';
    cl_program made = REAL(clCreateProgramWithSource)(context, n, text ? (const char **)&text : texts, sizes, code);
    free(text);
    return made;
}
cl_kernel clCreateKernel(cl_program program, const char *name, cl_int *code)
{
    char other[256];
    snprintf(other, sizeof other, "%s", name);
    if (!strcmp(name, "vector_dot"))
        strcpy(other, "vector_sum");
    return REAL(clCreateKernel)(program, other, code);
}
C
make_preload swap
swapped="POCL_CACHE_DIR=$scratch/swapped" # or wrong programs would be kept as those of the right sources
cp -rs "$POCL_CACHE_DIR" swapped 2>/dev/null # what else is compiled there need not be again
grep -la morphology swapped/runnel-* | xargs rm -f
fails 5 'does not compute as the C reference does: closing' \
    env "$swapped" $(preload swap) "$RUNNEL" bench --quick -d cpu --json
expect_eq "rows" "$(jq -c '[.recommended, .exit_status, .rows[0].differing]' out)" '[null,5,4]'
fails 5 "3 of 29 results differ from plain C's: dot product, 65536" \
    env "$swapped" $(preload swap) "$RUNNEL" bench --quick --suite linear --json
expect_eq "wrong" "$(jq -c '[.rows[] | select(.right | not) | .name]' out)" \
    '["dot product","closing of a scan, 2-D","closing of a scan, 3-D"]'
