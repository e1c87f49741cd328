/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* DT_REG */
#include "io/read/images/names.h"

#include "filters/base/log.h"
#include "filters/base/output/path.h"
#include "io/read/input.h"

#include <ctype.h>
#include <dirent.h>
#include <glob.h>

bool rn_read_name_is_image(const char *path)
{
    return av_match_ext(path,
                        "png,jpg,jpeg,jpe,tif,tiff,bmp,pgm,ppm,pnm,pbm,pam,pgx,pfm,tga,dpx,exr,"
                        "jp2,j2k,j2c,jls,jxl,webp,sgi,rgb,pcx,qoi,xwd,ras,sun,psd,xbm,xpm,dds");
}

int rn_read_name_codec(const char *path)
{
    const AVOutputFormat *of = av_guess_format(RN_CONTAINER_OF_IMAGES, NULL, NULL);
    return (int)av_guess_codec(of, NULL, path, NULL, AVMEDIA_TYPE_VIDEO);
}

/* ---- patterns */

/* Where the number stands, how many digits it has, and what follows. NULL: the name of the file has
 * none, or two, or what is none. */
static const char *find_number(const char *text, int *digits, const char **behind)
{
    const char *slash = strrchr(text, '/'), *base = slash ? slash + 1 : text, *found = NULL;
    for (const char *p = text; *p; p++) {
        if (*p == '%' && p[1] == '%') {
            p++;
        } else if (*p == '%' && p >= base) {
            const char *q = p + 1;
            int n = 0;
            while (isdigit((unsigned char)*q) && n < 100)
                n = 10 * n + *q++ - '0';
            if (*q != 'd' || n > 18 || found || (n && p[1] != '0'))
                return NULL;
            *digits = n;
            *behind = q + 1;
            found = p;
            p = q;
        }
    }
    return found;
}

bool rn_read_is_pattern(const char *text)
{
    int digits;
    const char *behind;
    return find_number(text, &digits, &behind) != NULL;
}

static char *unescape(const char *text, size_t size)
{
    char *plain = av_mallocz(size + 1), *end = plain;
    for (size_t i = 0; plain && i < size; i++) {
        *end++ = text[i];
        if (text[i] == '%' && i + 1 < size && text[i + 1] == '%')
            i++;
    }
    return plain;
}

bool rn_read_pattern_parse(const char *text, struct rn_read_pattern *pattern)
{
    *pattern = (struct rn_read_pattern){.digits = -1};
    const char *behind, *number = find_number(text, &pattern->digits, &behind);
    if (!number)
        return false;
    pattern->prefix = unescape(text, (size_t)(number - text));
    pattern->suffix = unescape(behind, strlen(behind));
    if (pattern->prefix && pattern->suffix)
        return true;
    rn_read_pattern_free(pattern);
    return false;
}

void rn_read_pattern_free(struct rn_read_pattern *pattern)
{
    av_freep(&pattern->prefix);
    av_freep(&pattern->suffix);
}

char *rn_read_pattern_name(const struct rn_read_pattern *pattern, int64_t number)
{
    return av_asprintf("%s%0*" PRId64 "%s", pattern->prefix, pattern->digits, number,
                       pattern->suffix);
}

/* Number of a file of the pattern (base: how names begin, without the folder); -1: another. */
static int64_t number_in(const struct rn_read_pattern *pattern, const char *base, const char *name)
{
    size_t n = strlen(base), len = strlen(name), tail = strlen(pattern->suffix);
    if (len <= n + tail || strncmp(name, base, n) != 0 ||
        strcmp(name + len - tail, pattern->suffix) != 0)
        return -1;
    size_t digits = len - n - tail;
    if (digits > 18)
        return -1;
    int64_t number = 0;
    for (size_t i = n; i < n + digits; i++) {
        if (!isdigit((unsigned char)name[i]))
            return -1;
        number = 10 * number + name[i] - '0';
    }
    /* %04d writes 0012 and 12345, never 12 or 00012 */
    bool padded = name[n] == '0' && digits > 1;
    size_t least = pattern->digits ? (size_t)pattern->digits : 1;
    return digits < least || (digits > least && padded) ? -1 : number;
}

