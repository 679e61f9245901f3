/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How long the main loop is held on the way to a recording, while it goes on and at its end, run
 * inside of tests/ui/session.sh:
 *
 *     bench-recording [--runs=N] [--seconds=N] [--stacks=N] [--only=STEP] RECORDED
 *
 * Opens the recording dialog and goes through what is in it, then records RECORDED (recorded.c) in
 * a tab: with perf, with perf while it writes to its terminal, and with heaptrack, each for so many
 * seconds. At the end what is shown must be what the file that was recorded says when it is opened.
 * Who has to do with stand-ins puts them in front of PATH. What is measured is said in holds.h; the
 * answer to pressing Record is the first picture. The window is animated, as gaps are what a user
 * sees of a hold.
 */
#include <adwaita.h>
#include <stdio.h>

#include "app/desktop/application.h"
#include "app/launch/launch-rows.h"
#include "app/launch/record-dialog.h"
#include "app/launch/record-form.h"
#include "app/source/source-file.h"
#include "app/source/source-series.h"
#include "app/widgets/chooser.h"
#include "app/window/document-view.h"
#include "app/window/window.h"
#include "holds.h"

enum {
    TYPING_MS = 70,
    LOOKING_MS = 2500, /* the list of processes is read again and again */
};

struct Bench {
    AdwApplication *application;
    Holds *holds;
    PvWindow *window;
    GtkWindow *dialog;
    PvDocument *document; /* NULL: nothing has been recorded */
    PvDocument *opened;   /* from the file that was recorded, to be compared */
    const char *program;
    int seconds;
    int n_stacks;
    unsigned n_typed;
};

static GtkWidget *
get_child (gpointer widget, const char *name)
{
    return GTK_WIDGET (gtk_widget_get_template_child (widget, G_OBJECT_TYPE (widget), name));
}

static GtkWidget *
get_form (Bench *bench)
{
    return get_child (bench->dialog, "form");
}

static GtkWidget *
find_below (GtkWidget *widget, GType type)
{
    GtkWidget *found = G_TYPE_CHECK_INSTANCE_TYPE (widget, type) ? widget : NULL;

    for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL && found == NULL;
         child = gtk_widget_get_next_sibling (child))
        found = find_below (child, type);
    return found;
}

static GtkWidget *
get_rows (Bench *bench)
{
    return find_below (get_form (bench), PV_TYPE_LAUNCH_ROWS);
}

static void
press (Bench *bench, const char *button)
{
    gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (get_child (get_form (bench), button)), TRUE);
}

static void
set_command (Bench *bench, const char *text)
{
    gtk_editable_set_text (GTK_EDITABLE (get_child (get_rows (bench), "command_row")), text);
}

/* The dialog ----------------------------------------------------------------------------------- */

static void
open_window (Bench *bench)
{
    bench->window = pv_window_new (bench->application);
    gtk_window_set_default_size (GTK_WINDOW (bench->window), 1600, 1000);
    pv_window_show_start (bench->window);
    gtk_window_present (GTK_WINDOW (bench->window));
    holds_watch (bench->holds, GTK_WIDGET (bench->window), true);
}

static void
open_dialog (Bench *bench)
{
    g_autoptr (GList) windows = NULL;

    gtk_widget_activate_action (GTK_WIDGET (bench->window), "win.record-dialog", NULL);
    windows = gtk_window_list_toplevels ();
    for (GList *window = windows; window != NULL; window = window->next)
        if (PV_IS_RECORD_DIALOG (window->data))
            bench->dialog = window->data;
    g_object_add_weak_pointer (G_OBJECT (bench->dialog), (gpointer *)&bench->dialog);
    holds_watch (bench->holds, GTK_WIDGET (bench->dialog), false);
}

static bool
is_dialog_open (Bench *bench)
{
    return gtk_widget_get_mapped (GTK_WIDGET (bench->dialog));
}

static void
close_dialog (Bench *bench)
{
    gtk_window_close (bench->dialog);
}

static bool
is_dialog_closed (Bench *bench)
{
    return bench->dialog == NULL;
}

