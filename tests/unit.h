/* What every cmocka test includes, in the order that cmocka wants. */
#ifndef RN_UNIT_H
#define RN_UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#endif
