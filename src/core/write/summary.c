/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/write/summary.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "core/model/profile/event-names.h"
#include "core/model/profile/labels.h"
#include "core/model/profile/note-groups.h"
#include "core/write/summary-private.h"

/* Commands and comments may be of any length; text shows this much. */
#define MAX_FACT_BYTES ((size_t)2000)

const char *
pv_summary_unit_name (PvUnit unit)
{
    switch (unit) {
    case PV_UNIT_NS:
        return "ns";
    case PV_UNIT_BYTES:
        return "bytes";
    case PV_UNIT_BYTE_MS:
        return "byte_ms";
    case PV_UNIT_COUNT:
        break;
    }
    return "count";
}

const char *
pv_summary_symbols_name (PvModuleSymbols state)
{
    switch (state) {
    case PV_MODULE_SYMBOLS_FULL:
        return "full";
    case PV_MODULE_SYMBOLS_NAMES:
        return "symbols";
    case PV_MODULE_SYMBOLS_NONE:
        return "none";
    case PV_MODULE_SYMBOLS_PENDING:
    case PV_MODULE_SYMBOLS_MISSING:
    case PV_MODULE_SYMBOLS_NOT_IN_BASE:
    case PV_MODULE_SYMBOLS_NOT_IN_NEW:
        break;
    }
    return "missing";
}

static void
init_summary (PvSummary *summary, const PvProfile *profile, const PvSymbolTable *symbols)
{
    *summary = (PvSummary){.profile = profile, .symbols = symbols};
    pv_profile_count_threads (profile, &summary->n_processes, &summary->n_threads);
    g_autofree bool *is_used = g_new0 (bool, MAX (profile->n_modules, 1));
    for (PvLocationId l = 1; l < profile->n_locations; l++)
        is_used[profile->module_of_location[l]] = true;
    for (PvModuleId m = 1; m < profile->n_modules; m++) {
        if (is_used[m])
            pv_array_push (&summary->modules, m);
    }
}

/* Notes */

const char *
pv_summary_severity_name (PvNoteSeverity severity)
{
    return severity == PV_NOTE_WARNING ? "warning" : "info";
}

void
pv_summary_each_note (const PvProfile *profile, const PvSymbolTable *symbols,
                      PvSummaryNoteFunc func, void *user)
{
    g_assert (profile != NULL);
    for (uint32_t i = 0; i < profile->n_notes; i++)
        func (profile, &profile->notes[i], user);
    for (uint32_t i = 0; i < symbols->n_notes; i++)
        func (profile, &symbols->notes[i], user);
}

const char *
pv_summary_module_of_note (const PvProfile *profile, const PvNote *note)
{
    return note->module != 0 ? profile->modules[note->module].path : NULL;
}

static void
add_note_row (const PvProfile *profile, const PvNote *note, void *user)
{
    pv_table_add_text (user, pv_summary_severity_name (note->severity));
    pv_table_add_text (user, pv_summary_module_of_note (profile, note));
    pv_table_add_text (user, note->text);
}

static void
add_note_text (const PvProfile *profile, const PvNote *note, void *user)
{
    GString *out = user;
    g_string_append_printf (out, "%s %s\n", note->severity == PV_NOTE_WARNING ? "!" : "-",
                            note->text);
}

void
pv_write_notes (const PvProfile *profile, const PvSymbolTable *symbols, PvFormat format,
                GString *out)
{
    g_assert (profile != NULL);
    if (format == PV_FORMAT_TEXT) {
        pv_summary_each_note (profile, symbols, add_note_text, out);
        return;
    }
    const PvTableColumn columns[] = {{.id = "severity", .title = ""},
                                     {.id = "module", .title = ""},
                                     {.id = "text", .title = ""}};
    g_autoptr (PvTable) table = pv_table_new (columns, G_N_ELEMENTS (columns));
    pv_summary_each_note (profile, symbols, add_note_row, table);
    pv_table_append (table, format, out);
}

enum { NAMES_PER_GROUP = 6 };

