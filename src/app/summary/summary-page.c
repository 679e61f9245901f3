/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/summary/summary-page.h"

#include <adwaita.h>
#include <glib/gi18n.h>
#include <math.h>

#include "app/charts/chart-area.h"
#include "app/summary/compare-summary.h"
#include "app/summary/heap-summary.h"
#include "app/summary/summary-findings.h"
#include "app/summary/summary-notes.h"
#include "app/summary/summary-rows.h"
#include "app/view/empty-view.h"
#include "app/widgets/accessible.h"
#include "app/widgets/fold.h"
#include "app/widgets/help.h"
#include "app/widgets/setup.h"
#include "app/work/query-text.h"
#include "app/work/work.h"
#include "core/analyze/query/formula.h"
#include "core/analyze/tables/stack-quality.h"
#include "core/base/format.h"
#include "core/model/profile/event-names.h"
#include "core/model/profile/note-groups.h"
#include "core/write/summary.h"
#include "fetch/fetch-url.h"

#define MAX_TOP         12
#define MAX_MODULES     12
#define MAX_TOTALS      6 /* with more measures, those without samples are only counted */
#define NARROW_WIDTH_PX 820
#define CHART_HEIGHT_PX 180

enum { FILL_CHANGES, FILL_TOTALS, FILL_NOTES, FILL_TOP, FILL_FACTS, FILL_MODULES, N_FILLS };

/* Sections; the first of those of heaps is SECTION_HEAP. */
enum {
    SECTION_FINDINGS,
    SECTION_NOTES,
    SECTION_CHANGES,
    SECTION_TOP,
    SECTION_MODULES,
    SECTION_TOTALS,
    SECTION_STACKS,
    SECTION_FACTS,
    SECTION_HEAP,
    N_SECTIONS = SECTION_HEAP + PV_HEAP_SUMMARY_N_TOPS
};

struct _PvSummaryPage {
    PvView base;

    GtkScrolledWindow *scroller;
    PvEmptyView *empty_view;
    GtkBox *columns_box;
    AdwBin *chart_bin;
    GtkWidget *add_button;
    const void *top_store; /* store of the symbols that the listed functions belong to */
    AdwPreferencesGroup *groups[N_SECTIONS]; /* of these: */
    PvSection sections[N_SECTIONS];
    PvProfile *profile; /* shown, or about to be */
    PvSymbolTable *symbols;
    gboolean is_wanted[N_FILLS]; /* sections to be filled again */
    guint tick;                  /* fills them; 0: all are filled */
    gboolean wants_focus;        /* as soon as there is a row to focus */
    PvSummaryFindings *findings;
    PvTask *quality_task;
    PvTask *heap_task;
    PvHeapSummary *heap;    /* NULL until known, and for other profiles */
    PvStackQuality quality; /* of the current measure; until that is known, of the one before */
};

G_DEFINE_FINAL_TYPE (PvSummaryPage, pv_summary_page, PV_TYPE_VIEW)

/* Contents */

/* Which dumps of a series the totals are of. */
static const char *
describe_dumps (const PvProfile *profile)
{
    for (uint32_t i = 0; i < profile->n_measures; i++)
        if (profile->measures[i].aggregation == PV_AGGREGATION_STATE)
            return profile->main_dump + 1 < profile->n_dumps
                       ? _ ("At the peak; growth is from the first dump to the last")
                       : _ ("Of the last dump; growth is since the first");
    return _ ("Of all dumps");
}

/* Adds the values of the formulas that are usual for these measures. */
static void
add_derived (PvSection *section, const PvProfile *profile)
{
    g_autoptr (GPtrArray) formulas = pv_formula_list_usual (profile);

    for (guint i = 0; i < formulas->len; i++) {
        const PvFormula *formula = formulas->pdata[i];
        double whole = pv_formula_compute_whole (formula, profile);
        g_autofree char *value = isnan (whole) ? NULL : pv_formula_format (formula, whole);
        pv_section_add_fact (section, formula->title, value);
    }
}

/* Tests whether a section stays as it is until that is known of the new answer. */
static gboolean
is_kept (PvSummaryPage *self, const PvSection *section, gconstpointer derived, PvDerived which)
{
    return section->rows->len > 0 && derived == NULL &&
           pv_document_is_deriving (self->base.document, which);
}

