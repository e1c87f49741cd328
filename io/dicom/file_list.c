/* SPDX-License-Identifier: MIT */
#include "io/dicom/series_internal.h"

#include "filters/base/log.h"
#include "filters/base/output/path.h"
#include "filters/base/text/plural.h"
#include "io/common/read_at.h"
#include "io/dicom/worker.h"
#include "io/read/input.h"

#include <dirent.h>

/* ---- which inputs these are */

static bool has_dicom_name(const char *path)
{
    return av_match_ext(path, "dcm,dicom,ima");
}

/* Looks for "DICM" at offset 128. Files from before 1993 lack it and go by their names. Returns 1,
 * 0, or -1 (errno) if the file cannot be read. */
static int is_dicom(const char *path)
{
    struct stat st;
    char magic[132];
    int found = rn_path_look(path, &st);
    if (found <= 0 || !S_ISREG(st.st_mode))
        return found < 0 ? -1 : 0;
    ssize_t got = rn_io_read_head(path, magic, sizeof magic);
    if (got < 0)
        return -1;
    return (got == sizeof magic && !memcmp(magic + 128, "DICM", 4)) ||
           (st.st_size > 0 && has_dicom_name(path));
}

/* An unreadable file goes by its name: its reader reports the error. */
static bool looks_like_dicom(const char *path)
{
    int is = is_dicom(path);
    return is > 0 || (is < 0 && has_dicom_name(path));
}

/* Returns true for a folder with DICOM files; or without images, with such subfolders. */
static bool is_series(const char *folder, int depth)
{
    DIR *dir = opendir(folder);
    bool found = false, images = false;
    for (int pass = 0; dir && !found && pass < 2; pass++) { /* files first, then folders */
        rewinddir(dir);
        for (struct dirent *e; !found && (e = readdir(dir));) {
            bool image = rn_read_name_is_image(e->d_name);
            images = images || image;
            RN_OWNED(av_freep)
            char *path =
                e->d_name[0] == '.' || image ? NULL : av_asprintf("%s/%s", folder, e->d_name);
            found = path && (pass ? rn_read_is_own_folder(path) > 0 && is_series(path, depth + 1)
                                  : looks_like_dicom(path));
        }
        if (images || depth >= RN_FOLDER_DEPTH)
            break;
    }
    if (dir)
        closedir(dir);
    return found;
}

bool rn_dicom_match(const char *input)
{
    struct stat st;
    int found = rn_path_look(input, &st);
    if (found)
        return found > 0 && S_ISDIR(st.st_mode) ? is_series(input, 1) : looks_like_dicom(input);
    return has_dicom_name(input) && strpbrk(input, "*?[%");
}

/* Files that a DICOMDIR names. Names that would leave its folder are refused. */
struct directory {
    const char *path; /* of the DICOMDIR */
    struct rn_read_names names;
    int strange; /* refused names */
    int err;
};

static void add_name(void *arg, const struct rn_dicom_entry *part)
{
    struct directory *d = arg;
    const char *name = part->why;
    bool plain = *name && *name != '.' && !strchr(name, '/') && !strstr(name, "\\.");
    int lead = (int)(av_basename(d->path) - d->path);
    RN_OWNED(av_freep) char *path = plain ? av_asprintf("%.*s%s", lead, d->path, name) : NULL;
    d->strange += !plain;
    for (char *p = path ? path + strlen(path) - strlen(name) : NULL; p && *p; p++)
        *p = *p == '\\' ? '/' : *p;
    if (plain && !d->err)
        d->err = rn_read_names_append(&d->names, rn_take_owned(&path));
}

/* ---- their headers */

struct skipped_files {
    int others, images;       /* files that are not DICOM; images among them */
    int empty;                /* DICOM files without pictures */
    const char *other, *none; /* the first of each */
    char why[120];            /* the reason for the first skipped file */
};

static void mark_bad(struct rn_read_input *p, const char *path, const char *why)
{
    p->corrupt++;
    rn_io_damage_note(&p->damage, "'%s' %s", path, why);
}

