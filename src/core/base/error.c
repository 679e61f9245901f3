#include "core/base/error.h"

G_DEFINE_QUARK (pv - read - error - quark, pv_read_error)
G_DEFINE_QUARK (pv - job - error - quark, pv_job_error)
