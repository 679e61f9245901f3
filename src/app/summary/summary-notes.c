/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/summary/summary-notes.h"

#include <glib/gi18n.h>

#include "app/summary/fetch-button.h"
#include "app/widgets/accessible.h"
#include "app/widgets/help.h"
#include "app/work/work.h"
#include "core/model/profile/note-groups.h"

#define MAX_NOTES     5
#define NOTES_AT_ONCE 2

/* A button that fixes the problem, or NULL. */
static GtkWidget *
make_fix_button (PvNoteKind kind)
{
    GtkWidget *button;

    switch (kind) {
    case PV_NOTE_MISSING_BINARY:
    case PV_NOTE_MISSING_DEBUG_INFO:
    case PV_NOTE_CHANGED_BINARY:
    case PV_NOTE_UNVERIFIED_BINARY:
    case PV_NOTE_OTHER_FILE:
    case PV_NOTE_OTHER_MACHINE:
    case PV_NOTE_ONE_SIDE:
        button = gtk_button_new_with_mnemonic (_ ("_Add Folder…"));
        pv_accessible_set_name (button, _ ("Add Folder…"));
        gtk_actionable_set_action_name (GTK_ACTIONABLE (button), "win.add-folder");
        break;
    default:
        return NULL;
    }
    gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
    return button;
}

static gboolean
can_fetch (PvDocument *document, const PvNote *note)
{
    return (note->kind == PV_NOTE_MISSING_BINARY || note->kind == PV_NOTE_MISSING_DEBUG_INFO ||
            note->kind == PV_NOTE_CHANGED_BINARY || note->kind == PV_NOTE_UNVERIFIED_BINARY) &&
           pv_document_can_fetch_symbols (document, note->module);
}

static GtkWidget *
make_note_row (PvDocument *document, const PvNote *note)
{
    GtkWidget *row = pv_text_row_new (note->text, NULL);
    GtkWidget *button = make_fix_button (note->kind);
    GtkWidget *icon = gtk_image_new_from_icon_name (note->severity == PV_NOTE_WARNING
                                                        ? "dialog-warning-symbolic"
                                                        : "dialog-information-symbolic");
    if (note->severity == PV_NOTE_WARNING)
        gtk_widget_add_css_class (icon, "warning");
    adw_action_row_set_title_lines (ADW_ACTION_ROW (row), 0);
    adw_action_row_add_prefix (ADW_ACTION_ROW (row), icon);
    if (can_fetch (document, note))
        adw_action_row_add_suffix (ADW_ACTION_ROW (row),
                                   pv_fetch_button_new (document, note->module));
    if (button != NULL)
        adw_action_row_add_suffix (ADW_ACTION_ROW (row), button);
    return row;
}

/* A “?” about such notes, or NULL. */
static GtkWidget *
make_help_button (PvNoteKind kind, const char *text)
{
    const char *help = pv_note_get_help (kind);
    /* Translators: what a note says */
    g_autofree char *name = g_strdup_printf (_ ("Help: %s"), text);

    return help != NULL ? pv_help_button_new (help, name) : NULL;
}

/* Notes inside a row that expands. There may be hundreds, so their rows are made when it does, a
 * few at a time. */
typedef struct {
    AdwExpanderRow *row;
    PvDocument *document;
    PvProfile *profile; /* or the symbols, own the notes */
    PvSymbolTable *symbols;
    GPtrArray *notes; /* const PvNote */
    unsigned n_made;
    guint source;
} FoldedNotes;

static void
folded_notes_free (gpointer data)
{
    FoldedNotes *folded = data;

    g_clear_handle_id (&folded->source, g_source_remove);
    g_ptr_array_unref (folded->notes);
    g_object_unref (folded->document);
    pv_free_later (folded->profile, (GDestroyNotify)pv_profile_free);
    pv_free_later (folded->symbols, (GDestroyNotify)pv_symbol_table_free);
    g_free (folded);
}

static gboolean
unfold_some (gpointer user)
{
    FoldedNotes *folded = user;

    for (unsigned i = 0; i < NOTES_AT_ONCE && folded->n_made < folded->notes->len; i++)
        adw_expander_row_add_row (
            folded->row, make_note_row (folded->document, folded->notes->pdata[folded->n_made++]));
    if (folded->n_made < folded->notes->len)
        return G_SOURCE_CONTINUE;
    folded->source = 0;
    return G_SOURCE_REMOVE;
}

static void
on_unfolded (AdwExpanderRow *row, GParamSpec *pspec, FoldedNotes *folded)
{
    if (folded->source == 0 && folded->n_made < folded->notes->len)
        folded->source = g_idle_add_full (G_PRIORITY_DEFAULT_IDLE, unfold_some, folded, NULL);
}

/* The section while it is filled. */
typedef struct {
    PvSection *section;
    PvDocument *document;
    const PvProfile *profile;
    const PvSymbolTable *symbols;
    FoldedNotes *more;                     /* or NULL; lives as long as its row */
    unsigned n_of_group[PV_N_NOTE_GROUPS]; /* several are folded */
} Filling;

static FoldedNotes *
fold_notes (const Filling *filling)
{
    FoldedNotes *folded = g_new0 (FoldedNotes, 1);

    folded->row = ADW_EXPANDER_ROW (adw_expander_row_new ());
    folded->document = g_object_ref (filling->document);
    folded->profile = pv_profile_ref (filling->profile);
    folded->symbols = pv_symbol_table_ref ((PvSymbolTable *)filling->symbols);
    folded->notes = g_ptr_array_new ();
    g_object_set_data_full (G_OBJECT (folded->row), "notes", folded, folded_notes_free);
    g_signal_connect (folded->row, "notify::expanded", G_CALLBACK (on_unfolded), folded);
    pv_section_add (filling->section, GTK_WIDGET (folded->row));
    return folded;
}

