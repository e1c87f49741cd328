/* The values of a DICOM file, frame by frame. */
#include "io/dicom/gdcm.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <istream>
#include <memory>
#include <string>
#include <vector>

#include <gdcmImageReader.h>

#include "io/dicom/gdcm_data.hpp"

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

/* The bits of 1-bit samples follow each other from the lowest up, through all frames. GDCM leaves
 * them to the caller, and those of the last byte. */
bool unpack_bits(const gdcm::Image &image, const rn_dicom_header *h, int frame, uint8_t *pixels)
{
    const size_t n = rn_dicom_frame_size(h), first = n * static_cast<size_t>(frame);
    const gdcm::ByteValue *raw = image.GetDataElement().GetByteValue();
    if (!raw || image.GetTransferSyntax().IsEncapsulated() ||
        raw->GetLength() < (first + n + 7) / 8)
        return false;
    for (size_t i = first; i < first + n; i++)
        *pixels++ = static_cast<uint8_t>(raw->GetPointer()[i / 8]) >> i % 8 & 1;
    return true;
}

struct Palette {
    long first = 0;
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
    size_t n = static_cast<size_t>(h->w) * static_cast<size_t>(h->h);
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

/* What stored values measure, by a Modality LUT. */
void apply_table(const Table &table, const gdcm::PixelFormat &format, const rn_dicom_header *h,
                 const std::vector<char> &raw, uint8_t *pixels)
{
    const size_t n = rn_dicom_frame_size(h) / static_cast<size_t>(h->bytes);
    const size_t bytes = format.GetBitsAllocated() / 8;
    const unsigned stored = format.GetBitsStored();
    const bool is_signed = format.GetPixelRepresentation() == 1;
    const long last = static_cast<long>(table.value.size()) - 1;
    for (size_t i = 0; i < n; i++, pixels += h->bytes) {
        uint16_t word = static_cast<uint8_t>(raw[i * bytes]);
        if (bytes == 2)
            std::memcpy(&word, &raw[i * 2], 2);
        long value = word & (0xFFFFu >> (16 - stored));
        if (is_signed && value >> (stored - 1))
            value -= 1L << stored;
        uint16_t found =
            table.value[static_cast<size_t>(std::min(std::max(value - table.first, 0L), last))];
        if (h->bytes == 1)
            *pixels = static_cast<uint8_t>(found);
        else
            std::memcpy(pixels, &found, 2);
    }
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

/* ---- frames of a file */

/* The fragments of a frame are *first to *end - 1: each has one, or a table says where they begin.
 */
bool find_fragments(const gdcm::SequenceOfFragments &all, size_t frames, size_t frame,
                    size_t *first, size_t *end)
{
    const size_t n = all.GetNumberOfFragments();
    *first = frame;
    *end = frames == 1 ? n : frame + 1;
    if (n == frames || frames == 1)
        return true;
    const gdcm::ByteValue *table = all.GetTable().GetByteValue();
    if (!table || table->GetLength() != 4 * frames || n < frames)
        return false;
    uint32_t starts[2] = {0, UINT32_MAX};
    std::memcpy(starts, table->GetPointer() + 4 * frame, frame + 1 < frames ? 8 : 4);
    uint64_t at = 0;
    *first = *end = n;
    for (size_t i = 0; i < n; i++) {
        if (at == starts[0])
            *first = i;
        if (at == starts[1])
            *end = i;
        at += 8 + static_cast<uint64_t>(all.GetFragment(i).GetVL());
    }
    return *first < *end && (frame + 1 == frames || *end < n);
}

/* GDCM decodes some files with all their frames only to look at them. Here it gets the first one,
 * as if that were all, and each other one as it is asked for.
 *
 * It asserts that a dose of one plane says that it is one, which it need not, and that palettes
 * begin at 0: those are applied here, to what is gray for GDCM. */
class Reader : public gdcm::ImageReader
{
  public:
    explicit Reader(const rn_dicom_header *header) : h(*header)
    {
    }
    std::string kind;       /* Photometric Interpretation of the file */
    bool is_split = false;  /* GDCM has seen one frame; else all */
    gdcm::DataElement all;  /* Pixel Data */
    size_t native_size = 0; /* bytes of a frame that is not compressed */

    /* The Pixel Data of a frame; false if they cannot be told apart from the others. */
    bool take(size_t frame, gdcm::DataElement *one) const
    {
        const gdcm::ByteValue *native = all.GetByteValue();
        const gdcm::SequenceOfFragments *fragments = all.GetSequenceOfFragments();
        size_t first, end;
        if (native && native_size > 0 && native->GetLength() >= (frame + 1) * native_size) {
            one->SetByteValue(native->GetPointer() + frame * native_size,
                              static_cast<uint32_t>(native_size));
        } else if (fragments &&
                   find_fragments(*fragments, static_cast<size_t>(h.frames), frame, &first, &end)) {
            gdcm::SmartPointer<gdcm::SequenceOfFragments> own = new gdcm::SequenceOfFragments;
            while (first < end)
                own->AddFragment(fragments->GetFragment(first++));
            one->SetValue(*own);
        } else {
            return false;
        }
        one->SetVR(all.GetVR());
        return true;
    }

  private:
    const rn_dicom_header h;

    void split(gdcm::DataSet *set)
    {
        const gdcm::Tag tag(0x7fe0, 0x0010);
        const gdcm::Attribute<0x0028, 0x0008> alone = {1};
        gdcm::DataElement first(tag);
        int frames = 1;
        all = set->GetDataElement(tag);
        native_size =
            static_cast<size_t>(h.w) * static_cast<size_t>(h.h) * static_cast<size_t>(h.stored / 8);
        get_numbers(*set, 0x0028, 0x0008, &frames);
        is_split = frames > 1 && frames == h.frames && take(0, &first);
        if (!is_split)
            return;
        set->Replace(first);
        set->Replace(alone.GetAsDataElement());
    }

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
        split(&set);
        return gdcm::ImageReader::ReadImage(storage);
    }
};

/* Is the picture as it comes out of the decoder the one that the header promised? raw: it is not
 * what becomes of it yet. */
bool is_as_described(const Reader &reader, const rn_dicom_header *h, bool raw)
{
    const gdcm::Image &image = reader.GetImage();
    const gdcm::PixelFormat &format = image.GetPixelFormat();
    const unsigned *sides = image.GetDimensions();
    const unsigned frames = image.GetNumberOfDimensions() > 2 ? sides[2] : 1;
    const bool palette = reader.kind == "PALETTE COLOR";
    const int wanted = reader.is_split ? 1 : h->frames;
    bool same = sides[0] == static_cast<unsigned>(h->w) &&
                sides[1] == static_cast<unsigned>(h->h) &&
                frames == static_cast<unsigned>(wanted) &&
                format.GetSamplesPerPixel() == static_cast<unsigned>(palette ? 1 : h->colours);
    if (raw)
        return same && format.GetBitsAllocated() <= 16;
    return same && format.GetBitsAllocated() == 8 * h->bytes &&
           image.GetBufferLength() == rn_dicom_frame_size(h) * static_cast<size_t>(wanted);
}

/* Of samples that are not compressed GDCM reads as many as the header promises, also past the end
 * of those that there are. */
bool has_samples(const Reader &reader, const rn_dicom_header *h)
{
    const gdcm::ByteValue *raw = reader.all.GetByteValue();
    const size_t all = reader.native_size * static_cast<size_t>(h->frames);
    return !raw ||
           raw->GetLength() >= (reader.is_split ? all : reader.GetImage().GetBufferLength());
}

/* GDCM swaps the bytes of each 16 bits of what is written the other way round. */
void swap_halves(const rn_dicom_header *h, uint8_t *pixels)
{
    for (uint8_t *p = pixels, *end = pixels + rn_dicom_frame_size(h); p < end; p += 4) {
        std::swap(p[0], p[2]);
        std::swap(p[1], p[3]);
    }
}

/* ---- RLE of colours of 16 bits, which GDCM takes apart wrongly (PS3.5 annex G) */

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
    return n == 0;
}

