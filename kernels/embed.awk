# Turns files of kernels/*.cl (the arguments) into a C file that defines a table of struct rn_source_text,
# one C string per line. -v table=: the name of the table.
# Each text stands alone: a line `#include "x.clh"` is replaced by that file, from the same folder, once
# per text. #line directives keep the names and numbers in the device compiler's messages true.

# Prints one source line as a C string. ? is escaped against trigraphs.
function put(line)
{
    gsub(/[\\"?]/, "\\\\&", line)
    gsub(/\t/, "\\t", line)
    printf "    \"%s\\n\"\n", line
}

function embed(file,    line, n, name, dir)
{
    dir = file
    sub(/[^\/]*$/, "", dir)
    put("#line 1 \"" file "\"")
    n = 0
    while ((got = (getline line < file)) > 0) {
        n++
        if (line !~ /^#include +"[^"]*"/) {
            put(line)
            continue
        }
        name = line
        sub(/^#include +"/, "", name)
        sub(/".*/, "", name)
        if (!((dir name) in seen)) {
            seen[dir name] = 1
            embed(dir name)
        }
        put("#line " (n + 1) " \"" file "\"")
    }
    if (got < 0) {
        print "embed.awk: cannot read " file > "/dev/stderr"
        failed = 1
        exit 1
    }
    close(file)
}

BEGIN {
    print "/* Made from kernels/ by kernels/embed.awk. */"
    print "#include <stddef.h>\n"
    print "#include \"filters/core/device/opencl.h\"\n"
    for (i = 1; i < ARGC; i++) {
        split("", seen)
        printf "static const char text%d[] =\n", i
        embed(ARGV[i])
        print "    ;\n"
    }
    print "extern const struct rn_source_text " table "[];"
    print "const struct rn_source_text " table "[] = {"
    for (i = 1; i < ARGC; i++) {
        name = ARGV[i]
        sub(/.*\//, "", name)
        printf "    {\"%s\", text%d},\n", name, i
    }
    print "    {NULL, NULL},\n};"
    exit failed
}
