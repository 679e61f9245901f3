/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/widgets/help.h"

#include <gio/gio.h>
#include <glib/gi18n.h>

#include "app/widgets/accessible.h"
#include "app/widgets/actions.h"
#include "app/widgets/message-dialog.h"
#include "app/widgets/start-app.h"
#include "app/work/work.h"

#define TASK_KEY "help"      /* of a window: the task */
#define PATH_KEY "help-path" /* of a window: the page of HTML that was found last */

typedef struct {
    char *uri;
    GAppInfo *app; /* opens it; NULL: none was found */
    char *path;    /* of the page of HTML; or NULL */
} Answer;

static void
free_answer (gpointer data)
{
    Answer *answer = data;

    g_free (answer->uri);
    g_clear_object (&answer->app);
    g_free (answer->path);
    g_free (answer);
}

/* Finding, in a worker thread */

/* Where help viewers look for it. */
static gboolean
is_installed (void)
{
    const char *const *shared = g_get_system_data_dirs ();
    g_autofree char *own =
        g_build_filename (g_get_user_data_dir (), "help/C/profview/index.page", NULL);
    gboolean is_there = g_file_test (own, G_FILE_TEST_EXISTS);

    for (; !is_there && *shared != NULL; shared++) {
        g_autofree char *path = g_build_filename (*shared, "help/C/profview/index.page", NULL);
        is_there = g_file_test (path, G_FILE_TEST_EXISTS);
    }
    return is_there;
}

/* Yelp may be there without the cache that says what it opens. */
static GAppInfo *
find_viewer (void)
{
    GAppInfo *app = g_app_info_get_default_for_uri_scheme ("help");
    g_autofree char *yelp = app == NULL ? g_find_program_in_path ("yelp") : NULL;

    return yelp != NULL ? g_app_info_create_from_commandline ("yelp", NULL,
                                                              G_APP_INFO_CREATE_SUPPORTS_URIS, NULL)
                        : app;
}

/* The page in the user's language, or else in English. */
static char *
find_html_in (const char *folder)
{
    const char *const *language = g_get_language_names ();

    for (; *language != NULL; language++) {
        g_autofree char *name = g_strconcat (*language, ".html", NULL);
        g_autofree char *path = g_build_filename (folder, name, NULL);
        if (g_file_test (path, G_FILE_TEST_EXISTS))
            return g_canonicalize_filename (path, NULL);
    }
    return NULL;
}

/* That of the program, built or installed, comes before that of another version. */
static char *
find_html (void)
{
    static const char *const own[] = {"../data/help", "../share/doc/profview/help"};
    const char *const *shared = g_get_system_data_dirs ();
    g_autofree char *program = g_file_read_link ("/proc/self/exe", NULL);
    g_autofree char *program_folder = g_path_get_dirname (program != NULL ? program : "/");
    char *path = NULL;

    for (unsigned i = 0; path == NULL && i < G_N_ELEMENTS (own); i++) {
        g_autofree char *folder = g_build_filename (program_folder, own[i], NULL);
        path = find_html_in (folder);
    }
    for (; path == NULL && *shared != NULL; shared++) {
        g_autofree char *folder = g_build_filename (*shared, "doc/profview/help", NULL);
        path = find_html_in (folder);
    }
    return path;
}

/* "file:///…/C.html#graph-calls" */
static char *
make_html_uri (const char *path, const char *page)
{
    g_autofree char *uri = g_filename_to_uri (path, NULL, NULL);
    g_autofree char *fragment = g_strdelimit (g_strdup (page), "#", '-');

    return g_strconcat (uri, *fragment != '\0' ? "#" : NULL, fragment, NULL);
}

/* data: the page, may be "". */
static gpointer
find (gpointer data, PvJob *job, GError **error)
{
    const char *page = data;
    Answer *answer = g_new0 (Answer, 1);

    answer->path = find_html ();
    answer->app = is_installed () ? find_viewer () : NULL;
    if (answer->app != NULL) {
        answer->uri = g_strconcat ("help:profview", *page != '\0' ? "/" : NULL, page, NULL);
    } else if (answer->path != NULL) {
        answer->uri = make_html_uri (answer->path, page);
        answer->app = g_app_info_get_default_for_type ("text/html", FALSE);
    } else {
        g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND,
                     _ ("The help is not installed. Install Profview again."));
        g_clear_pointer (&answer, free_answer);
    }
    return answer;
}

/* Showing */

static void
tell (GtkWindow *window, const char *text)
{
    const char *path = g_object_get_data (G_OBJECT (window), PATH_KEY);
    /* Translators: why the help was not shown, and a file */
    g_autofree char *body =
        path != NULL
            ? g_strdup_printf (_ ("%s\n\nThe help is a page for browsers, too: %s"), text, path)
            : g_strdup (text);
    AdwMessageDialog *dialog = pv_message_dialog_new (window, _ ("Help Cannot Be Shown"), body);

    adw_message_dialog_add_responses (dialog, "close", C_ ("button", "_Close"), NULL);
    gtk_window_present (GTK_WINDOW (dialog));
}

