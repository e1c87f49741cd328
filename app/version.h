#ifndef RN_VERSION_H
#define RN_VERSION_H

#define RN_VERSION "0.1.0"

#endif
