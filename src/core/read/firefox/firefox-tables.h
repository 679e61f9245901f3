/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/read/firefox/firefox-file.h"

/*
 * Each takes the current value, a table in either format: an object of columns, or one of a
 * "schema", which says where in a row a column is, and "data", the rows. True: it has a schema.
 */
bool firefox_take_stacks (FirefoxFile *file, FirefoxTables *tables);
bool firefox_take_frames (FirefoxFile *file, FirefoxTables *tables);
bool firefox_take_functions (FirefoxFile *file, FirefoxTables *tables);
bool firefox_take_resources (FirefoxFile *file, FirefoxTables *tables);
bool firefox_take_sources (FirefoxFile *file, FirefoxTables *tables);
bool firefox_take_samples (FirefoxFile *file, FirefoxSamples *samples);
bool firefox_take_counter_samples (FirefoxFile *file, FirefoxCounterSamples *samples);
bool firefox_take_markers (FirefoxFile *file, FirefoxMarkers *markers);
