/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/read/firefox/firefox-file.h"

/* Takes all that the file's JSON has, as far as it goes, into profiles. */
void firefox_take (FirefoxFile *file);
