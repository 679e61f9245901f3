/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "cli/options/options.h"

/* Draws a small picture of the first file into the second, options->thumbnail_pixels high. Reads
 * only that file, which is somebody else's, and with little: less memory, from now on for the whole
 * program, which ends with the status 1 after some seconds. False with an error and the file that
 * it is about, one of options->open.files; then there is no picture. */
bool pv_cli_make_thumbnail (PvOptions *options, const char **ret_file, GError **error);
