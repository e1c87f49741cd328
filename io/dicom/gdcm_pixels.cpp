/* The values of a DICOM file. */
#include "io/dicom/gdcm.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <istream>
#include <string>
#include <vector>

#include <gdcmImageReader.h>

#include "io/dicom/gdcm_data.hpp"

namespace
{

using namespace rn_gdcm;

/* R R ... G G ... B B ... to R G B R G B ..., frame by frame. GDCM's own filter for it writes past
 * the end of its memory where the number of bytes is odd. */
void interleave(const rn_dicom_header *h, uint8_t *pixels)
{
    size_t n = static_cast<size_t>(h->w) * static_cast<size_t>(h->h);
    size_t bytes = static_cast<size_t>(h->bytes);
    std::vector<uint8_t> from(3 * n * bytes);
    for (int frame = 0; frame < h->frames; frame++) {
        std::memcpy(from.data(), pixels, 3 * n * bytes);
        for (size_t i = 0; i < n; i++)
            for (size_t c = 0; c < 3; c++, pixels += bytes)
                std::memcpy(pixels, &from[(c * n + i) * bytes], bytes);
    }
}

/* PS3.3 C.7.6.3.1.2, to the nearest. GDCM's filter for it copies all pictures, and rounds in steps
 * of its own. */
void convert_ybr(const rn_dicom_header *h, uint8_t *pixels)
{
    for (uint8_t *p = pixels, *end = pixels + rn_dicom_size(h); p < end; p += 3) {
        double y = p[0], b = p[1] - 128., r = p[2] - 128.;
        double rgb[3] = {y + 1.402 * r, y - 0.114 * 1.772 / 0.587 * b - 0.299 * 1.402 / 0.587 * r,
                         y + 1.772 * b};
        for (int c = 0; c < 3; c++)
            p[c] = static_cast<uint8_t>(std::min(std::max(std::nearbyint(rgb[c]), 0.), 255.));
    }
}

/* The bits of 1-bit samples follow each other from the lowest up, through all frames. GDCM leaves
 * them to the caller, and those of the last byte. */
bool unpack_bits(const gdcm::Image &image, const rn_dicom_header *h, uint8_t *pixels)
{
    const size_t n = rn_dicom_size(h);
    const gdcm::ByteValue *raw = image.GetDataElement().GetByteValue();
    if (!raw || image.GetTransferSyntax().IsEncapsulated() || raw->GetLength() < (n + 7) / 8)
        return false;
    for (size_t i = 0; i < n; i++)
        pixels[i] = static_cast<uint8_t>(raw->GetPointer()[i / 8]) >> i % 8 & 1;
    return true;
}

struct Palette {
    long first;
    std::vector<uint16_t> colour[3];
};

/* The entries of 8 bits may stand in words of 16. */
bool get_palette(const gdcm::DataSet &set, const rn_dicom_header *h, Palette *palette)
{
    unsigned d[3] = {};
    if (!get_words(set, 0x0028, 0x1101, d, 3))
        return false;
    size_t n = d[0] ? d[0] : 65536;
    bool is_signed = false;
    unsigned sign = 0;
    if (get<0x0028, 0x0103>(set, &sign))
        is_signed = sign == 1;
    palette->first = is_signed ? static_cast<int16_t>(d[1]) : static_cast<long>(d[1]);
    for (uint16_t c = 0; c < 3; c++) {
        const gdcm::Tag tag(0x0028, static_cast<uint16_t>(0x1201 + c));
        const gdcm::ByteValue *bytes =
            set.FindDataElement(tag) ? set.GetDataElement(tag).GetByteValue() : nullptr;
        if (!bytes || bytes->GetLength() < n)
            return false;
        bool words = bytes->GetLength() >= 2 * n;
        if (h->bits > 8 && !words)
            return false;
        for (size_t i = 0; i < n; i++) {
            uint16_t word;
            if (words)
                std::memcpy(&word, bytes->GetPointer() + 2 * i, 2);
            else
                word = static_cast<uint8_t>(bytes->GetPointer()[i]);
            palette->colour[c].push_back(word);
        }
    }
    return true;
}

void apply_palette(const Palette &palette, const rn_dicom_header *h, const std::vector<char> &raw,
                   size_t bytes, uint8_t *pixels)
{
    size_t n =
        static_cast<size_t>(h->w) * static_cast<size_t>(h->h) * static_cast<size_t>(h->frames);
    long last = static_cast<long>(palette.colour[0].size()) - 1;
    for (size_t i = 0; i < n; i++) {
        uint16_t word = static_cast<uint8_t>(raw[i * bytes]);
        if (bytes == 2)
            std::memcpy(&word, &raw[i * 2], 2);
        long at = std::min(std::max(static_cast<long>(word) - palette.first, 0L), last);
        for (const std::vector<uint16_t> &colour : palette.colour) {
            uint16_t value = colour[static_cast<size_t>(at)];
            if (h->bytes == 1)
                *pixels = static_cast<uint8_t>(value);
            else
                std::memcpy(pixels, &value, 2);
            pixels += h->bytes;
        }
    }
}

/* Of samples that are not compressed GDCM reads as many as the header promises, also past the end
 * of those that there are. */
bool has_samples(const gdcm::Image &image, size_t length)
{
    const gdcm::ByteValue *raw = image.GetDataElement().GetByteValue();
    return !raw || raw->GetLength() >= length;
}

/* Decoders of JPEG and JPEG 2000 undo Y'CbCr by themselves. */
bool is_still_ybr(const gdcm::Image &image, const std::string &kind)
{
    const gdcm::TransferSyntax &syntax = image.GetTransferSyntax();
    return (kind == "YBR_FULL" || kind == "YBR_FULL_422") &&
           (!syntax.IsEncapsulated() || syntax == gdcm::TransferSyntax::RLELossless);
}

bool fail(char *why, size_t size, const char *text)
{
    std::snprintf(why, size, "%s", text);
    return false;
}

/* Is the picture as it comes out of the decoder the one that the header promised? */
bool is_as_described(const gdcm::Image &image, const rn_dicom_header *h, bool palette, bool bits)
{
    const gdcm::PixelFormat &format = image.GetPixelFormat();
    const unsigned *sides = image.GetDimensions();
    const unsigned frames = image.GetNumberOfDimensions() > 2 ? sides[2] : 1;
    bool same = sides[0] == static_cast<unsigned>(h->w) &&
                sides[1] == static_cast<unsigned>(h->h) &&
                frames == static_cast<unsigned>(h->frames) &&
                format.GetSamplesPerPixel() == static_cast<unsigned>(palette ? 1 : h->colours);
    if (palette || bits)
        return same && format.GetBitsAllocated() <= 16;
    return same && format.GetBitsAllocated() == 8 * h->bytes &&
           image.GetBufferLength() == rn_dicom_size(h);
}

/* GDCM asserts that a dose of one plane says that it is one, which it need not, and that palettes
 * begin at 0: those are applied here, to what is gray for GDCM. */
class Reader : public gdcm::ImageReader
{
  public:
    std::string kind; /* Photometric Interpretation of the file */