static void
show_totals (PvSummaryPage *self)
{
    const PvDocumentData *data = pv_document_get (self->base.document);
    const PvProfile *profile = data->answer->profile;
    unsigned n_empty = 0;

    if (is_kept (self, &self->sections[SECTION_TOTALS], data->sums, PV_DERIVED_SUMS))
        return;
    pv_section_clear (&self->sections[SECTION_TOTALS]);
    adw_preferences_group_set_title (self->groups[SECTION_TOTALS], profile->compared != NULL
                                                                       ? C_ ("heading", "Compared")
                                                                       : C_ ("heading", "Totals"));
    if (profile->compared != NULL) {
        pv_compare_summary_add_sides (&self->sections[SECTION_TOTALS], self->base.document);
        pv_section_finish (&self->sections[SECTION_TOTALS]);
        return;
    }
    pv_section_set_note (&self->sections[SECTION_TOTALS],
                         profile->n_dumps > 0 ? describe_dumps (profile)
                         : profile->n_joined == 0 && !pv_profile_has_sections (profile) &&
                                 !pv_profile_has_sums (profile)
                             ? _ ("Whole recording")
                             : NULL);
    if (profile->heap != NULL) {
        if (self->heap != NULL)
            pv_heap_summary_add_totals (&self->sections[SECTION_TOTALS], self->heap);
        pv_section_finish (&self->sections[SECTION_TOTALS]);
        return;
    }
    if (profile->n_joined > 0) {
        pv_compare_summary_add_joined (&self->sections[SECTION_TOTALS], profile);
        add_derived (&self->sections[SECTION_TOTALS], profile);
        pv_section_finish (&self->sections[SECTION_TOTALS]);
        return;
    }
    if (pv_profile_has_only_distributions (profile)) {
        g_autofree char *count = pv_format_count (profile->n_distributions);
        pv_section_add_fact (&self->sections[SECTION_TOTALS], C_ ("fact", "Distributions"), count);
        pv_section_finish (&self->sections[SECTION_TOTALS]);
        return;
    }
    for (uint32_t i = 0; i < profile->n_measures; i++) {
        uint64_t n_samples = pv_profile_count_samples (profile, i);
        if (n_samples == 0 && profile->n_measures > MAX_TOTALS) {
            n_empty++;
            continue;
        }
        g_autofree char *amount = pv_measure_format_total (profile, i);
        g_autofree char *samples = pv_format_amount (n_samples, PV_UNIT_COUNT);
        g_autofree char *value =
            profile->n_dumps > 0 || pv_profile_is_exact (profile, i) ? g_strdup (amount)
            : pv_profile_counts_waits (profile, i)
                ? g_strdup_printf (g_dngettext (NULL, "%s in %s wait", "%s in %s waits", n_samples),
                                   amount, samples)
                : g_strdup_printf (
                      g_dngettext (NULL, "%s in %s sample", "%s in %s samples", n_samples), amount,
                      samples);
        pv_section_add_fact (&self->sections[SECTION_TOTALS], pv_measure_get_title (profile, i),
                             value);
    }
    if (n_empty > 0) {
        g_autofree char *empty =
            g_strdup_printf (g_dngettext (NULL, "%u measure", "%u measures", n_empty), n_empty);
        pv_section_add_fact (&self->sections[SECTION_TOTALS], _ ("Without samples"), empty);
    }
    add_derived (&self->sections[SECTION_TOTALS], profile);
    if (pv_profile_known_duration_ns (profile) > 0) {
        g_autofree char *duration = pv_format_amount (profile->duration_ns, PV_UNIT_NS);
        pv_section_add_fact (&self->sections[SECTION_TOTALS], C_ ("fact", "Duration"), duration);
    }
    if (profile->n_lost > 0) {
        g_autofree char *lost = pv_format_amount (profile->n_lost, PV_UNIT_COUNT);
        pv_section_add_fact (&self->sections[SECTION_TOTALS], _ ("Lost samples"), lost);
    }
    pv_section_finish (&self->sections[SECTION_TOTALS]);
}

static void
add_count (PvSection *section, const char *title, uint32_t n)
{
    g_autofree char *count = n > 0 ? pv_format_amount (n, PV_UNIT_COUNT) : NULL;
    pv_section_add_fact (section, title, count);
}

/* "7, from heap.1 to heap.7" */
static void
add_dumps (PvSection *section, const PvProfile *profile)
{
    g_autofree char *text = NULL;

    if (profile->n_dumps == 0)
        return;
    /* Translators: how many dumps, the name of the first, the name of the last. */
    text = g_strdup_printf (_ ("%u, from %s to %s"), profile->n_dumps, profile->dumps[0].name,
                            profile->dumps[profile->n_dumps - 1].name);
    pv_section_add_fact (section, C_ ("fact", "Dumps"), text);
    if (!profile->has_dump_times)
        pv_section_add_fact (section, _ ("Times of dumps"),
                             _ ("unknown, only their order is known"));
}

