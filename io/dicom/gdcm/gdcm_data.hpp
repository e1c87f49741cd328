/* SPDX-License-Identifier: MIT */
/* Reads elements of GDCM's data sets, for gdcm_header.cpp and gdcm_pixels.cpp. */
#pragma once

#include <cstring>
#include <ext/stdio_filebuf.h>
#include <locale>
#include <sstream>
#include <string>
#include <vector>

#include <gdcmAttribute.h>
#include <gdcmDataSet.h>
#include <gdcmReader.h>
#include <gdcmSequenceOfItems.h>
#include <gdcmTrace.h>

namespace rn_gdcm
{

/* GDCM reads streams: this process may not open files by name. */
using Buffer = __gnu_cxx::stdio_filebuf<char>;

const gdcm::Tag pixel_data(0x7fe00010);

/* Reads all up to the pixel data. */
inline bool read_header(int file, gdcm::Reader *reader)
{
    Buffer buffer(file, std::ios::in | std::ios::binary);
    std::istream stream(&buffer);
    reader->SetStream(stream);
    return reader->ReadUpToTag(pixel_data, {pixel_data});
}

/* GDCM's messages name no file and have no order: results of calls are used instead. */
inline void be_quiet()
{
    gdcm::Trace::DebugOff();
    gdcm::Trace::WarningOff();
    gdcm::Trace::ErrorOff();
}

/* Sets value from an attribute of one binary value; false if it is absent. */
template <uint16_t Group, uint16_t Element, typename T> bool get(const gdcm::DataSet &set, T *value)
{
    gdcm::Attribute<Group, Element> attribute;
    if (!set.FindDataElement(attribute.GetTag()) ||
        set.GetDataElement(attribute.GetTag()).IsEmpty())
        return false;
    attribute.SetFromDataElement(set.GetDataElement(attribute.GetTag()));
    *value = static_cast<T>(attribute.GetValue());
    return true;
}

/* Returns the bytes of an element; nullptr if it is absent or a sequence. */
inline const gdcm::ByteValue *find_bytes(const gdcm::DataSet &set, const gdcm::Tag &tag)
{
    return set.FindDataElement(tag) ? set.GetDataElement(tag).GetByteValue() : nullptr;
}

/* Returns a text without the blanks and zeros that pad it; "" if it is absent. */
inline std::string get_text(const gdcm::DataSet &set, const gdcm::Tag &tag)
{
    const gdcm::ByteValue *bytes = find_bytes(set, tag);
    std::string text = bytes ? std::string(bytes->GetPointer(), bytes->GetLength()) : "";
    while (!text.empty() && (text.back() == ' ' || text.back() == '\0'))
        text.pop_back();
    return text;
}

/* Sets value from an attribute of n numbers at least that are written as text. */
template <typename T>
bool get_numbers(const gdcm::DataSet &set, const gdcm::Tag &tag, T *value, unsigned n = 1)
{
    std::istringstream text(get_text(set, tag));
    text.imbue(std::locale::classic());
    T found[8];
    for (unsigned i = 0; i < n; i++) {
        char bar;
        if ((i && !(text >> bar)) || !(text >> found[i]))
            return false;
    }
    for (unsigned i = 0; i < n; i++)
        value[i] = found[i];
    return true;
}

/* Returns the items of a sequence; nullptr if it is absent. */
inline gdcm::SmartPointer<gdcm::SequenceOfItems> get_items(const gdcm::DataSet &set,
                                                           const gdcm::Tag &tag)
{
    return set.FindDataElement(tag) ? set.GetDataElement(tag).GetValueAsSQ() : nullptr;
}

/* Returns the first item of a sequence; an empty data set if there is none. */
inline gdcm::DataSet first_item(const gdcm::DataSet &set, const gdcm::Tag &tag)
{
    gdcm::SmartPointer<gdcm::SequenceOfItems> items = get_items(set, tag);
    const bool none = !items || items->GetNumberOfItems() == 0;
    return none ? gdcm::DataSet() : items->GetItem(1).GetNestedDataSet();
}

/* A lookup table. Values below the first and above the last entry get that entry. */
struct Table {
    long first = 0;
    unsigned bits = 0; /* of a value: 8..16 */
    std::vector<uint16_t> value;
};

/* Reads a table from the data set that holds its descriptor and data; returns false if there is
 * none. main: the main data set; the first index is signed if its samples are. 8-bit values may be
 * stored in 16-bit words. */
inline bool get_lut(const gdcm::DataSet &main, const gdcm::DataSet &set,
                    const gdcm::Tag &descriptor, const gdcm::Tag &data, Table *table)
{
    const gdcm::ByteValue *head = find_bytes(set, descriptor), *bytes = find_bytes(set, data);
    uint16_t d[3]; /* entries, first index, bits */
    if (!bytes || !head || head->GetLength() < sizeof d)
        return false;
    std::memcpy(d, head->GetPointer(), sizeof d);
    const size_t n = d[0] ? d[0] : 65536;
    const bool words = bytes->GetLength() >= 2 * n;
    if (d[2] < 8 || d[2] > 16 || (!words && (d[2] > 8 || bytes->GetLength() < n)))
        return false;
    unsigned sign = 0;
    get<0x0028, 0x0103>(main, &sign);
    table->first = sign == 1 ? static_cast<int16_t>(d[1]) : static_cast<long>(d[1]);
    table->bits = d[2];
    table->value.assign(n, 0);
    for (size_t i = 0; i < n; i++) {
        if (words)
            std::memcpy(&table->value[i], bytes->GetPointer() + 2 * i, 2);
        else
            table->value[i] = static_cast<uint8_t>(bytes->GetPointer()[i]);
    }
    return true;
}

/* Reads the table in the first item of a sequence: the Modality LUT or the VOI LUT. */
inline bool get_table(const gdcm::DataSet &set, const gdcm::Tag &sequence, Table *table)
{
    return get_lut(set, first_item(set, sequence), 0x00283002, 0x00283006, table);
}

} // namespace rn_gdcm
