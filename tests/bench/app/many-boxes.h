/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/*
 * The view that frame times are measured on: 80 levels of 415 boxes, of which some 18,000 are seen
 * in 1080 lines, every sixth wide enough for a label. Returns the folder of
 * made-profile.h, NULL if it cannot be written.
 */
char *bench_make_many_boxes (void);
