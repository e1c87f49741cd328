#!/bin/sh
# No run writes over a file that it reads, or twice to one file; and files that a chain file or a replay
# names are written only where that was allowed.
. "$(dirname "$0")/lib.sh" # SPDX-License-Identifier: MIT

export RUNNEL
mkdir work && cd work || exit 1
clip clip.mkv lavfi:testsrc2=s=64x48:r=25 -frames:v 2 -c:v ffv1
src=../src.nut
clip $src lavfi:testsrc2=s=64x48:r=25 -frames:v 60 -c:v rawvideo
printf '0 0 0\n0 1 0\n0 0 0\n' >m.txt
printf 'float filter(IN) { return PIXEL(0, 0); }\n' >k.cl
printf '# mine\ninvert\n' >c.chain
printf '{"chain":"invert"}\n{"frame":1,"stage":0,"on":false}\n' >r.jsonl
printf 'an old table\n' >old.csv
ln m.txt hard.txt
ln -s m.txt soft.txt
ln -s "$PWD/new.csv" dangling.csv
ln -s two one
ln -s one two
mkdir folder
ln -s . here
mkfifo fifo
sha256sum clip.mkv m.txt k.cl c.chain r.jsonl old.csv >../sums

list_files() { ls -A | grep -vx -e out -e err -e got -e want -e log; }
list_files >../names

expect_untouched() { # nothing was written, nothing is new
    sha256sum -c ../sums >../check 2>&1 || complain "changed: $(grep FAILED ../check | tr '\n' ' ')"
    list_files >../now
    expect_same ../now ../names
}

refused() { # command line, grep pattern
    eval "run runnel $1"
    shift
    expect_refusal 2 "$@"
    expect_untouched
}

# ---- overlaps

while IFS='|' read -r words command; do
    begin "refused: $command"
    refused "$command --frames 1 -q -y" "$words"
done <<'CASES'
--metrics would overwrite file= of convolution: 'm.txt'|render $src null: -f convolution=file=m.txt --metrics m.txt
--metrics would overwrite file= of convolution: './m.txt'|render $src null: -f convolution=file=m.txt --metrics ./m.txt
--metrics would overwrite file= of convolution@edge|render $src null: -f convolution@edge=file=m.txt --metrics hard.txt
--metrics would overwrite file= of convolution: 'soft.txt'|render $src null: -f convolution=file=m.txt --metrics soft.txt
--metrics would overwrite file= of convolution|render $src null: -f convolution=file=soft.txt --metrics here/here/m.txt
--progress would overwrite file= of convolution|stats $src -f convolution=file=m.txt --progress "$PWD/m.txt"
the output would overwrite file= of convolution|render $src m.txt -f convolution=file=m.txt
file= of stats would overwrite file= of convolution|render $src null: -f convolution=file=m.txt,stats=file=m.txt
file= of stats would overwrite file= of convolution|stats $src -f stats=file=m.txt,convolution=file=m.txt
--metrics would overwrite the chain file: 'c.chain'|render $src null: -f @c.chain --metrics c.chain
--progress would overwrite the chain file|render $src null: -f @./c.chain --progress c.chain
the output would overwrite the chain file|render $src c.chain -f @c.chain
--progress would overwrite --replay: 'r.jsonl'|render $src null: --replay r.jsonl --progress r.jsonl
--metrics would overwrite --replay|render $src null: --replay r.jsonl --metrics ./r.jsonl
the output would overwrite --replay|render $src r.jsonl --replay r.jsonl
--progress would overwrite file= of custom: 'k.cl'|render $src null: -f custom=k.cl --progress k.cl
--metrics would overwrite file= of custom|stats $src -f custom=file=k.cl --metrics k.cl
file= of stats would overwrite file= of custom|play $src -f custom=k.cl,stats=file=k.cl
--record would overwrite --kernel: 'k.cl'|play $src --kernel k.cl --record k.cl
--record would overwrite the chain file|play $src -f @c.chain --record c.chain
--record would overwrite the input|play clip.mkv --record clip.mkv
--record and file= of stats are the same file|play $src -f stats=file=new.csv --record ./new.csv
file= of stats would overwrite the input|play clip.mkv -f stats=file=clip.mkv
--metrics would overwrite the input|render clip.mkv null: --metrics clip.mkv
--progress would overwrite the input|render file:clip.mkv null: --progress clip.mkv
the output would overwrite the input|render file:clip.mkv clip.mkv
the output and --metrics are the same file 'here/new.mkv'|render $src new.mkv --metrics here/new.mkv
--metrics and file= of stats are the same file|render $src null: -f stats=file=dangling.csv --metrics new.csv
--progress and file= of stats are the same file|render $src null: -f stats=file=new.csv --progress dangling.csv
file= of stats and file= of stats@b are the same file|render $src null: -f stats=file=new.csv,stats@b=file=new.csv
--metrics and --progress are the same file|render $src null: --metrics old.csv --progress old.csv
the output and --metrics are the same file|render $src 'shot_%02d.png' --metrics shot_07.png
the output and file= of stats are the same file|render $src here/shot_%d.png -f stats=file=shot_7.png
Too many levels of symbolic links|render $src null: -f convolution=file=one --metrics one
--record takes the name of a file|play $src --record -
--metrics - would be mixed with other data on stdout|render $src md5: --metrics -
--metrics - would be mixed with other data on stdout|stats $src --metrics -
--progress - would be mixed with other data on stdout|render $src null: --progress - -f stats=file=-
--progress - would be mixed with other data on stdout|render $src null: --progress - --metrics -
CASES