/* "bytes (12), thread (4)": keys and how many values they have. */
static void
add_labels (PvSection *section, const PvFacetKeys *keys)
{
    GString *text = g_string_new (NULL);

    for (uint32_t i = 0; keys != NULL && i < keys->n_keys; i++) {
        g_autofree char *n_values = pv_format_amount (keys->keys[i].n_values, PV_UNIT_COUNT);
        if (keys->keys[i].by == PV_GROUP_LABEL)
            g_string_append_printf (text, "%s%s (%s)", text->len > 0 ? ", " : "", keys->keys[i].key,
                                    n_values);
    }
    pv_section_add_fact (section, C_ ("fact", "Labels"), text->str);
    g_string_free (text, TRUE);
}

/* Facts that only profiles of services and the like have. */
static void
add_origin (PvSummaryPage *self, const PvProfile *profile)
{
    const PvSourceSpec *spec = pv_document_get (self->base.document)->spec;
    const PvFacts *facts = &profile->facts;

    pv_section_add_fact (&self->sections[SECTION_FACTS], C_ ("fact", "Format"), facts->format);
    if (spec->url != NULL) {
        g_autofree char *url = pv_fetch_format_url (spec->url);
        pv_section_add_fact (&self->sections[SECTION_FACTS], _ ("Fetched from"), url);
    }
    add_dumps (&self->sections[SECTION_FACTS], profile);
    pv_section_add_fact (&self->sections[SECTION_FACTS], _ ("Sampled every"), facts->period);
    if (facts->profiled_ns > 0) {
        g_autofree char *duration = pv_format_amount (facts->profiled_ns, PV_UNIT_NS);
        pv_section_add_fact (&self->sections[SECTION_FACTS], _ ("Recorded for"), duration);
    }
    pv_section_add_fact (&self->sections[SECTION_FACTS], C_ ("fact", "Comment"), facts->comment);
    pv_section_add_link (&self->sections[SECTION_FACTS], C_ ("fact", "Documentation"),
                         facts->doc_url);
}

/* The plan of a recording made here is known. The file of perf has the command line too; others cut
 * it and lack variables. */
static void
add_recording (PvSummaryPage *self, const PvProfile *profile)
{
    const PvDocumentData *data = pv_document_get (self->base.document);
    double seconds;

    if (data->recording == NULL)
        return;
    seconds = pv_recording_get_figures (data->recording)->elapsed_seconds;
    if (pv_recorder_get (data->plan->kind)->cuts_command || profile->facts.command == NULL) {
        g_autofree char *command = pv_record_plan_format_command (data->plan);
        pv_section_add_fact (&self->sections[SECTION_FACTS], _ ("Recorded with"), command);
    }
    if (profile->facts.profiled_ns == 0 && seconds > 0 && !data->is_recording) {
        g_autofree char *shown = pv_format_amount ((uint64_t)(seconds * 1e9), PV_UNIT_NS);
        pv_section_add_fact (&self->sections[SECTION_FACTS], _ ("Recorded for"), shown);
    }
}

static void
add_moment (PvSection *section, const char *title, int64_t unix_s)
{
    g_autoptr (GDateTime) time = g_date_time_new_from_unix_local (unix_s);
    g_autofree char *shown = time != NULL ? g_date_time_format (time, "%c") : NULL;

    pv_section_add_fact (section, title, shown);
}