static void
choose_off_cpu (Bench *bench)
{
    press (bench, "off_cpu_button");
}

static void
choose_cpu (Bench *bench)
{
    press (bench, "cpu_button");
}

static void
choose_heap (Bench *bench)
{
    press (bench, "heap_button");
}

static void
choose_service (Bench *bench)
{
    press (bench, "service_button");
}

static void
choose_launch (Bench *bench)
{
    press (bench, "launch_button");
}

static void
choose_attach (Bench *bench)
{
    press (bench, "attach_button");
}

static void
choose_system (Bench *bench)
{
    press (bench, "system_button");
}

static void
type_command (Bench *bench)
{
    g_autofree char *typed = g_strndup ("sleep 'a b' c", ++bench->n_typed);

    set_command (bench, typed);
}

static bool
is_command_typed (Bench *bench)
{
    if (holds_get_ms (bench->holds) < bench->n_typed * TYPING_MS)
        return false;
    type_command (bench);
    return bench->n_typed > 12;
}

static void
unfold (Bench *bench)
{
    GtkWidget *rows = get_rows (bench);

    adw_expander_row_set_expanded (ADW_EXPANDER_ROW (get_child (rows, "environment_row")), TRUE);
    adw_expander_row_set_enable_expansion (ADW_EXPANDER_ROW (get_child (rows, "memory_row")), TRUE);
}

static void
choose_process (Bench *bench)
{
    gtk_widget_activate_action (get_form (bench), "record.choose-process", NULL);
}

static void
choose_program (Bench *bench)
{
    gtk_widget_activate_action (get_form (bench), "record.choose-program", NULL);
}

static void
choose_events (Bench *bench)
{
    gtk_widget_activate_action (get_form (bench), "record.choose-events", NULL);
}

static GtkWidget *
get_chooser (Bench *bench)
{
    return gtk_stack_get_visible_child (GTK_STACK (get_child (bench->dialog, "stack")));
}

static bool
has_list (Bench *bench)
{
    return pv_chooser_get_choices (PV_CHOOSER (get_chooser (bench)))->len > 0;
}

static bool
is_looked_at (Bench *bench)
{
    return has_list (bench) && holds_get_ms (bench->holds) > LOOKING_MS;
}

static void
search_in_list (Bench *bench)
{
    GtkWidget *entry = GTK_WIDGET (
        gtk_widget_get_template_child (get_chooser (bench), PV_TYPE_CHOOSER, "search_entry"));
    g_autofree char *typed = g_strndup ("cache", ++bench->n_typed);

    gtk_editable_set_text (GTK_EDITABLE (entry), typed);
}

static bool
is_searched (Bench *bench)
{
    if (holds_get_ms (bench->holds) < bench->n_typed * TYPING_MS)
        return false;
    search_in_list (bench);
    return bench->n_typed > 4;
}

static void
go_back (Bench *bench)
{
    gtk_widget_activate_action (get_form (bench), "record.back", NULL);
}

/* The recording -------------------------------------------------------------------------------- */

static PvDocumentView *
get_view (Bench *bench)
{
    AdwTabView *tabs = ADW_TAB_VIEW (
        gtk_widget_get_template_child (GTK_WIDGET (bench->window), PV_TYPE_WINDOW, "tab_view"));
    return PV_DOCUMENT_VIEW (adw_tab_page_get_child (adw_tab_view_get_selected_page (tabs)));
}

static void
fill_in (Bench *bench, const char *what)
{
    g_autofree char *stacks = g_strdup_printf ("%d", bench->n_stacks);
    const char *const argv[] = {bench->program, what, stacks, NULL};
    g_autofree char *typed = pv_record_format_typed (argv, NULL);

    set_command (bench, typed);
}

static void
fill_in_spin (Bench *bench)
{
    choose_cpu (bench);
    fill_in (bench, "spin");
}

static void
fill_in_chat (Bench *bench)
{
    choose_cpu (bench);
    fill_in (bench, "chat");
}