bool unpack_rle(const std::vector<uint8_t> &data, const rn_dicom_header *h, uint8_t *pixels)
{
    const size_t bytes = static_cast<size_t>(h->bytes), step = 3 * bytes;
    uint32_t head[16];
    if (data.size() < sizeof head)
        return false;
    std::memcpy(head, data.data(), sizeof head);
    if (head[0] != step)
        return false;
    for (size_t i = 0; i < step; i++) {
        const size_t begin = head[1 + i], end = i + 1 < step ? head[2 + i] : data.size();
        if (begin < sizeof head || begin > end || end > data.size())
            return false;
        const size_t at = i / bytes * bytes + bytes - 1 - i % bytes; /* the highest byte first */
        if (!unpack_segment(data.data() + begin, data.data() + end, pixels + at, step,
                            rn_dicom_frame_size(h) / step))
            return false;
    }
    return true;
}

bool is_deep_rle(const gdcm::Image &image, const rn_dicom_header *h)
{
    return h->colours == 3 && h->bytes == 2 && image.GetPixelFormat().GetSamplesPerPixel() == 3 &&
           image.GetTransferSyntax() == gdcm::TransferSyntax::RLELossless;
}

bool read_deep_rle(const Reader &reader, const rn_dicom_header *h, int frame, uint8_t *pixels)
{
    const gdcm::SequenceOfFragments *all = reader.all.GetSequenceOfFragments();
    std::vector<uint8_t> data;
    size_t first, end;
    if (!all || !find_fragments(*all, static_cast<size_t>(h->frames), static_cast<size_t>(frame),
                                &first, &end))
        return false;
    for (; first < end; first++) {
        const gdcm::ByteValue *bytes = all->GetFragment(first).GetByteValue();
        if (bytes)
            data.insert(data.end(), bytes->GetPointer(), bytes->GetPointer() + bytes->GetLength());
    }
    return unpack_rle(data, h, pixels);
}

