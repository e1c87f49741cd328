/* SPDX-License-Identifier: MIT */
/* Names of image files: numbered patterns, globs, folders, and their order. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* "dir/scan_%04d.png": digits 4; %d: 0 digits, no padding; %% stands for %. */
struct rn_read_pattern {
    char *prefix, *suffix;
    int digits;
};

/* True if text has a number in the name of the file; needs no memory. */
bool rn_read_is_pattern(const char *text);

/* Reads a pattern. Returns false if text is none, or memory is short. */
bool rn_read_pattern_parse(const char *text, struct rn_read_pattern *pattern);
void rn_read_pattern_free(struct rn_read_pattern *pattern);

/* True if text is a pattern and name one of its files; both without their folders. */
bool rn_read_pattern_makes(const char *text, const char *name);

/* The name of one file; the caller av_free()s it. NULL when out of memory. */
char *rn_read_pattern_name(const struct rn_read_pattern *pattern, int64_t number);

struct rn_read_names {
    char **path;
    int64_t *number; /* of each path in its pattern; NULL: there is none */
    int n;
};

/* Which files of a folder are named: those of images, all, or all of the folders in it too. Files
 * whose names begin with a dot never are, nor what symbolic links to folders lead to. */
enum rn_read_folder_files { RN_FOLDER_IMAGES, RN_FOLDER_ALL, RN_FOLDER_TREE };

#define RN_FOLDER_DEPTH 16 /* folders inside each other */

/* The files that input names: itself; those of a folder or of a glob, in natural order (s2 before
 * s10); or the existing ones of a pattern, in the order of their numbers. pattern: set if it is
 * one, else zeroed; may be NULL. None is no error. Returns 0 or RN_EINPUT, RN_EINTERNAL (logged).
 * Free both in any case. */
int rn_read_names_of_input(const char *input, enum rn_read_folder_files folder,
                           struct rn_read_pattern *pattern, struct rn_read_names *names);

/* The existing files of a pattern. Likewise. */
int rn_read_names_of_pattern(const struct rn_read_pattern *pattern, struct rn_read_names *names);

/* Appends a name, which becomes the list's to av_free(), also on failure; NULL: there was no memory
 * for it. Returns 0 or RN_EINTERNAL (logged). */
int rn_read_names_append(struct rn_read_names *names, char *path);

/* 1 for a folder that is no symbolic link to one (following those may never end), 0, or -1 if it
 * cannot be told (errno). */
int rn_read_is_own_folder(const char *path);

void rn_read_names_free(struct rn_read_names *names);

/* 1 if path is an existing file that input names: itself, a file of its pattern, glob or folder,
 * whether it is an image or not; else 0, or RN_EINPUT, RN_EINTERNAL (logged). */
int rn_read_names_hold(const char *input, const char *path);

/* True for the extensions of single images (png, jpg, tif...). */
bool rn_read_name_is_image(const char *path);

/* The codec (enum AVCodecID) of the extension of an image file. */
int rn_read_name_codec(const char *path);

/* ---- a folder whose files are no sequence of one type: what lies in it */

/* The files of one type. */
struct rn_read_folder_kind {
    char name[16];      /* the extension in small letters; "" = none */
    int files;          /* >= 1 */
    char *first, *last; /* in natural order; names with the folder's */
    bool images;        /* as which a glob of them can be read */
};

struct rn_read_folder {
    struct rn_read_folder_kind *kind; /* the most files first */
    int n;
};

/* Fills folder with the files of input, without hidden ones and folders, if it is a folder that is
 * no DICOM series, no TIFF stack and no images of one type: returns 1. Returns 0 for every other
 * input, or an error (logged). Free it in any case. */
int rn_read_folder_take(struct rn_read_folder *folder, const char *input);
void rn_read_folder_free(struct rn_read_folder *folder);
