#!/bin/sh
# The device and the C reference give the same checksums, whatever comes in. WHOLE=1 has what takes long to compile.
. "$(dirname "$0")/lib.sh" # SPDX-License-Identifier: MIT

compare() { # input, chain, options...
    input=$1 chain=$2
    shift 2
    into want runnel render "$input" md5: -q -f "$chain" -d none "$@"
    ok runnel render "$input" md5: -q -f "$chain" "$@"
    [ -s want ] || complain "no checksums of '$chain'"
    expect_same out want
}

while IFS='|' read -r format size chain; do
    [ "$format" ] || { [ "${WHOLE-}" ] && continue || break; }
    begin "$format $size $chain"
    clip in.nut lavfi:testsrc2=size=$size:rate=25,format=$format -frames:v 6 -c:v rawvideo
    compare in.nut "$chain"
done <<'CASES'
yuv420p|177x101|convolution=preset=sharpen:planes=7,closing=shape=disk:radius=2
yuv420p10le|176x100|convolution=matrix='1 2 1 2 4 2 1 2 1':border=mirror
rgb24|80x60|erosion
nv12|80x60|convolution=preset=box3:planes=7
rgba|80x60|convolution=preset=sharpen
pal8|80x60|gray,closing

yuv420p|177x101|convolution=preset=outline
yuv422p|99x33|closing=border=zero:shape=cross:radius=3
yuv444p12le|64x64|opening=shape=disk:radius=4:iterations=2
gray|131x67|dilation=radius=31:border=wrap
gray16le|131x67|erosion=shape=disk:radius=9:border=clamp
gbrp|80x60|convolution=preset=emboss:bias=128
yuv420p|80x60|format=gray,convolution=matrix='.1 .2 .3 .4 .5 .6 .7 .8 .9'
CASES

begin "the form that kernels have on a GPU"
RUNNEL_FORM=8,2,32,4
export RUNNEL_FORM
clip deep.nut lavfi:testsrc2=size=291x23:rate=25,format=gray16le,noise=alls=60:all_seed=1 -frames:v 2 -c:v rawvideo
compare deep.nut convolution=preset=sharpen:border=mirror,boxblur=1:border=zero --frames 2
if [ "${WHOLE-}" ]; then
    compare deep.nut laplacian=border=wrap,opening,blur=1.2,format=gray,sobel --frames 1
    compare deep.nut \
        convolution=preset=sharpen:border=mirror,median=border=wrap,equalize,dilation,boxblur=1:border=zero --frames 2
    compare deep.nut median=radius=3,median=radius=9:percentile=20 --frames 1
fi
clip in.nut lavfi:testsrc2=size=291x23:rate=25 -frames:v 12 -c:v rawvideo
into want runnel stats in.nut --inflight 4 -q -d none
prints want runnel stats in.nut --inflight 4 -q
unset RUNNEL_FORM

clip odd.nut lavfi:testsrc2=size=177x101:rate=25 -frames:v 70 -c:v rawvideo
begin "the slots do not change the pictures"
for n in 1 2 3 8; do
    ok runnel render odd.nut md5: -q --frames 20 --inflight $n -f convolution=preset=sharpen,closing
    [ -s want.slots ] || cp out want.slots
    expect_same out want.slots
done

begin "several devices share the frames: same pixels, same measures"
for chain in convolution=preset=sharpen,closing,stats=file=table.csv closing=slices=2,stats=file=table.csv; do
    into want runnel render odd.nut md5: -q -y --frames 70 -d none -f $chain
    mv table.csv want.csv
    for list in ${WHOLE:+0,1} 0,1,2; do
        prints want env POCL_DEVICES="pthread pthread pthread" "$started" render odd.nut md5: \
            -q --frames 70 -d $list -f $chain --metrics m.json
        expect_same table.csv want.csv
        rm -f table.csv m.json
    done
done

copied() { # metrics: frames that the host copied in and out, bytes to the device and back, by those of a frame
    jq -r --argjson frame $((16 * 16 * 3 / 2)) '.ledger |
        "\(.frames_copied_in) \(.frames_copied_out) \(.bytes_uploaded / $frame) \(.bytes_downloaded / $frame)"' "$1"
    rm -f "$1"
}
clip small.nut lavfi:testsrc2=size=16x16:rate=25 -frames:v 7 -c:v rawvideo

