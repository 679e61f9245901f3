#include "app/summary-page.h"

#include <adwaita.h>
#include <glib/gi18n.h>

#include "app/amount-cell.h"
#include "core/analyze/stack-quality.h"
#include "core/write/table.h"

#define MAX_TOP         12
#define MAX_MODULES     12
#define MAX_NOTES       5
#define MAX_VALUE_CHARS 240
#define NARROW_WIDTH_PX 820

typedef struct {
    AdwPreferencesGroup *group;
    GPtrArray *rows; /* what was added to the group */
} Section;

struct _PvSummaryPage {
    GtkWidget parent;

    PvDocument *document;
    GtkBox *columns_box;
    AdwPreferencesGroup *notes_group;
    AdwPreferencesGroup *top_group;
    AdwPreferencesGroup *modules_group;
    AdwPreferencesGroup *totals_group;
    AdwPreferencesGroup *stacks_group;
    AdwPreferencesGroup *facts_group;
    Section notes, top, modules, totals, stacks, facts;
    GtkWidget *more_notes; /* or NULL */
    unsigned n_more_notes;
    gboolean is_stale;
};

G_DEFINE_FINAL_TYPE (PvSummaryPage, pv_summary_page, GTK_TYPE_WIDGET)

/* Sections --------------------------------------------------------------------------------------
 */

static void
section_init (Section *section, AdwPreferencesGroup *group)
{
    section->group = group;
    section->rows = g_ptr_array_new ();
}

static void
section_clear (Section *section)
{
    for (unsigned i = 0; i < section->rows->len; i++)
        adw_preferences_group_remove (section->group, section->rows->pdata[i]);
    g_ptr_array_set_size (section->rows, 0);
}

static void
section_add (Section *section, GtkWidget *row)
{
    adw_preferences_group_add (section->group, row);
    g_ptr_array_add (section->rows, row);
}

/* A section without rows would be a title over nothing. */
static void
section_finish (Section *section)
{
    gtk_widget_set_visible (GTK_WIDGET (section->group), section->rows->len > 0);
}

static GtkWidget *
new_row (const char *title, const char *subtitle)
{
    GtkWidget *row = adw_action_row_new ();

    adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (row), FALSE);
    adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
    if (subtitle != NULL)
        adw_action_row_set_subtitle (ADW_ACTION_ROW (row), subtitle);
    return row;
}

static void
add_fact (Section *section, const char *title, const char *value)
{
    g_autofree char *shortened = NULL;
    GtkWidget *row, *label;

    if (value == NULL || *value == '\0')
        return;
    row = new_row (title, NULL);
    if (g_utf8_strlen (value, -1) > MAX_VALUE_CHARS) {
        g_autofree char *start = g_utf8_substring (value, 0, MAX_VALUE_CHARS);
        shortened = g_strconcat (start, "…", NULL);
    }
    label = gtk_label_new (shortened != NULL ? shortened : value);
    gtk_label_set_selectable (GTK_LABEL (label), TRUE);
    gtk_label_set_xalign (GTK_LABEL (label), 1);
    gtk_label_set_wrap (GTK_LABEL (label), TRUE);
    gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
    gtk_widget_set_hexpand (label, TRUE);
    gtk_widget_set_margin_top (label, 6);
    gtk_widget_set_margin_bottom (label, 6);
    gtk_widget_add_css_class (label, "dim-label");
    gtk_widget_add_css_class (label, "numeric");
    /* The label of a selectable value would take the focus from the row. */
    gtk_widget_set_focusable (label, FALSE);
    gtk_widget_add_css_class (row, "pv-fact");
    adw_action_row_add_suffix (ADW_ACTION_ROW (row), label);
    section_add (section, row);
}

/* Contents --------------------------------------------------------------------------------------
 */