/* Places of frames, as the worker sends them. */
struct places {
    struct rn_dicom_place *list;
    int n;
    bool failed; /* out of memory */
};

static void add_place(void *arg, const struct rn_dicom_entry *part)
{
    struct places *p = arg;
    p->failed = p->failed || p->n == 1 << 24 ||
                !av_dynarray2_add((void **)&p->list, &p->n, sizeof *p->list,
                                  (const uint8_t *)&part->header.place);
}

static int read_header(struct rn_dicom_file_list *files, const char *path,
                       struct rn_dicom_worker *worker, struct rn_read_input *p,
                       struct skipped_files *skipped)
{
    struct rn_dicom_entry entry;
    struct places places = {0};
    rn_dicom_describe(worker, path, &entry, add_place, &places);
    if (entry.result == RN_DICOM_OK && !rn_dicom_can_hold(path, &entry.header)) {
        entry.result = RN_DICOM_UNREADABLE;
        snprintf(entry.why, sizeof entry.why, "says that it holds %d pictures, which it cannot",
                 entry.header.frames);
    }
    struct stat st;
    bool readable = entry.result == RN_DICOM_OK && !places.failed;
    if (readable && rn_path_look(path, &st) <= 0) { /* an output could overwrite it unnoticed */
        mark_bad(p, path, "cannot be looked at");
    } else if (readable) {
        struct rn_dicom_file *file = &files->file[files->n++];
        *file = (struct rn_dicom_file){.path = path, .head = entry.header};
        if (entry.header.has_places && places.n == entry.header.frames)
            FFSWAP(struct rn_dicom_place *, file->places, places.list);
    } else if (!files->n && entry.result != RN_DICOM_DIRECTORY) {
        snprintf(skipped->why, sizeof skipped->why, "%s", entry.why);
    }
    if (entry.result == RN_DICOM_UNREADABLE)
        mark_bad(p, path, entry.why);
    if (entry.result == RN_DICOM_NO_PICTURE && !skipped->empty++)
        skipped->none = path;
    av_free(places.list);
    return places.failed ? rn_fail_memory() : 0;
}

/* Do two names differ in nothing but digits, as those of the slices of a series? */
static bool are_numbered_alike(const char *a, const char *b)
{
    for (;; a++, b++) {
        a += strspn(a, "0123456789");
        b += strspn(b, "0123456789");
        if (*a != *b || !*a)
            return *a == *b;
    }
}

/* A copy that failed leaves an empty file that has the name of a slice. */
static void judge_empty(const struct rn_read_names *names, int i, struct rn_read_input *p)
{
    const char *path = names->path[i];
    if ((i && are_numbered_alike(path, names->path[i - 1])) ||
        (i + 1 < names->n && are_numbered_alike(path, names->path[i + 1])))
        mark_bad(p, path, "is empty");
    else
        rn_log(RN_LOG_WARNING, "'%s' is empty: it is left out", path);
}

static int read_headers(struct rn_dicom_file_list *files, struct rn_dicom_worker *worker,
                        struct rn_read_input *p, struct skipped_files *skipped)
{
    files->file = av_calloc((size_t)files->names.n + 1, sizeof *files->file);
    if (!files->file)
        return rn_fail_memory();
    int err = 0;
    for (int i = 0; i < files->names.n && !err; i++) {
        const char *path = files->names.path[i];
        bool image = rn_read_name_is_image(path);
        int is = image ? 0 : is_dicom(path);
        struct stat st;
        char cannot[120];
        if (is < 0 && !has_dicom_name(path)) { /* a DICOM name: its reader reports the error */
            snprintf(cannot, sizeof cannot, "cannot be read: %s", strerror(errno));
            mark_bad(p, path, cannot);
        } else if (has_dicom_name(path) && !stat(path, &st) && !st.st_size) {
            judge_empty(&files->names, i, p);
        } else if (!is) {
            if (!skipped->others++)
                skipped->other = path;
            skipped->images += image;
        } else {
            err = read_header(files, path, worker, p, skipped);
        }
    }
    return err;
}