begin "each copy of a frame is counted: once on the way in, where the device shares the memory"
ok runnel render small.nut null: -q --frames 7 -d cpu -f closing --metrics m.json
expect_eq "to null:" "$(copied m.json)" "7 null 0 0"
ok runnel render small.nut copied.mkv -q --frames 7 -d none -f closing --codec ffv1 --metrics m.json
expect_eq "to a file" "$(copied m.json)" "7 7 0 0"
make_own_memory memory
ok env $(preload memory) "$RUNNEL" render small.nut null: -q --frames 7 -f "invert=planes=7${WHOLE:+,closing=planes=7}" --metrics m.json
expect_eq "with memory of its own" "$(copied m.json)" "7 null 7 7"

begin "frames that are computed at once may together be higher than a picture can be"
for chain in boxblur=1 ${WHOLE:+boxblur=1,invert blur,levels}; do
    into want runnel render lavfi:testsrc2=s=16x2000 md5: -q --frames 3 -f $chain -d none
    prints want env $(preload memory) "$RUNNEL" render lavfi:testsrc2=s=16x2000 md5: -q --frames 3 -f $chain
    ! grep '^runnel:' err || complain "a line"
done

begin "devices that cannot share are refused"
for list in 0,0 0,none 0,nosuch; do
    run runnel render small.nut null: -q --frames 1 -d $list
    [ $rc = 2 ] || [ $rc = 5 ] || complain "status $rc with -d $list"
    expect_one_line
done

begin "md5: lines are those of the visible pixels, little-endian"
clip raw lavfi:testsrc2=s=17x9:r=25,format=gray16le -frames:v 2 -f rawvideo
clip raw.nut lavfi:testsrc2=s=17x9:r=25,format=gray16le -frames:v 2 -c:v rawvideo
ok runnel render raw.nut md5: -q
{
    echo "0 0 $(head -c 306 raw | md5sum | cut -d' ' -f1)"
    echo "1 0 $(tail -c 306 raw | md5sum | cut -d' ' -f1)"
} >want
expect_same out want

begin "stats are the same on the device and without"
clip in.nut lavfi:testsrc2=s=65x33:r=25 -frames:v 5 -c:v rawvideo
for d in none ''; do
    into "stats.$d" runnel stats in.nut -q ${d:+-d $d}
done
expect_same stats. stats.none
expect_eq "header" "$(head -n 1 stats.)" \
    "frame,time,plane,mean,variance,min,max,l1,l2,lp,linf,entropy,dot_prev,ncc_prev"
expect_eq "lines" "$(wc -l <stats.)" 16

# ---- a driver that does not answer

# Of all queries of the program, the one of number QUERY fails (QUERY_HOW=fail) or is answered with zeros
# (QUERY_HOW=zero). Those about events are counted only for QUERY_HOW=status, where one is told that its
# command failed; for QUERY_HOW=times all about times fail. QUERY_HOW=create is about programs, none of which
# can be made. QUERY_HOW=kernel: none has its kernel. QUERY_HOW=crash and
# QUERY_HOW=hang are what the first kernel does.
cat >queries.c <<'C'
static int asked;

static int is_how(const char *how)
{
    const char *text = getenv("QUERY_HOW");
    return text && !strcmp(text, how);
}

__attribute__((destructor)) static void count(void)
{
    const char *path = getenv("QUERY_COUNT");
    FILE *f = path && asked ? fopen(path, "w") : NULL;
    if (f)
        fprintf(f, "%d\n", asked), fclose(f);
}

/* What is asked for more than once is one query (`make faults` takes each call by itself); what: 0 is never
 * the same. */
static int is_chosen(cl_uint what)
{
    static cl_uint seen[1000];
    const char *number = getenv("QUERY");
    int i = 0;
    while (i < asked && (!what || seen[i] != what))
        i++;
    if (i == asked && asked < 1000)
        seen[asked++] = what;
    return i + 1 == (number ? atoi(number) : 0);
}

static cl_int answer(cl_uint what, cl_int code, size_t size, void *value, size_t *returned)
{
    if (is_how("status") || !is_chosen(what))
        return code;
    if (!is_how("zero"))
        return CL_OUT_OF_HOST_MEMORY;
    if (value)
        memset(value, 0, returned && *returned < size ? *returned : size);
    else if (returned)
        *returned = 0;
    return code;
}

cl_int clGetPlatformInfo(cl_platform_id id, cl_platform_info what, size_t size, void *value, size_t *returned)
{
    return answer(what, REAL(clGetPlatformInfo)(id, what, size, value, returned), size, value, returned);
}

