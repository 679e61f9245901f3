/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/window/error-page.h"

#include <adwaita.h>
#include <glib/gi18n.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "app/launch/record-check.h"
#include "app/launch/record-dialog.h"
#include "app/widgets/empty-page.h"
#include "app/widgets/help.h"
#include "app/widgets/setup.h"
#include "core/base/error.h"
#include "core/read/readers.h"
#include "fetch/endpoints.h"
#include "fetch/fetch-error.h"
#include "fetch/fetch-url.h"
#include "record/process/tool.h"

struct _PvErrorPage {
    PvView base;

    AdwStatusPage *status_page;
    GtkWidget *command_box;
    GtkLabel *command_label;
    GtkWidget *copy_button;
    GtkWidget *retry_button;
    GtkWidget *privileged_button;
    GtkWidget *other_button;
    GtkWidget *address_button;
    GtkWidget *answer_box;
    GtkTextView *answer_view;
    GtkButton *redirect_button;
    GtkFlowBox *links_box;
    GtkWidget *change_button;
    PvHelpButton *help_button;
    char *copy_path;    /* the path of the copy made by pkexec */
    PvTool *copying;    /* pkexec, until it has ended; or NULL */
    PvTask *check_task; /* checks a recording that failed; or NULL */
};

G_DEFINE_FINAL_TYPE (PvErrorPage, pv_error_page, PV_TYPE_VIEW)

/* Exit statuses of pkexec (1); others are those of the program it ran. */
#define PKEXEC_DISMISSED   126
#define PKEXEC_NOT_ALLOWED 127

/* Copies the file with administrator rights; the copy belongs to the user and only the user can
 * read it. No shell sees the file's name. */
static void
on_copied (const PvToolEnd *end, void *user)
{
    g_autoptr (PvErrorPage) self = user;
    const int status = WIFEXITED (end->wait_status) ? WEXITSTATUS (end->wait_status) : -1;
    g_autofree char *path = NULL;
    const char *message = _ ("The file could not be copied");

    g_clear_pointer (&self->copying, pv_tool_free);
    if (self->base.document == NULL) /* the tab was closed */
        return;
    gtk_widget_set_sensitive (self->privileged_button, TRUE);
    if (end->start_errno == 0 && status == 0) {
        path = g_file_get_path (pv_document_get (self->base.document)->file);
        gtk_widget_activate_action (GTK_WIDGET (self), "win.open-instead", "(^ay^ay)", path,
                                    self->copy_path);
        return;
    }
    if (status == PKEXEC_DISMISSED)
        return; /* cancelled by the user */
    if (status == PKEXEC_NOT_ALLOWED)
        message = _ ("Copying as administrator was not permitted");
    gtk_widget_activate_action (GTK_WIDGET (self), "win.toast", "s", message);
}

static void
on_privileged_clicked (PvErrorPage *self)
{
    const PvDocumentData *data = pv_document_get (self->base.document);
    g_autofree char *folder =
        g_build_filename (g_get_user_data_dir (), "profview", "recordings", NULL);
    g_autofree char *path = g_file_get_path (data->file);
    g_autofree char *base = g_path_get_basename (path);
    g_autoptr (GDateTime) now = g_date_time_new_now_local ();
    g_autofree char *stamp = g_date_time_format (now, "%Y-%m-%d-%H%M%S");
    g_autofree char *name = g_strdup_printf ("%s-%s", stamp, base);
    g_autofree char *owner = g_strdup_printf ("%u", (unsigned)getuid ());
    g_autofree char *group = g_strdup_printf ("%u", (unsigned)getgid ());
    g_autoptr (GError) error = NULL;
    const char *argv[] = {
        "pkexec", "/usr/bin/install", "-m", "600", "-o", owner, "-g", group, "--", path, NULL,
        NULL};
    /* pkexec may have to ask in our terminal. */
    const PvSubprocess pkexec = {
        .argv = argv, .fds = (int[]){-1, STDOUT_FILENO, STDERR_FILENO}, .n_fds = 3};

    g_mkdir_with_parents (folder, 0700);
    g_free (self->copy_path);
    self->copy_path = g_build_filename (folder, name, NULL);
    argv[G_N_ELEMENTS (argv) - 2] = self->copy_path;
    self->copying = pv_tool_start (&pkexec, 0, on_copied, self, &error);
    if (self->copying == NULL) {
        gtk_widget_activate_action (GTK_WIDGET (self), "win.toast", "s", error->message);
        return;
    }
    g_object_ref (self); /* for on_copied () */
    gtk_widget_set_sensitive (self->privileged_button, FALSE);
}