/* "! 7 files were not found: libc.so.6, shop, …. Their functions have no names." */
static void
append_note_group (const PvSummary *summary, PvNoteGroup group, unsigned n_files, GString *out)
{
    const PvProfile *profile = summary->profile;
    g_autofree char *title = pv_note_group_format_title (group, n_files);
    unsigned n_named = 0;
    g_string_append_printf (
        out, "%s %s", pv_note_group_get_severity (group) == PV_NOTE_WARNING ? "!" : "-", title);
    for (uint32_t i = 0; i < summary->symbols->n_notes && n_named < NAMES_PER_GROUP; i++) {
        const PvNote *note = &summary->symbols->notes[i];
        if (pv_note_get_group (profile, note) == group)
            g_string_append_printf (out, "%s%s", n_named++ == 0 ? ": " : ", ",
                                    profile->modules[note->module].name);
    }
    g_string_append_printf (out, "%s. %s\n", n_named < n_files ? ", …" : "",
                            pv_note_group_get_meaning (profile, group));
}

/* The notes of a summary: what they say of several files is said once. */
static void
append_notes (const PvSummary *summary, GString *out)
{
    const PvProfile *profile = summary->profile;
    const PvSymbolTable *symbols = summary->symbols;
    unsigned n_of_group[PV_N_NOTE_GROUPS] = {0};
    for (uint32_t i = 0; i < profile->n_notes; i++)
        add_note_text (profile, &profile->notes[i], out);
    for (uint32_t i = 0; i < symbols->n_notes; i++)
        n_of_group[pv_note_get_group (profile, &symbols->notes[i])]++;
    for (uint32_t i = 0; i < symbols->n_notes; i++) {
        PvNoteGroup group = pv_note_get_group (profile, &symbols->notes[i]);
        if (group == PV_NOTE_GROUP_NONE || n_of_group[group] == 1) {
            add_note_text (profile, &symbols->notes[i], out);
        } else if (n_of_group[group] > 1) {
            append_note_group (summary, group, n_of_group[group], out);
            n_of_group[group] = 0;
        }
    }
}

/* Heaps */

uint64_t
pv_summary_peak_bytes (const PvHeap *heap)
{
    return (uint64_t)MAX (heap->peak_bytes, 0);
}

uint64_t
pv_summary_peak_ns (const PvHeap *heap)
{
    return MIN (heap->peak_ms, UINT64_MAX / 1000000) * 1000000;
}

int64_t
pv_summary_total (const PvSummary *summary, PvMeasureId measure)
{
    g_assert (pv_profile_has_weights (summary->profile, measure));
    const PvMeasure *row = &summary->profile->measures[measure];
    if (row->part == PV_PART_BOTH)
        return pv_profile_net_total (summary->profile, measure);
    return (int64_t)(row->heap == PV_HEAP_LEAKED ? summary->heap->leaked_bytes : row->total);
}

/* Text and tsv: rows of key and value */

typedef struct {
    PvTable *table;
    bool is_text;
    GPtrArray *list; /* instead of the table; or NULL */
} Facts;

/* key is for scripts, title for people. */
static void
add_fact (Facts *facts, const char *key, const char *title, const char *value)
{
    if (value == NULL || *value == '\0')
        return;
    g_autofree char *line =
        facts->is_text ? pv_format_cut (value, MAX_FACT_BYTES) : g_strdup (value);
    if (facts->is_text)
        g_strdelimit (line, "\n", ' ');
    if (facts->list != NULL) {
        g_ptr_array_add (facts->list, g_strdup (title));
        g_ptr_array_add (facts->list, g_steal_pointer (&line));
        return;
    }
    pv_table_add_text (facts->table, facts->is_text ? title : key);
    pv_table_add_text (facts->table, line);
}

static void
add_number (Facts *facts, const char *key, const char *title, uint64_t value, PvUnit unit)
{
    g_autofree char *text = facts->is_text ? pv_format_amount (value, unit)
                                           : g_strdup_printf ("%" G_GUINT64_FORMAT, value);
    add_fact (facts, key, title, text);
}

