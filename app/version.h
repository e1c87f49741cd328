#ifndef RN_APP_VERSION_H
#define RN_APP_VERSION_H

#define RN_VERSION "0.1.0"

#endif
