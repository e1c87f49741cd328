/* DICOM files through GDCM, which is C++: only gdcm*.cpp see it. Built where the Makefile finds it
 * (RN_HAVE_GDCM). Call those that read in a process that may die (worker.h).
 *
 * They are a module of their own, runnel-dicom.so beside the program, which rn_gdcm_load loads:
 * GDCM fills its dictionaries when it is loaded, 15 ms that no other input should wait for. In
 * programs that are linked with them they can be called as they are.
 *
 * file: a descriptor that is open for reading, at its beginning. They close it. */
#ifndef RN_IO_DICOM_GDCM_GDCM_H
#define RN_IO_DICOM_GDCM_GDCM_H

#include "io/dicom/file.h"

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Reads the header of a file: sets entry->result, header and why. give: what it has beside. */
void rn_gdcm_describe(int file, struct rn_dicom_entry *entry, rn_dicom_part *give, void *arg);

/* Gives an attribute of derived files (source_attributes.h). Sets entry->result and why. */
void rn_gdcm_read_attributes(int file, struct rn_dicom_entry *entry, rn_dicom_part *give,
                             void *arg);

/* Reads the values of a frame, from 0, of a file that was described, those of a palette and Y'CbCr
 * as R G B: rn_dicom_frame_size bytes, behind which RN_DICOM_PADDING more are there to be
 * overwritten. again: the last call was of the same file, which is kept for the next one. Returns
 * RN_DICOM_OK; or, with the reason, RN_DICOM_NO_PICTURE if this frame cannot be decoded,
 * RN_DICOM_UNREADABLE if none can. */
enum rn_dicom_result rn_gdcm_read(int file, const struct rn_dicom_header *header, int frame,
                                  bool again, uint8_t *pixels, char *why, size_t size);

/* An element of a file that is written. */
struct rn_dicom_gdcm_element {
    uint16_t group, element;
    char vr[3]; /* "SQ": of one item, which holds those behind it that are deeper */
    int depth;  /* 0: of the main data set */
    const void *value;
    uint32_t size; /* bytes; even */
};

/* Makes a DICOM file in memory, little endian with explicit VRs, of n elements in any order; those
 * of the group of meta elements are made here. to: room for rn_gdcm_room bytes: GDCM ends the
 * process where it cannot write. Returns the bytes of the file; 0: there was no memory. */
size_t rn_gdcm_write(const struct rn_dicom_gdcm_element *elements, int n, uint8_t *to);
size_t rn_gdcm_room(const struct rn_dicom_gdcm_element *elements, int n);

#define RN_GDCM_LAYOUT (sizeof(struct rn_dicom_entry) << 16 | sizeof(struct rn_dicom_gdcm_element))

/* What the module has under the name rn_gdcm_methods. */
struct rn_dicom_gdcm_module {
    size_t layout; /* RN_GDCM_LAYOUT of the program that it belongs to */
    void (*describe)(int file, struct rn_dicom_entry *entry, rn_dicom_part *give, void *arg);
    void (*read_attributes)(int file, struct rn_dicom_entry *entry, rn_dicom_part *give, void *arg);
    enum rn_dicom_result (*read)(int file, const struct rn_dicom_header *header, int frame,
                                 bool again, uint8_t *pixels, char *why, size_t size);
    size_t (*write)(const struct rn_dicom_gdcm_element *elements, int n, uint8_t *to);
    size_t (*room)(const struct rn_dicom_gdcm_element *elements, int n);
};
extern const struct rn_dicom_gdcm_module rn_gdcm_methods;

/* The functions above, loaded where the program is not linked with them; any thread. NULL: they
 * cannot be. Then *why is one line that says so, to be shown; why may be NULL. */
const struct rn_dicom_gdcm_module *rn_gdcm_load(const char **why);

#ifdef __cplusplus
}
#endif

#endif
