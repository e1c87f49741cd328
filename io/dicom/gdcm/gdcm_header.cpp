/* SPDX-License-Identifier: MIT */
#include "io/dicom/gdcm/gdcm.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <istream>
#include <limits>

#include "io/dicom/gdcm/gdcm_data.hpp"

namespace
{

using namespace rn_gdcm;

template <size_t Size>
void copy_text(const gdcm::DataSet &set, const gdcm::Tag &tag, char (&to)[Size])
{
    std::snprintf(to, Size, "%s", get_text(set, tag).c_str());
}

/* ---- places */

void get_window(const gdcm::DataSet &set, rn_dicom_header *h)
{
    get_numbers(set, 0x00281050, &h->window[0]);
    get_numbers(set, 0x00281051, &h->window[1]);
}

void get_orientation(const gdcm::DataSet &set, rn_dicom_place *p)
{
    double sides[6];
    if (!get_numbers(set, 0x00200037, sides, 6))
        return;
    std::memcpy(p->row, sides, sizeof p->row);
    std::memcpy(p->column, sides + 3, sizeof p->column);
}

void get_spacing(const gdcm::DataSet &set, rn_dicom_header *h)
{
    double spacing[2];
    if (get_numbers(set, 0x00280030, spacing, 2) && spacing[0] > 0 && spacing[1] > 0) {
        h->place.spacing[0] = spacing[1]; /* rows come first there */
        h->place.spacing[1] = spacing[0];
    }
    get_numbers(set, 0x00180050, &h->thickness);
    get_numbers(set, 0x00180088, &h->between);
    get_numbers(set, 0x00200110, &h->time_step);
}

void get_rescale(const gdcm::DataSet &set, rn_dicom_place *p)
{
    if (get_numbers(set, 0x00281053, &p->slope)) // Rescale Slope, Rescale Intercept
        get_numbers(set, 0x00281052, &p->intercept);
}

/* Returns the seconds of a date and time: YYYYMMDDHHMMSS.F, shorter from minutes on, with colons in
 * old files; NAN: it is none. */
double read_clock(std::string text)
{
    double seconds = 0;
    int year, month, day, hour, minute = 0;
    text.erase(std::remove(text.begin(), text.end(), ':'), text.end());
    if (std::sscanf(text.c_str(), "%4d%2d%2d%2d%2d", &year, &month, &day, &hour, &minute) < 4 ||
        year < 1 || year > 9999)
        return std::numeric_limits<double>::quiet_NaN();
    std::istringstream rest(text.size() > 12 ? text.substr(12) : "0");
    rest.imbue(std::locale::classic());
    rest >> seconds;
    const int months = 12 * year + month - 3, from = months / 12; /* a year begins in March */
    const int days =
        365 * from + from / 4 - from / 100 + from / 400 + (153 * (months % 12) + 2) / 5 + day;
    return 86400.0 * days + 3600 * hour + 60 * minute + seconds;
}

double get_clock(const gdcm::DataSet &set)
{
    const std::string both = get_text(set, 0x0008002a), date = get_text(set, 0x00080022);
    return read_clock(
        !both.empty() ? both : (date.empty() ? "20000101" : date) + get_text(set, 0x00080032));
}

/* Reads the marks of single-frame files. */
void get_marks(const gdcm::DataSet &set, rn_dicom_place *p)
{
    for (double &mark : p->mark)
        mark = std::numeric_limits<double>::quiet_NaN();
    get_numbers(set, 0x00200100, &p->mark[RN_DICOM_TEMPORAL]);
    get_numbers(set, 0x00181060, &p->mark[RN_DICOM_TRIGGER]);
    get<0x0018, 0x9087>(set, &p->mark[RN_DICOM_B_VALUE]);
    get_numbers(set, 0x00180086, &p->mark[RN_DICOM_ECHO]);
    get_numbers(set, 0x00180081, &p->mark[RN_DICOM_ECHO_TIME]);
    get_numbers(set, 0x00200012, &p->mark[RN_DICOM_ACQUISITION]);
    p->mark[RN_DICOM_ACQUISITION_TIME] = get_clock(set);
}

/* Reads the functional groups of a frame, or the shared ones. */
void get_groups(const gdcm::DataSet &groups, rn_dicom_header *h)
{
    rn_dicom_place *p = &h->place;
    const gdcm::DataSet scale = first_item(groups, 0x00289145);
    const gdcm::DataSet content = first_item(groups, 0x00209111);
    p->has_position |= get_numbers(first_item(groups, 0x00209113), 0x00200032, p->origin, 3);
    get_orientation(first_item(groups, 0x00209116), p);
    get_spacing(first_item(groups, 0x00289110), h);
    get_rescale(scale, p);
    if (!scale.IsEmpty())
        copy_text(scale, 0x00281054, h->unit);
    get_window(first_item(groups, 0x00289132), h);
    get<0x0020, 0x9128>(content, &p->mark[RN_DICOM_TEMPORAL]);
    get<0x0020, 0x9156>(content, &p->mark[RN_DICOM_ACQUISITION]);
    if (content.FindDataElement(gdcm::Tag(0x00189074)))
        p->mark[RN_DICOM_ACQUISITION_TIME] = read_clock(get_text(content, 0x00189074));
    get<0x0020, 0x930d>(first_item(groups, 0x00209310), &p->mark[RN_DICOM_ACQUISITION_TIME]);
    get<0x0020, 0x9153>(first_item(groups, 0x00189118), &p->mark[RN_DICOM_TRIGGER]);
    get<0x0018, 0x9087>(first_item(groups, 0x00189117), &p->mark[RN_DICOM_B_VALUE]);
    get<0x0018, 0x9082>(first_item(groups, 0x00189114), &p->mark[RN_DICOM_ECHO_TIME]);
}

/* Reads n numbers of a CSA header (SV10): a name of 64 bytes, 20 others, then items of 16 bytes,
 * the second four of which are the length of the text that follows, rounded up to four. */
bool get_csa(const std::string &csa, const std::string &name, double *to, int n)
{
    size_t at = csa.find(name + '\0');
    for (at = at < csa.size() ? at + 84 : at; n > 0; n--) {
        uint32_t length;
        if (at >= csa.size() || csa.size() - at < 16)
            return false;
        std::memcpy(&length, &csa[at + 4], sizeof length);
        at += 16;
        std::istringstream text(csa.substr(at, std::min<size_t>(length, csa.size() - at)));
        text.imbue(std::locale::classic());
        if (!(text >> *to++))
            return false;
        at += (length + size_t{3}) / 4 * 4;
    }
    return true;
}

/* Siemens' scanners store the slices of a moment as tiles of one picture, row by row. Its position
 * is that of the first tile as if the tile were as large as the picture, in the middle of it. */
bool split_mosaic(const gdcm::DataSet &set, rn_dicom_header *h, rn_dicom_part *give, void *arg)
{
    const gdcm::ByteValue *bytes = find_bytes(set, 0x00291010);
    const std::string csa =
        bytes ? std::string(bytes->GetPointer(), bytes->GetLength()) : std::string();
    double n = 0, normal[3];
    uint16_t count = 0;
    if (!get_csa(csa, "NumberOfImagesInMosaic", &n, 1) && (bytes = find_bytes(set, 0x0019100a)) &&
        bytes->GetLength() >= sizeof count) {
        std::memcpy(&count, bytes->GetPointer(), sizeof count);
        n = count;
    }
    const int side = n >= 1 && n <= 4096 ? static_cast<int>(std::ceil(std::sqrt(n))) : 0;
    if (!side || h->frames > 1 || h->w % side || h->h % side)
        return false;
    rn_dicom_entry part = rn_dicom_entry();
    part.header.place = h->place;
    double *origin = part.header.place.origin;
    const double *spacing = h->place.spacing;
    for (int i = 0; i < 3; i++)
        origin[i] += (h->place.row[i] * spacing[0] * (h->w - h->w / side) +
                      h->place.column[i] * spacing[1] * (h->h - h->h / side)) /
                     2;
    h->w /= side;
    h->h /= side;
    h->frames = static_cast<int>(n);
    h->mosaic = side;
    h->is_plain = false;
    h->has_places = give && h->place.has_position && spacing[0] > 0 && h->between > 0 &&
                    get_csa(csa, "SliceNormalVector", normal, 3);
    for (int k = 0; h->has_places && k < h->frames; k++) {
        give(arg, &part);
        for (int i = 0; i < 3; i++)
            origin[i] += normal[i] * h->between;
    }
    return true;
}

/* The planes of a dose are stacked along the normal: Grid Frame Offset Vector. */
bool give_grid(const gdcm::DataSet &set, const rn_dicom_header *h, rn_dicom_part *give, void *arg)
{
    std::istringstream text(get_text(set, 0x3004000c));
    text.imbue(std::locale::classic());
    double normal[3];
    rn_dicom_normal(&h->place, normal);
    std::vector<double> offset;
    for (double at; offset.size() < static_cast<size_t>(h->frames) && text >> at;) {
        char bar;
        offset.push_back(at);
        text >> bar;
    }
    if (!h->place.has_position || offset.size() != static_cast<size_t>(h->frames))
        return false;
    for (double at : offset) {
        rn_dicom_entry part = rn_dicom_entry();
        part.header.place = h->place;
        for (int i = 0; i < 3; i++) /* the first offset is 0, or z of an axial grid */
            part.header.place.origin[i] += normal[i] * (at - offset[0]);
        give(arg, &part);
    }
    return true;
}

/* Gives the places of the frames of an enhanced file. */
bool give_frames(const gdcm::DataSet &set, const rn_dicom_header *h, rn_dicom_part *give, void *arg)
{
    gdcm::SmartPointer<gdcm::SequenceOfItems> items = get_items(set, 0x52009230);
    if (!items || items->GetNumberOfItems() != static_cast<size_t>(h->frames))
        return false;
    for (size_t i = 1; i <= items->GetNumberOfItems(); i++) {
        rn_dicom_entry part = rn_dicom_entry();
        part.header = *h;
        get_groups(items->GetItem(i).GetNestedDataSet(), &part.header);
        give(arg, &part);
    }
    return true;
}

/* ---- samples */

template <typename... Values>
rn_dicom_result refuse(rn_dicom_entry *entry, rn_dicom_result result, const char *format,
                       Values... values)
{
    std::snprintf(entry->why, sizeof entry->why, format, values...);
    return result;
}

struct Samples {
    unsigned bits_allocated, bits_stored, high_bit, sign = 0, colours = 1;
    std::string kind; /* Photometric Interpretation */
};

bool get_samples(const gdcm::DataSet &set, Samples *s)
{
    if (!get<0x0028, 0x0100>(set, &s->bits_allocated))
        return false;
    s->bits_stored = s->bits_allocated;
    get<0x0028, 0x0101>(set, &s->bits_stored);
    s->high_bit = s->bits_stored - 1;
    get<0x0028, 0x0102>(set, &s->high_bit);
    get<0x0028, 0x0103>(set, &s->sign);
    get<0x0028, 0x0002>(set, &s->colours);
    s->kind = get_text(set, 0x00280004);
    return true;
}

/* The bits of the colours of a palette: 8 or 16; 0: it has none. */
unsigned palette_bits(const gdcm::DataSet &set)
{
    const gdcm::ByteValue *descriptor = find_bytes(set, 0x00281101);
    uint16_t bits = 0;
    if (descriptor && descriptor->GetLength() >= 6)
        std::memcpy(&bits, descriptor->GetPointer() + 4, sizeof bits);
    for (uint32_t colour = 0x00281201; colour <= 0x00281203; colour++)
        bits = set.FindDataElement(gdcm::Tag(colour)) ? bits : 0;
    return bits == 8 || bits == 16 ? bits : 0;
}

/* Y'CbCr of 8 bits, which is decoded to R G B. RCT and ICT are transforms of JPEG 2000. */
bool is_ybr(const std::string &kind)
{
    return kind == "YBR_FULL" || kind == "YBR_FULL_422" || kind == "YBR_RCT" || kind == "YBR_ICT";
}

/* A Modality LUT is not linear: samples are its output, if the table is complete. */
void describe_table(const gdcm::DataSet &set, const Samples &s, rn_dicom_header *h)
{
    Table table;
    h->has_modality_table = set.FindDataElement(gdcm::Tag(0x00283000));
    h->is_tabled = h->colours == 1 && (s.bits_allocated == 8 || s.bits_allocated == 16) &&
                   h->has_modality_table && get_table(set, 0x00283000, &table);
    if (!h->is_tabled)
        return;
    h->bits = static_cast<int>(table.bits);
    h->bytes = table.bits > 8 ? 2 : 1;
    h->is_signed = h->is_plain = false;
    copy_text(first_item(set, 0x00283000), 0x00283004, h->unit);
}

rn_dicom_result describe_samples(const gdcm::DataSet &set, rn_dicom_entry *entry)
{
    Samples s;
    rn_dicom_header *h = &entry->header;
    if (!get_samples(set, &s))
        return refuse(entry, RN_DICOM_NO_PICTURE, "%s", "holds no picture");
    if (set.FindDataElement(gdcm::Tag(0x7fe00008)) || set.FindDataElement(gdcm::Tag(0x7fe00009)))
        return refuse(entry, RN_DICOM_UNREADABLE,
                      "has floating-point samples of %u bits, which are not read",
                      s.bits_allocated);
    bool gray = s.kind == "MONOCHROME1" || s.kind == "MONOCHROME2" || s.kind.empty();
    bool palette = s.kind == "PALETTE COLOR", rgb = s.kind == "RGB" || is_ybr(s.kind);
    unsigned widest = gray ? 32 : s.kind == "RGB" || palette ? 16 : 8;
    bool sized = s.bits_allocated == 8 || s.bits_allocated == 16 || s.bits_allocated == 32;
    if (!(sized || (gray && s.bits_allocated == 1)) || s.bits_stored < 1 ||
        s.bits_stored > s.bits_allocated)
        return refuse(entry, RN_DICOM_UNREADABLE,
                      "has samples of %u bits, %u of them used, which are not read",
                      s.bits_allocated, s.bits_stored);
    if (s.high_bit + 1 != s.bits_stored)
        return refuse(entry, RN_DICOM_UNREADABLE,
                      "has %u bits from bit %u down, which are not read", s.bits_stored,
                      s.high_bit);
    if ((!gray && !rgb && !palette) || s.bits_allocated > widest || s.colours != (rgb ? 3 : 1) ||
        (s.sign && !gray))
        return refuse(entry, RN_DICOM_UNREADABLE,
                      "is %.32s of %u bits%s in %u components, which is not read", s.kind.c_str(),
                      s.bits_allocated, s.sign ? " with sign" : "", s.colours);
    if (palette && !palette_bits(set))
        return refuse(entry, RN_DICOM_UNREADABLE, "%s",
                      "has a palette that is not read: none, one in segments, or of other depth");
    h->colours = gray ? 1 : 3;
    h->bits = static_cast<int>(palette ? palette_bits(set) : s.bits_stored);
    h->bytes = h->bits > 16 || s.bits_allocated > 16
                   ? 4
                   : (palette ? h->bits > 8 : s.bits_allocated > 8) + 1;
    h->pixel_bits = static_cast<int>(s.bits_allocated * (s.kind == "YBR_FULL_422" ? 2 : s.colours));
    unsigned planar = 0;
    get<0x0028, 0x0006>(set, &planar);
    h->is_plain = (gray || s.kind == "RGB") && s.bits_allocated > 1 && !(planar && h->colours > 1);
    h->is_signed = gray && s.sign == 1;
    h->is_inverted = s.kind == "MONOCHROME1";
    describe_table(set, s, h);
    return RN_DICOM_OK;
}

/* ---- the rest */

void get_names(const gdcm::DataSet &set, rn_dicom_header *h)
{
    copy_text(set, 0x0020000e, h->series);
    copy_text(set, 0x00080018, h->instance);
    copy_text(set, 0x00080008, h->type);
    copy_text(set, 0x00080060, h->modality);
    copy_text(set, 0x0008103e, h->description);
    long long number;
    h->has_number = get_numbers(set, 0x00200013, &number);
    h->number = h->has_number ? static_cast<long>(number) : 0;
}

void get_source(const gdcm::DataSet &set, rn_dicom_source_texts source)
{
    static const uint32_t tags[RN_DICOM_SOURCE_TEXTS] = {0x00080016, 0x0020000d, 0x00200052,
                                                         0x00200011, 0x0008103e, 0x00082111};
    for (int i = 0; i < RN_DICOM_SOURCE_TEXTS; i++) {
        const std::string text = get_text(set, tags[i]);
        if (text.size() < sizeof source[i])
            std::strcpy(source[i], text.c_str());
    }
}

/* Reads the unit of rescaled values; of a dose, its scale is the slope. */
void get_unit_and_dose_scale(const gdcm::DataSet &set, rn_dicom_header *h)
{
    std::string unit = get_text(set, 0x00281054), modality = h->modality;
    bool rescaled = set.FindDataElement(gdcm::Tag(0x00281053));
    if (unit.empty() && modality == "PT")
        unit = get_text(set, 0x00541001);
    if (unit.empty() && modality == "CT" && rescaled)
        unit = "HU";
    if (get_numbers(set, 0x3004000e, &h->place.slope)) /* Dose Grid Scaling */
        unit = get_text(set, 0x30040002);
    std::snprintf(h->unit, sizeof h->unit, "%s", unit.c_str());
}

void get_voi_table(const gdcm::DataSet &set, rn_dicom_header *h)
{
    Table table;
    h->has_voi_table = set.FindDataElement(gdcm::Tag(0x00283010));
    if (h->window[1] > 0 || !h->has_voi_table || !get_table(set, 0x00283010, &table))
        return;
    h->window[1] = static_cast<double>(table.value.size());
    h->window[0] = static_cast<double>(table.first) + h->window[1] / 2;
}

void get_place(const gdcm::DataSet &set, rn_dicom_header *h)
{
    h->place.slope = 1;
    h->place.has_position = get_numbers(set, 0x00200032, h->place.origin, 3);
    get_orientation(set, &h->place);
    get_spacing(set, h);
    if (!h->is_tabled) {
        get_rescale(set, &h->place);
        get_unit_and_dose_scale(set, h);
    }
    get_marks(set, &h->place);
    get_window(set, h);
    get_voi_table(set, h);
}

rn_dicom_result describe(const gdcm::DataSet &set, rn_dicom_entry *entry, rn_dicom_part *give,
                         void *arg)
{
    rn_dicom_header *h = &entry->header;
    unsigned w = 0, rows = 0;
    int frames = 1;
    if (!get<0x0028, 0x0010>(set, &rows) || !get<0x0028, 0x0011>(set, &w) || !w || !rows)
        return refuse(entry, RN_DICOM_NO_PICTURE, "%s", "holds no picture");
    h->w = static_cast<int>(w);
    h->h = static_cast<int>(rows);
    get_numbers(set, 0x00280008, &frames);
    h->frames = frames > 0 ? frames : 1;
    rn_dicom_result result = describe_samples(set, entry);
    if (result != RN_DICOM_OK)
        return result;
    get_names(set, h);
    get_source(set, entry->source);
    get_place(set, h);
    get_groups(first_item(set, 0x52009229), h);
    const rn_dicom_header shared = *h;
    /* the first frame's values stand for the whole series */
    get_groups(first_item(set, 0x52009230), h);
    if (!std::strcmp(h->unit, "US")) /* unspecified */
        h->unit[0] = '\0';
    if (get_text(set, 0x00080008).find("MOSAIC") != std::string::npos) {
        if (!split_mosaic(set, h, give, arg))
            return refuse(entry, RN_DICOM_UNREADABLE, "%s",
                          "is a mosaic of slices, and says no number of them that fits its sides");
    } else if (give) {
        h->has_places =
            give_frames(set, &shared, give, arg) || (frames > 1 && give_grid(set, h, give, arg));
    }
    return RN_DICOM_OK;
}

/* A DICOMDIR: Referenced File ID of every Directory Record. */
rn_dicom_result list_files(const gdcm::DataSet &set, rn_dicom_part *give, void *arg)
{
    gdcm::SmartPointer<gdcm::SequenceOfItems> items = get_items(set, 0x00041220);
    for (size_t i = 1; items && i <= items->GetNumberOfItems(); i++) {
        rn_dicom_entry part = rn_dicom_entry();
        std::string name = get_text(items->GetItem(i).GetNestedDataSet(), 0x00041500);
        std::snprintf(part.why, sizeof part.why, "%s", name.c_str());
        if (!name.empty() && give)
            give(arg, &part);
    }
    return RN_DICOM_DIRECTORY;
}

} // namespace

void rn_gdcm_describe(int file, rn_dicom_entry *entry, rn_dicom_part *give, void *arg)
{
    be_quiet();
    *entry = rn_dicom_entry();
    try {
        gdcm::Reader reader;
        if (read_header(file, &reader)) {
            const gdcm::DataSet &set = reader.GetFile().GetDataSet();
            entry->result = set.FindDataElement(gdcm::Tag(0x00041220))
                                ? list_files(set, give, arg)
                                : describe(set, entry, give, arg);
            return;
        }
    } catch (...) { /* as a file that cannot be read */
    }
    entry->result = refuse(entry, RN_DICOM_UNREADABLE, "%s", "cannot be read as DICOM");
}