static void
add_if_any (Facts *facts, const char *key, const char *title, uint64_t value, PvUnit unit)
{
    if (value > 0 || !facts->is_text)
        add_number (facts, key, title, value, unit);
}

static void
add_dumps (Facts *facts, const PvProfile *profile)
{
    if (!facts->is_text || profile->n_dumps == 0) {
        add_if_any (facts, "dumps", C_ ("fact", "Dumps"), profile->n_dumps, PV_UNIT_COUNT);
        return;
    }
    /* Translators: a number, and the names of the first and the last of so many files */
    g_autofree char *text =
        g_strdup_printf (_ ("%u, from %s to %s"), profile->n_dumps, profile->dumps[0].name,
                         profile->dumps[profile->n_dumps - 1].name);
    add_fact (facts, "dumps", C_ ("fact", "Dumps"), text);
}

/* "request (512 values), tenant (3 values)"; for scripts "label.tenant" and 3. */
static void
add_labels (Facts *facts, const PvProfile *profile)
{
    uint32_t n_keys;
    g_autofree PvLabelKey *keys = pv_labels_list_keys (profile, &n_keys);
    g_autoptr (GString) text = g_string_new (NULL);
    for (uint32_t i = 0; i < n_keys; i++) {
        if (facts->is_text) {
            g_string_append (text, i > 0 ? ", " : "");
            /* Translators: the name of a label, and how many different values it has */
            g_string_append_printf (
                text,
                g_dngettext (GETTEXT_PACKAGE, "%s (%u value)", "%s (%u values)", keys[i].n_values),
                keys[i].key, keys[i].n_values);
        } else {
            g_autofree char *key = g_strconcat ("label.", keys[i].key, NULL);
            add_number (facts, key, NULL, keys[i].n_values, PV_UNIT_COUNT);
        }
    }
    if (facts->is_text)
        add_fact (facts, NULL, C_ ("fact", "Labels"), text->str);
}

static void
add_moment (Facts *facts, const char *key, const char *title, int64_t unix_s)
{
    g_autoptr (GDateTime) utc = g_date_time_new_from_unix_utc (unix_s);
    g_autofree char *text = utc != NULL ? g_date_time_format (utc, "%Y-%m-%d %H:%M:%S UTC") : NULL;
    add_fact (facts, key, title, text);
}

static void
add_recording (Facts *facts, const PvProfile *profile)
{
    const PvFacts *known = &profile->facts;
    add_fact (facts, "format", C_ ("fact", "Format"), known->format);
    for (uint32_t i = 0; i < profile->n_joined; i++)
        add_fact (facts, "file", C_ ("column", "File"), profile->joined[i].name);
    add_fact (facts, "command", C_ ("fact", "Command"), known->command);
    add_fact (facts, "recorded_with", _ ("Recorded with"), known->recorded_with);
    if (known->recorded_at != 0)
        add_moment (facts, "recorded_at", C_ ("fact", "Recorded"), known->recorded_at);
    else if (known->modified_at != 0)
        add_moment (facts, "modified_at", _ ("File modified"), known->modified_at);
    add_fact (facts, "host", C_ ("fact", "Host"), known->host);
    add_fact (facts, "kernel", C_ ("fact", "Kernel"), known->kernel_release);
    add_fact (facts, "arch", C_ ("fact", "Architecture"), known->arch);
    add_fact (facts, "cpu", C_ ("fact", "Processor"), known->cpu);
    add_if_any (facts, "cpus", C_ ("fact", "Processors"), known->n_cpus, PV_UNIT_COUNT);
    add_if_any (facts, "memory_bytes", C_ ("fact", "Memory"), known->memory_bytes, PV_UNIT_BYTES);
    add_fact (facts, "recorder", C_ ("fact", "Recorder"), known->recorder);
    add_fact (facts, "events", C_ ("fact", "Events"), known->events);
    add_fact (facts, "call_graph", _ ("Call graph"), known->call_graph);
    add_if_any (facts, "duration_ns", C_ ("fact", "Duration"),
                pv_profile_known_duration_ns (profile), PV_UNIT_NS);
    add_if_any (facts, "profiled_ns", _ ("Profiled for"), known->profiled_ns, PV_UNIT_NS);
    add_fact (facts, "period", _ ("Sampled every"), known->period);
    add_fact (facts, "comment", C_ ("fact", "Comment"), known->comment);
    add_fact (facts, "doc_url", C_ ("fact", "Documentation"), known->doc_url);
    add_dumps (facts, profile);
    add_labels (facts, profile);
}