static void
on_copy_clicked (PvErrorPage *self)
{
    gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)),
                            gtk_label_get_text (self->command_label));
    gtk_widget_activate_action (GTK_WIDGET (self), "win.toast", "s", _ ("Command copied"));
}

static void
show_command (PvErrorPage *self, const char *command)
{
    gtk_label_set_text (self->command_label, command);
    gtk_widget_set_visible (self->command_box, TRUE);
}

/* No permission: perf run by root makes files that only root can read. */
static void
explain_permission (PvErrorPage *self)
{
    const PvDocumentData *data = pv_document_get (self->base.document);
    g_autofree char *path = g_file_get_path (data->file);
    g_autofree char *quoted = g_shell_quote (path);
    g_autofree char *command = g_strdup_printf ("sudo chown \"$USER\" %s", quoted);
    g_autofree char *pkexec = g_find_program_in_path ("pkexec");

    adw_status_page_set_icon_name (self->status_page, "changes-prevent-symbolic");
    pv_empty_page_set (
        self->status_page, _ ("No Permission to Read This File"),
        _ ("Only root can read recordings made by root. Open a copy made with administrator "
           "rights, or run this command in a terminal to make the file yours, then try "
           "again."));
    /* A command that is not valid UTF-8 cannot be shown or copied. */
    if (g_utf8_validate (command, -1, NULL))
        show_command (self, command);
    gtk_widget_set_visible (self->privileged_button, pkexec != NULL);
    gtk_widget_set_visible (self->other_button, FALSE);
}

/* Fetching */

static const char *
get_fetch_title (int code)
{
    switch (code) {
    case PV_FETCH_ERROR_BAD_URL:
        return _ ("Not a Valid Address");
    case PV_FETCH_ERROR_UNREACHABLE:
        return _ ("The Server Cannot Be Reached");
    case PV_FETCH_ERROR_UNTRUSTED:
        return _ ("The Server Cannot Be Trusted");
    case PV_FETCH_ERROR_TIMED_OUT:
        return _ ("The Server Did Not Answer in Time");
    case PV_FETCH_ERROR_NOT_FOUND:
    case PV_FETCH_ERROR_UNAUTHORIZED:
    case PV_FETCH_ERROR_REFUSED:
        return _ ("The Server Has No Such Profile");
    case PV_FETCH_ERROR_REDIRECT:
        return _ ("The Server Redirects to Another One");
    case PV_FETCH_ERROR_LIST:
        return _ ("Choose a Profile");
    case PV_FETCH_ERROR_NOT_A_PROFILE:
    case PV_FETCH_ERROR_PAGE:
        return _ ("The Answer Is Not a Profile");
    case PV_FETCH_ERROR_CUT:
        return _ ("The Connection Was Lost");
    case PV_FETCH_ERROR_TOO_LARGE:
        return _ ("The Answer Is Too Large");
    case PV_FETCH_ERROR_CANNOT_SAVE:
        return _ ("The Answer Cannot Be Saved");
    default:
        return _ ("The Answer Cannot Be Read");
    }
}

/* Fetches from a server that the user did not name only if the user agrees. */
static void
offer_redirect (PvErrorPage *self, const char *url)
{
    g_autoptr (GUri) uri = g_uri_parse (url, G_URI_FLAGS_HAS_PASSWORD, NULL);
    const char *host = uri != NULL ? g_uri_get_host (uri) : NULL;
    g_autofree char *shown = pv_fetch_format_url (url);
    g_autofree char *label =
        /* Translators: the name of a server. */
        g_strdup_printf (_ ("Fetch From “%s”"), host != NULL ? host : shown);

    gtk_button_set_label (self->redirect_button, label);
    gtk_widget_set_tooltip_text (GTK_WIDGET (self->redirect_button), shown);
    gtk_widget_set_visible (GTK_WIDGET (self->redirect_button), TRUE);
}

