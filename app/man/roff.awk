# Makes a manual page (man(7), tbl(7)) of the Markdown that is used in this folder: headings, paragraphs, lists, tables,
# indented and fenced code, `code`, *emphasis*, **strong**, [links](of), images (left out), comments (left out).
# The first heading is "# name(section)". A table whose rows have two cells becomes a list, another one a table.
#
#     awk -v version=1.0 -v date=2026-11-28 -f roff.awk page.md >page.1

function escape(text) { # what roff takes for commands
    gsub(/\\/, "\\e", text)
    gsub(/-/, "\\-", text)
    gsub(/'/, "\\(aq", text)
    gsub(/`/, "\\(ga", text)
    gsub(/\^/, "\\(ha", text)
    gsub(/~/, "\\(ti", text)
    return text
}

function plain(text) { # of a sentence: its hyphens stay hyphens
    gsub(/\\/, "\\e", text)
    gsub(/\^/, "\\(ha", text)
    gsub(/~/, "\\(ti", text)
    gsub(/--/, "\\-\\-", text)
    return text
}

function marked(text,    out, at, end, rest, word) { # code, emphasis, links
    gsub(/!\[[^]]*\]\([^)]*\)/, "", text)
    while ((at = match(text, /`[^`]+`|\*\*[^*]+\*\*|\*[^* ][^*]*\*|\[[^]]+\]\([^)]*\)/)) > 0) {
        word = substr(text, RSTART, RLENGTH)
        out = out plain(substr(text, 1, at - 1))
        text = substr(text, RSTART + RLENGTH)
        if (word ~ /^`/) { # \%: not hyphenated
            word = escape(substr(word, 2, length(word) - 2))
            gsub(/ /, " \\%", word)
            out = out "\\fB\\%" word "\\fR"
        }
        else if (word ~ /^\*\*/)
            out = out "\\fB" plain(substr(word, 3, length(word) - 4)) "\\fR"
        else if (word ~ /^\*/)
            out = out "\\fI" plain(substr(word, 2, length(word) - 2)) "\\fR"
        else {
            end = index(word, "](")
            rest = substr(word, 2, end - 2)
            gsub(/`/, "", rest)
            out = out "\\fB" escape(rest) "\\fR"
        }
    }
    return out plain(text)
}

function line(text) { # a text line, which must not look like a request
    if (text ~ /^[.']/)
        text = "\\&" text
    print text
}

function filled(text,    at) { # the same in several lines: none ends where a sentence may, which would widen the blank
    while (length(text) > 80) {
        for (at = 80; at > 1 && substr(text, at - 1, 2) !~ /^[^].?!)"] $/; at--);
        for (; at < 2 || (at <= length(text) && substr(text, at - 1, 2) !~ /^[^].?!)"] $/); at++);
        if (at > length(text))
            break
        line(substr(text, 1, at - 1))
        text = substr(text, at + 1)
    }
    line(text)
}

function paragraph() {
    words = marked(words)
    if (words != "") {
        if (!item && !bare)
            print ".PP"
        filled(words)
        bare = 0
    }
    words = ""
    item = 0
}

function cells(row, cell,    n, i) { # the cells of a table's row; "\|" is a bar
    gsub(/\\\|/, "\001", row)
    sub(/^\| */, "", row)
    sub(/ *\|$/, "", row)
    n = split(row, cell, / *\| */)
    for (i = 1; i <= n; i++)
        gsub(/\001/, "|", cell[i])
    return n
}

function table(    i, k, n, cell, columns, format, text, width, all, broken) {
    columns = cells(rows[1], cell)
    if (columns == 2) {
        if (cell[1] ~ /^[A-Z]+$/) # of several tables in a section
            print (bare ? "" : ".PP\n") "\\fB" cell[1] "\\fR: " cell[2]
        for (i = 3; i <= nrows; i++) {
            cells(rows[i], cell)
            print ".TP"
            line(marked(cell[1]))
            filled(cell[2] == "" ? "\\&" : marked(cell[2]))
        }
    } else {
        for (k = 1; k <= columns; k++) {
            width[k] = 0
            for (i = 1; i <= nrows; i++)
                if (i != 2 && cells(rows[i], cell) && length(cell[k]) > width[k])
                    width[k] = length(cell[k])
            all += width[k] + 3
        }
        for (k = 1; k <= columns; k++) {
            broken[k] = all > 76 && (width[k] > 24 || k == columns)
            format = format (k > 1 ? " " : "") (broken[k] ? "lx" : "l")
        }
        print (bare ? "" : ".PP\n") ".na\n.TS\n" format "."
        for (i = 1; i <= nrows; i++) {
            if (i == 2)
                continue
            n = cells(rows[i], cell)
            for (k = 1; k <= columns; k++) {
                text = marked(cell[k])
                if (text ~ /^[.']/)
                    text = "\\&" text
                if (broken[k])
                    text = "T{\n" (text == "" ? "\\&" : text) "\nT}"
                printf "%s%s", (k > 1 ? "\t" : ""), text
            }
            print ""
        }
        print ".TE\n.ad"
    }
    nrows = bare = 0
}

function opens() { # an example
    print bare ? ".RS 4\n.EX" : ".PP\n.RS 4\n.EX"
    bare = 0
}

function finish() { # what the line before left open
    if (nrows)
        table()
    if (code) {
        print ".EE\n.RE"
        code = 0
    }
}

BEGIN { print "'\\\" t" }

fenced && /^```/ { fenced = 0; finish(); next }
fenced { line(escape($0)); next }
/^<!--/ { while ($0 !~ /-->/ && (getline) > 0); next }
/^```/ { paragraph(); finish(); opens(); fenced = code = 1; next }
/^# / {
    split(substr($0, 3), head, /[()]/)
    printf ".TH \"%s\" \"%s\" \"%s\" \"runnel %s\" \"runnel\"\n", escape(toupper(head[1])), head[2], date, version
    next
}
/^## / { paragraph(); finish(); print ".SH " quoted(toupper(substr($0, 4))); bare = 1; next }
/^### / { paragraph(); finish(); print ".SS " quoted(substr($0, 5)); bare = 1; next }
/^\|/ { paragraph(); if (code) finish(); rows[++nrows] = $0; next }
/^    / && (code || (words == "" && !item && !inlist)) {
    if (!code) {
        finish()
        opens()
        code = 1
    }
    for (; blank > 0 && begun; blank--)
        print ""
    blank = 0
    begun = 1
    line(escape(substr($0, 5)))
    next
}
/^$/ { paragraph(); if (code) blank++; else finish(); inlist = 0; next }
{ finish(); blank = begun = 0 }
/^- / {
    paragraph()
    print ".IP \\(bu 2"
    item = inlist = 1
    words = substr($0, 3)
    next
}
{
    text = $0
    sub(/^ +/, "", text)
    words = words (words == "" ? "" : " ") text
}
END { paragraph(); finish() }

function quoted(text) {
    gsub(/`/, "", text)
    text = plain(text)
    gsub(/"/, "\\(dq", text)
    return "\"" text "\""
}
