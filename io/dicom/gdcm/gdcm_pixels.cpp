/* SPDX-License-Identifier: MIT */
/* The values of a DICOM file, frame by frame. */
#include "io/dicom/gdcm/gdcm.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <istream>
#include <memory>

#include <unistd.h>

#include <gdcmImageReader.h>

#include "io/dicom/gdcm/gdcm_data.hpp"
#include "io/dicom/pixels.h"

namespace
{

using namespace rn_gdcm;

/* R R ... G G ... B B ... to R G B R G B .... GDCM's own filter for it writes past the end of its
 * memory where the number of bytes is odd. */
void interleave(const rn_dicom_header *h, uint8_t *pixels)
{
    size_t n = static_cast<size_t>(h->w) * static_cast<size_t>(h->h);
    size_t bytes = static_cast<size_t>(h->bytes);
    std::vector<uint8_t> from(pixels, pixels + 3 * n * bytes);
    for (size_t i = 0; i < n; i++)
        for (size_t c = 0; c < 3; c++, pixels += bytes)
            std::memcpy(pixels, &from[(c * n + i) * bytes], bytes);
}

/* PS3.3 C.7.6.3.1.2, to the nearest. GDCM's filter for it copies all pictures, and rounds in steps
 * of its own. */
void convert_ybr(const rn_dicom_header *h, uint8_t *pixels)
{
    for (uint8_t *p = pixels, *end = pixels + rn_dicom_frame_size(h); p < end; p += 3) {
        double y = p[0], b = p[1] - 128., r = p[2] - 128.;
        double rgb[3] = {y + 1.402 * r, y - 0.114 * 1.772 / 0.587 * b - 0.299 * 1.402 / 0.587 * r,
                         y + 1.772 * b};
        for (int c = 0; c < 3; c++)
            p[c] = static_cast<uint8_t>(std::min(std::max(std::nearbyint(rgb[c]), 0.), 255.));
    }
}

/* 1-bit samples are packed from the lowest bit up, across frames. GDCM does not unpack them. first:
 * index of the first of n bits. */
bool unpack_bits(const char *from, size_t length, size_t first, size_t n, uint8_t *pixels)
{
    if (length < (first + n + 7) / 8)
        return false;
    for (size_t i = first; i < first + n; i++)
        *pixels++ = static_cast<uint8_t>(from[i / 8]) >> i % 8 & 1;
    return true;
}

/* Looks up the stored values in one table (the Modality LUT), or in those of a palette. */
void apply_tables(const Table *tables, const gdcm::PixelFormat &format, const rn_dicom_header *h,
                  const std::vector<char> &raw, uint8_t *pixels)
{
    const size_t n = static_cast<size_t>(h->w) * static_cast<size_t>(h->h);
    const size_t bytes = format.GetBitsAllocated() / 8;
    /* bits above the stored ones count as an index of a palette */
    const unsigned stored = h->colours > 1 ? 16 : format.GetBitsStored();
    const bool is_signed = format.GetPixelRepresentation() == 1 && h->colours == 1;
    const long last = static_cast<long>(tables->value.size()) - 1;
    for (size_t i = 0; i < n; i++) {
        uint16_t word = static_cast<uint8_t>(raw[i * bytes]);
        if (bytes == 2)
            std::memcpy(&word, &raw[i * 2], 2);
        long value = word & (0xFFFFu >> (16 - stored));
        if (is_signed && value >> (stored - 1))
            value -= 1L << stored;
        const long at = std::min(std::max(value - tables->first, 0L), last);
        for (const Table *t = tables; t < tables + h->colours; t++, pixels += h->bytes) {
            const uint16_t found = t->value[static_cast<size_t>(at)];
            if (h->bytes == 1)
                *pixels = static_cast<uint8_t>(found);
            else
                std::memcpy(pixels, &found, 2);
        }
    }
}

/* Decoders of JPEG and JPEG 2000 undo Y'CbCr by themselves. */
bool is_still_ybr(const gdcm::Image &image, const std::string &kind)
{
    const gdcm::TransferSyntax &syntax = image.GetTransferSyntax();
    return (kind == "YBR_FULL" || kind == "YBR_FULL_422") &&
           (!syntax.IsEncapsulated() || syntax == gdcm::TransferSyntax::RLELossless);
}

/* ---- a file */

/* GDCM reads a whole file at once. This reader gives it the elements before the Pixel Data and the
 * first frame as if it were the only one; other frames are read on demand. GDCM reads single
 * uncompressed pictures, and files whose frames were not found, in its own way.
 *
 * GDCM asserts that a dose with one plane has Number of Frames, and that palettes begin at 0. So
 * the element is added here, and palettes are applied here to samples that are gray for GDCM. */
class Reader : public gdcm::ImageReader
{
  public:
    explicit Reader(rn_dicom_pixels *pixels) : frames(pixels)
    {
    }
    std::string kind; /* Photometric Interpretation of the file */

