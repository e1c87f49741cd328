/* SPDX-License-Identifier: MIT */
/* Finds the elements of a file that files derived from it have, too. */
#include "io/dicom/gdcm/gdcm.h"

#include <gdcmDict.h>
#include <gdcmDicts.h>
#include <gdcmFileExplicitFilter.h>
#include <gdcmGlobal.h>

#include "io/dicom/gdcm/gdcm_data.hpp"

namespace
{

using namespace rn_gdcm;

/* Beyond the conditions of gdcm.h: ANEW is written by derived_file.c or describes how samples were
 * stored, and nobody misses it; NEVER is true of the source alone. */
enum { ANEW = 64, NEVER = 128 };

/* The first row decides; elements without a row are copied. */
const struct {
    uint32_t first, last;
    unsigned needs;
} rules[] = {
    {0x00020000, 0x00030000, ANEW},
    {0x00080001, 0x00080001, ANEW},
    {0x00080008, 0x00080008, ANEW},
    {0x00080012, 0x00080016, ANEW}, /* who created it when, class */
    {0x00080018, 0x00080018, ANEW}, /* instance */
    {0x00082111, 0x00082112, ANEW},
    {0x00181063, 0x00181066, RN_DICOM_NEEDS_SINGLE}, /* times of frames */
    {0x00181164, 0x00181164, RN_DICOM_NEEDS_GRID},   /* Imager Pixel Spacing */
    {0x00181310, 0x00181312, RN_DICOM_NEEDS_SIDES},  /* matrix and phase encoding direction */
    {0x00181600, 0x00181622, RN_DICOM_NEEDS_GRID},   /* shutters */
    {0x00181700, 0x00181720, RN_DICOM_NEEDS_GRID},   /* collimators */
    {0x00182010, 0x00182010, RN_DICOM_NEEDS_GRID},   /* Nominal Scanned Pixel Spacing */
    {0x00186011, 0x00186011, RN_DICOM_NEEDS_GRID},   /* ultrasound regions */
    {0x00200013, 0x00200013, ANEW},
    {0x00200020, 0x00200020, RN_DICOM_NEEDS_SIDES}, /* Patient Orientation */
    {0x00200032, 0x00200037, ANEW},
    {0x00209221, 0x00209228, NEVER}, /* dimensions of frames */
    {0x00280002, 0x00280014, ANEW},
    {0x00280030, 0x00280030, ANEW},
    {0x00280034, 0x00280034, RN_DICOM_NEEDS_GRID},
    {0x00280100, 0x00280103, ANEW},
    {0x00280104, 0x00280121, RN_DICOM_NEEDS_VALUES}, /* ranges and padding of samples */
    {0x00281050, 0x00281051, RN_DICOM_NEEDS_VALUES}, /* several windows */
    {0x00281052, 0x00281054, ANEW},
    {0x00281055, 0x00281056, RN_DICOM_NEEDS_VALUES},
    {0x00281101, 0x00281224, ANEW}, /* tables, which are applied */
    {0x00283000, 0x00283000, ANEW},
    {0x00283010, 0x00283010, RN_DICOM_NEEDS_VALUES},
    {0x00286010, 0x00286022, RN_DICOM_NEEDS_SINGLE},
    {0x00287fe0, 0x00287fe0, ANEW},
    {0x3004000c, 0x3004000c, RN_DICOM_NEEDS_SINGLE}, /* Grid Frame Offset Vector */
    {0x00540010, 0x00540100, RN_DICOM_NEEDS_SINGLE}, /* vectors of nuclear medicine */
    {0x00880200, 0x00880200, NEVER},                 /* Icon Image Sequence */
    {0x4ffe0000, 0x4ffeffff, NEVER},                 /* codes that authenticate the source */
    {0x50000000, 0x50ffffff, RN_DICOM_NEEDS_GRID},   /* curves */
    {0x52000000, 0x5200ffff, NEVER},                 /* functional groups of frames */
    {0x60000000, 0x60ffffff, RN_DICOM_NEEDS_GRID},   /* overlays */
    {0x7fe00000, 0xffffffff, ANEW},
};

/* Private elements may describe the grid in their own way. */
unsigned needs_of(const gdcm::Tag &tag)
{
    if (tag.GetElement() == 0)
        return ANEW; /* the length of a group */
    for (const auto &rule : rules)
        if (tag.GetElementTag() >= rule.first && tag.GetElementTag() <= rule.last)
            return rule.needs;
    return tag.IsPrivate() ? RN_DICOM_NEEDS_GRID | RN_DICOM_NEEDS_SINGLE : 0;
}

/* The bytes of a value as a file in explicit VR little endian has them. GDCM has them as this
 * machine does: false if that differs. */
bool get_value(const gdcm::DataElement &e, std::string *value)
{
    if (__BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__ && !(e.GetVR() & gdcm::VR::VRASCII))
        return false;
    if (const gdcm::ByteValue *bytes = e.GetByteValue()) {
        value->assign(bytes->GetPointer(), bytes->GetLength());
        return true;
    }
    value->clear();
    if (e.IsEmpty())
        return true;
    gdcm::SmartPointer<gdcm::SequenceOfItems> items = e.GetValueAsSQ();
    if (!items || e.GetVR() != gdcm::VR::SQ)
        return false;
    std::ostringstream stream;
    items->Write<gdcm::ExplicitDataElement, gdcm::SwapperNoOp>(stream);
    *value = stream.str();
    if (items->IsUndefinedLength() && value->size() >= 8)
        value->resize(value->size() - 8); /* the end of an undefined length */
    return true;
}

std::string name_of(const gdcm::Tag &tag)
{
    const gdcm::Dicts &dicts = gdcm::Global::GetInstance().GetDicts();
    const char *name = tag.IsPrivate() ? nullptr : dicts.GetDictEntry(tag).GetName();
    return name && *name     ? name
           : tag.IsPrivate() ? "private elements"
                             : tag.PrintAsPipeSeparatedString();
}

} // namespace