bool rn_read_pattern_makes(const char *text, const char *name)
{
    RN_OWNED(rn_read_pattern_free) struct rn_read_pattern pattern = {0};
    return rn_read_pattern_parse(text, &pattern) && number_in(&pattern, pattern.prefix, name) >= 0;
}

/* ---- lists */

int rn_read_names_append(struct rn_read_names *names, char *path)
{
    if (path && av_dynarray_add_nofree(&names->path, &names->n, path) >= 0)
        return 0;
    av_free(path);
    return rn_fail_memory();
}

void rn_read_names_free(struct rn_read_names *names)
{
    for (int i = 0; i < names->n; i++)
        av_free(names->path[i]);
    av_freep(&names->path);
    av_freep(&names->number);
    names->n = 0;
}

/* Runs of digits compare as numbers, everything else byte by byte. */
static int natural_order(const void *pa, const void *pb)
{
    const char *a = *(char *const *)pa, *b = *(char *const *)pb;
    const char *a0 = a, *b0 = b;
    while (*a && *b) {
        if (isdigit((unsigned char)*a) && isdigit((unsigned char)*b)) {
            while (*a == '0')
                a++;
            while (*b == '0')
                b++;
            size_t na = strspn(a, "0123456789"), nb = strspn(b, "0123456789");
            int c = na != nb ? (na < nb ? -1 : 1) : memcmp(a, b, na);
            if (c)
                return c;
            a += na;
            b += nb;
        } else if (*a != *b) {
            return (unsigned char)*a < (unsigned char)*b ? -1 : 1;
        } else {
            a++;
            b++;
        }
    }
    return *a ? 1 : *b ? -1 : strcmp(a0, b0);
}

static void sort_naturally(struct rn_read_names *names)
{
    if (names->n > 1)
        qsort(names->path, (size_t)names->n, sizeof *names->path, natural_order);
}

static int fail_unseen(const char *path)
{
    return rn_fail(RN_EINPUT, "cannot look at '%s': %s", path, strerror(errno));
}

/* Appends path, which it takes over, if it is a file. */
static int append_file(struct rn_read_names *names, char *own)
{
    RN_OWNED(av_freep) char *path = own;
    struct stat st;
    int found = path ? rn_path_look(path, &st) : 0;
    if (!path || (found > 0 && S_ISREG(st.st_mode)))
        return rn_read_names_append(names, rn_take_owned(&path));
    return found < 0 ? fail_unseen(path) : 0; /* no name may be missing */
}

int rn_read_is_own_folder(const char *path)
{
    struct stat st;
    if (!lstat(path, &st))
        return S_ISDIR(st.st_mode);
    return errno == ENOENT ? 0 : -1;
}

static int scan_folder(const char *path, enum rn_read_folder_files files, int depth,
                       struct rn_read_names *names);

/* Takes the files of a folder that pattern names (its prefix without the folder is base), or if
 * pattern is NULL those that `files` says, so many folders inside each other. lead: what comes
 * before the names in the list, "" or "folder/". */
static int scan(const char *folder, const char *lead, const struct rn_read_pattern *pattern,
                const char *base, enum rn_read_folder_files files, int depth,
                struct rn_read_names *names)
{
    DIR *dir = opendir(folder);
    if (!dir)
        return rn_fail(RN_EINPUT, "cannot read the folder '%s': %s", folder, strerror(errno));
    int err = 0;
    struct dirent *e;
    while (!err && (errno = 0, e = readdir(dir))) {
        bool other = files == RN_FOLDER_IMAGES && !rn_read_name_is_image(e->d_name);
        if (pattern ? number_in(pattern, base, e->d_name) < 0 : e->d_name[0] == '.' || other)
            continue;
        RN_OWNED(av_freep) char *path = av_asprintf("%s%s", lead, e->d_name);
        int below = path && depth > 1 && e->d_type != DT_REG ? rn_read_is_own_folder(path) : 0;
        if (below)
            err = below < 0 ? fail_unseen(path) : scan_folder(path, files, depth - 1, names);
        else
            err = append_file(names, rn_take_owned(&path));
    }
    if (!err && errno) /* no name may be missing */
        err = rn_fail(RN_EINPUT, "cannot read the folder '%s': %s", folder, strerror(errno));
    closedir(dir);
    return err;
}

