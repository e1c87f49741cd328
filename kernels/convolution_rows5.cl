#define SIDE 5
#include "convolution_rows.clh"
