/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/summary/summary-findings.h"

#include <glib/gi18n.h>

#include "app/widgets/accessible.h"
#include "app/work/work.h"
#include "core/analyze/findings/findings.h"

struct PvSummaryFindings {
    GtkWidget *page;
    PvSection *section;
    PvDocument *document;
    PvTask *task;
    PvFindings *findings;   /* shown; or NULL */
    PvSymbolTable *symbols; /* whose functions they name; or NULL */
    unsigned serial;        /* of the answer that was asked last; 0: none */
};

typedef struct {
    PvFindings *findings;
    PvSymbolTable *symbols; /* a reference */
} Found;

static void
found_free (gpointer data)
{
    Found *found = data;

    g_clear_pointer (&found->findings, pv_findings_free);
    g_clear_pointer (&found->symbols, pv_symbol_table_free);
    g_free (found);
}

static gpointer
find (gpointer data, PvJob *job, GError **error)
{
    const PvAnswer *answer = data;
    Found *found = g_new0 (Found, 1);

    found->findings = pv_findings_compute (answer->profile, answer->symbols, answer->query, job);
    found->symbols = pv_symbol_table_ref (answer->symbols);
    if (found->findings == NULL)
        g_clear_pointer (&found, found_free);
    return found;
}

/* Showing one */

/* Lists what the document asks, and the options of a finding (or NULL) behind it. Free with
 * g_strfreev (). */
static char **
list_options (PvDocument *document, char **options)
{
    g_auto (GStrv) asked = pv_document_list_words (document);
    g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();

    g_strv_builder_addv (builder, (const char **)asked);
    for (char **option = options; option != NULL && *option != NULL; option++)
        if (!g_strv_contains ((const char *const *)asked, *option))
            g_strv_builder_add (builder, *option);
    return g_strv_builder_end (builder);
}

static void
on_show (GtkButton *button, PvSummaryFindings *self)
{
    const PvFinding *finding = g_object_get_data (G_OBJECT (button), "finding");
    const PvDocumentData *data = pv_document_get (self->document);
    const PvFunctionId function =
        data->answer->symbols->store == self->symbols->store ? finding->function : 0;
    /* The button and the finding may go with the first change. */
    g_autofree char *page = g_strdup (finding->page);
    g_auto (GStrv) added = g_strdupv (finding->options);
    g_auto (GStrv) options = NULL;

    if (finding->measure < data->answer->profile->n_measures)
        pv_document_set_measure (self->document, finding->measure);
    options = list_options (self->document, added);
    pv_document_apply_words (self->document, (const char *const *)options);
    if (function != 0)
        pv_document_select_function (self->document, function);
    gtk_widget_activate_action (self->page, "win.page", "s", page);
}

/* Rows */

static char *
describe (const PvFinding *finding)
{
    g_autofree char *certainty = pv_finding_describe_certainty (finding);

    if (finding->detail == NULL || certainty == NULL)
        return g_strdup (finding->detail != NULL ? finding->detail : certainty);
    return g_strdup_printf ("%s\n%s", finding->detail, certainty);
}

static void
add_row (PvSummaryFindings *self, PvFinding *finding)
{
    g_autofree char *text = describe (finding);
    GtkWidget *row = pv_text_row_new (finding->title, text);
    GtkWidget *button = gtk_button_new_with_mnemonic (C_ ("button", "_Show"));

    g_autofree char *name = g_strdup_printf ("%s: %s", C_ ("button", "Show"), finding->title);
    pv_accessible_set_name (button, name);
    gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
    g_object_set_data (G_OBJECT (button), "finding", finding);
    g_signal_connect (button, "clicked", G_CALLBACK (on_show), self);
    adw_action_row_set_title_lines (ADW_ACTION_ROW (row), 0);
    adw_action_row_set_subtitle_lines (ADW_ACTION_ROW (row), 0);
    adw_action_row_add_suffix (ADW_ACTION_ROW (row), button);
    pv_section_add (self->section, row);
}

static void
clear (PvSummaryFindings *self)
{
    pv_section_clear (self->section);
    g_clear_pointer (&self->findings, pv_findings_free);
    pv_clear_later (&self->symbols, pv_symbol_table_free);
}

static void
on_found (gpointer owner, gpointer result, const GError *error)
{
    PvSummaryFindings *self = owner;
    Found *found = result;

    if (found == NULL)
        return;
    clear (self);
    self->findings = g_steal_pointer (&found->findings);
    self->symbols = g_steal_pointer (&found->symbols);
    found_free (found);
    for (unsigned i = 0; i < self->findings->n_findings; i++)
        add_row (self, &self->findings->findings[i]);
    pv_section_finish (self->section);
}

void
pv_summary_findings_update (PvSummaryFindings *self)
{
    const PvDocumentData *data = pv_document_get (self->document);

    g_assert (self != NULL);
    if (data->answer->tree == NULL || data->is_recording ||
        pv_document_is_loading (self->document)) {
        if (self->serial != 0) {
            pv_task_cancel (self->task);
            clear (self);
            pv_section_finish (self->section);
        }
        self->serial = 0;
        return;
    }
    if (self->serial == data->answer->serial)
        return;
    self->serial = data->answer->serial;
    pv_task_start (self->task, pv_answer_ref (data->answer));
}

PvSummaryFindings *
pv_summary_findings_new (GtkWidget *page, PvSection *section, PvDocument *document)
{
    PvSummaryFindings *self = g_new0 (PvSummaryFindings, 1);

    g_assert (GTK_IS_WIDGET (page) && section != NULL && PV_IS_DOCUMENT (document));
    self->page = page;
    self->section = section;
    self->document = g_object_ref (document);
    self->task = pv_task_new (self, find, (GDestroyNotify)pv_answer_unref, found_free, on_found);
    return self;
}

void
pv_summary_findings_free (PvSummaryFindings *self)
{
    if (self == NULL)
        return;
    g_clear_pointer (&self->task, pv_task_close);
    g_clear_pointer (&self->findings, pv_findings_free);
    pv_clear_later (&self->symbols, pv_symbol_table_free);
    g_object_unref (self->document);
    g_free (self);
}