static void
show_facts (PvSummaryPage *self)
{
    const PvProfile *profile = pv_document_get (self->base.document)->answer->profile;
    const PvFacts *facts = &profile->facts;
    uint32_t n_processes, n_threads;
    g_autofree char *machine = NULL;
    g_autofree char *size = pv_format_amount (facts->size_bytes, PV_UNIT_BYTES);

    pv_section_clear (&self->sections[SECTION_FACTS]);
    adw_preferences_group_set_title (self->groups[SECTION_FACTS],
                                     pv_profile_has_sums (profile) ? C_ ("heading", "Recordings")
                                                                   : C_ ("heading", "Recording"));
    if (pv_profile_has_sums (profile)) {
        pv_compare_summary_add_files (&self->sections[SECTION_FACTS], self->base.document);
        pv_section_finish (&self->sections[SECTION_FACTS]);
        return;
    }
    add_origin (self, profile);
    pv_section_add_fact (&self->sections[SECTION_FACTS], C_ ("fact", "Command"), facts->command);
    if (pv_document_get (self->base.document)->recording == NULL)
        pv_section_add_fact (&self->sections[SECTION_FACTS], _ ("Recorded with"),
                             facts->recorded_with);
    add_recording (self, profile);
    if (facts->recorded_at > 0)
        add_moment (&self->sections[SECTION_FACTS], C_ ("fact", "Recorded"), facts->recorded_at);
    else if (facts->modified_at > 0)
        add_moment (&self->sections[SECTION_FACTS], _ ("File modified"), facts->modified_at);
    pv_section_add_fact (&self->sections[SECTION_FACTS], C_ ("fact", "Recorder"), facts->recorder);
    pv_section_add_fact (&self->sections[SECTION_FACTS], C_ ("fact", "Events"), facts->events);
    pv_section_add_fact (&self->sections[SECTION_FACTS], _ ("Call graph"), facts->call_graph);
    pv_section_add_fact (&self->sections[SECTION_FACTS], C_ ("fact", "Host"), facts->host);
    pv_section_add_fact (&self->sections[SECTION_FACTS], C_ ("fact", "Kernel"),
                         facts->kernel_release);
    if (facts->cpu != NULL && facts->n_cpus > 0)
        /* Translators: how many processors there are, and their model */
        machine = g_strdup_printf (_ ("%u × %s"), facts->n_cpus, facts->cpu);
    else
        machine = g_strdup (facts->cpu != NULL ? facts->cpu : facts->arch);
    pv_section_add_fact (&self->sections[SECTION_FACTS], C_ ("fact", "Processor"), machine);
    if (facts->memory_bytes > 0) {
        g_autofree char *memory = pv_format_amount (facts->memory_bytes, PV_UNIT_BYTES);
        pv_section_add_fact (&self->sections[SECTION_FACTS], C_ ("fact", "Memory"), memory);
    }
    pv_profile_count_threads (profile, &n_processes, &n_threads);
    add_count (&self->sections[SECTION_FACTS], C_ ("fact", "Processes"), n_processes);
    add_count (&self->sections[SECTION_FACTS], C_ ("fact", "Threads"), n_threads);
    add_labels (&self->sections[SECTION_FACTS], pv_document_get (self->base.document)->facet_keys);
    if (facts->size_bytes > 0)
        pv_section_add_fact (&self->sections[SECTION_FACTS], _ ("File size"), size);
    pv_section_finish (&self->sections[SECTION_FACTS]);
}

static void
on_top_activated (GtkListBox *list, GtkListBoxRow *row, PvSummaryPage *self)
{
    const PvAnswer *answer = pv_document_get (self->base.document)->answer;

    /* For a moment after a reload the rows belong to the functions before it. */
    if (answer->tree == NULL || answer->tree->symbols->store != self->top_store)
        return;
    if (answer->profile->heap != NULL)
        pv_document_set_measure (self->base.document,
                                 GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (row), "measure")));
    pv_document_select_function (self->base.document,
                                 GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (row), "function")));
    gtk_widget_activate_action (GTK_WIDGET (self), "win.page", "s", "list");
}

/* A group does not give away its list, but the rows are in it. */
static void
watch_top (PvSummaryPage *self, PvSection *section)
{
    GtkWidget *list;

    if (section->rows->len == 0)
        return;
    list = gtk_widget_get_parent (section->rows->pdata[0]);
    if (g_object_get_data (G_OBJECT (list), "watched") != NULL)
        return;
    g_object_set_data (G_OBJECT (list), "watched", list);
    g_signal_connect_object (list, "row-activated", G_CALLBACK (on_top_activated), self, 0);
}

static void
show_heap_tops (PvSummaryPage *self)
{
    for (unsigned i = 0; i < PV_HEAP_SUMMARY_N_TOPS; i++) {
        pv_section_clear (&self->sections[SECTION_HEAP + i]);
        if (self->heap != NULL)
            pv_heap_summary_add_top (&self->sections[SECTION_HEAP + i], self->heap, i);
        watch_top (self, &self->sections[SECTION_HEAP + i]);
        pv_section_finish (&self->sections[SECTION_HEAP + i]);
    }
}

static void
show_changes (PvSummaryPage *self)
{
    const PvDocumentData *data = pv_document_get (self->base.document);

    if (is_kept (self, &self->sections[SECTION_CHANGES], data->sums, PV_DERIVED_SUMS))
        return;
    pv_section_clear (&self->sections[SECTION_CHANGES]);
    if (data->answer->profile->compared != NULL) {
        pv_compare_summary_add_changes (&self->sections[SECTION_CHANGES], self->base.document);
        if (data->sums != NULL)
            self->top_store = data->sums->tree->symbols->store;
        watch_top (self, &self->sections[SECTION_CHANGES]);
    }
    pv_section_finish (&self->sections[SECTION_CHANGES]);
}

