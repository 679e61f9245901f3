/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <glib/gi18n.h>
#include <libintl.h>
#include <locale.h>

#ifdef PV_HAVE_APP
#include <gtk/gtk.h>

#include "app/window/application.h"
#endif
#include "cli/cli.h"
#include "core/base/format.h"

int
main (int argc, char **argv)
{
    setlocale (LC_ALL, "");
    pv_format_use_locale ();
    bindtextdomain (GETTEXT_PACKAGE, PV_LOCALE_DIR);
    bind_textdomain_codeset (GETTEXT_PACKAGE, "UTF-8");
    textdomain (GETTEXT_PACKAGE);

#ifdef PV_HAVE_APP
    if (!pv_cli_is_headless (argc, argv) &&
        !(pv_cli_is_recording (argc, argv) && !gtk_init_check ())) {
        g_autoptr (GVariant) request = NULL;
        g_autoptr (PvRecordPlan) plan = NULL;
        int status = pv_cli_parse_for_window (argc, argv, &request, &plan);
        return status != 0 ? status : pv_app_main (argc, argv, request, plan);
    }
#endif
    return pv_cli_main (argc, argv);
}