static void
on_shown (GObject *window, GAsyncResult *result, gpointer user)
{
    g_autoptr (GError) error = NULL;

    if (!gtk_show_uri_full_finish (GTK_WINDOW (window), result, &error) &&
        gtk_widget_get_visible (GTK_WIDGET (window)))
        tell (GTK_WINDOW (window), error->message);
}

static void
on_found (gpointer owner, gpointer result, const GError *error)
{
    GtkWindow *window = owner;
    Answer *answer = result;

    g_object_set_data_full (G_OBJECT (window), PATH_KEY,
                            answer != NULL ? g_strdup (answer->path) : NULL, g_free);
    if (answer == NULL) {
        if (error != NULL)
            tell (window, error->message);
        return;
    }
    /* Without an application a portal may know one. */
    if (answer->app != NULL)
        pv_app_open (window, answer->app, answer->uri, tell);
    else
        gtk_show_uri_full (window, answer->uri, GDK_CURRENT_TIME, NULL, on_shown, NULL);
    free_answer (answer);
}

void
pv_help_show (GtkWidget *widget, const char *page)
{
    g_assert (GTK_IS_WIDGET (widget));
    GtkWindow *window = GTK_WINDOW (gtk_widget_get_root (widget));
    PvTask *task = g_object_get_data (G_OBJECT (window), TASK_KEY);

    if (task == NULL) {
        task = pv_task_new (window, find, g_free, free_answer, on_found);
        g_object_set_data_full (G_OBJECT (window), TASK_KEY, task, (GDestroyNotify)pv_task_close);
    }
    pv_task_start (task, g_strdup (page != NULL ? page : ""));
}

static gboolean
on_key (GtkWidget *dialog, GVariant *parameter, gpointer page)
{
    pv_help_show (dialog, page);
    return GDK_EVENT_STOP;
}

void
pv_help_add_key (GtkWidget *dialog, const char *page)
{
    g_assert (GTK_IS_WINDOW (dialog) && page != NULL);
    GtkShortcutController *keys = pv_shortcuts_new (dialog, NULL, 0);

    gtk_shortcut_controller_add_shortcut (
        keys, gtk_shortcut_new (gtk_keyval_trigger_new (GDK_KEY_F1, 0),
                                gtk_callback_action_new (on_key, (gpointer)page, NULL)));
}

/* The button */

struct _PvHelpButton {
    GtkButton parent;

    char *page;
};

G_DEFINE_FINAL_TYPE (PvHelpButton, pv_help_button, GTK_TYPE_BUTTON)

enum { PROP_PAGE = 1 };

static void
pv_help_button_clicked (GtkButton *button)
{
    pv_help_show (GTK_WIDGET (button), PV_HELP_BUTTON (button)->page);
}

static void
pv_help_button_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
    if (id == PROP_PAGE)
        pv_help_button_set_page (PV_HELP_BUTTON (object), g_value_get_string (value));
    else
        G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
pv_help_button_finalize (GObject *object)
{
    g_free (PV_HELP_BUTTON (object)->page);
    G_OBJECT_CLASS (pv_help_button_parent_class)->finalize (object);
}

static void
pv_help_button_class_init (PvHelpButtonClass *class)
{
    GObjectClass *object_class = G_OBJECT_CLASS (class);

    object_class->set_property = pv_help_button_set_property;
    object_class->finalize = pv_help_button_finalize;
    GTK_BUTTON_CLASS (class)->clicked = pv_help_button_clicked;
    g_object_class_install_property (
        object_class, PROP_PAGE,
        g_param_spec_string ("page", NULL, NULL, NULL, G_PARAM_WRITABLE | G_PARAM_STATIC_STRINGS));
}

static void
pv_help_button_init (PvHelpButton *self)
{
    gtk_button_set_icon_name (GTK_BUTTON (self), "pv-help-symbolic");
    gtk_widget_set_tooltip_text (GTK_WIDGET (self), C_ ("button", "Help"));
    gtk_widget_set_valign (GTK_WIDGET (self), GTK_ALIGN_CENTER);
    gtk_widget_add_css_class (GTK_WIDGET (self), "flat");
    gtk_widget_add_css_class (GTK_WIDGET (self), "circular");
    gtk_widget_add_css_class (GTK_WIDGET (self), "pv-help");
}

GtkWidget *
pv_help_button_new (const char *page, const char *name)
{
    GtkWidget *button = g_object_new (PV_TYPE_HELP_BUTTON, "page", page, NULL);

    pv_accessible_set_name (button, name);
    return button;
}

void
pv_help_button_set_page (PvHelpButton *self, const char *page)
{
    g_assert (PV_IS_HELP_BUTTON (self) && page != NULL);
    if (g_strcmp0 (self->page, page) == 0)
        return;
    g_free (self->page);
    self->page = g_strdup (page);
}