cl_int clGetDeviceInfo(cl_device_id id, cl_device_info what, size_t size, void *value, size_t *returned)
{
    size_t n = 0;
    cl_int code = REAL(clGetDeviceInfo)(id, what, size, value, &n);
    if (returned)
        *returned = n;
    return answer(what, code, n, value, returned);
}

cl_int clGetKernelWorkGroupInfo(cl_kernel kernel, cl_device_id id, cl_kernel_work_group_info what,
                                size_t size, void *value, size_t *returned)
{
    return answer(what, REAL(clGetKernelWorkGroupInfo)(kernel, id, what, size, value, returned), size, value, returned);
}

cl_int clGetProgramBuildInfo(cl_program program, cl_device_id id, cl_program_build_info what, size_t size,
                             void *value, size_t *returned)
{
    return answer(what, REAL(clGetProgramBuildInfo)(program, id, what, size, value, returned), size, value, returned);
}

cl_int clGetEventProfilingInfo(cl_event event, cl_profiling_info what, size_t size, void *value, size_t *returned)
{
    return is_how("times") ? CL_PROFILING_INFO_NOT_AVAILABLE : REAL(clGetEventProfilingInfo)(event, what, size, value, returned);
}

cl_int clGetEventInfo(cl_event event, cl_event_info what, size_t size, void *value, size_t *returned)
{
    cl_int code = REAL(clGetEventInfo)(event, what, size, value, returned);
    if (!code && is_how("status") && what == CL_EVENT_COMMAND_EXECUTION_STATUS && is_chosen(0))
        *(cl_int *)value = CL_OUT_OF_RESOURCES;
    return code;
}

cl_program clCreateProgramWithSource(cl_context context, cl_uint n, const char **texts, const size_t *sizes,
                                     cl_int *code)
{
    return is_how("create") ? (*code = CL_OUT_OF_HOST_MEMORY, NULL) : REAL(clCreateProgramWithSource)(context, n, texts, sizes, code);
}

cl_kernel clCreateKernel(cl_program program, const char *name, cl_int *code)
{
    return is_how("kernel") ? (*code = CL_INVALID_KERNEL_NAME, NULL) : REAL(clCreateKernel)(program, name, code);
}

cl_int clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint n, const size_t *from, const size_t *size,
                              const size_t *group, cl_uint nwait, const cl_event *wait, cl_event *event)
{
    if (is_how("crash"))
        abort();
    if (is_how("hang"))
        for (close(open("hung", O_CREAT | O_WRONLY, 0600));;)
            pause();
    return REAL(clEnqueueNDRangeKernel)(queue, kernel, n, from, size, group, nwait, wait, event);
}

cl_int clGetPlatformIDs(cl_uint n, cl_platform_id *ids, cl_uint *found)
{
    cl_int code = REAL(clGetPlatformIDs)(n, ids, found);
    return is_how("status") || !is_chosen(0) ? code : is_how("zero") ? (*found = 0, code) : CL_OUT_OF_HOST_MEMORY;
}

cl_int clGetDeviceIDs(cl_platform_id id, cl_device_type type, cl_uint n, cl_device_id *ids, cl_uint *found)
{
    cl_int code = REAL(clGetDeviceIDs)(id, type, n, ids, found);
    return is_how("status") || !is_chosen(0) ? code : is_how("zero") ? (*found = 0, code) : CL_OUT_OF_HOST_MEMORY;
}
C

# Two kernels in two passes make every query; histograms and sums in local memory make more of the answers.
measured=boxblur=1,invert table=
[ -z "${WHOLE-}" ] || measured="equalize,closing=shape=disk:planes=4,stats=file=measured.csv" table=measured.csv
clip clip.y4m lavfi:testsrc2=size=64x32:rate=25:d=0.1 -pix_fmt yuv420p -f yuv4mpegpipe
clip=clip.y4m few="--frames 1 --inflight 1"

render_measured() { # environment
    rm -f measured.csv
    run env "$@" "$started" render "$clip" md5: -q $few -f "$measured"
}

judge() { # what was asked
    so_far=$bad bad=0
    case $rc in
    0)
        expect_same out want.md5
        [ -z "$table" ] || expect_same $table want.csv
        ;;
    5)
        expect_one_line
        expect_eq "checksums" "$(wc -c <out)" 0
        ;;
    *) complain "status $rc, neither 0 nor 5" ;;
    esac
    [ $bad = 0 ] || complain "(that was query $1)"
    bad=$((bad | so_far))
}

if is_sanitized; then
    skip "queries that fail: the sanitizers' libraries have to come first"