static gboolean
is_in_fold (const Filling *filling, const PvNote *note)
{
    PvNoteGroup group = pv_note_get_group (filling->profile, note);

    return group != PV_NOTE_GROUP_NONE && filling->n_of_group[group] > 1;
}

/* The first few notes are rows, the others are folded into one. What is said of several files is
 * folded too. */
static void
add_notes (Filling *filling, const PvNote *notes, uint32_t n_notes, PvNoteSeverity severity)
{
    gboolean may_fold = notes == filling->symbols->notes;

    for (uint32_t i = 0; i < n_notes; i++) {
        if (notes[i].severity != severity || (may_fold && is_in_fold (filling, &notes[i])))
            continue;
        if (filling->section->rows->len < MAX_NOTES) {
            GtkWidget *row = make_note_row (filling->document, &notes[i]);
            GtkWidget *help = make_help_button (notes[i].kind, notes[i].text);
            if (help != NULL)
                adw_action_row_add_suffix (ADW_ACTION_ROW (row), help);
            pv_section_add (filling->section, row);
            continue;
        }
        if (filling->more == NULL)
            filling->more = fold_notes (filling);
        g_ptr_array_add (filling->more->notes, (gpointer)&notes[i]);
    }
}

/* Hottest first, as the notes are. */
static void
fetch_all (FoldedNotes *folded)
{
    for (guint i = 0; i < folded->notes->len; i++)
        if (can_fetch (folded->document, folded->notes->pdata[i]))
            pv_document_fetch_symbols (folded->document,
                                       ((const PvNote *)folded->notes->pdata[i])->module);
}

static void
add_fetch_all (FoldedNotes *folded)
{
    GtkWidget *button = gtk_button_new_with_label (_ ("Fetch All"));

    gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
    gtk_widget_set_tooltip_text (button, _ ("Ask the debuginfod servers for debug information"));
    g_signal_connect_swapped (button, "clicked", G_CALLBACK (fetch_all), folded);
    adw_expander_row_add_action (folded->row, button);
}

/* A warning's icon is coloured, which the row's own cannot be. */
static void
set_icon (AdwExpanderRow *row, PvNoteSeverity severity)
{
    GtkWidget *icon;

    if (severity == PV_NOTE_INFO) {
        adw_expander_row_set_icon_name (row, "dialog-information-symbolic");
        return;
    }
    icon = gtk_image_new_from_icon_name ("dialog-warning-symbolic");
    gtk_widget_add_css_class (icon, "warning");
    adw_expander_row_add_prefix (row, icon);
}

/* One row for all files of the group, which unfolds. */
static void
add_group (Filling *filling, PvNoteGroup group)
{
    const PvSymbolTable *symbols = filling->symbols;
    FoldedNotes *folded = fold_notes (filling);
    g_autofree char *title = pv_note_group_format_title (group, filling->n_of_group[group]);
    gboolean can_fetch_some = FALSE;

    adw_preferences_row_set_title (ADW_PREFERENCES_ROW (folded->row), title);
    adw_expander_row_set_subtitle (folded->row,
                                   pv_note_group_get_meaning (filling->profile, group));
    set_icon (folded->row, pv_note_group_get_severity (group));
    for (uint32_t i = 0; i < symbols->n_notes; i++) {
        if (pv_note_get_group (filling->profile, &symbols->notes[i]) != group)
            continue;
        g_ptr_array_add (folded->notes, (gpointer)&symbols->notes[i]);
        can_fetch_some |= can_fetch (filling->document, &symbols->notes[i]);
    }
    const PvNoteKind kind = ((const PvNote *)folded->notes->pdata[0])->kind;
    /* The first one is the last in the row. */
    adw_expander_row_add_action (folded->row, make_help_button (kind, title));
    if (can_fetch_some)
        add_fetch_all (folded);
    adw_expander_row_add_action (folded->row, make_fix_button (kind));
}

static void
add_groups (Filling *filling, PvNoteSeverity severity)
{
    for (PvNoteGroup g = PV_NOTE_GROUP_NONE + 1; g < PV_N_NOTE_GROUPS; g++)
        if (filling->n_of_group[g] > 1 && pv_note_group_get_severity (g) == severity)
            add_group (filling, g);
}

void
pv_summary_notes_show (PvSection *section, PvDocument *document)
{
    static const PvNoteSeverity severities[] = {PV_NOTE_WARNING, PV_NOTE_INFO};
    const PvProfile *profile = pv_document_get (document)->answer->profile;
    const PvSymbolTable *symbols = pv_document_get (document)->answer->symbols;
    Filling filling = {
        .section = section, .document = document, .profile = profile, .symbols = symbols};

    g_assert (section != NULL && PV_IS_DOCUMENT (document));
    for (uint32_t i = 0; i < symbols->n_notes; i++)
        filling.n_of_group[pv_note_get_group (profile, &symbols->notes[i])]++;

    pv_section_clear (section);
    /* Warnings first. */
    for (unsigned i = 0; i < G_N_ELEMENTS (severities); i++) {
        add_notes (&filling, profile->notes, profile->n_notes, severities[i]);
        add_notes (&filling, symbols->notes, symbols->n_notes, severities[i]);
        if (severities[i] == PV_NOTE_WARNING)
            add_groups (&filling, PV_NOTE_WARNING);
    }
    if (filling.more != NULL) {
        unsigned n = filling.more->notes->len;
        g_autofree char *title = g_strdup_printf (g_dngettext (NULL, "%u more", "%u more", n), n);
        adw_preferences_row_set_title (ADW_PREFERENCES_ROW (filling.more->row), title);
    }
    add_groups (&filling, PV_NOTE_INFO);
    pv_section_finish (section);
}