#define LINK_URL   "profview-url"
#define LINK_CHARS 24 /* shown of a name */

static void
on_link_clicked (PvErrorPage *self, GtkButton *button)
{
    pv_document_fetch_instead (self->base.document,
                               g_object_get_data (G_OBJECT (button), LINK_URL));
}

/* A button for each profile that the server's page lists. */
static void
offer_links (PvErrorPage *self, const char *const *links)
{
    for (; *links != NULL; links++) {
        const PvFetchEndpoint *endpoint = pv_fetch_find_endpoint (*links);
        g_autofree char *shown = pv_fetch_format_url (*links);
        g_autofree char *place = g_strndup (shown, strcspn (shown, "?"));
        g_autofree char *name = g_path_get_basename (place);
        GtkWidget *label = gtk_label_new (
            endpoint != NULL ? g_dpgettext2 (GETTEXT_PACKAGE, "profile kind", endpoint->title)
                             : name);
        GtkWidget *button = gtk_button_new ();

        gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_MIDDLE);
        gtk_label_set_max_width_chars (GTK_LABEL (label), LINK_CHARS);
        gtk_button_set_child (GTK_BUTTON (button), label);
        gtk_widget_set_tooltip_text (button, shown);
        g_object_set_data_full (G_OBJECT (button), LINK_URL, g_strdup (*links), g_free);
        pv_connect (button, "clicked", on_link_clicked, self);
        gtk_flow_box_append (self->links_box, button);
        /* The button has the focus, and is activated, not the cell around it. */
        gtk_widget_set_focusable (gtk_widget_get_parent (button), FALSE);
    }
    gtk_widget_set_visible (GTK_WIDGET (self->links_box), TRUE);
}

/* The message without the quote, as the whole answer is shown below. */
static char *
get_fetch_message (const GError *error, gboolean has_answer)
{
    const char *quote = has_answer ? strstr (error->message, ": “") : NULL;

    return quote != NULL ? g_strdup_printf ("%.*s.", (int)(quote - error->message), error->message)
                         : g_strdup (error->message);
}

static void
explain_fetch (PvErrorPage *self, const GError *error)
{
    const char *answer = pv_fetch_error_get_answer (error);
    const char *redirect = pv_fetch_error_get_redirect (error);
    const char *const *links = pv_fetch_error_get_links (error);
    g_autofree char *address =
        pv_fetch_format_url (pv_document_get (self->base.document)->spec->url);
    g_autofree char *message = get_fetch_message (error, answer != NULL && *answer != '\0');
    g_autofree char *guesses =
        pv_fetch_error_is_elsewhere (error)
            ? pv_fetch_list_guesses (pv_document_get (self->base.document)->spec->url)
            : NULL;
    /* Translators: a list of paths on a server. */
    g_autofree char *also =
        guesses != NULL ? g_strdup_printf (_ ("No profile was found at %s either."), guesses)
                        : NULL;
    g_autofree char *text = g_strdup_printf ("%s\n%s%s%s", address, message,
                                             also != NULL ? "\n" : "", also != NULL ? also : "");

    adw_status_page_set_icon_name (self->status_page, "network-error-symbolic");
    adw_status_page_set_title (self->status_page, get_fetch_title (error->code));
    gtk_widget_set_visible (self->address_button, TRUE);
    gtk_widget_set_visible (self->other_button, FALSE);
    if (answer != NULL && *answer != '\0') {
        gtk_text_buffer_set_text (gtk_text_view_get_buffer (self->answer_view), answer, -1);
        gtk_widget_set_visible (self->answer_box, TRUE);
    }
    if (redirect != NULL) {
        g_autofree char *shown = pv_fetch_format_url (redirect);
        g_autofree char *both =
            g_strdup_printf (_ ("%s redirects to another server:\n%s"), address, shown);
        offer_redirect (self, redirect);
        pv_empty_page_set_text (self->status_page, both);
        return;
    }
    if (links != NULL) {
        g_autofree char *lists =
            /* Translators: a URL. */
            g_strdup_printf (_ ("%s is a page that lists profiles."), address);
        offer_links (self, links);
        gtk_widget_add_css_class (GTK_WIDGET (self->status_page), "compact");
        adw_status_page_set_icon_name (self->status_page, "view-list-symbolic");
        pv_empty_page_set_text (self->status_page, lists);
        return;
    }
    pv_empty_page_set_text (self->status_page, text);
}

