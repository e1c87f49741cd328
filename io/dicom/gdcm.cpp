#include "io/dicom/gdcm.h"

#include <cstdio>
#include <cstring>
#include <ext/stdio_filebuf.h>
#include <istream>
#include <string>
#include <vector>

#include <gdcmAttribute.h>
#include <gdcmImageReader.h>
#include <gdcmTrace.h>

namespace
{

/* GDCM reads streams, and this process may not open files by their names. */
using Buffer = __gnu_cxx::stdio_filebuf<char>;

/* Its messages name no file and come in any order: the results of the calls have to do. */
void be_quiet()
{
    gdcm::Trace::DebugOff();
    gdcm::Trace::WarningOff();
    gdcm::Trace::ErrorOff();
}

/* Sets value from an attribute that has n values at least; false if it is absent. */
template <uint16_t Group, uint16_t Element, typename T>
bool get(const gdcm::DataSet &set, T *value, unsigned n = 1)
{
    gdcm::Attribute<Group, Element> attribute;
    if (!set.FindDataElement(attribute.GetTag()) ||
        set.GetDataElement(attribute.GetTag()).IsEmpty())
        return false;
    attribute.SetFromDataElement(set.GetDataElement(attribute.GetTag()));
    if (attribute.GetNumberOfValues() < n)
        return false;
    for (unsigned i = 0; i < n; i++)
        value[i] = static_cast<T>(attribute.GetValues()[i]);
    return true;
}

/* A text without the blanks and zeros that pad it. */
std::string get_text(const gdcm::DataSet &set, uint16_t group, uint16_t element)
{
    const gdcm::Tag tag(group, element);
    if (!set.FindDataElement(tag))
        return "";
    const gdcm::ByteValue *bytes = set.GetDataElement(tag).GetByteValue();
    std::string text = bytes ? std::string(bytes->GetPointer(), bytes->GetLength()) : "";
    while (!text.empty() && (text.back() == ' ' || text.back() == '\0'))
        text.pop_back();
    return text;
}

void get_geometry(const gdcm::DataSet &set, rn_dicom_header *h)
{
    double place[3], sides[6], spacing[2];
    if (get<0x0020, 0x0032>(set, place, 3) && get<0x0020, 0x0037>(set, sides, 6)) {
        h->normal[0] = sides[1] * sides[5] - sides[2] * sides[4];
        h->normal[1] = sides[2] * sides[3] - sides[0] * sides[5];
        h->normal[2] = sides[0] * sides[4] - sides[1] * sides[3];
        for (int i = 0; i < 3; i++)
            h->position += h->normal[i] * place[i];
        h->has_position = true;
    }
    int number;
    h->has_number = get<0x0020, 0x0013>(set, &number);
    h->number = h->has_number ? number : 0;
    if (get<0x0028, 0x0030>(set, spacing, 2) && spacing[0] > 0 && spacing[1] > 0) {
        h->pixel_h = spacing[0];
        h->pixel_w = spacing[1];
    }
}

template <typename... Values>
rn_dicom_result refuse(rn_dicom_entry *entry, rn_dicom_result result, const char *format,
                       Values... values)
{
    std::snprintf(entry->why, sizeof entry->why, format, values...);
    return result;
}

rn_dicom_result describe(const gdcm::DataSet &set, rn_dicom_entry *entry)
{
    rn_dicom_header *h = &entry->header;
    unsigned w = 0, rows = 0, allocated = 0, stored = 0, high = 0, sign = 0;
    int frames = 1;
    if (!get<0x0028, 0x0010>(set, &rows) || !get<0x0028, 0x0011>(set, &w) || !w || !rows ||
        !get<0x0028, 0x0100>(set, &allocated))
        return refuse(entry, RN_DICOM_NO_PICTURE, "%s", "holds no picture");
    stored = allocated;
    get<0x0028, 0x0101>(set, &stored);
    high = stored - 1;
    get<0x0028, 0x0102>(set, &high);
    get<0x0028, 0x0103>(set, &sign);
    get<0x0028, 0x0008>(set, &frames);
    std::string kind = get_text(set, 0x0028, 0x0004);
    bool gray = kind == "MONOCHROME1" || kind == "MONOCHROME2" || kind.empty();
    bool colour = kind == "RGB";
    if ((allocated != 8 && allocated != 16) || stored < 1 || stored > allocated)
        return refuse(entry, RN_DICOM_UNREADABLE,
                      "has samples of %u bits, %u of them used, which are not read", allocated,
                      stored);
    if (high + 1 != stored)
        return refuse(entry, RN_DICOM_UNREADABLE,
                      "has %u bits from bit %u down, which are not read", stored, high);
    if (!gray && !(colour && allocated == 8))
        return refuse(entry, RN_DICOM_UNREADABLE, "is %.32s of %u bits, which is not read",
                      kind.c_str(), allocated);
    h->w = static_cast<int>(w);
    h->h = static_cast<int>(rows);
    h->frames = frames > 0 ? frames : 1;
    h->colours = gray ? 1 : 3;
    h->bits = static_cast<int>(stored);
    h->bytes = allocated > 8 ? 2 : 1;
    h->is_signed = gray && sign == 1;
    h->is_inverted = kind == "MONOCHROME1";
    h->slope = 1;
    if (get<0x0028, 0x1053>(set, &h->slope))
        get<0x0028, 0x1052>(set, &h->intercept);
    std::snprintf(h->series, sizeof h->series, "%s", get_text(set, 0x0020, 0x000e).c_str());
    get_geometry(set, h);
    return RN_DICOM_OK;
}

/* R R ... G G ... B B ... to R G B R G B ..., frame by frame. GDCM's own filter for it writes past
 * the end of its memory where the number of bytes is odd. */
void interleave(const rn_dicom_header *h, uint8_t *pixels)
{
    size_t n = static_cast<size_t>(h->w) * static_cast<size_t>(h->h);
    std::vector<uint8_t> from(3 * n);
    for (int frame = 0; frame < h->frames; frame++) {
        std::memcpy(from.data(), pixels, 3 * n);
        for (size_t i = 0; i < n; i++)
            for (size_t c = 0; c < 3; c++)
                *pixels++ = from[c * n + i];
    }
}

/* Of samples that are not compressed GDCM reads as many as the header promises, also past the end
 * of those that there are. */
bool has_samples(const gdcm::Image &image, size_t length)
{
    const gdcm::ByteValue *raw = image.GetDataElement().GetByteValue();
    return !raw || raw->GetLength() >= length;
}

bool read(std::istream &stream, const rn_dicom_header *h, uint8_t *pixels, char *why, size_t size)
{
    gdcm::ImageReader reader;
    reader.SetStream(stream);
    if (!reader.Read()) {
        std::snprintf(why, size, "cannot be decoded");
        return false;
    }
    const gdcm::Image &image = reader.GetImage();
    const gdcm::PixelFormat &format = image.GetPixelFormat();
    const unsigned *sides = image.GetDimensions();
    const unsigned frames = image.GetNumberOfDimensions() > 2 ? sides[2] : 1;
    const size_t length = rn_dicom_size(h);
    if (sides[0] != static_cast<unsigned>(h->w) || sides[1] != static_cast<unsigned>(h->h) ||
        frames != static_cast<unsigned>(h->frames) ||
        format.GetSamplesPerPixel() != static_cast<unsigned>(h->colours) ||
        format.GetBitsAllocated() != 8 * h->bytes || image.GetBufferLength() != length) {
        std::snprintf(why, size, "holds other pictures than its header says");
        return false;
    }
    if (!has_samples(image, length)) {
        std::snprintf(why, size, "holds fewer samples than its header says");
        return false;
    }
    if (!image.GetBuffer(reinterpret_cast<char *>(pixels))) {
        std::snprintf(why, size, "cannot be decoded");
        return false;
    }
    if (h->colours == 3 && image.GetPlanarConfiguration() == 1)
        interleave(h, pixels);
    return true;
}

} // namespace

void rn_gdcm_describe(int file, rn_dicom_entry *entry)
{
    be_quiet();
    *entry = rn_dicom_entry();
    entry->result = RN_DICOM_UNREADABLE;
    try {
        Buffer buffer(file, std::ios::in | std::ios::binary);
        std::istream stream(&buffer);
        gdcm::Reader reader;
        reader.SetStream(stream);
        if (!reader.ReadUpToTag(gdcm::Tag(0x7fe0, 0x0010)))
            refuse(entry, RN_DICOM_UNREADABLE, "%s", "cannot be read as DICOM");
        else
            entry->result = describe(reader.GetFile().GetDataSet(), entry);
    } catch (...) {
        refuse(entry, RN_DICOM_UNREADABLE, "%s", "cannot be read as DICOM");
    }
}

bool rn_gdcm_read(int file, const rn_dicom_header *header, uint8_t *pixels, char *why, size_t size)
{
    be_quiet();
    try {
        Buffer buffer(file, std::ios::in | std::ios::binary);
        std::istream stream(&buffer);
        return read(stream, header, pixels, why, size);
    } catch (...) {
        std::snprintf(why, size, "cannot be decoded");
    }
    return false;
}
