/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <dlfcn.h>
#include <fcntl.h>
#include <glib/gi18n.h>
#include <libintl.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "cli/cli.h"
#include "core/base/format.h"

/* The folder of the program itself. */
static char *
get_program_folder (void)
{
    g_autofree char *program = g_file_read_link ("/proc/self/exe", NULL);
    return g_path_get_dirname (program != NULL ? program : "/");
}

/* Translations lie in the build folder, relative to the program, or where it was installed. */
static void
bind_translations (void)
{
    g_autofree char *folder = get_program_folder ();
    g_autofree char *built = g_canonicalize_filename ("../po", folder);
    g_autofree char *moved = g_canonicalize_filename (PV_LOCALE_FROM_PROGRAM, folder);
    const char *candidates[] = {built, moved, PV_LOCALE_DIR};
    size_t i = 0;
    while (i + 1 < G_N_ELEMENTS (candidates) && access (candidates[i], R_OK) != 0)
        i++;
    bindtextdomain (GETTEXT_PACKAGE, candidates[i]);
    bind_textdomain_codeset (GETTEXT_PACKAGE, "UTF-8");
    textdomain (GETTEXT_PACKAGE);
}

#ifdef PV_HAVE_APP

/* The window, a module with GTK and all that it needs, see app/desktop/application.h. */
typedef struct {
    bool (*can_open) (void);
    int (*run) (int argc, char **argv, GVariant *request, const PvRecordPlan *plan);
} Window;

/* Looks in the build folder, then relative to the program, then where it was installed. */
static void *
find_module (void)
{
    g_autofree char *folder = get_program_folder ();
    g_autofree char *built = g_canonicalize_filename ("app/profview-window.so", folder);
    g_autofree char *moved = g_canonicalize_filename (PV_WINDOW_FROM_PROGRAM, folder);
    const char *candidates[] = {built, moved, PV_WINDOW};
    for (size_t i = 0; i < G_N_ELEMENTS (candidates); i++)
        if (access (candidates[i], R_OK) == 0)
            return dlopen (candidates[i], RTLD_NOW | RTLD_LOCAL);
    return dlopen (PV_WINDOW, RTLD_NOW | RTLD_LOCAL); /* for the error */
}

static bool
load_window (Window *ret_window)
{
    void *module = find_module ();
    if (module == NULL) {
        fprintf (stderr, _ ("profview: its window cannot be loaded: %s. Install Profview again."),
                 dlerror ());
        fputc ('\n', stderr);
        return false;
    }
    *(void **)&ret_window->can_open = dlsym (module, "pv_app_can_open");
    *(void **)&ret_window->run = dlsym (module, "pv_app_main");
    g_assert (ret_window->can_open != NULL && ret_window->run != NULL);
    return true;
}

static int
open_window (int argc, char **argv)
{
    g_autoptr (GVariant) request = NULL;
    g_autoptr (PvRecordPlan) plan = NULL;
    Window window;
    if (!load_window (&window))
        return EXIT_FAILURE;
    if (pv_cli_is_recording (argc, argv) && !window.can_open ())
        return pv_cli_main (argc, argv);
    int status = pv_cli_parse_for_window (argc, argv, &request, &plan);
    return status != 0 ? status : window.run (argc, argv, request, plan);
}

#endif

/* Whoever starts us with closed descriptors must not find a file of ours under their numbers. */
static void
open_standard_descriptors (void)
{
    int fd;
    do
        fd = open ("/dev/null", O_RDWR);
    while (fd >= 0 && fd <= STDERR_FILENO);
    if (fd > STDERR_FILENO)
        close (fd);
}

int
main (int argc, char **argv)
{
    open_standard_descriptors ();
    signal (SIGCHLD, SIG_DFL); /* who ignores it gets no status of a child */
    setlocale (LC_ALL, "");
    pv_format_use_locale ();
    bind_translations ();

#ifdef PV_HAVE_APP
    if (!pv_cli_is_headless (argc, argv))
        return open_window (argc, argv);
#endif
    return pv_cli_main (argc, argv);
}