/* True if rows are samples. Those measured as a whole are not: only scripts get their number. */
static bool
has_samples (const PvProfile *profile)
{
    if (profile->heap != NULL)
        return true;
    for (PvMeasureId m = 0; m < profile->n_measures; m++)
        if (!pv_profile_is_exact (profile, m))
            return !pv_profile_has_only_distributions (profile);
    return false;
}

static void
add_counts (Facts *facts, const PvSummary *summary)
{
    const PvProfile *profile = summary->profile;
    if (facts->is_text && profile->n_distributions > 0)
        add_number (facts, "distributions", C_ ("fact", "Distributions"), profile->n_distributions,
                    PV_UNIT_COUNT);
    if (!pv_profile_has_sums (profile) && (!facts->is_text || has_samples (profile)))
        add_number (facts, "samples",
                    summary->heap == NULL ? C_ ("fact", "Samples") : _ ("Stacks that allocate"),
                    profile->n_samples, PV_UNIT_COUNT);
    add_if_any (facts, "lost", C_ ("fact", "Lost"), profile->n_lost, PV_UNIT_COUNT);
    add_if_any (facts, "skipped_records", _ ("Skipped records"), profile->n_skipped_records,
                PV_UNIT_COUNT);
    add_if_any (facts, "processes", C_ ("fact", "Processes"), summary->n_processes, PV_UNIT_COUNT);
    if (summary->heap == NULL)
        add_if_any (facts, "threads", C_ ("fact", "Threads"), summary->n_threads, PV_UNIT_COUNT);
}

/* An amount with an explanation for people; a plain number for scripts. */
G_GNUC_PRINTF (6, 7)
static void
add_explained (Facts *facts, const char *key, const char *title, uint64_t value, PvUnit unit,
               const char *format, ...)
{
    if (!facts->is_text) {
        add_number (facts, key, title, value, unit);
        return;
    }
    va_list args;
    va_start (args, format);
    g_autofree char *explained = g_strdup_vprintf (format, args);
    va_end (args);
    g_autofree char *amount = pv_format_amount (value, unit);
    g_autofree char *text = g_strdup_printf ("%s, %s", amount, explained);
    add_fact (facts, key, title, text);
}

static char *
format_rate (uint64_t amount, uint64_t duration_ms, PvUnit unit)
{
    uint64_t rate = (uint64_t)((double)amount * 1000 / (double)MAX (duration_ms, 1));
    return pv_format_amount (rate, unit);
}

static void
add_heap_sums (Facts *facts, const PvHeap *heap)
{
    g_autofree char *calls = format_rate (heap->n_allocations, heap->duration_ms, PV_UNIT_COUNT);
    g_autofree char *bytes = format_rate (heap->allocated_bytes, heap->duration_ms, PV_UNIT_BYTES);
    g_autofree char *share = pv_format_percent (heap->n_temporary, heap->n_allocations);
    /* Translators: a number */
    add_explained (facts, "allocations", C_ ("fact", "Allocations"), heap->n_allocations,
                   PV_UNIT_COUNT, _ ("%s per second"), calls);
    if (heap->is_exact)
        /* Translators: a share of all allocations */
        add_explained (facts, "temporary", C_ ("fact", "Temporary"), heap->n_temporary,
                       PV_UNIT_COUNT, _ ("%s of the allocations"), share);
    else
        add_explained (
            facts, "temporary", C_ ("fact", "Temporary"), heap->n_temporary, PV_UNIT_COUNT,
            _ ("%s of the allocations, matched by size and stack as heaptrack does"), share);
    /* Translators: an amount of bytes */
    add_explained (facts, "allocated_bytes", C_ ("fact", "Allocated"), heap->allocated_bytes,
                   PV_UNIT_BYTES, _ ("%s per second"), bytes);
}