static void
show_totals (PvSummaryPage *self)
{
    const PvProfile *profile = pv_document_get (self->document)->profile;

    section_clear (&self->totals);
    for (uint32_t i = 0; i < profile->n_measures; i++) {
        const PvMeasure *measure = &profile->measures[i];
        const PvSampleSet *set = &profile->sets[measure->set];
        g_autofree char *amount = pv_format_amount (measure->total, (int)measure->unit);
        g_autofree char *samples = pv_format_amount (set->n_samples, PV_UNIT_COUNT);
        g_autofree char *value = g_strdup_printf (
            g_dngettext (NULL, "%s in %s sample", "%s in %s samples", set->n_samples), amount,
            samples);
        add_fact (&self->totals, measure->name, value);
    }
    if (profile->duration_ns > 0) {
        g_autofree char *duration = pv_format_amount (profile->duration_ns, PV_UNIT_NS);
        add_fact (&self->totals, _ ("Duration"), duration);
    }
    if (profile->n_lost > 0) {
        g_autofree char *lost = pv_format_amount (profile->n_lost, PV_UNIT_COUNT);
        add_fact (&self->totals, _ ("Lost samples"), lost);
    }
    section_finish (&self->totals);
}

static void
show_facts (PvSummaryPage *self)
{
    const PvProfile *profile = pv_document_get (self->document)->profile;
    const PvFacts *facts = &profile->facts;
    g_autofree char *machine = NULL;
    g_autofree char *size = g_format_size (facts->size_bytes);
    g_autofree char *counts = NULL;

    section_clear (&self->facts);
    add_fact (&self->facts, _ ("Command"), facts->command);
    if (facts->recorded_at > 0) {
        g_autoptr (GDateTime) time = g_date_time_new_from_unix_local (facts->recorded_at);
        g_autofree char *shown = g_date_time_format (time, "%c");
        add_fact (&self->facts, _ ("Recorded"), shown);
    }
    add_fact (&self->facts, _ ("With"), facts->recorder);
    add_fact (&self->facts, _ ("Events"), facts->events);
    add_fact (&self->facts, _ ("Call graph"), facts->call_graph);
    add_fact (&self->facts, _ ("Host"), facts->host);
    add_fact (&self->facts, _ ("Kernel"), facts->kernel_release);
    if (facts->cpu != NULL && facts->n_cpus > 0)
        machine = g_strdup_printf (_ ("%u × %s"), facts->n_cpus, facts->cpu);
    else
        machine = g_strdup (facts->cpu != NULL ? facts->cpu : facts->arch);
    add_fact (&self->facts, _ ("Processor"), machine);
    if (facts->memory_bytes > 0) {
        g_autofree char *memory = pv_format_amount (facts->memory_bytes, PV_UNIT_BYTES);
        add_fact (&self->facts, _ ("Memory"), memory);
    }
    /* Row 0 of each table is "none". */
    counts = g_strdup_printf (_ ("%u processes, %u threads"), MAX (profile->n_processes, 1) - 1,
                              MAX (profile->n_threads, 1) - 1);
    add_fact (&self->facts, _ ("Seen"), counts);
    if (facts->size_bytes > 0)
        add_fact (&self->facts, _ ("File size"), size);
    section_finish (&self->facts);
}

static void
on_top_activated (AdwActionRow *row, PvSummaryPage *self)
{
    pv_document_select_function (self->document,
                                 GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (row), "function")));
    gtk_widget_activate_action (GTK_WIDGET (self), "win.page", "s", "functions");
}

static void
show_top (PvSummaryPage *self)
{
    const PvDocumentData *data = pv_document_get (self->document);
    const PvFunctions *functions = data->functions;

    section_clear (&self->top);
    for (uint32_t i = 0; functions != NULL && i < MIN (functions->list->n_rows, MAX_TOP); i++) {
        const PvFunctionRow *function = &functions->list->rows[i];
        const PvSymbolTable *symbols = functions->tree->symbols;
        const PvFunction *name = &symbols->functions[function->function];
        GtkWidget *row, *cell;
        if (function->self == 0)
            break;
        row = new_row (name->short_name, data->profile->modules[name->module].name);
        adw_action_row_set_title_lines (ADW_ACTION_ROW (row), 1);
        adw_action_row_set_subtitle_lines (ADW_ACTION_ROW (row), 1);
        cell = pv_amount_cell_new ();
        gtk_widget_set_size_request (cell, 170, -1);
        gtk_widget_set_valign (cell, GTK_ALIGN_CENTER);
        pv_amount_cell_set (PV_AMOUNT_CELL (cell), function->self, functions->tree->total[0],
                            (int)data->profile->measures[functions->tree->query.measure].unit);
        adw_action_row_add_suffix (ADW_ACTION_ROW (row), cell);
        gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row), TRUE);
        g_object_set_data (G_OBJECT (row), "function", GUINT_TO_POINTER (function->function));
        g_signal_connect (row, "activated", G_CALLBACK (on_top_activated), self);
        gtk_widget_add_css_class (row, "pv-top");
        section_add (&self->top, row);
    }
    section_finish (&self->top);
}