/* Recording */

static const char *
get_record_title (int code)
{
    switch (code) {
    case PV_RECORD_ERROR_BAD_PLAN:
        return _ ("Recording Is Not Possible");
    case PV_RECORD_ERROR_NO_RECORDER:
        return _ ("The Recorder Is Not Installed");
    case PV_RECORD_ERROR_NOT_PERMITTED:
        return _ ("Recording Is Not Permitted");
    case PV_RECORD_ERROR_DISMISSED:
        return _ ("Permission Was Denied");
    case PV_RECORD_ERROR_UNSUPPORTED:
        return _ ("Not Supported on This Machine");
    case PV_RECORD_ERROR_NOTHING:
        return _ ("Nothing Was Recorded");
    case PV_RECORD_ERROR_RECORDER_ENDED:
        return _ ("The Recorder Ended Unexpectedly");
    case PV_RECORD_ERROR_DISK_FULL:
        return _ ("The Disk Is Full");
    default:
        return _ ("Recording Failed");
    }
}

/* Shows the first command that would permit recording. */
static void
on_checked (gpointer owner, gpointer result, const GError *error)
{
    PvErrorPage *self = owner;
    g_autoptr (GPtrArray) advice = result;

    for (unsigned i = 0; advice != NULL && i < advice->len; i++) {
        const PvAdvice *each = advice->pdata[i];
        if (each->level == PV_ADVICE_HINT || each->fix != PV_FIX_COPY || each->command == NULL ||
            !g_utf8_validate (each->command, -1, NULL))
            continue;
        show_command (self, each->command);
        return;
    }
}

static void
on_change_clicked (PvErrorPage *self)
{
    GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));

    if (GTK_IS_WINDOW (root))
        pv_record_dialog_show (GTK_WINDOW (root), pv_document_get (self->base.document)->plan);
}

static void
explain_recording (PvErrorPage *self, const GError *error)
{
    const PvRecordPlan *plan = pv_document_get (self->base.document)->plan;
    const PvRecording *recording = pv_document_get (self->base.document)->recording;
    g_autofree char *notes = recording != NULL ? pv_recording_describe (recording) : NULL;
    g_autofree char *text =
        g_strjoin (notes != NULL ? "\n" : "", error->message, notes != NULL ? notes : "", NULL);

    adw_status_page_set_icon_name (self->status_page, error->code == PV_RECORD_ERROR_DISMISSED
                                                          ? "changes-prevent-symbolic"
                                                          : "dialog-warning-symbolic");
    adw_status_page_set_title (self->status_page, get_record_title (error->code));
    pv_empty_page_set_text (self->status_page, text);
    gtk_widget_set_visible (self->other_button, FALSE);
    gtk_widget_set_visible (self->change_button, TRUE);
    if (error->code != PV_RECORD_ERROR_NO_RECORDER && error->code != PV_RECORD_ERROR_NOT_PERMITTED)
        return;
    self->check_task = pv_record_check_task_new (self, on_checked);
    pv_task_start (self->check_task, pv_record_plan_copy (plan));
}