/* Not of a comparison: there, what changed counts. */
static void
show_top (PvSummaryPage *self)
{
    const PvDocumentData *data = pv_document_get (self->base.document);
    const PvAnswer *answer = data->answer;
    gboolean is_shown = answer->profile->heap == NULL && answer->profile->compared == NULL;
    const PvFunctions *functions = is_shown ? data->functions : NULL;

    if (is_shown && is_kept (self, &self->sections[SECTION_TOP], functions, PV_DERIVED_FUNCTIONS))
        return;
    if (self->heap != NULL)
        self->top_store = self->heap->tree->symbols->store;
    else if (functions != NULL)
        self->top_store = functions->tree->symbols->store;
    show_heap_tops (self);
    pv_section_clear (&self->sections[SECTION_TOP]);
    for (uint32_t i = 0; functions != NULL && i < MIN (functions->list->n_rows, MAX_TOP); i++) {
        const PvFunctionRow *function = &functions->list->rows[i];
        const PvFunction *name = &functions->tree->symbols->functions[function->function];
        GtkWidget *row;
        if (function->self == 0)
            break;
        row = pv_section_add_amount (
            &self->sections[SECTION_TOP], name->label, answer->profile->modules[name->module].name,
            function->self, functions->tree->total[0],
            (int)answer->profile->measures[functions->tree->query.measure].unit);
        g_object_set_data (G_OBJECT (row), "function", GUINT_TO_POINTER (function->function));
    }
    watch_top (self, &self->sections[SECTION_TOP]);
    pv_section_finish (&self->sections[SECTION_TOP]);
}

static void
show_stacks (PvSummaryPage *self)
{
    const PvStackQuality *quality = &self->quality;
    const PvDocumentData *data = pv_document_get (self->base.document);
    const PvProfile *profile = data->answer->profile;
    /* Each set of samples has stacks of its own. */
    const char *title = profile->n_sets > 1 && pv_profile_has_weights (profile, data->query.measure)
                            ? pv_measure_get_event_title (profile, data->query.measure)
                            : NULL;
    uint64_t whole =
        quality->n_complete + quality->n_truncated + quality->n_broken + quality->n_unknown;

    pv_section_clear (&self->sections[SECTION_STACKS]);
    pv_section_set_note (&self->sections[SECTION_STACKS], title);
    if (pv_stack_quality_is_known (quality) && !pv_profile_has_sums (profile)) {
        pv_section_add_share (&self->sections[SECTION_STACKS], C_ ("fact", "Complete"),
                              quality->n_complete, whole);
        pv_section_add_share (&self->sections[SECTION_STACKS], C_ ("fact", "Truncated"),
                              quality->n_truncated, whole);
        pv_section_add_share (&self->sections[SECTION_STACKS], C_ ("fact", "Broken"),
                              quality->n_broken, whole);
        if (quality->n_unknown > 0)
            pv_section_add_share (&self->sections[SECTION_STACKS], C_ ("fact", "Unknown"),
                                  quality->n_unknown, whole);
        if (quality->cause != NULL) {
            g_autofree char *cause =
                pv_summary_format_cause (quality->cause, quality->n_of_cause, whole);
            pv_section_add (&self->sections[SECTION_STACKS],
                            pv_text_row_new (cause, quality->advice));
        }
    }
    pv_section_finish (&self->sections[SECTION_STACKS]);
}

static const char *
describe_module_symbols (uint8_t state)
{
    switch (state) {
    case PV_MODULE_SYMBOLS_NAMES:
        return _ ("names, no lines");
    case PV_MODULE_SYMBOLS_NONE:
        return C_ ("symbols", "stripped");
    case PV_MODULE_SYMBOLS_MISSING:
        return _ ("file not found");
    case PV_MODULE_SYMBOLS_NOT_IN_BASE:
        return _ ("no names in the base");
    case PV_MODULE_SYMBOLS_NOT_IN_NEW:
        return _ ("no names on the new side");
    default:
        return NULL;
    }
}

/* Which files the notes above already tell of; g_free () it. */
static gboolean *
find_noted (const PvProfile *profile, const PvSymbolTable *symbols, gboolean *ret_is_any)
{
    gboolean *is_noted = g_new0 (gboolean, MAX (profile->n_modules, 1));

    *ret_is_any = FALSE;
    for (uint32_t i = 0; i < symbols->n_notes; i++) {
        PvNoteGroup group = pv_note_get_group (profile, &symbols->notes[i]);
        if (group == PV_NOTE_GROUP_NONE || group == PV_NOTE_GROUP_UNVERIFIED_BINARY ||
            group == PV_NOTE_GROUP_OTHER_FILE)
            continue;
        is_noted[symbols->notes[i].module] = TRUE;
        *ret_is_any = TRUE;
    }
    return is_noted;
}

