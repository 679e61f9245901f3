/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/read/firefox/firefox-file.h"

/* Takes the current value, an array of counters, into the profile. */
void firefox_take_counters (FirefoxFile *file, FirefoxProfile *profile);
