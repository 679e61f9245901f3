/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/filters/filter-menu.h"

#include <glib/gi18n.h>

#include "app/widgets/actions.h"
#include "core/base/format.h"
#include "core/model/profile/package.h"

#define MAX_NAME_CHARS 40
#define MENU_KEY       "filter-menu" /* of a page, and of its action group */
/* Kinds are in the order of use: those of functions after this one are in a submenu. */
#define LAST_USUAL PV_TRANSFORM_HIDE

/* The filters of a page; lives as long as its action group. */
typedef struct {
    GtkWidget *page; /* weak */
    PvDocument *document;
    PvFindFunctionFunc find;
} FilterMenu;

static void
free_filter_menu (gpointer data)
{
    FilterMenu *menu = data;

    g_clear_weak_pointer (&menu->page);
    g_object_unref (menu->document);
    g_free (menu);
}

/* The tree, and in it the node, or PV_NODE_NONE: only the function was selected. */
static const PvFunction *
get_function_and_node (const FilterMenu *menu, const PvCallTree **ret_tree, PvNodeId *ret_node)
{
    const PvDocumentData *data = pv_document_get (menu->document);
    const PvCallTree *tree = data->answer->flame_tree;
    PvFunctionId function = data->look.function;

    *ret_node = data->look.is_node_selected ? data->look.selected : PV_NODE_NONE;
    if (menu->find != NULL)
        tree = menu->page != NULL ? menu->find (menu->page, &function, ret_node) : NULL;
    if (tree == NULL || function == 0 || function >= tree->symbols->n_functions)
        return NULL;
    *ret_tree = tree;
    return &tree->symbols->functions[function];
}

static const PvFunction *
get_function (const FilterMenu *menu, const PvProfile **ret_profile)
{
    const PvCallTree *tree;
    PvNodeId node;
    const PvFunction *function = get_function_and_node (menu, &tree, &node);

    if (function != NULL)
        *ret_profile = tree->profile;
    return function;
}

/* The name of the function, its module and so on; NULL if it has none. */
static char *
find_subject (const FilterMenu *menu, PvSubject subject)
{
    const PvProfile *profile;
    const PvFunction *function = get_function (menu, &profile);
    const char *text = NULL;
    size_t len;

    if (function == NULL)
        return NULL;
    switch (subject) {
    case PV_SUBJECT_FUNCTION:
        text = function->name;
        break;
    case PV_SUBJECT_FILE:
        text = function->file;
        break;
    case PV_SUBJECT_MODULE:
        if (function->module != 0)
            text = profile->modules[function->module].name;
        break;
    case PV_SUBJECT_PACKAGE:
        text = pv_function_find_package (function, &len);
        return len > 0 ? g_strndup (text, len) : NULL;
    case PV_SUBJECT_ANY:
    case PV_N_SUBJECTS:
        break;
    }
    return text != NULL && *text != '\0' ? g_strdup (text) : NULL;
}

/* Actions */

static void
add_filter (const FilterMenu *menu, PvSubject subject, const char *word)
{
    g_autofree char *text = find_subject (menu, subject);

    for (PvTransformKind kind = 0; text != NULL && kind < PV_N_TRANSFORMS; kind++) {
        g_autofree char *expression = NULL;
        if (!g_str_equal (pv_transforms[kind].word, word))
            continue;
        expression = pv_subject_make_expression (
            pv_transforms[kind].takes_subject ? subject : PV_SUBJECT_ANY, text);
        pv_document_add_transform (menu->document, kind, expression);
    }
}

static void
filter_function (FilterMenu *menu, GVariant *parameter)
{
    add_filter (menu, PV_SUBJECT_FUNCTION, g_variant_get_string (parameter, NULL));
}

/* The line that a node is at, if a node is selected; else that of the function's declaration. What
 * is not known of one is taken of the other. */