static void
add_heap_levels (Facts *facts, const PvHeap *heap, const PvSummaryHeap *leaks)
{
    g_autofree char *peak_time = pv_format_amount (pv_summary_peak_ns (heap), PV_UNIT_NS);
    g_autofree char *suppressed = pv_format_amount (leaks->suppressed_bytes, PV_UNIT_BYTES);
    const char *leaked = heap->is_attached ? _ ("Not freed since attaching")
                         : heap->is_cut    ? _ ("Leaked so far")
                                           : C_ ("fact", "Leaked");
    const char *peak = heap->is_cut ? _ ("Peak so far") : C_ ("fact", "Peak");
    /* Translators: a time */
    add_explained (facts, "peak_bytes", peak, pv_summary_peak_bytes (heap), PV_UNIT_BYTES,
                   _ ("at %s"), peak_time);
    if (leaks->suppressed_bytes > 0)
        /* Translators: an amount of bytes */
        add_explained (facts, "leaked_bytes", leaked, leaks->leaked_bytes, PV_UNIT_BYTES,
                       _ ("excluding %s suppressed"), suppressed);
    else
        add_number (facts, "leaked_bytes", leaked, leaks->leaked_bytes, PV_UNIT_BYTES);
    add_if_any (facts, "peak_rss_bytes", _ ("Peak of resident memory"), heap->peak_rss_bytes,
                PV_UNIT_BYTES);
    if (facts->is_text)
        return;
    add_number (facts, "suppressed_bytes", NULL, leaks->suppressed_bytes, PV_UNIT_BYTES);
    add_number (facts, "peak_ns", NULL, pv_summary_peak_ns (heap), PV_UNIT_NS);
    add_number (facts, "is_exact", NULL, heap->is_exact, PV_UNIT_COUNT);
    add_number (facts, "is_attached", NULL, heap->is_attached, PV_UNIT_COUNT);
    add_number (facts, "is_cut", NULL, heap->is_cut, PV_UNIT_COUNT);
}

static void
add_stacks (Facts *facts, const PvProfile *profile, const PvSummaryStacks *stacks)
{
    if (!facts->is_text) {
        add_number (facts, "stacks_complete", NULL, stacks->all.n_complete, PV_UNIT_COUNT);
        add_number (facts, "stacks_truncated", NULL, stacks->all.n_truncated, PV_UNIT_COUNT);
        add_number (facts, "stacks_broken", NULL, stacks->all.n_broken, PV_UNIT_COUNT);
        add_number (facts, "stacks_unknown", NULL, stacks->all.n_unknown, PV_UNIT_COUNT);
        return;
    }
    const PvSummaryStackCounts *counts = &stacks->of_measure;
    if (!stacks->is_known)
        return; /* the format does not record it */
    uint64_t n = counts->n_complete + counts->n_truncated + counts->n_broken + counts->n_unknown;
    g_autofree char *complete = pv_format_percent (counts->n_complete, n);
    g_autofree char *truncated = pv_format_percent (counts->n_truncated, n);
    g_autofree char *broken = pv_format_percent (counts->n_broken, n);
    g_autofree char *unknown = pv_format_percent (counts->n_unknown, n);
    g_autofree char *text =
        counts->n_unknown > 0
            /* Translators: shares of all stacks. */
            ? g_strdup_printf (_ ("%s complete, %s truncated, %s broken, %s unknown"), complete,
                               truncated, broken, unknown)
            : g_strdup_printf (_ ("%s complete, %s truncated, %s broken"), complete, truncated,
                               broken);
    /* Translators: the stacks of the samples of a measure, such as CPU time. */
    g_autofree char *title =
        profile->n_sets > 1
            ? g_strdup_printf (_ ("Stacks of %s"),
                               pv_measure_get_event_title (profile, stacks->measure))
            : g_strdup (C_ ("heading", "Stacks"));
    add_fact (facts, NULL, title, text);
}