static void
add_share (Section *section, const char *title, uint64_t amount, uint64_t whole)
{
    GtkWidget *row, *cell;

    if (amount == 0)
        return;
    row = new_row (title, NULL);
    cell = pv_amount_cell_new ();
    gtk_widget_set_size_request (cell, 170, -1);
    gtk_widget_set_valign (cell, GTK_ALIGN_CENTER);
    pv_amount_cell_set (PV_AMOUNT_CELL (cell), amount, whole, PV_UNIT_COUNT);
    adw_action_row_add_suffix (ADW_ACTION_ROW (row), cell);
    section_add (section, row);
}

static void
show_stacks (PvSummaryPage *self)
{
    const PvDocumentData *data = pv_document_get (self->document);
    const PvMeasure *measure = pv_document_get_measure (self->document);
    PvStackQuality quality;
    uint64_t whole;

    section_clear (&self->stacks);
    if (measure == NULL)
        return;
    pv_stack_quality_measure (data->profile, data->symbols, measure->set, &quality);
    whole = quality.n_complete + quality.n_truncated + quality.n_unknown;
    if (whole > 0) {
        add_share (&self->stacks, _ ("Complete"), quality.n_complete, whole);
        add_share (&self->stacks, _ ("Truncated"), quality.n_truncated, whole);
        add_share (&self->stacks, _ ("Unknown"), quality.n_unknown, whole);
        if (quality.cause != NULL)
            section_add (&self->stacks, new_row (quality.cause, quality.advice));
    }
    section_finish (&self->stacks);
}

static const char *
describe_module_symbols (uint8_t state)
{
    switch (state) {
    case PV_MODULE_SYMBOLS_NAMES:
        return _ ("names only, no lines");
    case PV_MODULE_SYMBOLS_NONE:
        return _ ("stripped of names");
    case PV_MODULE_SYMBOLS_MISSING:
        return _ ("the file was not found");
    default:
        return NULL;
    }
}

static void
show_modules (PvSummaryPage *self)
{
    const PvDocumentData *data = pv_document_get (self->document);
    const PvSymbolTable *symbols = data->symbols;

    section_clear (&self->modules);
    for (uint32_t i = 1; i < MIN (symbols->n_modules, data->profile->n_modules); i++) {
        const PvModule *module = &data->profile->modules[i];
        const char *state = describe_module_symbols (symbols->symbols_of_module[i]);
        GtkWidget *row, *label;
        if (state == NULL || (module->kind != PV_MODULE_FILE && module->kind != PV_MODULE_VDSO))
            continue;
        if (self->modules.rows->len == MAX_MODULES) {
            section_add (&self->modules, new_row (_ ("… and more"), NULL));
            break;
        }
        row = new_row (module->name, module->path);
        adw_action_row_set_subtitle_lines (ADW_ACTION_ROW (row), 1);
        label = gtk_label_new (state);
        gtk_widget_add_css_class (label, "dim-label");
        adw_action_row_add_suffix (ADW_ACTION_ROW (row), label);
        section_add (&self->modules, row);
    }
    section_finish (&self->modules);
}

/* The button beside a note that does something about it. */
static GtkWidget *
make_remedy (PvNoteKind kind)
{
    GtkWidget *button;

    switch (kind) {
    case PV_NOTE_MISSING_BINARY:
    case PV_NOTE_MISSING_DEBUG_INFO:
    case PV_NOTE_CHANGED_BINARY:
    case PV_NOTE_OTHER_MACHINE:
        button = gtk_button_new_with_mnemonic (_ ("_Add Folder…"));
        gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                        _ ("Add Folder…"), -1);
        gtk_actionable_set_action_name (GTK_ACTIONABLE (button), "win.add-folder");
        break;
    default:
        return NULL;
    }
    gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
    return button;
}

