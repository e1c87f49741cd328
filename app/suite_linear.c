#include "app/suite.h"
int rn_suite_linear(struct rn_suite *s)
{
    (void)s;
    return 0;
}