/* For scripts; people see them below the measures. */
static void
add_figures (Facts *facts, const PvSummary *summary)
{
    for (uint32_t i = 0; i < summary->n_figures; i++) {
        g_autofree char *key = g_strconcat ("derived.", summary->figures[i].name, NULL);
        add_fact (facts, key, NULL, summary->figures[i].plain);
    }
}

static void
add_facts (Facts *facts, const PvSummary *summary)
{
    add_recording (facts, summary->profile);
    add_counts (facts, summary);
    if (summary->stacks != NULL) {
        add_stacks (facts, summary->profile, summary->stacks);
    } else if (summary->heap != NULL) {
        add_heap_sums (facts, summary->profile->heap);
        add_heap_levels (facts, summary->profile->heap, summary->heap);
    }
}

static void
append_facts (const PvSummary *summary, PvFormat format, GString *out)
{
    const PvTableColumn columns[] = {{.id = "key", .title = ""}, {.id = "value", .title = ""}};
    g_autoptr (PvTable) table = pv_table_new (columns, G_N_ELEMENTS (columns));
    Facts facts = {table, format == PV_FORMAT_TEXT, NULL};
    add_facts (&facts, summary);
    if (pv_format_has_cells (format)) {
        add_figures (&facts, summary);
        pv_table_append (table, format, out);
        return;
    }
    g_autoptr (GString) text = g_string_new (NULL);
    pv_table_append (table, format, text);
    g_string_append (out, strchr (text->str, '\n') + 1); /* without the empty heading */
}

/* The dumps of a series that a total is of. */
static const char *
describe_dumps (const PvProfile *profile, PvAggregation aggregation)
{
    switch (aggregation) {
    case PV_AGGREGATION_STATE:
        return profile->main_dump + 1 < profile->n_dumps ? profile->dumps[profile->main_dump].name
                                                         : _ ("last dump");
    case PV_AGGREGATION_GROWTH:
    case PV_AGGREGATION_DECREASE:
    case PV_AGGREGATION_CHANGE:
        return _ ("first to last dump");
    case PV_AGGREGATION_SUM:
        break;
    }
    return _ ("all dumps");
}

/* "CPU time (cpu-clock:ppp)" */
static char *
make_title (const PvProfile *profile, PvMeasureId measure)
{
    const char *name = profile->measures[measure].name;
    const char *title = pv_measure_get_event_title (profile, measure);
    return strcmp (title, name) == 0 ? g_strdup (name) : g_strdup_printf ("%s (%s)", title, name);
}

static void
append_measures (const PvSummary *summary, GString *out)
{
    const bool is_joined = summary->profile->n_joined > 0;
    const bool is_series = summary->profile->n_dumps > 0;
    const bool is_sampled = !is_joined && has_samples (summary->profile);
    const PvTableColumn columns[] = {
        {.title = C_ ("column", "Measure")},
        {.title = is_joined ? C_ ("column", "File") : NULL},
        {.title = is_sampled ? C_ ("fact", "Samples") : NULL, .kind = PV_CELL_AMOUNT},
        {.title = C_ ("column", "Total")},
        {.title = is_series ? C_ ("column", "Of") : NULL},
    };
    const PvTextSink sink = {.text = out};
    g_autoptr (PvTable) table = pv_table_new (columns, G_N_ELEMENTS (columns));
    g_string_append_c (out, '\n');
    pv_table_begin (table, PV_FORMAT_TEXT, &sink);
    for (uint32_t i = 0; i < summary->profile->n_measures; i++) {
        const PvMeasure *measure = &summary->profile->measures[i];
        g_autofree char *total =
            measure->part == PV_PART_BOTH
                ? pv_format_signed_amount (pv_profile_net_total (summary->profile, i),
                                           measure->unit)
                : pv_format_amount (measure->total, measure->unit);
        g_autofree char *title = make_title (summary->profile, i);
        const PvJoinedFile *file = pv_profile_get_joined_file (summary->profile, i);
        pv_table_add_text (table, title);
        pv_table_add_text (table, file != NULL ? file->name : NULL);
        pv_table_add_number (table, pv_profile_count_samples (summary->profile, i));
        pv_table_add_text (table, total);
        pv_table_add_text (
            table, is_series ? describe_dumps (summary->profile, measure->aggregation) : NULL);
    }
    pv_table_end (table);
}