static GtkWidget *
make_note_row (const PvNote *note)
{
    GtkWidget *row = new_row (note->text, NULL);
    GtkWidget *remedy = make_remedy (note->kind);
    GtkWidget *icon = gtk_image_new_from_icon_name (note->severity == PV_NOTE_WARNING
                                                        ? "dialog-warning-symbolic"
                                                        : "dialog-information-symbolic");
    if (note->severity == PV_NOTE_WARNING)
        gtk_widget_add_css_class (icon, "warning");
    adw_action_row_set_title_lines (ADW_ACTION_ROW (row), 0);
    adw_action_row_add_prefix (ADW_ACTION_ROW (row), icon);
    if (remedy != NULL)
        adw_action_row_add_suffix (ADW_ACTION_ROW (row), remedy);
    return row;
}

/* The first few notes are rows, the others are folded away in one. */
static void
add_notes (PvSummaryPage *self, const PvNote *notes, uint32_t n_notes, PvNoteSeverity severity)
{
    for (uint32_t i = 0; i < n_notes; i++) {
        if (notes[i].severity != severity)
            continue;
        if (self->notes.rows->len < MAX_NOTES) {
            section_add (&self->notes, make_note_row (&notes[i]));
            continue;
        }
        if (self->more_notes == NULL) {
            self->more_notes = adw_expander_row_new ();
            section_add (&self->notes, self->more_notes);
        }
        adw_expander_row_add_row (ADW_EXPANDER_ROW (self->more_notes), make_note_row (&notes[i]));
        self->n_more_notes++;
    }
}

static void
show_notes (PvSummaryPage *self)
{
    static const PvNoteSeverity severities[] = {PV_NOTE_WARNING, PV_NOTE_INFO};
    const PvDocumentData *data = pv_document_get (self->document);

    section_clear (&self->notes);
    self->more_notes = NULL;
    self->n_more_notes = 0;
    /* What is missing from the picture first. */
    for (unsigned i = 0; i < G_N_ELEMENTS (severities); i++) {
        add_notes (self, data->profile->notes, data->profile->n_notes, severities[i]);
        add_notes (self, data->symbols->notes, data->symbols->n_notes, severities[i]);
    }
    if (self->more_notes != NULL) {
        g_autofree char *title = g_strdup_printf (
            g_dngettext (NULL, "%u more", "%u more", self->n_more_notes), self->n_more_notes);
        adw_preferences_row_set_title (ADW_PREFERENCES_ROW (self->more_notes), title);
    }
    section_finish (&self->notes);
}

static void
show_all (PvSummaryPage *self)
{
    self->is_stale = FALSE;
    if (pv_document_get (self->document)->state != PV_DOCUMENT_READY)
        return;
    show_notes (self);
    show_top (self);
    show_modules (self);
    show_totals (self);
    show_stacks (self);
    show_facts (self);
}

static void
on_document_changed (PvSummaryPage *self, guint what)
{
    if (!(what & (PV_CHANGED_STATE | PV_CHANGED_TREE | PV_CHANGED_SYMBOLS | PV_CHANGED_FUNCTIONS)))
        return;
    self->is_stale = TRUE;
    if (!gtk_widget_get_mapped (GTK_WIDGET (self)))
        return;
    if (what == PV_CHANGED_FUNCTIONS)
        show_top (self);
    else
        show_all (self);
}

/* Object ----------------------------------------------------------------------------------------
 */

static void
pv_summary_page_map (GtkWidget *widget)
{
    PvSummaryPage *self = PV_SUMMARY_PAGE (widget);

    if (self->is_stale)
        show_all (self);
    GTK_WIDGET_CLASS (pv_summary_page_parent_class)->map (widget);
}

static gboolean
fold_columns (gpointer user)
{
    PvSummaryPage *self = user;
    gboolean is_narrow = gtk_widget_get_width (GTK_WIDGET (self)) < NARROW_WIDTH_PX;

    if (self->document != NULL)
        gtk_orientable_set_orientation (GTK_ORIENTABLE (self->columns_box),
                                        is_narrow ? GTK_ORIENTATION_VERTICAL
                                                  : GTK_ORIENTATION_HORIZONTAL);
    return G_SOURCE_REMOVE;
}