static int scan_folder(const char *path, enum rn_read_folder_files files, int depth,
                       struct rn_read_names *names)
{
    size_t n = strlen(path);
    RN_OWNED(av_freep) char *lead = av_asprintf("%s%s", path, n && path[n - 1] == '/' ? "" : "/");
    return lead ? scan(path, lead, NULL, NULL, files, depth, names) : rn_fail_memory();
}

int rn_read_names_of_pattern(const struct rn_read_pattern *pattern, struct rn_read_names *names)
{
    *names = (struct rn_read_names){0};
    const char *slash = strrchr(pattern->prefix, '/');
    const char *base = slash ? slash + 1 : pattern->prefix;
    RN_OWNED(av_freep)
    char *lead = av_asprintf("%.*s", (int)(base - pattern->prefix), pattern->prefix);
    if (!lead)
        return rn_fail_memory();
    int err = scan(*lead ? lead : ".", lead, pattern, base, RN_FOLDER_ALL, 1, names);
    if (err) {
        rn_read_names_free(names);
        return err;
    }
    names->number = av_malloc_array((size_t)names->n + 1, sizeof *names->number);
    if (!names->number)
        return rn_fail_memory();
    /* Numbers of one pattern rise in the natural order of its names. */
    sort_naturally(names);
    for (int i = 0; i < names->n; i++)
        names->number[i] = number_in(pattern, pattern->prefix, names->path[i]);
    return 0;
}

/* A folder that is not there has no files; one that cannot be read may have some. */
static int stop_glob(const char *path, int code)
{
    errno = code;
    return code != ENOENT && code != ENOTDIR && code != ELOOP && code != ENAMETOOLONG;
}

static int names_of_glob(const char *text, struct rn_read_names *names)
{
    glob_t found;
    int ret = glob(text, 0, stop_glob, &found);
    if (ret == GLOB_NOMATCH)
        return 0;
    if (ret)
        return rn_fail(RN_EINPUT, "cannot expand '%s': %s", text,
                       ret == GLOB_NOSPACE ? "out of memory" : strerror(errno));
    int err = 0;
    for (size_t i = 0; i < found.gl_pathc && !err; i++)
        err = append_file(names, av_strdup(found.gl_pathv[i]));
    globfree(&found);
    sort_naturally(names);
    return err;
}

/* 1 if the folder of path is there, or cannot be looked at, which its reader says. */
static int has_folder(const char *path)
{
    const char *slash = strrchr(path, '/');
    RN_OWNED(av_freep)
    char *folder = slash ? av_strndup(path, (size_t)(slash - path) + 1) : av_strdup(".");
    struct stat st;
    if (!folder)
        return rn_fail_memory();
    int found = rn_path_look(folder, &st);
    return found < 0 || (found > 0 && S_ISDIR(st.st_mode));
}

int rn_read_names_of_input(const char *input, enum rn_read_folder_files folder,
                           struct rn_read_pattern *pattern, struct rn_read_names *names)
{
    struct stat st;
    RN_OWNED(rn_read_pattern_free) struct rn_read_pattern own = {0};
    struct rn_read_pattern *p = pattern ? pattern : &own;
    *p = (struct rn_read_pattern){0};
    *names = (struct rn_read_names){0};
    int err, found = rn_path_look(input, &st);
    if (found < 0)
        err = fail_unseen(input);
    else if (found && S_ISDIR(st.st_mode))
        err = scan_folder(input, folder, folder == RN_FOLDER_TREE ? RN_FOLDER_DEPTH : 1, names);
    else if (found)
        err = rn_read_names_append(names, av_strdup(input));
    else if (!rn_read_is_pattern(input))
        err = names_of_glob(input, names);
    else
        err =
            rn_read_pattern_parse(input, p) ? rn_read_names_of_pattern(p, names) : rn_fail_memory();
    if (err)
        rn_read_names_free(names);
    else if (found)
        sort_naturally(names);
    return err;
}

