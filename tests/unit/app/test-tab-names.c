/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "../cases.h"
#include "../texts.h"
#include "app/window/tab-names.h"

/* "a | b". */
static char *
make (const char *const *titles)
{
    g_auto (GStrv) names = pv_tab_names_make (titles, g_strv_length ((char **)titles));
    return g_strjoinv (" | ", names);
}

#define MAKE(...) make ((const char *const[]){__VA_ARGS__, NULL})

TEST (recordings)
{
    assert_string (MAKE ("v1 2026-11-28 02.57.12.data"), "v1 02:57");
    assert_string (MAKE ("v1 2026-11-28 02.57.12.data", "v1 2026-11-28 02.58.01.data", "perf.data"),
                   "v1 02:57 | v1 02:58 | perf.data");
    assert_string (MAKE ("v1 2026-11-28 02.57.12.data", "v1 2026-11-28 02.57.40.data",
                         "v2 2026-11-28 02.57.12.data"),
                   "v1 02:57:12 | v1 02:57:40 | v2 02:57");
    assert_string (MAKE ("v1 2026-11-28 02.57.12.data", "v1 2026-11-29 02.57.12.data.zst"),
                   "v1 2026-11-28 02:57:12 | v1 2026-11-29 02:57:12");
    assert_string (MAKE ("v1 2026-11-28 02.57.12 2.data", "v1 2026-11-28 02.57.12.data"),
                   "v1 02:57 2 | v1 02:57");
    assert_string (MAKE ("v1 2026-11-28 02.57.12 — 12 dumps"), "v1 02:57 — 12 dumps");
    assert_string (MAKE ("a 2026-11-28 02.57.data", "a 2026-11-28 02.57.12 by me.data"),
                   "a 2026-11-28 02.57.data | a 2026-11-28 02.57.12 by me.data");
}

TEST (comparisons)
{
    assert_string (MAKE ("v1 2026-11-28 02.57.12.data → v1 2026-11-28 02.58.01.data"),
                   "v1 02:57 → 02:58");
    assert_string (MAKE ("v1 2026-11-28 02.57.12.data → v2 2026-11-28 02.58.01.data"),
                   "v1 02:57 → v2 02:58");
    assert_string (MAKE ("perf.data.old → perf.data"), "perf.data.old → perf.data");
}

TEST (long_names)
{
    assert_string (MAKE ("a-program-with-a-very-long-name-indeed.4711.0.i0.heap"),
                   "a-program-with-a-ve…deed.4711.0.i0.heap");
    assert_string (MAKE ("same.data", "same.data"), "same.data | same.data");
    assert_string (MAKE ("recording-of-service-07.data", "b", "c", "d", "e", "f", "g", "h"),
                   "recordi…07.data | b | c | d | e | f | g | h");
}
