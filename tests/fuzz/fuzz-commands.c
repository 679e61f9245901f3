/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Any bytes through whole commands: they are read, named, built into trees and tables, printed and
 * exported. The size of the input chooses the command, so that every profile is a seed for all of
 * them. libFuzzer watches the time and the memory that each takes.
 */
#include <glib.h>
#include <glib/gstdio.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "cli/cli.h"

enum { N_COMMON = 5, MAX_OPTIONS = 4 };

static const char *const commands[][MAX_OPTIONS] = {
    {"--print=top"},
    {"--print=top", "--by=line", "--format=tsv", "--header"},
    {"--print=top", "--by=address", "--no-inline"},
    {"--print=top", "--focus=a", "--ignore=b", "--show-dropped"},
    {"--print=summary"},
    {"--print=summary", "--format=json"},
    {"--print=notes"},
    {"--print=tree"},
    {"--print=tree", "--measure=bytes-per-allocation"},
    {"--print=top", "--measure=x=(cycles - 2) / cpu%"},
    {"--print=tree", "--invert"},
    {"--print=tree", "--group=thread", "--collapse-recursion", "--my-code"},
    {"--print=tree", "--hide=a|b", "--show-from=m", "--format=json"},
    {"--print=timeline", "--bins=70"},
    {"--print=timeline", "--time=1us..", "--focus=a", "--format=json"},
    {"--print=phases"},
    {"--print=phases", "--format=json", "--hide=a"},
    {"--print=wakers"},
    {"--print=marks"},
    {"--print=syscalls", "--histogram"},
    {"--print=callers", "--function=."},
    {"--print=callees", "--function=a", "--merge-module=."},
    {"--print=peek", "--function=."},
    {"--export=out.html"},
    {"--export=out.svg", "--width=400"},
    {"--export=out.svg", "--chart=live"},
    {"--export=out.svg", "--view=sandwich", "--function=^a$"},
    {"--export=out.svg", "--view=source", "--function=."},
    {"--export=out.svg", "--view=timeline"},
    {"--export=out.svg", "--view=heatmap"},
    {"--export=out.svg", "--view=treemap"},
    {"--export=out.svg", "--view=flamechart"},
    {"--export=out.pdf", "--view=flamechart", "--focus=a", "--time=1us.."},
    {"--export=out.pdf", "--view=timeline", "--group=cpu", "--time=1us.."},
    {"--export=out.pdf", "--invert"},
    {"--export=out.folded"},
    {"--export=out.pb.gz"},
    {"--export=out.tsv"},
    {"--export=out.json"},
};

static int fd = -1;
static char *folder; /* for exports, without programs */

static void
remove_folder (void)
{
    for (unsigned i = 0; i < G_N_ELEMENTS (commands); i++) {
        const char *out = strchr (commands[i][0], '=') + 1;
        g_autofree char *path = g_build_filename (folder, out, NULL);
        g_unlink (path);
    }
    g_rmdir (folder);
    g_free (folder);
}

/* Commands print, and say what is wrong, to nobody; sanitizers do not use this stream. */
static void
initialize (void)
{
    folder = g_dir_make_tmp ("fuzz-commands-XXXXXX", NULL);
    g_assert_nonnull (folder);
    atexit (remove_folder);
    g_assert_nonnull (freopen ("/dev/null", "w", stdout));
    stderr = fopen ("/dev/null", "w");
    fd = memfd_create ("profile", MFD_CLOEXEC);
    g_assert_cmpint (fd, >=, 0);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
    if (fd < 0)
        initialize ();
    g_assert_no_errno (ftruncate (fd, 0));
    g_assert_cmpint (pwrite (fd, data, size, 0), ==, (ssize_t)size);
    g_autofree char *path = g_strdup_printf ("/proc/self/fd/%d", fd);
    g_autofree char *sysroot = g_strconcat ("--sysroot=", folder, NULL);
    g_autofree char *export_option = NULL;
    char *arguments[N_COMMON + MAX_OPTIONS + 2] = {"profview", "--jobs=1", "--max-memory=64M",
                                                   "--max-unpacked=64M", sysroot};
    int n = N_COMMON;
    const char *const *options = commands[size % G_N_ELEMENTS (commands)];
    for (unsigned i = 0; i < MAX_OPTIONS && options[i] != NULL; i++)
        arguments[n++] = (char *)options[i];
    if (g_str_has_prefix (options[0], "--export=")) {
        const char *out = strchr (options[0], '=') + 1;
        export_option = g_strdup_printf ("--export=%s/%s", folder, out);
        arguments[N_COMMON] = export_option;
    }
    arguments[n++] = path;
    int status = pv_cli_main (n, arguments);
    g_assert (status == 0 || status == 1 || status == 2);
    return 0;
}