static void
open_in_editor (FilterMenu *menu)
{
    const PvCallTree *tree;
    PvNodeId node;
    const PvFunction *function = get_function_and_node (menu, &tree, &node);
    const PvFrame *frame = NULL;
    const char *file, *binary;
    uint32_t line;

    if (function == NULL || menu->page == NULL)
        return;
    if (node < tree->n_nodes && tree->function_of_node[node] != 0 &&
        &tree->symbols->functions[tree->function_of_node[node]] == function)
        frame = tree->frame_of_node[node];
    file = function->file;
    line = function->line;
    if (frame != NULL && frame->file != NULL && frame->line > 0) {
        file = frame->file;
        line = frame->line;
    }
    binary = function->module < tree->symbols->n_modules
                 ? tree->symbols->file_of_module[function->module]
                 : NULL;
    gtk_widget_activate_action (menu->page, "win.open-in-editor", "(^ayu^ay)",
                                file != NULL ? file : "", line, binary != NULL ? binary : "");
}

/* Switches a transform that is about no function. */
static void
switch_transform (FilterMenu *menu, GVariant *parameter, GSimpleAction *action)
{
    PvDocument *document = menu->document;
    const char *name = g_action_get_name (G_ACTION (action));

    for (PvTransformKind kind = 0; kind < PV_N_TRANSFORMS; kind++)
        if (g_str_equal (name, pv_transforms[kind].word))
            pv_document_set_transform (document, kind, !pv_document_has_transform (document, kind));
}

static void
filter_file (FilterMenu *menu, GVariant *parameter)
{
    add_filter (menu, PV_SUBJECT_FILE, g_variant_get_string (parameter, NULL));
}

static void
filter_module (FilterMenu *menu, GVariant *parameter)
{
    add_filter (menu, PV_SUBJECT_MODULE, g_variant_get_string (parameter, NULL));
}

static void
filter_package (FilterMenu *menu, GVariant *parameter)
{
    add_filter (menu, PV_SUBJECT_PACKAGE, g_variant_get_string (parameter, NULL));
}

void
pv_filter_menu_install (GtkWidget *page, PvDocument *document, PvFindFunctionFunc find)
{
    static const PvAction entries[] = {
        {"function", G_CALLBACK (filter_function), "s"},
        {"file", G_CALLBACK (filter_file), "s"},
        {"module", G_CALLBACK (filter_module), "s"},
        {"package", G_CALLBACK (filter_package), "s"},
        {"open-in-editor", G_CALLBACK (open_in_editor)},
    };
    static const PvShortcut shortcuts[] = {
        {"f", "filter.function", "focus"},
        {"i", "filter.function", "ignore"},
        {"h", "filter.function", "hide"},
        {"m", "filter.my-code"},
        {"o", "filter.open-in-editor"},
        {"z|<Control>z", "win.back"},
        {"<Shift>z|<Shift><Control>z", "win.forward"},
    };
    FilterMenu *menu = g_new0 (FilterMenu, 1);
    GActionMap *actions;

    g_assert (GTK_IS_WIDGET (page) && PV_IS_DOCUMENT (document));
    g_set_weak_pointer (&menu->page, page);
    menu->document = g_object_ref (document);
    menu->find = find;
    actions = pv_actions_new (page, "filter", entries, G_N_ELEMENTS (entries), menu);
    g_object_set_data_full (G_OBJECT (actions), MENU_KEY, menu, free_filter_menu);
    g_object_set_data (G_OBJECT (page), MENU_KEY, menu);
    for (PvTransformKind kind = 0; kind < PV_N_TRANSFORMS; kind++) {
        const PvAction entry = {pv_transforms[kind].word, G_CALLBACK (switch_transform)};
        if (pv_transforms[kind].switch_label != NULL)
            pv_actions_add (actions, &entry, 1, menu);
    }
    pv_shortcuts_new (page, shortcuts, G_N_ELEMENTS (shortcuts));
}

/* The section */

