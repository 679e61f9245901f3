/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/read/firefox/firefox-build.h"

/* Takes the current value, an array of counters, into the profile. */
void firefox_take_counters (FirefoxFile *file, FirefoxProfile *profile);

/* Adds the counters of the profile with this index, which is the one that is being built, and whose
 * threads have been. */
void firefox_add_counters (FirefoxBuild *build, size_t profile);