static void
explain (PvErrorPage *self)
{
    const PvDocumentData *data = pv_document_get (self->base.document);
    const GError *error = data->error;
    const char *stop = g_str_has_suffix (error->message, ".") ? "" : ".";
    g_autofree char *message = g_strconcat (error->message, stop, NULL);
    const char *name = data->title;
    g_autofree char *text = NULL;

    /* The message says which of the files it is about. */
    if (data->spec->runs != NULL &&
        !g_error_matches (error, PV_JOB_ERROR, PV_JOB_ERROR_CANCELLED)) {
        adw_status_page_set_title (
            self->status_page, data->spec->is_joined ? _ ("These Profiles Could Not Be Combined")
                                                     : _ ("These Profiles Could Not Be Compared"));
        pv_empty_page_set_text (self->status_page, message);
        return;
    }
    if (g_error_matches (error, PV_READ_ERROR, PV_READ_ERROR_PERMISSION)) {
        explain_permission (self);
        return;
    }
    if (error->domain == PV_FETCH_ERROR) {
        explain_fetch (self, error);
        return;
    }
    if (error->domain == PV_RECORD_ERROR) {
        explain_recording (self, error);
        return;
    }
    if (g_error_matches (error, PV_JOB_ERROR, PV_JOB_ERROR_CANCELLED)) {
        gboolean is_fetch = data->spec->url != NULL && data->spec->paths[0] == NULL;
        adw_status_page_set_icon_name (self->status_page, "process-stop-symbolic");
        adw_status_page_set_title (self->status_page, is_fetch ? _ ("Fetching Was Cancelled")
                                                               : _ ("Loading Was Cancelled"));
        pv_empty_page_set_text (self->status_page, name);
        return;
    }
    if (g_error_matches (error, PV_READ_ERROR, PV_READ_ERROR_UNKNOWN_FORMAT)) {
        const char *path = data->spec->paths[0];
        adw_status_page_set_title (self->status_page,
                                   path != NULL && g_file_test (path, G_FILE_TEST_IS_DIR)
                                       ? _ ("No Profiles in This Folder")
                                       : _ ("This File Could Not Be Opened"));
        g_autofree char *recordings = NULL, *profiles = NULL, *others = NULL;
        pv_readers_describe (&recordings, &profiles, &others);
        /* Translators: a file, its problem, programs that record or make profiles, others */
        text = g_strdup_printf (
            _ ("“%s”: %s\nProfview opens recordings from %s; profiles from %s; %s."), name, message,
            recordings, profiles, others);
    } else if (g_error_matches (error, PV_READ_ERROR, PV_READ_ERROR_NOT_FOUND)) {
        adw_status_page_set_title (self->status_page, _ ("File Not Found"));
        text = g_strdup_printf (_ ("“%s” does not exist, or was moved or deleted."), name);
    } else {
        adw_status_page_set_title (self->status_page, _ ("This File Could Not Be Opened"));
        text = g_strdup_printf (_ ("“%s”: %s"), name, message);
    }
    pv_empty_page_set_text (self->status_page, text);
}

const char *
pv_error_get_help (const GError *error)
{
    g_assert (error != NULL);
    if (error->domain == PV_RECORD_ERROR)
        return PV_HELP ("record");
    return error->domain == PV_FETCH_ERROR ? PV_HELP ("services") : PV_HELP ("formats");
}

static void
pv_error_page_begin (PvView *view)
{
    PvErrorPage *self = PV_ERROR_PAGE (view);

    g_assert (pv_document_get (view->document)->state == PV_DOCUMENT_FAILED);
    pv_connect (self->retry_button, "clicked", pv_document_load, view->document);
    pv_connect (self->redirect_button, "clicked", pv_document_follow_redirect, view->document);
    pv_help_button_set_page (self->help_button,
                             pv_error_get_help (pv_document_get (view->document)->error));
    explain (self);
}

static void
pv_error_page_end (PvView *view)
{
    PvErrorPage *self = PV_ERROR_PAGE (view);

    g_clear_pointer (&self->check_task, pv_task_close);
    g_clear_pointer (&self->copy_path, g_free);
}

static void
pv_error_page_class_init (PvErrorPageClass *class)
{
    GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

    PV_VIEW_CLASS (class)->begin = pv_error_page_begin;
    PV_VIEW_CLASS (class)->end = pv_error_page_end;
    PV_SET_TEMPLATE (widget_class, "error-page", ADW_TYPE_STATUS_PAGE, PV_TYPE_HELP_BUTTON);
    PV_BIND_CHILDREN (widget_class, PvErrorPage, status_page, command_box, command_label,
                      copy_button, retry_button, privileged_button, other_button, address_button,
                      answer_box, answer_view, redirect_button, links_box, change_button,
                      help_button);
}

static void
pv_error_page_init (PvErrorPage *self)
{
    gtk_widget_init_template (GTK_WIDGET (self));
    pv_connect (self->copy_button, "clicked", on_copy_clicked, self);
    pv_connect (self->change_button, "clicked", on_change_clicked, self);
    pv_connect (self->privileged_button, "clicked", on_privileged_clicked, self);
}
