/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Headers that nearly every file of C includes, parsed once for each library (meson's b_pch). A file includes what it needs all
 * the same: `build-aux/test --full` builds without this one. */
#include <glib.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