begin "a mistake in the chain is found before any file is opened"
refused 'render $src null: -f convolution=file=m.txt,nonsense --progress m.txt --metrics m.txt -y'
refused 'render $src null: -f custom=c.chain:x=1 --progress c.chain -y'
refused 'play $src -f nonsense --record c.chain -y'

begin "standard input and output are files too"
clip clip.y4m clip.mkv -pix_fmt yuv420p -f yuv4mpegpipe
before=$(sha clip.y4m)
fails 2 'the output would overwrite the input' sh -c '"$started" render - clip.y4m -y <clip.y4m'
fails 2 '' sh -c '"$started" stats - --metrics clip.y4m -y <clip.y4m'
expect_eq "the input" "$(sha clip.y4m)" "$before"
fails 2 'stdout and --metrics are the same file' sh -c '"$started" stats - --metrics table -y <clip.y4m >table'
ok sh -c '"$started" stats - --metrics table -y <clip.y4m >other'
rm -f clip.y4m table other

begin "what is no regular file may be named more than once"
ok runnel render $src null: --frames 1 -q -f stats=file=/dev/null --metrics /dev/null --progress /dev/null
expect_untouched
timeout $patience cat fifo >got &
ok runnel render $src null: --frames 1 -q --metrics fifo --progress fifo
wait
expect_file got
ok sh -c '"$started" stats "$0" --frames 1 -q -f stats=file=/dev/stdout --metrics /dev/stdout | cat' $src
grep -q '^frame,' out && grep -q '"frames_out": 1' out || complain "not all is on stdout"

begin "names that are like others, but not the same"
ok runnel render $src shot_%02d.png --frames 1 -q --metrics shot_7.png --progress shot_0x.png \
    -f stats=file=m.txt.new,convolution=file=m.txt
expect_file shot_00.png shot_7.png shot_0x.png m.txt.new
rm -f shot_* m.txt.new
expect_untouched

begin "two tables, or other data, on stdout"
refused 'render $src null: -f stats=file=-,stats=file=-'
refused 'render $src md5: -f stats=file=-'
refused 'play $src --md5 -f stats=file=-'

# ---- open descriptors

in_log() { # text before, text behind, jq's expression for what is between, what it gives
    expect_eq "the text before" "$(head -n 1 log)" "$1"
    expect_eq "the text behind" "$(tail -n 1 log)" "$2"
    expect_eq "between them" "$(sed '1d;$d' log | jq -s "$3")" "$4"
}

begin "- and the names of descriptors: written on from where they stand, never replaced"
ok runnel render $src null: --frames 2 -q --metrics -
expect_eq "frames in the metrics" "$(jq .frames_out out)" 2
while IFS='|' read -r options expression; do
    for name in /dev/fd/3 /proc/self/fd/3; do
        echo first >log
        inode=$(stat -c %i log)
        ok sh -c "\"\$started\" render $src null: --frames 2 -q -y $options$name 3>>log && echo last >>log"
        in_log first last "$expression" 2
        expect_eq "the file" "$(stat -c %i log)" "$inode"
    done
    ok sh -c "{ echo first; \"\$started\" render $src null: --frames 2 -q -y $options/dev/stdout; echo last; } >log"
    in_log first last "$expression" 2
done <<'CASES'
--metrics |.[0].frames_out
--progress |.[-1].frames
-f stats=planes=1:format=json:file=|length
CASES
run sh -c "{ echo first; \"\$started\" render $src null: --frames 2 -q --progress -; echo last; } >log"
in_log first last '.[-1].frames' 2

begin "descriptors that are not open for writing"
for name in /dev/fd/9 /proc/self/fd/9 /dev/stdin; do
    for option in --metrics --progress '-f stats=file='; do
        case $option in --*) option="$option " ;; esac
        refuses 4 "cannot write '$name': it is not open for writing" \
            sh -c "\"\$started\" render $src null: --frames 2 -q -y $option$name </dev/null"
    done