static void
append_figures (const PvSummary *summary, GString *out)
{
    const PvTableColumn columns[] = {{.id = "name", .title = _ ("Derived measure")},
                                     {.id = "value", .title = C_ ("column", "Value")}};
    g_autoptr (PvTable) table = pv_table_new (columns, G_N_ELEMENTS (columns));
    for (uint32_t i = 0; i < summary->n_figures; i++) {
        pv_table_add_text (table, summary->figures[i].title);
        pv_table_add_text (table, summary->figures[i].value);
    }
    g_string_append_c (out, '\n');
    pv_table_append (table, PV_FORMAT_TEXT, out);
}

/* The heaviest functions by each measure. */
static void
append_sites (const PvSummary *summary, GString *out)
{
    const PvTableColumn columns[] = {
        {.id = "measure", .title = C_ ("column", "Measure")},
        {.id = "total", .title = C_ ("column", "Amount")},
        {.id = "share", .title = C_ ("column", "Share")},
        {.id = "function", .title = _ ("Allocated in")},
        {.id = "module", .title = C_ ("column", "Module")},
    };
    g_autoptr (PvTable) table = pv_table_new (columns, G_N_ELEMENTS (columns));
    for (uint32_t i = 0; i < summary->heap->n_sites; i++) {
        const PvSummarySite *site = &summary->heap->sites[i];
        const PvMeasure *measure = &summary->profile->measures[site->measure];
        bool is_first = i == 0 || site[-1].measure != site->measure;
        g_autofree char *amount = pv_format_amount (site->weight, measure->unit);
        g_autofree char *share =
            pv_format_percent (site->weight, (double)pv_summary_total (summary, site->measure));
        pv_table_add_text (table, is_first ? measure->name : NULL);
        pv_table_add_text (table, amount);
        pv_table_add_text (table, share);
        pv_table_add_name (table, site->function, site->label);
        pv_table_add_text (table, site->module);
    }
    pv_table_set_max_width (table, summary->heap->max_width);
    g_string_append_c (out, '\n');
    pv_table_append (table, PV_FORMAT_TEXT, out);
}

static const char *
describe_symbols (PvModuleSymbols state)
{
    switch (state) {
    case PV_MODULE_SYMBOLS_FULL:
        return _ ("names, lines, inlined functions");
    case PV_MODULE_SYMBOLS_NAMES:
        return C_ ("symbols", "names");
    case PV_MODULE_SYMBOLS_NONE:
        return C_ ("symbols", "stripped");
    case PV_MODULE_SYMBOLS_NOT_IN_BASE:
        return _ ("no names in the base");
    case PV_MODULE_SYMBOLS_NOT_IN_NEW:
        return _ ("no names on the new side");
    case PV_MODULE_SYMBOLS_PENDING:
    case PV_MODULE_SYMBOLS_MISSING:
        break;
    }
    return _ ("not found");
}