static void
fill_in_allocate (Bench *bench)
{
    choose_heap (bench);
    fill_in (bench, "allocate");
}

static void
press_record (Bench *bench)
{
    gtk_widget_activate_action (get_form (bench), "record.start", NULL);
}

static bool
has_picture (Bench *bench)
{
    const PvDocumentData *data;

    if (bench->dialog != NULL)
        return false;
    if (bench->document == NULL)
        bench->document = g_object_ref (pv_document_view_get_document (get_view (bench)));
    data = pv_document_get (bench->document);
    if (data->state == PV_DOCUMENT_FAILED) {
        holds_fail (bench->holds, data->error->message);
        return true;
    }
    return data->state == PV_DOCUMENT_READY && data->answer->flame_tree != NULL;
}

static void
go_on (Bench *bench)
{
}

static bool
has_gone_on (Bench *bench)
{
    return holds_get_ms (bench->holds) > bench->seconds * 1e3;
}

static void
stop (Bench *bench)
{
    pv_document_stop_recording (bench->document);
}

static bool
is_shown_whole (PvDocument *document)
{
    const PvDocumentData *data = pv_document_get (document);
    return !data->is_recording && data->state == PV_DOCUMENT_READY &&
           !pv_document_is_loading (document) && data->functions != NULL;
}

static bool
is_whole (Bench *bench)
{
    return is_shown_whole (bench->document);
}

/* In a document of its own, which nobody sees. */
static void
open_again (Bench *bench)
{
    const PvSourceSpec *spec = pv_document_get (bench->document)->spec;

    bench->opened = pv_document_new (
        spec->is_together ? pv_series_source_new (spec) : pv_file_source_new (spec), NULL);
    pv_document_load (bench->opened);
}

static bool
is_same_tree (const PvCallTree *a, const PvCallTree *b)
{
    if (a->n_nodes != b->n_nodes)
        return false;
    for (PvNodeId node = 0; node < a->n_nodes; node++)
        if (a->parent_of_node[node] != b->parent_of_node[node] || a->self[node] != b->self[node] ||
            a->total[node] != b->total[node] || a->left[node] != b->left[node] ||
            !g_str_equal (pv_call_tree_get_name (a, node), pv_call_tree_get_name (b, node)))
            return false;
    return true;
}

static bool
is_the_same (Bench *bench)
{
    const PvDocumentData *opened = pv_document_get (bench->opened);

    if (!is_shown_whole (bench->opened))
        return false;
    if (!is_same_tree (opened->answer->tree, pv_document_get (bench->document)->answer->tree))
        holds_fail (bench->holds, "the recording is not what is opened");
    g_clear_object (&bench->opened);
    return true;
}

static void
close_tab (Bench *bench)
{
    g_clear_object (&bench->document);
    gtk_widget_activate_action (GTK_WIDGET (bench->window), "win.close-tab", NULL);
}

static const HoldsStep steps[] = {
    {"window", open_window, NULL},
    {"dialog-first", open_dialog, is_dialog_open},
    {"off-cpu", choose_off_cpu, NULL},
    {"heap", choose_heap, NULL},
    {"service", choose_service, NULL},
    {"cpu", choose_cpu, NULL},
    {"service-again", choose_service, NULL},
    {"cpu-again", choose_cpu, NULL},
    {"attach", choose_attach, NULL},
    {"system", choose_system, NULL},
    {"launch", choose_launch, NULL},
    {"command-typed", type_command, is_command_typed},
    {"unfold", unfold, NULL},
    {"processes", choose_process, is_looked_at},
    {"search-processes", search_in_list, is_searched},
    {"back", go_back, NULL},
    {"processes-again", choose_process, has_list},
    {"back-again", go_back, NULL},
    {"programs", choose_program, NULL},
    {"back-from-programs", go_back, NULL},
    {"events", choose_events, has_list},
    {"search-events", search_in_list, is_searched},
    {"back-from-events", go_back, NULL},
    {"dialog-closed", close_dialog, is_dialog_closed},
    {"dialog-again", open_dialog, is_dialog_open},
    {"fill-in-perf", fill_in_spin, NULL},
    {"record-perf", press_record, has_picture},
    {"live-perf", go_on, has_gone_on},
    {"stop-perf", stop, is_whole},
    {"opened-perf", open_again, is_the_same},
    {"close-perf", close_tab, NULL},
    {"dialog-for-chat", open_dialog, is_dialog_open},
    {"fill-in-chat", fill_in_chat, NULL},
    {"record-chat", press_record, has_picture},
    {"live-chat", go_on, has_gone_on},
    {"stop-chat", stop, is_whole},
    {"opened-chat", open_again, is_the_same},
    {"close-chat", close_tab, NULL},
    {"dialog-for-heap", open_dialog, is_dialog_open},
    {"fill-in-heap", fill_in_allocate, NULL},
    {"record-heap", press_record, has_picture},
    {"live-heap", go_on, has_gone_on},
    {"stop-heap", stop, is_whole},
    {"opened-heap", open_again, is_the_same},
    {"close-heap", close_tab, NULL},
};