/* File systems may have changed the name to lower case. */
static bool find_file(char **path, size_t lead)
{
    struct stat st;
    if (!stat(*path, &st))
        return true;
    RN_OWNED(av_freep) char *lower = av_strdup(*path);
    for (char *p = lower ? lower + lead : NULL; p && *p; p++)
        *p = (char)av_tolower(*p);
    bool found = lower && !stat(lower, &st);
    if (found)
        FFSWAP(char *, *path, lower);
    return found;
}

/* Replaces a DICOMDIR by the files that it names. */
static int open_directory(struct rn_dicom_file_list *files, struct rn_dicom_worker *worker,
                          struct rn_read_input *p)
{
    struct directory d = {.path = files->names.path[0]};
    struct rn_dicom_entry entry;
    int n = 0;
    rn_dicom_describe(worker, d.path, &entry, add_name, &d);
    if (entry.result == RN_DICOM_DIRECTORY && !d.err) {
        for (int i = 0; i < d.names.n; i++) {
            RN_OWNED(av_freep) char *path = rn_take_owned(&d.names.path[i]);
            if (find_file(&path, (size_t)(av_basename(d.path) - d.path))) {
                d.names.path[n++] = rn_take_owned(&path);
                continue;
            }
            p->damage.missing++;
            rn_io_damage_note(&p->damage, "'%s' is named in '%s', and is not there", path, d.path);
        }
        d.names.n = n;
        p->damage.missing += d.strange;
        FFSWAP(struct rn_read_names, d.names, files->names);
        if (!n)
            d.err = rn_fail(RN_EINPUT, "'%s' names no file that is there", files->input);
    }
    rn_read_names_free(&d.names);
    return d.err;
}

/* A few images of other kinds are previews; more of them than pictures are refused. */
static int check_skipped(const struct rn_dicom_file_list *files,
                         const struct skipped_files *skipped)
{
    if (!files->n)
        return rn_fail(RN_EINPUT, "'%s' %s%s", files->input,
                       files->folder ? "has no picture; a file " : "", skipped->why);
    if (skipped->images > files->n)
        return rn_fail(RN_EINPUT,
                       "'%s' holds %d DICOM files with pictures and %d images of other kinds: name "
                       "those that are meant with a glob, such as '%s/*.%s'",
                       files->input, files->n, skipped->images, files->input,
                       strrchr(skipped->other, '.') ? strrchr(skipped->other, '.') + 1 : "png");
    if (skipped->others)
        rn_log(RN_LOG_WARNING, "'%s': %d file%s that %s no DICOM %s left out, such as '%s'",
               files->input, skipped->others, rn_plural(skipped->others),
               rn_is_or_are(skipped->others), rn_is_or_are(skipped->others), skipped->other);
    if (skipped->empty)
        rn_log(RN_LOG_WARNING, "'%s': %d DICOM file%s without pictures %s left out, such as '%s'",
               files->input, skipped->empty, rn_plural(skipped->empty),
               rn_is_or_are(skipped->empty), skipped->none);
    return 0;
}

int rn_dicom_file_list_read(struct rn_dicom_file_list *files, const char *input,
                            struct rn_dicom_worker *worker, struct rn_read_input *p)
{
    struct skipped_files skipped = {.why = "is no DICOM file"};
    struct stat st;
    files->input = input;
    files->folder = rn_path_look(input, &st) > 0 && S_ISDIR(st.st_mode);
    int err = rn_read_names_of_input(input, RN_FOLDER_TREE, NULL, &files->names);
    if (!err && !files->names.n)
        err = rn_fail(RN_EINPUT, "no DICOM file is named '%s'", input);
    if (!err && files->names.n == 1 && !files->folder)
        err = open_directory(files, worker, p);
    err = err ? err : read_headers(files, worker, p, &skipped);
    return err ? err : check_skipped(files, &skipped);
}

void rn_dicom_file_list_free(struct rn_dicom_file_list *files)
{
    for (int i = 0; i < files->n; i++)
        av_free(files->file[i].places);
    av_freep(&files->file);
    rn_read_names_free(&files->names);
    files->n = 0;
}