int rn_read_names_hold(const char *input, const char *path)
{
    RN_OWNED(rn_read_names_free) struct rn_read_names names = {0};
    struct stat own, st;
    int found = rn_path_look(path, &own), same = 0;
    if (found <= 0)
        return found ? fail_unseen(path) : 0;
    bool there = rn_path_look(input, &st) != 0;
    int listed = !there && strstr(input, "://") ? 0 : 1;
    if (!there && listed && rn_read_is_pattern(input))
        listed = has_folder(input); /* without one a message is the source's to give */
    int err = listed > 0 ? rn_read_names_of_input(input, RN_FOLDER_ALL, NULL, &names) : listed;
    for (int i = 0; i < names.n && !err && !same; i++) {
        found = rn_path_look(names.path[i], &st);
        err = found < 0 ? fail_unseen(names.path[i]) : 0;
        same =
            found > 0 && st.st_dev == own.st_dev && st.st_ino == own.st_ino && S_ISREG(st.st_mode);
    }
    return err ? err : same;
}

/* ---- a folder whose files are no sequence of one type */

static int add_to_kind(struct rn_read_folder *f, const char *path)
{
    const char *base = av_basename(path), *dot = strrchr(base, '.');
    char name[16] = "";
    int i = 0;
    for (size_t k = 0; dot && dot != base && dot[1 + k] && k < sizeof name - 1; k++)
        name[k] = (char)av_tolower(dot[1 + k]);
    while (i < f->n && strcmp(f->kind[i].name, name) != 0)
        i++;
    if (i == f->n) {
        struct rn_read_folder_kind *more = av_realloc_array(f->kind, (size_t)i + 1, sizeof *more);
        if (!more)
            return rn_fail_memory();
        f->kind = more;
        f->kind[f->n++] = (struct rn_read_folder_kind){.images = rn_read_name_is_image(path)};
        memcpy(f->kind[i].name, name, sizeof name);
    }
    struct rn_read_folder_kind *k = &f->kind[i];
    av_freep(&k->last);
    k->last = av_strdup(path);
    if (!k->first)
        k->first = av_strdup(path);
    k->files++;
    return k->first && k->last ? 0 : rn_fail_memory();
}

static int most_first(const void *pa, const void *pb)
{
    const struct rn_read_folder_kind *a = pa, *b = pb;
    return a->files != b->files ? b->files - a->files : strcmp(a->name, b->name);
}

/* One decoder reads all images of a run. */
static bool is_one_sequence(const struct rn_read_folder *f)
{
    int id = AV_CODEC_ID_NONE;
    for (int i = 0; i < f->n; i++) {
        if (!f->kind[i].images)
            continue;
        int own = rn_read_name_codec(f->kind[i].first);
        if (id != AV_CODEC_ID_NONE && own != id)
            return false;
        id = own;
    }
    return id != AV_CODEC_ID_NONE;
}

int rn_read_folder_take(struct rn_read_folder *f, const char *input)
{
    struct stat st;
    RN_OWNED(rn_read_names_free) struct rn_read_names names = {0};
    *f = (struct rn_read_folder){0};
    if (rn_path_look(input, &st) <= 0 || !S_ISDIR(st.st_mode) || rn_vol_array_match(input) ||
        rn_dicom_match(input) || rn_vol_tiff_match(input))
        return 0;
    int err = rn_read_names_of_input(input, RN_FOLDER_ALL, NULL, &names);
    for (int i = 0; i < names.n && !err; i++)
        err = add_to_kind(f, names.path[i]);
    if (f->n > 1)
        qsort(f->kind, (size_t)f->n, sizeof *f->kind, most_first);
    return err ? err : f->n && !is_one_sequence(f);
}

void rn_read_folder_free(struct rn_read_folder *f)
{
    for (int i = 0; i < f->n; i++) {
        av_free(f->kind[i].first);
        av_free(f->kind[i].last);
    }
    av_freep(&f->kind);
    f->n = 0;
}
