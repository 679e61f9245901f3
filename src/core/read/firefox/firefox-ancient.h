/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/read/firefox/firefox-file.h"

/*
 * The format of the first viewer of Firefox's profiles, Cleopatra:
 *   {"format": "profileJSONWithSymbolicationTable,1",
 *    "profileJSON": [SAMPLE, ...] or {"meta": {}, "threads": [{"name", "samples": [SAMPLE]}]},
 *    "symbolicationTable": {"0": "(root)", "1": "main (in shop)", "2": "f (a.js:12)"}}
 * where a sample is {"frames": [0, 1], "extraInfo": {"time": MS}}, outermost frame first. A frame
 * may be an object with the number as its "location", and the time beside the frames; threads may
 * be an object, too. One thread at a time.
 */
typedef struct FirefoxAncient FirefoxAncient;

FirefoxAncient *firefox_ancient_new (FirefoxFile *file);
void firefox_ancient_free (FirefoxAncient *ancient);

/* These take the current value of the file's JSON: samples, an object of a thread, a number of
 * threads, or names. */
void firefox_ancient_take_samples (FirefoxAncient *ancient);
void firefox_ancient_take_threads (FirefoxAncient *ancient);
void firefox_ancient_take_names (FirefoxAncient *ancient);

/* Makes threads of the profile of all that was taken. */
void firefox_ancient_finish (FirefoxAncient *ancient, FirefoxProfile *profile);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FirefoxAncient, firefox_ancient_free)
