/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "../cases.h"
#include "app/code/source-maps.h"

TEST (make)
{
    static const struct {
        const char *recorded, *path, *expected;
    } cases[] = {
        {"/build/src/a.c", "/home/me/src/a.c", "/build=/home/me"},
        {"/build/src/a.c", "/a.c", "/build/src="},
        {"/a.c", "/home/me/a.c", "/=/home/me/"},
        {"/src/a.c", "/home/src/a.c", "/=/home/"},
        {"/x/src/a.c", "/x/src/a.c", "/=/"},
        {"/build/xsrc/a.c", "/home/src/a.c", "/build/xsrc=/home/src"},
        {"/build/a.c", "/build/b.c", NULL},
        {"src/a.c", "/home/src/a.c", NULL},
        {"/build/xa.c", "/build/a.c", NULL},
    };
    for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
        assert_string (pv_source_map_make (cases[i].recorded, cases[i].path), cases[i].expected);
}