static void
show_modules (PvSummaryPage *self)
{
    const PvAnswer *answer = pv_document_get (self->base.document)->answer;
    const PvSymbolTable *symbols = answer->symbols;
    gboolean is_any_noted;
    g_autofree gboolean *is_noted = find_noted (answer->profile, symbols, &is_any_noted);

    pv_section_clear (&self->sections[SECTION_MODULES]);
    adw_preferences_group_set_title (self->groups[SECTION_MODULES],
                                     is_any_noted ? _ ("Other Files Without Debug Information")
                                                  : _ ("Without Debug Information"));
    for (uint32_t i = 1; i < MIN (symbols->n_modules, answer->profile->n_modules); i++) {
        const PvModule *module = &answer->profile->modules[i];
        const char *state = describe_module_symbols (symbols->symbols_of_module[i]);
        GtkWidget *row, *header, *label;
        /* There is no debug information for the vdso. */
        if (state == NULL || module->kind != PV_MODULE_FILE || is_noted[i])
            continue;
        if (self->sections[SECTION_MODULES].rows->len == MAX_MODULES) {
            pv_section_add (&self->sections[SECTION_MODULES],
                            pv_title_row_new (_ ("… and more"), &header));
            break;
        }
        row = pv_name_row_new (module->name, module->path, &header);
        label = gtk_label_new (state);
        gtk_widget_add_css_class (label, "dim-label");
        gtk_box_append (GTK_BOX (header), label);
        pv_section_add (&self->sections[SECTION_MODULES], row);
    }
    pv_section_finish (&self->sections[SECTION_MODULES]);
}

static void
show_notes (PvSummaryPage *self)
{
    if (!pv_profile_has_sums (pv_document_get (self->base.document)->answer->profile)) {
        pv_summary_notes_show (&self->sections[SECTION_NOTES], self->base.document);
        return;
    }
    pv_section_clear (&self->sections[SECTION_NOTES]);
    pv_compare_summary_add_notes (&self->sections[SECTION_NOTES], self->base.document);
    pv_section_finish (&self->sections[SECTION_NOTES]);
}

static PvSection *
get_first_top (PvSummaryPage *self)
{
    if (self->sections[SECTION_CHANGES].rows->len > 0)
        return &self->sections[SECTION_CHANGES];
    return self->sections[SECTION_TOP].rows->len > 0 ? &self->sections[SECTION_TOP]
                                                     : &self->sections[SECTION_HEAP];
}

/* Gives the keyboard to the first of the rows below what stands out, which stays in view. */
static gboolean
focus_top (PvSummaryPage *self)
{
    GtkViewport *viewport = GTK_VIEWPORT (gtk_scrolled_window_get_child (self->scroller));
    gboolean has_focus;

    gtk_viewport_set_scroll_to_focus (viewport, FALSE);
    has_focus = gtk_widget_grab_focus (get_first_top (self)->rows->pdata[0]);
    gtk_viewport_set_scroll_to_focus (viewport, TRUE);
    return has_focus;
}

/* One section in each frame: laying out all at once takes up to 90 ms. */
static gboolean
fill_next_section (GtkWidget *widget, GdkFrameClock *clock, gpointer user)
{
    static void (*const fills[]) (PvSummaryPage * self) = {
        [FILL_CHANGES] = show_changes, [FILL_TOTALS] = show_totals, [FILL_NOTES] = show_notes,
        [FILL_TOP] = show_top,         [FILL_FACTS] = show_facts,   [FILL_MODULES] = show_modules,
    };
    PvSummaryPage *self = PV_SUMMARY_PAGE (widget);
    unsigned next = 0;

    while (next < N_FILLS && !self->is_wanted[next])
        next++;
    if (next == N_FILLS || pv_document_get (self->base.document)->state != PV_DOCUMENT_READY) {
        self->tick = 0;
        return G_SOURCE_REMOVE;
    }
    self->is_wanted[next] = FALSE;
    fills[next](self);
    if (self->wants_focus && get_first_top (self)->rows->len > 0)
        self->wants_focus = !focus_top (self);
    return G_SOURCE_CONTINUE;
}

static void
fill_sections (PvSummaryPage *self)
{
    if (self->tick == 0)
        self->tick =
            gtk_widget_add_tick_callback (GTK_WIDGET (self), fill_next_section, NULL, NULL);
}

/* Stack quality, in a worker as it visits all samples */

