/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Headers that nearly every file of C includes, parsed once for each library. A file includes what it needs all the same: gcc
 * builds without this one, see parses_once. */
#include <glib.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