else
    make_preload queries
    preload="$(preload queries) QUERY_COUNT=$PWD/count"
    begin "any query that fails or is answered with nothing: the same pixels, or status 5"
    render_measured RUNNEL_DEVICE=none
    expect_rc 0
    mv out want.md5
    [ -z "$table" ] || mv $table want.csv
    render_measured $preload
    expect_rc 0
    judge none
    queries=$(cat count)
    [ "${queries:-0}" -gt 10 ] || complain "only ${queries:-0} queries were counted"
    refused=0
    for how in fail ${WHOLE:+zero}; do
        : >words
        i=1
        while [ $i -le "${queries:-0}" ]; do
            render_measured $preload QUERY=$i QUERY_HOW=$how
            judge "$i, $how"
            cat err >>words
            [ $rc = 0 ] || refused=$((refused + 1))
            i=$((i + 1))
        done
        for query in MAX_COMPUTE_UNITS MAX_WORK_GROUP_SIZE MAX_MEM_ALLOC_SIZE LOCAL_MEM_SIZE MAX_WORK_ITEM_SIZES; do
            grep -q "error: .*CL_DEVICE_$query" words || complain "no word about $query ($how)"
        done
    done
    [ $refused -gt 5 ] || complain "only $refused answers were refused"

    begin "a driver that measures no times gives the same pixels"
    render_measured $preload QUERY_HOW=times
    expect_rc 0
    judge times

    begin "a driver that makes no program: one line, which has no word against the kernels kept"
    printf 'float filter(IN) { return PIXEL(0, 0); }\n' >same.cl
    for chain in invert custom=same.cl; do
        refuses 5 '' \
            env $preload POCL_CACHE_DIR="$scratch/nothing-kept" QUERY_HOW=create "$RUNNEL" render "$clip" md5: -q $few -f $chain
        expect_eq "lines" "$(wc -l <err)" 1
    done

    begin "a driver that crashes is not taken for damaged kernels twice"
    crashing="env $preload QUERY_HOW=crash TMPDIR=$scratch POCL_CACHE_DIR=$scratch"
    ok env POCL_CACHE_DIR="$scratch/crashed" "$started" render "$clip" null: -q $few -f invert
    refuses 5 "'$scratch/crashed'.*run again" $crashing/crashed "$RUNNEL" render "$clip" never.mkv $few -f invert
    for folder in crashed crashed new new; do
        refuses 5 "driver crashes.*-d none" $crashing/$folder "$RUNNEL" render "$clip" never.mkv $few -f invert
    done
    ok env POCL_CACHE_DIR="$scratch/new" "$started" render "$clip" null: -q $few -f invert

    begin "kept programs without their kernels are compiled anew by the next run"
    ok env POCL_CACHE_DIR="$scratch/lost" "$started" render "$clip" null: -q $few -f custom=same.cl
    lost="env $preload QUERY_HOW=kernel POCL_CACHE_DIR=$scratch/lost"
    refuses 5 "'$scratch/lost'.*run again" $lost "$RUNNEL" render "$clip" never.mkv $few -f custom=same.cl
    says 'compiled anew' env POCL_CACHE_DIR="$scratch/lost" "$started" render "$clip" null: $few -f custom=same.cl

    begin "a kept program that is damaged is compiled again"
    for times in 1 2; do
        into md5_$times env POCL_CACHE_DIR="$scratch/lost" "$started" render "$clip" md5: -q $few -f custom=same.cl
        python3 - lost/runnel-* <<'PY'
import sys
for name in sys.argv[1:]:
    data = bytearray(open(name, 'rb').read())
    at = data.find(b'BC\xc0\xde')
    data[at + 64:at + 400] = bytes(336)
    open(name, 'wb').write(data)
PY
    done
    expect_same md5_1 md5_2

    begin "a signal while the first kernel runs ends the run as ever"
    env $preload QUERY_HOW=hang POCL_CACHE_DIR="$scratch/new" "$RUNNEL" render "$clip" never.mkv $few -f invert 2>err &
    pid=$!
    wait_for $patience test -e hung || complain "no kernel is started"
    kill -TERM $pid
    ends $pid 143
    expect_eq "words, marks, outputs" "$(ls -A . new | grep -c 'never\|damaged')$(grep -c 'run again' err)" 00

    begin "a kernel that the driver gave up is an error"
    i=1
    while [ $i -le 3 ]; do
        render_measured $preload QUERY=$i QUERY_HOW=status
        expect_rc 5
        i=$((i + 1))
    done
fi