done

begin "pictures and recordings do not go to a file that is open already; to a pipe they do"
for e in mkv tif png; do
    ln -s /dev/fd/3 fd.$e
    echo first >log
    refuses 4 "'fd.$e' is a file that is already open; give its own name" \
        sh -c "\"\$started\" render $src fd.$e --frames 1 -q -y 3>>log"
    expect_eq "$e: the file" "$(head -c 6 log)" first
done
fails 4 "'/dev/fd/3' is a file that is already open; give its own name" \
    sh -c "\"\$started\" play $src --frames 1 -q -y --record /dev/fd/3 3>>log"
expect_eq "the file" "$(head -c 6 log)" first
for e in mkv png; do # nobody else reads it before the program has ended: it must not read it itself
    run sh -c "{ timeout 60 \"\$started\" render $src fd.$e --frames 1 -q 3>&1 >/dev/null; echo >ended; } |
        { until [ -e ended ]; do sleep 0.1; done; cat >got; }"
    expect_file got
    rm -f ended
done
rm -f fd.*

begin "a stdout that does not wait for its reader: nothing is lost"
cat >impatient.py <<'PY'
import array, fcntl, os, subprocess, sys, termios
r, w = os.pipe()
fcntl.fcntl(w, fcntl.F_SETPIPE_SZ, 4096)
fcntl.fcntl(w, fcntl.F_SETFL, os.O_NONBLOCK)
p = subprocess.Popen(sys.argv[1:], stdout=w)
os.close(w)
held = array.array('i', [0])
while held[0] < 4000 and p.poll() is None:
    fcntl.ioctl(r, termios.FIONREAD, held)
sys.stdout.write(os.fdopen(r).read())
sys.exit(p.wait())
PY
ok "$PYTHON" impatient.py "$RUNNEL" render $src md5: --frames 60 -q -d none
expect_eq "lines" "$(grep -c . out)" 180
rm -f impatient.py

# ---- what appears, and what stays

arguments_of() { # file: those of render that has it written
    case $1 in
    *.csv) echo "null: -f stats=file=$1" ;;
    *.json) echo "null: --metrics $1" ;;
    *.jsonl) echo "null: --progress $1" ;;
    *) echo "$1" ;;
    esac
}

begin "a file that appears under the output's name during the run stays, and the output is kept"
clip long.y4m lavfi:testsrc2=s=320x240:r=25 -frames:v 100 -pix_fmt yuv420p -f yuv4mpegpipe
for late in late.nut late.tif late.csv; do
    # Beyond what is read in advance: all is open when the last byte is taken.
    refuses 4 "'$late' appeared while .* the complete output is 'late.new.${late#*.}'" \
        sh -c "{ cat long.y4m; echo mine >$late; } | \"\$started\" render - $(arguments_of $late) -q -d none"
    expect_eq "$late" "$(cat $late)" mine
done
expect_eq "frames" "$(frames_of late.new.nut)" 100
expect_eq "pages" "$(runnel render late.new.tif md5: -q | grep -c ' 0 ')" 100
expect_eq "lines" "$(grep -c ,0, late.new.csv)" 100
rm -f late.* long.y4m
expect_untouched

begin "a link stays a link, also one that dangles"
mkdir far
for e in mp4 tif png csv; do
    ln -s far/it.$e $e.$e
    for y in '' -y; do
        [ $e = mp4 ] && options="--codec-opts movflags=+faststart" || options=
        ok runnel render $src $(arguments_of $e.$e) $options $y --frames 1 -q
        [ -L $e.$e ] || complain "$e.$e is no link any more"
        expect_file far/it.$e
    done
done
expect_only far it.mp4 it.tif it.png it.csv
rm -rf far mp4.mp4 tif.tif png.png csv.csv
for loop in "one --codec ffv1" "null: --metrics one" "null: --progress one" "null: -f stats=file=one"; do
    run runnel render $src $loop --frames 1 -q
    case $rc in 2 | 4) ;; *) expect_rc 4 ;; esac
    [ -L one ] || complain "the loop was broken"
done
expect_untouched

begin "a umask that shuts everybody out"
mkdir shut
for name in closed.mp4 closed.csv; do
    ok sh -c "umask 777 && exec \"\$0\" \"\$@\"" "$started" render $src $(arguments_of shut/$name) --frames 1 -q \
        -d none
    expect_eq "permissions of $name" "$(stat -c %a shut/$name)" 0
done

begin "what replaces a file does not take over set-user-ID and its like"
for name in s.mp4 s.tif s.png s.csv s.json s.jsonl; do
    : >$name
    chmod 6777 $name
    ok runnel render $src $(arguments_of $name) -y --frames 1 -q
    expect_eq "permissions of $name" "$(stat -c %a $name)" 777