static gboolean
pv_summary_page_grab_focus (GtkWidget *widget)
{
    PvSummaryPage *self = PV_SUMMARY_PAGE (widget);
    return self->top.rows->len > 0 && gtk_widget_grab_focus (self->top.rows->pdata[0]);
}

/* Two columns side by side, one above the other where that is too narrow. Orientation must not
 * change within an allocation, so it changes right after. */
static void
pv_summary_page_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
    PvSummaryPage *self = PV_SUMMARY_PAGE (widget);
    gboolean was_narrow = gtk_orientable_get_orientation (GTK_ORIENTABLE (self->columns_box)) ==
                          GTK_ORIENTATION_VERTICAL;

    if (was_narrow != (width < NARROW_WIDTH_PX))
        g_idle_add_full (G_PRIORITY_HIGH_IDLE, fold_columns, g_object_ref (self), g_object_unref);
    gtk_widget_size_allocate (gtk_widget_get_first_child (widget),
                              &(GtkAllocation){0, 0, width, height}, baseline);
}

static void
pv_summary_page_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum,
                         int *natural, int *minimum_baseline, int *natural_baseline)
{
    gtk_widget_measure (gtk_widget_get_first_child (widget), orientation, for_size, minimum,
                        natural, minimum_baseline, natural_baseline);
    /* It folds before it would need the width of two columns. */
    if (orientation == GTK_ORIENTATION_HORIZONTAL)
        *minimum = MIN (*minimum, 360);
}

static void
pv_summary_page_dispose (GObject *object)
{
    PvSummaryPage *self = PV_SUMMARY_PAGE (object);
    Section *sections[] = {&self->notes,  &self->top,    &self->modules,
                           &self->totals, &self->stacks, &self->facts};
    GtkWidget *child;

    while ((child = gtk_widget_get_first_child (GTK_WIDGET (self))) != NULL)
        gtk_widget_unparent (child);
    for (unsigned i = 0; i < G_N_ELEMENTS (sections); i++)
        g_clear_pointer (&sections[i]->rows, g_ptr_array_unref);
    g_clear_object (&self->document);
    G_OBJECT_CLASS (pv_summary_page_parent_class)->dispose (object);
}

static void
pv_summary_page_class_init (PvSummaryPageClass *class)
{
    GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

    G_OBJECT_CLASS (class)->dispose = pv_summary_page_dispose;
    widget_class->map = pv_summary_page_map;
    widget_class->size_allocate = pv_summary_page_size_allocate;
    widget_class->measure = pv_summary_page_measure;
    widget_class->grab_focus = pv_summary_page_grab_focus;
    g_type_ensure (ADW_TYPE_CLAMP);
    g_type_ensure (ADW_TYPE_PREFERENCES_GROUP);
    gtk_widget_class_set_template_from_resource (widget_class,
                                                 "/org/profview/Profview/summary-page.ui");
    gtk_widget_class_bind_template_child (widget_class, PvSummaryPage, columns_box);
    gtk_widget_class_bind_template_child (widget_class, PvSummaryPage, notes_group);
    gtk_widget_class_bind_template_child (widget_class, PvSummaryPage, top_group);
    gtk_widget_class_bind_template_child (widget_class, PvSummaryPage, modules_group);
    gtk_widget_class_bind_template_child (widget_class, PvSummaryPage, totals_group);
    gtk_widget_class_bind_template_child (widget_class, PvSummaryPage, stacks_group);
    gtk_widget_class_bind_template_child (widget_class, PvSummaryPage, facts_group);
}

static void
pv_summary_page_init (PvSummaryPage *self)
{
    gtk_widget_init_template (GTK_WIDGET (self));
    section_init (&self->notes, self->notes_group);
    section_init (&self->top, self->top_group);
    section_init (&self->modules, self->modules_group);
    section_init (&self->totals, self->totals_group);
    section_init (&self->stacks, self->stacks_group);
    section_init (&self->facts, self->facts_group);
}

GtkWidget *
pv_summary_page_new (PvDocument *document)
{
    PvSummaryPage *self = g_object_new (PV_TYPE_SUMMARY_PAGE, NULL);

    self->document = g_object_ref (document);
    self->is_stale = TRUE;
    g_signal_connect_object (document, "changed", G_CALLBACK (on_document_changed), self,
                             G_CONNECT_SWAPPED);
    return GTK_WIDGET (self);
}