    bool Read() override
    {
        return frames ? read_first() : gdcm::ImageReader::Read();
    }

    /* The bytes of a frame, as they are in the file; one more where they are odd. */
    bool take(int frame, std::vector<char> *data) const
    {
        data->assign((rn_dicom_pixels_size(frames, frame) + 1) / 2 * 2, 0);
        return !data->empty() && data->size() < UINT32_MAX &&
               rn_dicom_pixels_read(frames, frame, data->data());
    }

    /* Makes these bytes the Pixel Data of a file. */
    gdcm::DataElement as_element(const std::vector<char> &data) const
    {
        gdcm::DataElement one(pixel_data);
        const auto length = static_cast<uint32_t>(data.size());
        if (!frames->first) {
            size_t bits = 8;
            get<0x0028, 0x0100>(GetFile().GetDataSet(), &bits);
            const size_t bytes = bits > 8 ? bits / 8 : 1;
            std::vector<char> own(data);
            for (size_t i = 0; frames->is_big && i + bytes <= own.size(); i += bytes)
                std::reverse(&own[i], &own[i] + bytes);
            one.SetVR(bytes > 1 ? gdcm::VR::OW : gdcm::VR::OB);
            one.SetByteValue(own.data(), length);
            return one;
        }
        gdcm::SmartPointer<gdcm::SequenceOfFragments> own = new gdcm::SequenceOfFragments;
        gdcm::Fragment fragment;
        fragment.SetByteValue(data.data(), length);
        own->AddFragment(fragment);
        one.SetVR(gdcm::VR::OB);
        one.SetValue(*own);
        return one;
    }

  private:
    rn_dicom_pixels *const frames; /* nullptr: GDCM reads all */

    bool read_first()
    {
        const gdcm::Attribute<0x0028, 0x0008> alone = {1};
        std::vector<char> first;
        if (!ReadUpToTag(pixel_data, {pixel_data}) || !take(0, &first))
            return false;
        gdcm::DataSet &set = GetFile().GetDataSet();
        set.Replace(as_element(first));
        set.Replace(alone.GetAsDataElement());
        gdcm::MediaStorage storage;
        storage.SetFromFile(GetFile());
        PixelData->SetTransferSyntax(GetFile().GetHeader().GetDataSetTransferSyntax());
        return ReadImage(storage);
    }

    bool ReadImage(const gdcm::MediaStorage &storage) override
    {
        gdcm::DataSet &set = GetFile().GetDataSet();
        const gdcm::Attribute<0x0028, 0x0008> alone = {1};
        const gdcm::Attribute<0x0028, 0x0004> gray = {"MONOCHROME2 "};
        kind = get_text(set, 0x00280004);
        if (!set.FindDataElement(alone.GetTag()))
            set.Insert(alone.GetAsDataElement());
        if (kind == "PALETTE COLOR")
            set.Replace(gray.GetAsDataElement());
        return gdcm::ImageReader::ReadImage(storage);
    }
};

/* A file that is read frame by frame. */
struct Opened {
    Opened(int file, const rn_dicom_header *header)
        : buffer(file, std::ios::in | std::ios::binary), stream(&buffer), h(*header)
    {
    }
    ~Opened()
    {
        rn_dicom_pixels_close(&pixels);
    }
    Opened(const Opened &) = delete;
    Opened &operator=(const Opened &) = delete;

    Buffer buffer; /* holds the file open */
    std::istream stream;
    const rn_dicom_header h;
    rn_dicom_pixels pixels = {};
    rn_dicom_pixels *frames = nullptr; /* the pixels; nullptr: GDCM has read all */
    std::unique_ptr<Reader> reader;
    bool palette = false, bits = false, rle = false;
    Table table[3];          /* the Modality LUT, or the colours of a palette */
    std::vector<char> whole; /* all frames, where GDCM decodes them at once */