/* Running -------------------------------------------------------------------------------------- */

static void
begin (Bench *bench)
{
    bench->n_typed = 0;
}

static void
end (Bench *bench)
{
    g_clear_object (&bench->opened);
    g_clear_object (&bench->document);
    gtk_window_destroy (GTK_WINDOW (bench->window));
}

static const HoldsScript script = {steps, G_N_ELEMENTS (steps), begin, end};

static int
run_once (const Bench *settings, const HoldsOptions *options)
{
    g_autoptr (AdwApplication) application =
        adw_application_new ("org.profview.Profview", G_APPLICATION_NON_UNIQUE);
    Bench bench = *settings;

    bench.application = application;
    bench.holds = holds_new (&script, options, &bench);
    return holds_run (bench.holds, application);
}

static int
run_many (const char *self, int n_runs, const Bench *settings, const char *only)
{
    g_autofree char *seconds = g_strdup_printf ("--seconds=%d", settings->seconds);
    g_autofree char *stacks = g_strdup_printf ("--stacks=%d", settings->n_stacks);
    g_autofree char *only_option = only != NULL ? g_strconcat ("--only=", only, NULL) : NULL;
    const char *const argv[] = {self,        "--once", seconds, stacks, settings->program,
                                only_option, NULL};

    return holds_run_many (&script, argv, n_runs);
}

int
main (int argc, char **argv)
{
    Bench settings = {.seconds = 10, .n_stacks = 2000};
    int n_runs = 3;
    gboolean is_once = FALSE, is_verbose = FALSE;
    g_autofree char *only = NULL;
    const GOptionEntry options[] = {
        {"runs", 0, 0, G_OPTION_ARG_INT, &n_runs, "processes to take the best of", "N"},
        {"seconds", 0, 0, G_OPTION_ARG_INT, &settings.seconds, "of each recording", "N"},
        {"stacks", 0, 0, G_OPTION_ARG_INT, &settings.n_stacks, "that are recorded", "N"},
        {"only", 0, 0, G_OPTION_ARG_STRING, &only, "print only this step", "STEP"},
        {"once", 0, 0, G_OPTION_ARG_NONE, &is_once, "in this process", NULL},
        {"verbose", 0, 0, G_OPTION_ARG_NONE, &is_verbose, "with --once: list the holds", NULL},
        {NULL},
    };
    g_autoptr (GOptionContext) context = g_option_context_new ("RECORDED");
    g_autoptr (GError) error = NULL;

    g_option_context_add_main_entries (context, options, NULL);
    pv_app_tune_allocator ();
    if (!g_option_context_parse (context, &argc, &argv, &error) || n_runs < 1 || argc != 2) {
        fprintf (stderr, "bench-recording: %s\n", error != NULL ? error->message : "no program");
        return 2;
    }
    settings.program = argv[1];
    return is_once ? run_once (&settings, &(HoldsOptions){only, is_verbose})
                   : run_many (argv[0], n_runs, &settings, only);
}
