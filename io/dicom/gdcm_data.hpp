/* Elements of GDCM's data sets, for gdcm.cpp and gdcm_pixels.cpp. */
#ifndef RN_DICOM_GDCM_DATA_HPP
#define RN_DICOM_GDCM_DATA_HPP

#include <cstring>
#include <ext/stdio_filebuf.h>
#include <locale>
#include <sstream>
#include <string>

#include <gdcmAttribute.h>
#include <gdcmDataSet.h>
#include <gdcmSequenceOfItems.h>
#include <gdcmTrace.h>

namespace rn_gdcm
{

/* GDCM reads streams, and this process may not open files by their names. */
using Buffer = __gnu_cxx::stdio_filebuf<char>;

/* Its messages name no file and come in any order: the results of the calls have to do. */
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

/* Likewise, of 16 bits with or without sign, which only other elements tell. */
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

} // namespace rn_gdcm

#endif
