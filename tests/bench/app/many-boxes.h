#pragma once

/*
 * The view that frame times are measured on: 80 levels of 415 boxes, of which some 18,000 are seen
 * in 1080 lines, every sixth wide enough for a label. Returns a new folder that holds perf.data and
 * is the sysroot of its names; NULL if it cannot be written. Free with g_free () after removing it.
 */
char *bench_make_many_boxes (void);
void bench_remove_many_boxes (const char *folder);
