/* Reads elements of GDCM's data sets, for gdcm.cpp and gdcm_pixels.cpp. */
#ifndef RN_IO_DICOM_GDCM_GDCM_DATA_H
#define RN_IO_DICOM_GDCM_GDCM_DATA_H

#include <cstring>
#include <ext/stdio_filebuf.h>
#include <locale>
#include <sstream>
#include <string>
#include <vector>

#include <gdcmAttribute.h>
#include <gdcmDataSet.h>
#include <gdcmSequenceOfItems.h>
#include <gdcmTrace.h>

namespace rn_gdcm
{

/* GDCM reads streams: this process may not open files by name. */
using Buffer = __gnu_cxx::stdio_filebuf<char>;

/* GDCM's messages name no file and have no order: results of calls are used instead. */
inline void be_quiet()
{
    gdcm::Trace::DebugOff();
    gdcm::Trace::WarningOff();
    gdcm::Trace::ErrorOff();
}

/* Sets value from an attribute of n binary values at least; false if it is absent. */
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
inline std::string get_text(const gdcm::DataSet &set, uint16_t group, uint16_t element)
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

/* Reads n words of 16 bits; whether they are signed depends on other elements. */
inline bool get_words(const gdcm::DataSet &set, uint16_t group, uint16_t element, unsigned *value,
                      unsigned n)
{
    const gdcm::Tag tag(group, element);
    const gdcm::ByteValue *bytes =
        set.FindDataElement(tag) ? set.GetDataElement(tag).GetByteValue() : nullptr;
    if (!bytes || bytes->GetLength() < 2 * n)
        return false;
    for (unsigned i = 0; i < n; i++) {
        uint16_t word;
        std::memcpy(&word, bytes->GetPointer() + 2 * i, 2);
        value[i] = word;
    }
    return true;
}

/* Sets value from an attribute of n numbers at least that are written as text. */
template <typename T>
bool get_numbers(const gdcm::DataSet &set, uint16_t group, uint16_t element, T *value,
                 unsigned n = 1)
{
    std::istringstream text(get_text(set, group, element));
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

/* Calls look with item `number` (from 1) of a sequence, if there is one. */
template <typename Look>
void look_into(const gdcm::DataSet &set, uint16_t group, uint16_t element, size_t number, Look look)
{
    const gdcm::Tag tag(group, element);
    if (!set.FindDataElement(tag))
        return;
    gdcm::SmartPointer<gdcm::SequenceOfItems> items = set.GetDataElement(tag).GetValueAsSQ();
    if (items && number <= items->GetNumberOfItems())
        look(items->GetItem(number).GetNestedDataSet());
}

/* A lookup table. Values below the first and above the last entry get that entry. */
struct Table {
    long first = 0;
    unsigned bits = 0; /* of a value: 8..16 */
    std::vector<uint16_t> value;
};

/* Reads LUT Descriptor and LUT Data of item 1 of a sequence; returns false if there are none. 8-bit
 * values may be stored in 16-bit words. The first index is signed if the samples are. */
inline bool get_lut(const gdcm::DataSet &set, uint16_t group, uint16_t element, Table *table)
{
    unsigned sign = 0;
    bool whole = false;
    get<0x0028, 0x0103>(set, &sign);
    look_into(set, group, element, 1, [&](const gdcm::DataSet &item) {
        unsigned d[3];
        const gdcm::Tag tag(0x0028, 0x3006);
        const gdcm::ByteValue *bytes =
            item.FindDataElement(tag) ? item.GetDataElement(tag).GetByteValue() : nullptr;
        if (!bytes || !get_words(item, 0x0028, 0x3002, d, 3) || d[2] < 8 || d[2] > 16)
            return;
        const size_t n = d[0] ? d[0] : 65536;
        const bool words = bytes->GetLength() >= 2 * n;
        if (!words && (d[2] > 8 || bytes->GetLength() < n))
            return;
        table->first = sign == 1 ? static_cast<int16_t>(d[1]) : static_cast<long>(d[1]);
        table->bits = d[2];
        table->value.assign(n, 0);
        for (size_t i = 0; i < n; i++) {
            if (words)
                std::memcpy(&table->value[i], bytes->GetPointer() + 2 * i, 2);
            else
                table->value[i] = static_cast<uint8_t>(bytes->GetPointer()[i]);
            whole = true;
        }
    });
    return whole;
}

/* The Modality LUT. */
inline bool get_table(const gdcm::DataSet &set, Table *table)
{
    return get_lut(set, 0x0028, 0x3000, table);
}

} // namespace rn_gdcm

#endif