    const gdcm::Image &image() const
    {
        return reader->GetImage();
    }
    bool is_raw() const
    {
        return palette || h.is_tabled;
    }
};

std::unique_ptr<Opened> opened;

bool is_as_described(const Opened &o)
{
    const gdcm::Image &image = o.image();
    const gdcm::PixelFormat &format = image.GetPixelFormat();
    const rn_dicom_header *h = &o.h;
    const unsigned *sides = image.GetDimensions();
    const unsigned frames = image.GetNumberOfDimensions() > 2 ? sides[2] : 1;
    const int wanted = o.frames ? 1 : h->frames;
    bool same = sides[0] == static_cast<unsigned>(h->w) &&
                sides[1] == static_cast<unsigned>(h->h) &&
                frames == static_cast<unsigned>(wanted) &&
                format.GetSamplesPerPixel() == static_cast<unsigned>(o.palette ? 1 : h->colours);
    if (o.is_raw() || o.bits)
        return same && format.GetBitsAllocated() <= 16;
    return same && format.GetBitsAllocated() == 8 * h->bytes &&
           image.GetBufferLength() == rn_dicom_frame_size(h) * static_cast<size_t>(wanted);
}

/* GDCM reads as many uncompressed samples as the header says, even past the end of the data. */
bool has_samples(const Opened &o)
{
    const gdcm::ByteValue *raw = o.image().GetDataElement().GetByteValue();
    return o.frames || !raw || raw->GetLength() >= o.image().GetBufferLength();
}

/* GDCM swaps the bytes of 16-bit halves of big endian data: this swaps the halves. */
void swap_halves(const rn_dicom_header *h, uint8_t *pixels)
{
    for (uint8_t *p = pixels, *end = pixels + rn_dicom_frame_size(h); p < end; p += 4) {
        std::swap(p[0], p[2]);
        std::swap(p[1], p[3]);
    }
}

/* ---- RLE (PS3.5 annex G): GDCM decodes 16-bit colours wrongly and accepts truncated data */

/* One segment: the bytes of one significance of one colour, step bytes apart. */
bool unpack_segment(const uint8_t *from, const uint8_t *end, uint8_t *to, size_t step, size_t n)
{
    while (n > 0 && from < end) {
        size_t code = *from++;
        const bool repeats = code > 128;
        size_t length = repeats ? 257 - code : code + 1;
        if (code == 128)
            continue;
        length = std::min(length, n);
        if (static_cast<size_t>(end - from) < (repeats ? 1 : length))
            return false;
        for (size_t i = 0; i < length; i++, to += step)
            *to = from[repeats ? 0 : i];
        from += repeats ? 1 : length;
        n -= length;
    }
    return n == 0 && std::all_of(from, end, [](uint8_t padding) { return padding == 0; });
}

/* n pixels, of so many bytes a sample and a pixel. */
bool unpack_rle(const std::vector<char> &data, size_t bytes, size_t pixel, size_t n, uint8_t *to)
{
    uint32_t head[16];
    if (data.size() < sizeof head)
        return false;
    std::memcpy(head, data.data(), sizeof head);
    if (head[0] != pixel || pixel > 15)
        return false;
    const uint8_t *from = reinterpret_cast<const uint8_t *>(data.data());
    for (size_t i = 0; i < pixel; i++) {
        const size_t begin = head[1 + i], end = i + 1 < pixel ? head[2 + i] : data.size();
        if (begin < sizeof head || begin > end || end > data.size())
            return false;
        const size_t at = i / bytes * bytes + bytes - 1 - i % bytes; /* the highest byte first */
        if (!unpack_segment(from + begin, from + end, to + at, pixel, n))
            return false;
    }
    return true;
}

/* ---- its frames */

/* Returns why they cannot be read: static text; nullptr: they can. */
const char *describe(Opened *o)
{
    const rn_dicom_header *h = &o->h;
    const gdcm::DataSet &set = o->reader->GetFile().GetDataSet();
    o->palette = o->reader->kind == "PALETTE COLOR";
    o->bits = h->bits == 1 && o->image().GetPixelFormat().GetBitsAllocated() == 1;
    o->rle = o->frames && o->image().GetTransferSyntax() == gdcm::TransferSyntax::RLELossless;
    if (!is_as_described(*o))
        return "holds other pictures than its header says";
    if (!o->bits && o->reader->kind != "YBR_FULL_422" && !has_samples(*o))
        return "holds fewer samples than its header says";
    for (uint32_t c = 0; o->palette && c < 3; c++)
        if (!get_lut(set, set, 0x00281101, 0x00281201 + c, &o->table[c]))
            return "has a palette that is not whole";
    if (h->is_tabled && !get_table(set, 0x00283000, o->table))
        return "has a table of values that is not whole";
    return nullptr;
}

/* Likewise. */
const char *open(int file, const rn_dicom_header *h)
{
    std::unique_ptr<Opened> o(new Opened(file, h));
    const char *why;
    const rn_dicom_result found = rn_dicom_pixels_open(&o->pixels, file, h, &why);
    if (found == RN_DICOM_UNREADABLE)
        return why;
    const bool big = h->pixel_bits == 1 && o->pixels.is_big;
    if (found == RN_DICOM_OK && (o->pixels.first || (h->frames > 1 && !big)))
        o->frames = &o->pixels;
    o->reader.reset(new Reader(o->frames));
    o->reader->SetStream(o->stream);
    if (!o->reader->Read())
        return "cannot be decoded";
    why = describe(o.get());
    if (!why)
        opened = std::move(o);
    return why;
}

/* Returns true if the codestream's own header matches the image. */
bool is_alike(const std::vector<char> &data, const gdcm::Image &image)
{
    const gdcm::PixelFormat &format = image.GetPixelFormat();
    rn_dicom_codestream picture;
    return rn_dicom_codestream_read(reinterpret_cast<const uint8_t *>(data.data()), data.size(),
                                    &picture) &&
           picture.w == image.GetDimension(0) && picture.h == image.GetDimension(1) &&
           picture.colours == format.GetSamplesPerPixel() &&
           (picture.bits + 7) / 8 == format.GetBitsAllocated() / 8;
}

bool decode_whole(Opened &o, size_t frame, size_t length, char *to)
{
    if (o.h.frames == 1)
        return o.image().GetBuffer(to);
    if (o.whole.empty()) {
        o.whole.resize(o.image().GetBufferLength() + RN_DICOM_PADDING);
        if (!o.image().GetBuffer(o.whole.data()))
            return false;
    }
    std::memcpy(to, &o.whole[frame * length], length);
    return true;
}

bool decode(Opened &o, int frame, size_t length, char *to)
{
    if (!o.frames)
        return decode_whole(o, static_cast<size_t>(frame), length, to);
    std::vector<char> data;
    if (!o.reader->take(frame, &data))
        return false;
    if (o.rle) {
        const gdcm::PixelFormat &format = o.image().GetPixelFormat();
        const size_t bytes = format.GetBitsAllocated() / 8u;
        const size_t pixel = bytes * format.GetSamplesPerPixel();
        return unpack_rle(data, bytes, pixel, length / pixel, reinterpret_cast<uint8_t *>(to));
    }
    if (o.frames->first && !is_alike(data, o.image()))
        return false;
    gdcm::Image one(o.image());
    one.SetDataElement(o.reader->as_element(data));
    return one.GetBuffer(to);
}

bool read_bits(const Opened &o, size_t frame, uint8_t *pixels)
{
    const size_t n = rn_dicom_frame_size(&o.h);
    std::vector<char> data;
    if (o.frames)
        return o.reader->take(static_cast<int>(frame), &data) &&
               unpack_bits(data.data(), data.size(), frame * n % 8, n, pixels);
    const gdcm::ByteValue *raw = o.image().GetDataElement().GetByteValue();
    return raw && !o.image().GetTransferSyntax().IsEncapsulated() &&
           unpack_bits(raw->GetPointer(), raw->GetLength(), frame * n, n, pixels);
}

bool read(Opened &o, int frame, uint8_t *pixels)
{
    const rn_dicom_header *h = &o.h;
    const gdcm::Image &image = o.image();
    if (o.bits)
        return read_bits(o, static_cast<size_t>(frame), pixels);
    const size_t length = image.GetBufferLength() / static_cast<size_t>(o.frames ? 1 : h->frames);
    std::vector<char> raw(o.is_raw() ? length + RN_DICOM_PADDING : 0);
    if (!decode(o, frame, length, raw.empty() ? reinterpret_cast<char *>(pixels) : raw.data()))
        return false;
    if (h->bytes == 4 && !o.frames &&
        image.GetTransferSyntax() == gdcm::TransferSyntax::ExplicitVRBigEndian)
        swap_halves(h, pixels);
    if (o.is_raw())
        apply_tables(o.table, image.GetPixelFormat(), h, raw, pixels);
    else if (h->colours == 3 && image.GetPlanarConfiguration() == 1 && !o.rle)
        interleave(h, pixels);
    if (is_still_ybr(image, o.reader->kind))
        convert_ybr(h, pixels);
    return true;
}

} // namespace

rn_dicom_result rn_gdcm_read(int file, const rn_dicom_header *header, int frame, bool again,
                             uint8_t *pixels, char *why, size_t size)
{
    const char *wrong = nullptr;
    be_quiet();
    try {
        if (again && opened)
            close(file);
        else
            opened.reset();
        if (!opened)
            wrong = open(file, header);
        if (!wrong && read(*opened, frame, pixels))
            return RN_DICOM_OK;
    } catch (...) {
        opened.reset();
    }
    std::snprintf(why, size, "%s", wrong ? wrong : "cannot be decoded");
    return header->frames > 1 && opened ? RN_DICOM_NO_PICTURE : RN_DICOM_UNREADABLE;
}