static gpointer
measure_quality (gpointer data, PvJob *job, GError **error)
{
    const PvAnswer *answer = data;
    const PvMeasure *measure = &answer->profile->measures[answer->query->measure];
    PvStackQuality *quality = g_new0 (PvStackQuality, 1);

    pv_stack_quality_measure (answer->profile, answer->symbols, measure->set, quality);
    return quality;
}

static void
request_quality (PvSummaryPage *self)
{
    const PvMeasure *measure = pv_document_get_measure (self->base.document);

    if (measure == NULL)
        return;
    if (measure->set == PV_NO_SET) {
        pv_task_cancel (self->quality_task);
        self->quality = (PvStackQuality){0};
        show_stacks (self);
        return;
    }
    pv_task_start (self->quality_task,
                   pv_answer_ref (pv_document_get (self->base.document)->answer));
}

static void
on_quality (gpointer owner, gpointer result, const GError *error)
{
    PvSummaryPage *self = owner;
    g_autofree PvStackQuality *quality = result;

    if (quality == NULL)
        return;
    self->quality = *quality;
    show_stacks (self);
}

/* Heap summary, in a worker */

static void
show_flame (PvSummaryPage *self)
{
    gtk_widget_activate_action (GTK_WIDGET (self), "win.page", "s", "flame");
}

static void
request_heap (PvSummaryPage *self)
{
    const PvAnswer *answer = pv_document_get (self->base.document)->answer;
    gboolean is_heap = answer->profile->heap != NULL;
    gboolean has_chart = is_heap || answer->profile->n_dumps > 0;

    gtk_widget_set_visible (GTK_WIDGET (self->chart_bin), has_chart);
    if (!is_heap) {
        pv_task_cancel (self->heap_task);
        pv_clear_later (&self->heap, pv_heap_summary_free);
    }
    if (has_chart && adw_bin_get_child (self->chart_bin) == NULL) {
        GtkWidget *area =
            g_object_new (PV_TYPE_CHART_AREA, "height-request", CHART_HEIGHT_PX, NULL);
        adw_bin_set_child (self->chart_bin, area);
        pv_view_set_document (PV_VIEW (area), self->base.document);
        pv_connect (area, "activated", show_flame, self);
    }
    if (is_heap && answer->tree != NULL && (self->heap == NULL || self->heap->tree != answer->tree))
        pv_task_start (self->heap_task, pv_call_tree_ref (answer->tree));
}

static void
on_heap (gpointer owner, gpointer result, const GError *error)
{
    PvSummaryPage *self = owner;

    if (result == NULL)
        return;
    pv_clear_later (&self->heap, pv_heap_summary_free);
    self->heap = result;
    self->is_wanted[FILL_TOTALS] = TRUE;
    self->is_wanted[FILL_TOP] = TRUE;
    fill_sections (self);
}

/* The document */

/* Fills only the sections that may have changed. */
static void
show_all (PvSummaryPage *self)
{
    const PvDocumentData *data = pv_document_get (self->base.document);
    const PvAnswer *answer = data->answer;
    gboolean is_profile_new = answer->profile != self->profile;
    gboolean are_symbols_new = is_profile_new || answer->symbols != self->symbols;

    if (data->state != PV_DOCUMENT_READY)
        return;
    request_heap (self);
    self->is_wanted[FILL_CHANGES] = TRUE;
    self->is_wanted[FILL_TOTALS] |=
        (is_profile_new && answer->profile->heap == NULL) || answer->profile->compared != NULL;
    self->is_wanted[FILL_FACTS] |= is_profile_new;
    self->is_wanted[FILL_NOTES] |= are_symbols_new;
    self->is_wanted[FILL_MODULES] |= are_symbols_new;
    self->is_wanted[FILL_TOP] |= answer->profile->heap == NULL;
    pv_clear_later (&self->profile, pv_profile_free);
    pv_clear_later (&self->symbols, pv_symbol_table_free);
    self->profile = pv_profile_ref (answer->profile);
    self->symbols = pv_symbol_table_ref (answer->symbols);
    fill_sections (self);
    request_quality (self);
}

/* Notes tell of files without anything; but not why there is nothing of what is asked for. */
static void
update_empty (PvSummaryPage *self)
{
    const PvEmptiness *emptiness = pv_document_get (self->base.document)->answer->emptiness;

    pv_empty_view_set_wanted (self->empty_view, emptiness != NULL && !emptiness->is_of_file);
}