  private:
    bool ReadImage(const gdcm::MediaStorage &storage) override
    {
        gdcm::DataSet &set = GetFile().GetDataSet();
        const gdcm::Attribute<0x0028, 0x0008> frames = {1};
        const gdcm::Attribute<0x0028, 0x0004> gray = {"MONOCHROME2 "};
        kind = get_text(set, 0x0028, 0x0004);
        if (!set.FindDataElement(frames.GetTag()))
            set.Insert(frames.GetAsDataElement());
        if (kind == "PALETTE COLOR")
            set.Replace(gray.GetAsDataElement());
        return gdcm::ImageReader::ReadImage(storage);
    }
};

/* GDCM swaps the bytes of each 16 bits of what is written the other way round. */
void swap_halves(const rn_dicom_header *h, uint8_t *pixels)
{
    for (uint8_t *p = pixels, *end = pixels + rn_dicom_size(h); p < end; p += 4) {
        std::swap(p[0], p[2]);
        std::swap(p[1], p[3]);
    }
}

bool read(std::istream &stream, const rn_dicom_header *h, uint8_t *pixels, char *why, size_t size)
{
    Reader reader;
    reader.SetStream(stream);
    if (!reader.Read())
        return fail(why, size, "cannot be decoded");
    const gdcm::Image &image = reader.GetImage();
    const gdcm::DataSet &set = reader.GetFile().GetDataSet();
    const std::string &kind = reader.kind;
    const unsigned allocated = image.GetPixelFormat().GetBitsAllocated();
    const bool palette = kind == "PALETTE COLOR", bits = h->bits == 1 && allocated == 1;
    const size_t length = image.GetBufferLength();
    if (!is_as_described(image, h, palette, bits))
        return fail(why, size, "holds other pictures than its header says");
    if (bits)
        return unpack_bits(image, h, pixels) || fail(why, size, "cannot be decoded");
    if (kind != "YBR_FULL_422" && !has_samples(image, length))
        return fail(why, size, "holds fewer samples than its header says");
    std::vector<char> raw(palette ? length + RN_DICOM_PADDING : 0);
    Palette colours;
    if (palette && !get_palette(set, h, &colours))
        return fail(why, size, "has a palette that is not whole");
    if (!image.GetBuffer(raw.empty() ? reinterpret_cast<char *>(pixels) : raw.data()))
        return fail(why, size, "cannot be decoded");
    if (h->bytes == 4 && image.GetTransferSyntax() == gdcm::TransferSyntax::ExplicitVRBigEndian)
        swap_halves(h, pixels);
    if (palette)
        apply_palette(colours, h, raw, allocated / 8, pixels);
    else if (h->colours == 3 && image.GetPlanarConfiguration() == 1)
        interleave(h, pixels);
    if (is_still_ybr(image, kind))
        convert_ybr(h, pixels);
    return true;
}

} // namespace

bool rn_gdcm_read(int file, const rn_dicom_header *header, uint8_t *pixels, char *why, size_t size)
{
    be_quiet();
    try {
        Buffer buffer(file, std::ios::in | std::ios::binary);
        std::istream stream(&buffer);
        return read(stream, header, pixels, why, size);
    } catch (...) {
        return fail(why, size, "cannot be decoded");
    }
}
