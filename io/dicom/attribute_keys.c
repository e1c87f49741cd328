#include "io/dicom/attribute_keys.h"

const struct rn_dicom_key rn_dicom_keys[] = {
    {0x0008, 0x0005, "CS", false}, /* Specific Character Set */
    {0x0008, 0x0016, "UI", false}, /* SOP Class UID */
    {0x0008, 0x0020, "DA", true},  /* Study Date */
    {0x0008, 0x0021, "DA", false}, /* Series Date */
    {0x0008, 0x0022, "DA", false}, /* Acquisition Date */
    {0x0008, 0x0030, "TM", true},  /* Study Time */
    {0x0008, 0x0031, "TM", false}, /* Series Time */
    {0x0008, 0x0032, "TM", false}, /* Acquisition Time */
    {0x0008, 0x0050, "SH", true},  /* Accession Number */
    {0x0008, 0x0060, "CS", false}, /* Modality */
    {0x0008, 0x0070, "LO", true},  /* Manufacturer */
    {0x0008, 0x0080, "LO", false}, /* Institution Name */
    {0x0008, 0x0090, "PN", true},  /* Referring Physician's Name */
    {0x0008, 0x0201, "SH", false}, /* Timezone Offset From UTC */
    {0x0008, 0x1010, "SH", false}, /* Station Name */
    {0x0008, 0x1030, "LO", false}, /* Study Description */
    {0x0008, 0x103e, "LO", false}, /* Series Description */
    {0x0008, 0x1040, "LO", false}, /* Institutional Department Name */
    {0x0008, 0x1090, "LO", false}, /* Manufacturer's Model Name */
    {0x0008, 0x2111, "ST", false}, /* Derivation Description */
    {0x0010, 0x0010, "PN", true},  /* Patient's Name */
    {0x0010, 0x0020, "LO", true},  /* Patient ID */
    {0x0010, 0x0021, "LO", false}, /* Issuer of Patient ID */
    {0x0010, 0x0030, "DA", true},  /* Patient's Birth Date */
    {0x0010, 0x0040, "CS", true},  /* Patient's Sex */
    {0x0010, 0x1010, "AS", false}, /* Patient's Age */
    {0x0010, 0x1020, "DS", false}, /* Patient's Size */
    {0x0010, 0x1030, "DS", false}, /* Patient's Weight */
    {0x0012, 0x0062, "CS", false}, /* Patient Identity Removed */
    {0x0012, 0x0063, "LO", false}, /* De-identification Method */
    {0x0018, 0x0010, "LO", false}, /* Contrast/Bolus Agent */
    {0x0018, 0x0015, "CS", false}, /* Body Part Examined */
    {0x0018, 0x0020, "CS", false}, /* Scanning Sequence */
    {0x0018, 0x0021, "CS", false}, /* Sequence Variant */
    {0x0018, 0x0022, "CS", false}, /* Scan Options */
    {0x0018, 0x0023, "CS", false}, /* MR Acquisition Type */
    {0x0018, 0x0060, "DS", false}, /* KVP */
    {0x0018, 0x0080, "DS", false}, /* Repetition Time */
    {0x0018, 0x0081, "DS", false}, /* Echo Time */
    {0x0018, 0x0087, "DS", false}, /* Magnetic Field Strength */
    {0x0018, 0x0091, "IS", false}, /* Echo Train Length */
    {0x0018, 0x1000, "LO", false}, /* Device Serial Number */
    {0x0018, 0x1020, "LO", false}, /* Software Versions */
    {0x0018, 0x1030, "LO", false}, /* Protocol Name */
    {0x0018, 0x5100, "CS", false}, /* Patient Position */
    {0x0020, 0x000d, "UI", false}, /* Study Instance UID */
    {0x0020, 0x0010, "SH", true},  /* Study ID */
    {0x0020, 0x0011, "IS", false}, /* Series Number: of the source */
    {0x0020, 0x0052, "UI", false}, /* Frame of Reference UID */
    {0x0020, 0x0060, "CS", false}, /* Laterality */
    {0x0020, 0x1040, "LO", false}, /* Position Reference Indicator */
    {0x0028, 0x0301, "CS", false}, /* Burned In Annotation */
    {0x0028, 0x2110, "CS", false}, /* Lossy Image Compression */
    {0x0028, 0x2112, "DS", false}, /* Lossy Image Compression Ratio */
    {0x0028, 0x2114, "CS", false}, /* Lossy Image Compression Method */
};

const int rn_dicom_keys_n = sizeof rn_dicom_keys / sizeof *rn_dicom_keys;