done
rm -f s.*

# ---- files that are named in files

printf 'invert,stats=file=new.csv\n' >w.chain
printf 'stats=file=old.csv\n' >old.chain
printf 'stats=file=-\n' >stdout.chain
printf '{"chain":"stats=file=new.csv"}\n' >w.jsonl
printf '{"chain":"@c.chain"}\n' >at.jsonl
printf '# mine\ninvert,custom=k.cl\n' >k.chain
printf '{"chain":"custom=file=k.cl:enable=0"}\n' >k.jsonl
list_files >../names

begin "a chain file or a replay names a file to write"
for how in "-f @w.chain" "-f @old.chain" "--replay w.jsonl"; do
    for y in "" -y; do
        refused "render $src null: --frames 1 $how $y" "--allow-writes"
    done
done
expect_message "'w.jsonl' names a file to write, 'new.csv'"
refused "stats $src --frames 1 -f @w.chain -y" "'w.chain' names a file to write, 'new.csv'"
refused "play $src --frames 1 -f @w.chain -y"

begin "--allow-writes allows it, and -y is still needed for what exists"
for how in "-f @w.chain" "--replay w.jsonl"; do
    ok runnel render $src null: --frames 1 -q $how --allow-writes
    expect_file new.csv
    rm -f new.csv
done
ok runnel stats $src --frames 1 -q -f @w.chain --allow-writes
expect_file new.csv
rm -f new.csv
refuses 4 '' runnel render $src null: --frames 1 -q -f @old.chain --allow-writes
expect_untouched
ok runnel render $src null: --frames 1 -q -f @old.chain --allow-writes -y
grep -q '^frame,' old.csv || complain "the table was not written"
printf 'an old table\n' >old.csv
refused "render $src null: --frames 1 -f @w.chain --allow-writes --metrics new.csv"
expect_message "--metrics and file= of stats in 'w.chain' are the same file"

refused "bench --suite streaming --quick -f @w.chain -y" "leave file= out"

begin "a chain file or a replay names a kernel to run"
export SDL_VIDEODRIVER=dummy # nobody sees the window's question
for how in "render $src null: -f @k.chain" "render $src null: -f @./k.chain --allow-writes -y" \
    "render $src null: --replay k.jsonl" "stats $src -f @k.chain" "bench $src -f @k.chain" \
    "bench --suite streaming --quick -f @k.chain" "play $src -f @k.chain" \
    "play $src --versus @k.chain" "play $src -f @k.chain --record tape"; do
    refused "$how" "k.chain' names code to run, 'k.cl': .*--allow-code\|'k.jsonl' names .*--allow-code"
done

begin "--allow-code allows it; what the command line names needs no permission"
into want runnel render $src md5: --frames 1 -q -d 0 -f invert,custom=k.cl
prints want runnel render $src md5: --frames 1 -q -d 0 -f @k.chain --allow-code
ok runnel render $src null: --frames 1 -q -d 0 --replay k.jsonl --allow-code
ok runnel stats $src --frames 1 -q -d 0 -f custom=k.cl

begin "stdout, the chain on the command line, and files to read need no permission"
ok runnel render $src null: --frames 1 -q -f @stdout.chain
expect_file out
ok runnel render $src null: --frames 1 -q -f stats=file=new.csv
expect_file new.csv
rm -f new.csv
printf 'convolution=file=m.txt\n' >read.chain
list_files >../names
ok runnel render $src null: --frames 1 -q -f @read.chain
refused "render $src null: --frames 1 -f @read.chain --metrics m.txt -y"
expect_message "--metrics would overwrite file= of convolution in 'read.chain': 'm.txt'"
rm -f read.chain
list_files >../names

begin "only the command line names chain files"
refused "render $src null: --frames 1 --replay at.jsonl" "'at.jsonl' names the chain file 'c.chain'"

# ---- files that are read whole

begin "chain files: a pipe will do; no end, zeros, folders and length are refused"
timeout $patience sh -c "printf invert,gray >fifo" &
into got runnel render $src md5: --frames 1 -q -f @fifo
prints got runnel render $src md5: --frames 1 -q -f invert,gray
refused "render $src null: -f @/dev/zero"
refused "render $src null: -f @folder" 'a folder'
refused "render $src null: -f @one"
yes '# a comment' | head -c 1100000 >long.chain
list_files >../names
refused "render $src null: -f @long.chain" 'longer than 1048576 bytes'
refused "render $src null: -f convolution=file=long.chain"
refused "render $src null: -f custom=long.chain"
refused "render $src null: --replay folder"
rm -f long.chain
