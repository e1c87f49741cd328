/* Writes DICOM files. */
#include "io/dicom/gdcm/gdcm.h"

#include <ostream>
#include <streambuf>

#include <gdcmWriter.h>

#include "io/dicom/gdcm/gdcm_data.hpp"

namespace
{

using namespace rn_gdcm;

/* Puts elements of a depth and what they hold into a set; returns the first that is not as deep. */
const rn_dicom_gdcm_element *put(gdcm::DataSet *set, const rn_dicom_gdcm_element *e,
                                 const rn_dicom_gdcm_element *end)
{
    for (const int depth = e < end ? e->depth : 0; e < end && e->depth == depth;) {
        gdcm::DataElement element(gdcm::Tag(e->tag));
        element.SetVR(gdcm::VR::GetVRTypeFromFile(e->vr));
        if (element.GetVR() == gdcm::VR::SQ) {
            gdcm::SmartPointer<gdcm::SequenceOfItems> items = new gdcm::SequenceOfItems;
            gdcm::Item item;
            item.SetVLToUndefined();
            e = put(&item.GetNestedDataSet(), e + 1, end);
            items->SetLengthToUndefined();
            items->AddItem(item);
            element.SetValue(*items);
            element.SetVLToUndefined();
        } else {
            element.SetByteValue(static_cast<const char *>(e->value), e->size);
            e++;
        }
        set->Replace(element);
    }
    return e;
}

/* A stream into memory that has room for all. */
class Memory : public std::streambuf
{
  public:
    Memory(uint8_t *to, size_t size)
    {
        char *begin = reinterpret_cast<char *>(to);
        setp(begin, begin + size);
    }
    size_t size() const
    {
        return static_cast<size_t>(pptr() - pbase());
    }
};

} // namespace

size_t rn_gdcm_max_size(const rn_dicom_gdcm_element *elements, int n)
{
    size_t size = 2048; /* preamble and meta elements */
    for (int i = 0; i < n; i++)
        size += elements[i].size + 64; /* its head; those of an item, and their ends */
    return size;
}

size_t rn_gdcm_write(const rn_dicom_gdcm_element *elements, int n, uint8_t *to)
{
    be_quiet();
    try {
        Memory memory(to, rn_gdcm_max_size(elements, n));
        std::ostream stream(&memory);
        gdcm::Writer writer;
        put(&writer.GetFile().GetDataSet(), elements, elements + n);
        writer.GetFile().GetHeader().SetDataSetTransferSyntax(
            gdcm::TransferSyntax::ExplicitVRLittleEndian);
        writer.SetStream(stream);
        return writer.Write() ? memory.size() : 0;
    } catch (...) {
        return 0;
    }
}