static void
append_modules (const PvSummary *summary, GString *out)
{
    const PvTableColumn columns[] = {
        {.id = "module", .title = C_ ("column", "Module")},
        {.id = "symbols", .title = C_ ("column", "Symbols")},
        {.id = "path", .title = C_ ("column", "Path")},
    };
    g_autoptr (PvTable) table = pv_table_new (columns, G_N_ELEMENTS (columns));
    for (size_t i = 0; i < summary->modules.len; i++) {
        const PvModule *module = &summary->profile->modules[summary->modules.data[i]];
        pv_table_add_text (table, module->name);
        pv_table_add_text (
            table,
            describe_symbols (summary->symbols->symbols_of_module[summary->modules.data[i]]));
        pv_table_add_text (table, module->path);
    }
    g_string_append_c (out, '\n');
    pv_table_append (table, PV_FORMAT_TEXT, out);
}

char *
pv_summary_format_cause (const char *cause, uint64_t n_of_cause, uint64_t n_stacks)
{
    g_assert (cause != NULL);
    if (n_of_cause == 0)
        return g_strdup (cause);
    g_autofree char *share = pv_format_percent (n_of_cause, n_stacks);
    /* Translators: a share, then a sentence that says why these stacks are not complete. */
    return g_strdup_printf (_ ("%s of the stacks: %s"), share, cause);
}

static void
append_cause (const PvSummaryStacks *stacks, GString *out)
{
    const PvSummaryStackCounts *all = &stacks->all;
    g_autofree char *cause = pv_summary_format_cause (stacks->cause, stacks->n_of_cause,
                                                      all->n_complete + all->n_truncated +
                                                          all->n_broken + all->n_unknown);
    g_string_append_printf (out, "%s%s%s\n", cause, stacks->advice != NULL ? " " : "",
                            stacks->advice != NULL ? stacks->advice : "");
}

static void
append_text (const PvSummary *summary, GString *out)
{
    append_facts (summary, PV_FORMAT_TEXT, out);
    if (summary->stacks != NULL && summary->stacks->cause != NULL)
        append_cause (summary->stacks, out);
    if (summary->heap == NULL && !pv_profile_has_only_distributions (summary->profile))
        append_measures (summary, out);
    if (summary->heap == NULL && summary->n_figures > 0)
        append_figures (summary, out);
    if (summary->heap != NULL && summary->heap->n_sites > 0)
        append_sites (summary, out);
    if (summary->modules.len > 0)
        append_modules (summary, out);
    if (summary->profile->n_notes + summary->symbols->n_notes > 0) {
        g_string_append_printf (out, "\n%s\n", C_ ("heading", "Notes"));
        append_notes (summary, out);
    }
}

void
pv_write_summary (const PvProfile *profile, const PvSymbolTable *symbols,
                  const PvSummaryStacks *stacks, const PvSummaryHeap *heap,
                  const PvSummaryFigure *figures, uint32_t n_figures, PvFormat format, GString *out)
{
    g_assert (profile != NULL && (figures != NULL || n_figures == 0));
    PvSummary summary;
    g_assert ((heap != NULL) == (profile->heap != NULL));
    init_summary (&summary, profile, symbols);
    summary.stacks = heap == NULL ? stacks : NULL;
    summary.heap = heap;
    summary.figures = figures;
    summary.n_figures = n_figures;
    switch (format) {
    case PV_FORMAT_JSON:
        pv_summary_append_json (&summary, out);
        break;
    case PV_FORMAT_TSV:
    case PV_FORMAT_CSV:
        append_facts (&summary, format, out);
        break;
    case PV_FORMAT_TEXT:
        append_text (&summary, out);
        break;
    }
    pv_array_clear (&summary.modules);
}

char **
pv_summary_list_facts (const PvProfile *profile, const PvSymbolTable *symbols,
                       const PvSummaryStacks *stacks, const PvSummaryHeap *heap)
{
    g_assert (profile != NULL && (heap != NULL) == (profile->heap != NULL));
    PvSummary summary;
    Facts facts = {NULL, true, g_ptr_array_new ()};
    init_summary (&summary, profile, symbols);
    summary.stacks = heap == NULL ? stacks : NULL;
    summary.heap = heap;
    add_facts (&facts, &summary);
    g_ptr_array_add (facts.list, NULL);
    pv_array_clear (&summary.modules);
    return (char **)g_ptr_array_free (facts.list, FALSE);
}
