// SPDX-License-Identifier: MIT
// Prints how ITK reads scans: for each file (or folder of DICOM) its name, size, spacing, origin and direction
// (row by row, in LPS), and the sum of its samples.
#include <cstdio>
#include <filesystem>
#include <itkGDCMImageIO.h>
#include <itkGDCMSeriesFileNames.h>
#include <itkImageFileReader.h>
#include <itkImageRegionConstIterator.h>
#include <itkImageSeriesReader.h>
#include <itkMetaImageIOFactory.h>
#include <itkNiftiImageIOFactory.h>
#include <itkNrrdImageIOFactory.h>

using Image = itk::Image<double, 3>;

static Image::Pointer read(const std::string &path)
{
    if (!std::filesystem::is_directory(path)) {
        auto reader = itk::ImageFileReader<Image>::New();
        reader->SetFileName(path);
        reader->Update();
        return reader->GetOutput();
    }
    auto names = itk::GDCMSeriesFileNames::New();
    names->SetDirectory(path);
    auto reader = itk::ImageSeriesReader<Image>::New();
    reader->SetImageIO(itk::GDCMImageIO::New());
    reader->SetFileNames(names->GetInputFileNames());
    reader->ForceOrthogonalDirectionOff(); // else slices of a tilted gantry are stacked upright
    reader->Update();
    return reader->GetOutput();
}

int main(int argc, char **argv)
{
    itk::NiftiImageIOFactory::RegisterOneFactory();
    itk::NrrdImageIOFactory::RegisterOneFactory();
    itk::MetaImageIOFactory::RegisterOneFactory();
    for (int i = 1; i < argc; i++) {
        try {
            auto image = read(argv[i]);
            auto size = image->GetLargestPossibleRegion().GetSize();
            double sum = 0;
            for (itk::ImageRegionConstIterator<Image> it(image, image->GetLargestPossibleRegion()); !it.IsAtEnd(); ++it)
                sum += it.Get();
            std::printf("%s %d %d %d", argv[i], (int)size[0], (int)size[1], (int)size[2]);
            for (int k = 0; k < 3; k++)
                std::printf(" %.9g", image->GetSpacing()[k]);
            for (int k = 0; k < 3; k++)
                std::printf(" %.9g", image->GetOrigin()[k]);
            for (int k = 0; k < 9; k++)
                std::printf(" %.9g", image->GetDirection()[k / 3][k % 3]);
            std::printf(" %.17g\n", sum);
        } catch (const std::exception &e) {
            std::printf("%s refused: %s\n", argv[i], e.what());
        }
    }
}