/* ---- a file */

/* A file that is read frame by frame. */
struct Opened {
    explicit Opened(const rn_dicom_header *h) : reader(h)
    {
    }
    Reader reader;
    bool palette = false, bits = false, tabled = false;
    Palette colours;
    Table table;
    std::vector<char> whole; /* all frames, where GDCM decodes them at once */
    bool is_raw() const
    {
        return palette || tabled;
    }
};

std::unique_ptr<Opened> opened;

bool open(std::istream &stream, const rn_dicom_header *h, char *why, size_t size)
{
    std::unique_ptr<Opened> o(new Opened(h));
    o->reader.SetStream(stream);
    if (!o->reader.Read())
        return fail(why, size, "cannot be decoded");
    const gdcm::DataSet &set = o->reader.GetFile().GetDataSet();
    o->palette = o->reader.kind == "PALETTE COLOR";
    o->bits = h->bits == 1 && o->reader.GetImage().GetPixelFormat().GetBitsAllocated() == 1;
    o->tabled = h->is_tabled;
    if (!is_as_described(o->reader, h, o->is_raw() || o->bits))
        return fail(why, size, "holds other pictures than its header says");
    if (!o->bits && o->reader.kind != "YBR_FULL_422" && !has_samples(o->reader, h))
        return fail(why, size, "holds fewer samples than its header says");
    if (o->palette && !get_palette(set, h, &o->colours))
        return fail(why, size, "has a palette that is not whole");
    if (o->tabled && !get_table(set, &o->table))
        return fail(why, size, "has a table of values that is not whole");
    opened = std::move(o);
    return true;
}

/* The samples of a frame, as GDCM decodes them: length bytes. */
bool decode(Opened &o, const rn_dicom_header *h, size_t frame, size_t length, char *to)
{
    const gdcm::Image &image = o.reader.GetImage();
    if (h->frames == 1)
        return image.GetBuffer(to);
    if (o.reader.is_split) {
        gdcm::Image one(image);
        gdcm::DataElement pixels(gdcm::Tag(0x7fe0, 0x0010));
        if (!o.reader.take(frame, &pixels))
            return false;
        one.SetDataElement(pixels);
        return one.GetBuffer(to);
    }
    if (o.whole.empty()) {
        o.whole.resize(image.GetBufferLength() + RN_DICOM_PADDING);
        if (!image.GetBuffer(o.whole.data()))
            return false;
    }
    std::memcpy(to, &o.whole[frame * length], length);
    return true;
}

bool read(Opened &o, const rn_dicom_header *h, int frame, uint8_t *pixels)
{
    const gdcm::Image &image = o.reader.GetImage();
    if (o.bits)
        return unpack_bits(image, h, frame, pixels);
    if (is_deep_rle(image, h))
        return read_deep_rle(o.reader, h, frame, pixels);
    const gdcm::PixelFormat &format = image.GetPixelFormat();
    const size_t length =
        image.GetBufferLength() / static_cast<size_t>(o.reader.is_split ? 1 : h->frames);
    std::vector<char> raw(o.is_raw() ? length + RN_DICOM_PADDING : 0);
    if (!decode(o, h, static_cast<size_t>(frame), length,
                raw.empty() ? reinterpret_cast<char *>(pixels) : raw.data()))
        return false;
    if (h->bytes == 4 && image.GetTransferSyntax() == gdcm::TransferSyntax::ExplicitVRBigEndian)
        swap_halves(h, pixels);
    if (o.palette)
        apply_palette(o.colours, h, raw, format.GetBitsAllocated() / 8, pixels);
    else if (o.tabled)
        apply_table(o.table, format, h, raw, pixels);
    else if (h->colours == 3 && image.GetPlanarConfiguration() == 1)
        interleave(h, pixels);
    if (is_still_ybr(image, o.reader.kind))
        convert_ybr(h, pixels);
    return true;
}

} // namespace

rn_dicom_result rn_gdcm_read(int file, const rn_dicom_header *header, int frame, bool again,
                             uint8_t *pixels, char *why, size_t size)
{
    be_quiet();
    try {
        Buffer buffer(file, std::ios::in | std::ios::binary);
        std::istream stream(&buffer);
        if (!again)
            opened.reset();
        if (!opened && !open(stream, header, why, size))
            return RN_DICOM_UNREADABLE;
        if (read(*opened, header, frame, pixels))
            return RN_DICOM_OK;
    } catch (...) {
        opened.reset();
    }
    fail(why, size, "cannot be decoded");
    return header->frames > 1 && opened ? RN_DICOM_NO_PICTURE : RN_DICOM_UNREADABLE;
}