size_t rn_gdcm_copy(int file, unsigned changed, uint8_t *to, size_t size)
{
    be_quiet();
    try {
        gdcm::Reader reader;
        if (!read_header(file, &reader))
            return 0;
        gdcm::FileExplicitFilter filter;
        filter.SetFile(reader.GetFile());
        const bool lossy = reader.GetFile().GetHeader().GetDataSetTransferSyntax().IsLossy();
        const bool implicit = reader.GetFile().GetHeader().GetDataSetTransferSyntax().IsImplicit();
        if (implicit && !filter.Change())
            return 0;
        size_t used = 0;
        const gdcm::Tag window[] = {{0x0028, 0x1050}, {0x0028, 0x1051}};
        gdcm::DataSet &set = filter.GetFile().GetDataSet();
        if (lossy && !set.FindDataElement(gdcm::Tag(0x0028, 0x2110))) { /* some do not say so */
            gdcm::DataElement said(gdcm::Tag(0x0028, 0x2110));
            said.SetVR(gdcm::VR::CS);
            said.SetByteValue("01", 2);
            set.Replace(said);
        }
        for (const gdcm::DataElement &e : set.GetDES()) {
            const unsigned needs = needs_of(e.GetTag());
            std::string value;
            const bool one = get_value(e, &value) && value.find('\\') == std::string::npos;
            if (needs & ANEW || (one && (e.GetTag() == window[0] || e.GetTag() == window[1])))
                continue;
            struct rn_dicom_copied head = rn_dicom_copied();
            head.tag = e.GetTag().GetElementTag();
            const char *vr = gdcm::VR::GetVRStringFromFile(e.GetVR());
            std::memcpy(head.vr, vr && *vr >= 'A' && std::strlen(vr) == 2 ? vr : "UN", 2);
            head.lost = needs & (changed | NEVER) || !get_value(e, &value) ||
                        value.size() > (size - used) / 4;
            if (head.lost)
                value = name_of(e.GetTag());
            const bool full = size - used < 2 * sizeof head + value.size() + 64;
            if (full) {
                value = "further elements";
                head.lost = true;
            }
            head.size = static_cast<uint32_t>(value.size());
            std::memcpy(to + used, &head, sizeof head);
            std::memcpy(to + used + sizeof head, value.data(), value.size());
            used += sizeof head + value.size();
            if (full)
                break;
        }
        return used;
    } catch (...) {
        return 0;
    }
}
