#!/bin/sh
# The README and the manuals: their tables are the program's, they become pages without a warning, links lead somewhere,
# and their examples run. WHOLE=1: all examples, with -y twice in a row; without it some frames of those of the README.
. "$(dirname "$0")/lib.sh" # SPDX-License-Identifier: MIT
pages=$(ls "$root"/app/man/*.md)

begin "the tables are those of the program (make documents)"
mkdir -p app/man app/python tests
ln -s "$root/media" media
cp "$root"/app/man/* app/man
cp "$root/tests/example.c" tests
cp "$root/app/python/example.py" app/python
cp "$root/README.md" .
ok sh app/man/tables.sh "$started" README.md app/man/*.md
for page in $pages; do expect_same "app/man/${page##*/}" "$page"; done
expect_same README.md "$root/README.md"

begin "the README is a door: 160 lines and 12 KB at most"
[ "$(wc -l <README.md)" -le 160 ] && [ "$(wc -c <README.md)" -le 12288 ] || complain "$(wc README.md)"

begin "the keys of the preview are on its page, apart from those of a row such as F1 - F4"
runnel play --keys | sed -n 's/^\([^# ]*\) .*/\1/p' |
    grep -v '^Pad\|F[1-4]$\|^Alt+[1-9]$\|^[1-4]$\|^Shift+Up$\|^Shift+Down$' >keys
while IFS= read -r key; do
    sed -n 's/^\(| .*\) | .*/\1/p' app/man/runnel-play.1.md | grep -qF "\`$key\`" || complain "the page does not have the key $key"
done <keys
[ -s keys ] || complain "no keys"

begin "every command has a page, and each page is one that man takes without a warning"
for command in $(runnel --help | sed -n '/^Commands:$/,/^$/s/^  \([a-z]*\) .*/\1/p'); do
    [ -f "app/man/runnel-$command.1.md" ] || complain "there is no page for $command"
done
for page in app/man/*.md; do
    name=${page##*/} name=${name%.md}
    awk -v version=1 -v date=2026-01-01 -f app/man/roff.awk "$page" >"$name"
    mandoc -T lint "$name" >>lint || [ -s lint ] || complain "mandoc does not run"
    lexgrog "$name" >>names || complain "$name has no name line"
done
expect_eq "warnings" "$(cat lint)" ""
[ "$(wc -l <names)" -ge 14 ] || complain "too few pages"

begin "links lead to pages and pictures that are there"
for page in README.md app/man/*.md; do
    grep -o '](\([^)#]*\)' "$page" | sed 's/](//' | while read -r link; do
        case $link in *:*) continue ;; esac
        [ -e "$root/$(dirname "$page")/$link" ] || echo "$page: $link"
    done >>lost
done
expect_eq "lost links" "$(cat lost)" ""

begin "the examples run"
mkdir tmp bin
ln -s "$started" bin/runnel
PATH=$scratch/bin:$PATH
few=
[ -n "${WHOLE-}" ] || { pages='' few=' --frames 8'; }
for page in README.md $pages; do
    rm -f tmp/*
    # Pictures of a window, benchmarks and what needs other files are tested elsewhere.
    sed ':a;/\\$/{N;s/\\\n *//;ba}' "$page" | grep '^    \(build/\)*runnel [a-z]' | sed 's,^ *,,; s,build/runnel,runnel,g; s,/tmp/,tmp/,g' |
        grep -v '^runnel play\|^runnel bench\|COMMAND\|INPUT\|\[\|--kernel\|\.chain\|--replay' >examples
    while IFS= read -r example; do
        times=1
        case $example in *' -y'*) [ -z "$few" ] && times='1 2' ;; esac
        for _ in $times; do
            run sh -c "$example$few"
            [ $rc = 0 ] || complain "${page##*/}: status $rc: $example: $(head -n 1 err)"
        done
    done <examples
    [ -s examples ] || [ "$page" != README.md ] || complain "no examples"
done