/* Long names are cut in the middle. */
static char *
make_label (const char *form, const char *text)
{
    glong n_chars = g_utf8_strlen (text, -1);
    g_autofree char *shown = NULL;

    if (n_chars > MAX_NAME_CHARS) {
        g_autofree char *head = g_utf8_substring (text, 0, MAX_NAME_CHARS / 2);
        g_autofree char *tail = g_utf8_substring (text, n_chars - MAX_NAME_CHARS / 2, n_chars);
        shown = g_strconcat (head, "…", tail, NULL);
    }
    return pv_fill_in (form, shown != NULL ? shown : text);
}

/* The name for the menu; a file's name is clear enough without its folder. */
static char *
make_shown_name (PvSubject subject, const char *text)
{
    return subject == PV_SUBJECT_FILE ? g_path_get_basename (text) : g_strdup (text);
}

/* Adds those of the kinds from first to last. */
static void
add_filters (GMenu *menu, PvSubject subject, PvTransformKind first, PvTransformKind last)
{
    for (PvTransformKind kind = first; kind <= last; kind++) {
        const char *label = pv_transforms[kind].labels[subject];
        g_autofree char *action = g_strdup_printf ("filter.%s::%s", pv_subject_get_prefix (subject),
                                                   pv_transforms[kind].word);
        if (label != NULL)
            g_menu_append (menu, _ (label), action);
    }
}

/* A section, and no submenu: of those in submenus, GTK 4.8 keeps the pages of earlier ones. */
static void
add_section (GMenu *more, const FilterMenu *of, PvSubject subject, const char *form)
{
    g_autofree char *text = find_subject (of, subject);
    g_autofree char *shown = NULL;
    g_autofree char *label = NULL;
    g_autoptr (GMenu) menu = g_menu_new ();

    if (text == NULL)
        return;
    add_filters (menu, subject, 0, PV_N_TRANSFORMS - 1);
    shown = make_shown_name (subject, text);
    label = make_label (form, shown);
    g_menu_append_section (more, label, G_MENU_MODEL (menu));
}

/* Those that are off; the chips remove them. */
static void
add_switches (GMenu *section, PvDocument *document)
{
    const PvProfile *profile = pv_document_get (document)->answer->profile;

    for (PvTransformKind kind = 0; kind < PV_N_TRANSFORMS; kind++) {
        const PvTransformInfo *info = &pv_transforms[kind];
        g_autofree char *action = g_strconcat ("filter.", info->word, NULL);
        if (info->switch_label != NULL && !pv_document_has_transform (document, kind) &&
            (info->applies == NULL || info->applies (profile)))
            g_menu_append (section, _ (info->switch_label), action);
    }
}

void
pv_filter_menu_fill (GMenu *section, GtkWidget *page)
{
    const FilterMenu *menu = g_object_get_data (G_OBJECT (page), MENU_KEY);
    g_autoptr (GMenu) more = g_menu_new ();
    g_autoptr (GMenu) of_function = g_menu_new ();
    g_autoptr (GMenu) switches = g_menu_new ();
    const PvProfile *profile;

    g_assert (G_IS_MENU (section) && menu != NULL);
    g_menu_remove_all (section);
    if (get_function (menu, &profile) == NULL)
        return;
    add_filters (section, PV_SUBJECT_FUNCTION, 0, LAST_USUAL);
    add_filters (of_function, PV_SUBJECT_FUNCTION, LAST_USUAL + 1, PV_N_TRANSFORMS - 1);
    g_menu_append_section (more, NULL, G_MENU_MODEL (of_function));
    /* Translators: heads what a menu has about the module of a function, such as “libc.so.6”. */
    add_section (more, menu, PV_SUBJECT_MODULE, _ ("Module “%s”"));
    add_section (more, menu, PV_SUBJECT_FILE, _ ("File “%s”"));
    add_section (more, menu, PV_SUBJECT_PACKAGE, _ ("Package “%s”"));
    add_switches (switches, menu->document);
    g_menu_append_section (more, NULL, G_MENU_MODEL (switches));
    g_menu_append_submenu (section, _ ("More Fi_lters"), G_MENU_MODEL (more));
}
