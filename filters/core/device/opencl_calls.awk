# Reads what the preprocessor makes of cl.h, and writes for every function that is named in the variable
# `wanted` (parted by blanks) a function of that name which fails where it is told to: see faults.c.

function trim(s) { gsub(/^[ \t]+|[ \t]+$/, "", s); return s }

# The name of a parameter: what stands last, or within (* ) where it is a pointer to a function.
function name_of(param,   s) {
    if (match(param, /\( *\* *[A-Za-z_0-9]+ *\)/)) {
        s = substr(param, RSTART, RLENGTH)
        gsub(/[(*) ]/, "", s)
        return s
    }
    match(param, /[A-Za-z_0-9]+$/)
    return substr(param, RSTART)
}

# The names of all, parted by commas that are not within brackets.
function names_of(params,   i, c, depth, from, names) {
    if (trim(params) == "void") return ""
    params = params ","
    for (i = from = 1; i <= length(params); i++) {
        c = substr(params, i, 1)
        depth += (c == "(") - (c == ")")
        if (c == "," && depth == 0) {
            names = names (names ? ", " : "") name_of(trim(substr(params, from, i - from)))
            from = i + 1
        }
    }
    return names
}

function wrap(type, fn, params,   names) {
    names = names_of(params)
    printf "%s %s(%s)\n{\n    static %s (*real)(%s);\n", type, fn, params, type, params
    printf "    FIND(real, \"%s\");\n    if (STRIKES(CL)) {\n", fn
    if (names ~ /errcode_ret$/) print "        if (errcode_ret)\n            *errcode_ret = CL_FAILURE;"
    printf "        return %s;\n    }\n    return real(%s);\n}\n\n", \
        type ~ /cl_int$/ ? "CL_FAILURE" : "NULL", names
}

BEGIN {
    n = split(wanted, list, " ")
    for (i = 1; i <= n; i++) is_wanted[list[i]] = 1
}
/^#/ { next }
{ text = text " " $0 }
END {
    gsub(/__attribute__ *\(\([^()]*(\([^()]*\))?[^()]*\)\)/, "", text)
    gsub(/[ \t]+/, " ", text)
    n = split(text, statement, ";")
    for (i = 1; i <= n; i++) {
        s = trim(statement[i])
        sub(/^extern /, "", s)
        if (!match(s, / \**cl[A-Z][A-Za-z0-9]*\(/)) continue
        fn = substr(s, RSTART, RLENGTH - 1)
        type = trim(substr(s, 1, RSTART - 1))
        while (fn ~ /^[ *]/) { if (fn ~ /^\*/) type = type " *"; fn = substr(fn, 2) }
        params = substr(s, RSTART + RLENGTH)
        sub(/\) *$/, "", params)
        if (!(fn in is_wanted) || type ~ /\(/) continue
        wrap(type, fn, params)
        delete is_wanted[fn]
    }
    for (fn in is_wanted) { print "#error \"no prototype of " fn " was found\"" }
}