static void
pv_summary_page_changed (PvView *view, guint what)
{
    PvSummaryPage *self = PV_SUMMARY_PAGE (view);

    self->is_wanted[FILL_FACTS] |= (what & PV_CHANGED_FACETS) != 0;
    if (what & PV_CHANGED_TREE)
        update_empty (self);
    if (what & (PV_CHANGED_STATE | PV_CHANGED_TREE | PV_CHANGED_PROGRESS | PV_CHANGED_RECORDING))
        pv_summary_findings_update (self->findings);
    if (what & (PV_CHANGED_FACETS | PV_CHANGED_STATE | PV_CHANGED_TREE | PV_CHANGED_FUNCTIONS |
                PV_CHANGED_COMPARISON))
        show_all (self);
}

/* Object */

static gboolean
pv_summary_page_grab_focus (GtkWidget *widget)
{
    PvSummaryPage *self = PV_SUMMARY_PAGE (widget);

    self->wants_focus = FALSE;
    if (gtk_widget_grab_focus (GTK_WIDGET (self->empty_view)))
        return TRUE;
    self->wants_focus = get_first_top (self)->rows->len == 0;
    return !self->wants_focus && focus_top (self);
}

static void
pv_summary_page_begin (PvView *view)
{
    PvSummaryPage *self = PV_SUMMARY_PAGE (view);

    pv_empty_view_set_wanted (self->empty_view, FALSE);
    pv_view_set_document (PV_VIEW (self->empty_view), view->document);
    self->findings = pv_summary_findings_new (GTK_WIDGET (self), &self->sections[SECTION_FINDINGS],
                                              view->document);
}

static void
pv_summary_page_end (PvView *view)
{
    PvSummaryPage *self = PV_SUMMARY_PAGE (view);

    if (self->tick != 0)
        gtk_widget_remove_tick_callback (GTK_WIDGET (self), self->tick);
    self->tick = 0;
    pv_clear_later (&self->profile, pv_profile_free);
    pv_clear_later (&self->symbols, pv_symbol_table_free);
    g_clear_pointer (&self->findings, pv_summary_findings_free);
    g_clear_pointer (&self->quality_task, pv_task_close);
    g_clear_pointer (&self->heap_task, pv_task_close);
    pv_clear_later (&self->heap, pv_heap_summary_free);
    for (unsigned i = 0; i < N_SECTIONS; i++)
        g_clear_pointer (&self->sections[i].rows, g_ptr_array_unref);
}

static void
pv_summary_page_class_init (PvSummaryPageClass *class)
{
    GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

    PV_VIEW_CLASS (class)->begin = pv_summary_page_begin;
    PV_VIEW_CLASS (class)->end = pv_summary_page_end;
    PV_VIEW_CLASS (class)->changed = pv_summary_page_changed;
    widget_class->grab_focus = pv_summary_page_grab_focus;
    PV_SET_TEMPLATE (widget_class, "summary-page", ADW_TYPE_BIN, ADW_TYPE_CLAMP,
                     ADW_TYPE_PREFERENCES_GROUP, PV_TYPE_EMPTY_VIEW);
    PV_BIND_CHILDREN (widget_class, PvSummaryPage, scroller, empty_view, columns_box, chart_bin,
                      add_button);
    PV_BIND_ARRAY (widget_class, PvSummaryPage, groups, "findings_group", "notes_group",
                   "changes_group", "top_group", "modules_group", "totals_group", "stacks_group",
                   "facts_group", "heap_group_0", "heap_group_1", "heap_group_2", "heap_group_3");
}

static void
pv_summary_page_init (PvSummaryPage *self)
{
    static const struct {
        unsigned section;
        const char *page, *name;
    } helps[] = {
        {SECTION_FINDINGS, PV_HELP ("findings"), N_ ("Help on what stands out")},
        {SECTION_STACKS, PV_HELP ("stacks"), N_ ("Help on stacks")},
        {SECTION_MODULES, PV_HELP ("names"), N_ ("Help on missing names")},
        {SECTION_CHANGES, PV_HELP ("compare"), N_ ("Help on comparisons")},
    };

    gtk_widget_init_template (GTK_WIDGET (self));
    pv_fold_add (GTK_WIDGET (self), GTK_WIDGET (self->columns_box), NARROW_WIDTH_PX, 360, NULL);
    for (unsigned i = 0; i < N_SECTIONS; i++)
        pv_section_init (&self->sections[i], self->groups[i]);
    for (unsigned i = 0; i < G_N_ELEMENTS (helps); i++)
        pv_section_set_help (&self->sections[helps[i].section], helps[i].page, _ (helps[i].name));
    pv_accessible_set_name (self->add_button, _ ("Add Folder…"));
    self->heap_task = pv_heap_summary_task_new (self, on_heap);
    self->quality_task =
        pv_task_new (self, measure_quality, (GDestroyNotify)pv_answer_unref, g_free, on_quality);
}
