#include "core/write/summary.h"

#include <glib/gi18n-lib.h>
#include <string.h>
#include <time.h>

#include "core/base/array.h"
#include "core/base/idmap.h"

typedef struct {
    const PvProfile *profile;
    const PvSymbolTable *symbols;
    const PvSummaryStacks *stacks; /* NULL for a heap, */
    const PvSummaryHeap *heap;     /* which else is NULL */
    uint64_t n_processes;
    uint64_t n_threads;
    PV_ARRAY (PvModuleId) modules; /* those with samples in them */
} Summary;

static const char *
unit_name (PvUnit unit)
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

static const char *
symbols_name (PvModuleSymbols state)
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
        break;
    }
    return "missing";
}

/* A thread that called exec has several rows and is one thread still. */
static void
count_threads (Summary *summary)
{
    const PvProfile *profile = summary->profile;
    PvIdMap threads = {0}, processes = {0};
    for (uint32_t s = 0; s < profile->n_sets; s++) {
        const PvSampleSet *set = &profile->sets[s];
        PvThreadId last = 0;
        for (uint32_t i = 0; i < set->n_samples; i++) {
            if (set->thread[i] == last)
                continue;
            last = set->thread[i];
            const PvThread *thread = &profile->threads[last];
            uint32_t pid = (uint32_t)profile->processes[thread->process].pid;
            *pv_id_map_slot (&threads, (uint64_t)pid << 32 | (uint32_t)thread->tid) = 1;
            *pv_id_map_slot (&processes, pid) = 1;
        }
    }
    summary->n_threads = threads.len;
    summary->n_processes = processes.len;
    pv_id_map_clear (&threads);
    pv_id_map_clear (&processes);
}

static void
init_summary (Summary *summary, const PvProfile *profile, const PvSymbolTable *symbols)
{
    *summary = (Summary){.profile = profile, .symbols = symbols};
    if (profile->heap == NULL) {
        count_threads (summary);
    } else {
        summary->n_processes = profile->n_processes - 1;
        summary->n_threads = profile->n_threads - 1;
    }
    g_autofree bool *is_used = g_new0 (bool, MAX (profile->n_modules, 1));
    for (PvLocationId l = 1; l < profile->n_locations; l++)
        is_used[profile->module_of_location[l]] = true;
    for (PvModuleId m = 1; m < profile->n_modules; m++) {
        if (is_used[m])
            pv_array_push (&summary->modules, m);
    }
}

static char *
build_id_text (const PvModule *module)
{
    GString *hex = g_string_new (NULL);
    for (unsigned i = 0; i < module->build_id_size && i < PV_BUILD_ID_MAX; i++)
        g_string_append_printf (hex, "%02x", module->build_id[i]);
    return g_string_free (hex, FALSE);
}

/* --- notes --- */

static const char *
severity_name (PvNoteSeverity severity)
{
    return severity == PV_NOTE_WARNING ? "warning" : "info";
}

typedef void (*NoteFunc) (const PvProfile *profile, const PvNote *note, void *user);

static void
for_each_note (const PvProfile *profile, const PvSymbolTable *symbols, NoteFunc func, void *user)
{
    for (uint32_t i = 0; i < profile->n_notes; i++)
        func (profile, &profile->notes[i], user);
    for (uint32_t i = 0; i < symbols->n_notes; i++)
        func (profile, &symbols->notes[i], user);
}

static const char *
module_of_note (const PvProfile *profile, const PvNote *note)
{
    return note->module != 0 ? profile->modules[note->module].path : NULL;
}

static void
add_note_row (const PvProfile *profile, const PvNote *note, void *user)
{
    pv_table_add_text (user, severity_name (note->severity));
    pv_table_add_text (user, module_of_note (profile, note));
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
    if (format == PV_FORMAT_TEXT) {
        for_each_note (profile, symbols, add_note_text, out);
        return;
    }
    const PvTableColumn columns[] = {{.id = "severity", .title = ""},
                                     {.id = "module", .title = ""},
                                     {.id = "text", .title = ""}};
    g_autoptr (PvTable) table = pv_table_new (columns, G_N_ELEMENTS (columns));
    for_each_note (profile, symbols, add_note_row, table);
    pv_table_append (table, format, out);
}

/* --- of a heap --- */

static uint64_t
get_peak_bytes (const PvHeap *heap)
{
    return (uint64_t)MAX (heap->peak_bytes, 0);
}

static uint64_t
get_peak_ns (const PvHeap *heap)
{
    return MIN (heap->peak_ms, UINT64_MAX / 1000000) * 1000000;
}

/* As tables count it: without what is suppressed. */
static uint64_t
get_total (const Summary *summary, PvMeasureId measure)
{
    const PvMeasure *row = &summary->profile->measures[measure];
    return row->heap == PV_HEAP_LEAKED ? summary->heap->leaked_bytes : row->total;
}

/* --- json --- */

static void
append_json_number (GString *out, const char *key, uint64_t value)
{
    g_string_append_printf (out, "  \"%s\": %" G_GUINT64_FORMAT ",\n", key, value);
}

static void
append_json_member (GString *out, const char *separator, const char *key, const char *value)
{
    g_string_append_printf (out, "%s\"%s\": ", separator, key);
    if (value != NULL)
        pv_json_append_string (out, value);
    else
        g_string_append (out, "null");
}

static void
append_json_measures (const Summary *summary, GString *out)
{
    const PvProfile *profile = summary->profile;
    g_string_append (out, "  \"measures\": [");
    for (uint32_t i = 0; i < profile->n_measures; i++) {
        const PvMeasure *measure = &profile->measures[i];
        append_json_member (out, i > 0 ? ",\n    {" : "\n    {", "name", measure->name);
        append_json_member (out, ", ", "unit", unit_name (measure->unit));
        g_string_append_printf (
            out, ", \"samples\": %" G_GUINT64_FORMAT ", \"total\": %" G_GUINT64_FORMAT "}",
            pv_profile_count_samples (profile, i), get_total (summary, i));
    }
    g_string_append (out, profile->n_measures > 0 ? "\n  ],\n" : "],\n");
}

static void
append_json_modules (const Summary *summary, GString *out)
{
    g_string_append (out, "  \"modules\": [");
    for (size_t i = 0; i < summary->modules.len; i++) {
        PvModuleId m = summary->modules.data[i];
        g_autofree char *build_id = build_id_text (&summary->profile->modules[m]);
        append_json_member (out, i > 0 ? ",\n    {" : "\n    {", "path",
                            summary->profile->modules[m].path);
        append_json_member (out, ", ", "build_id", *build_id != '\0' ? build_id : NULL);
        append_json_member (out, ", ", "debug_info",
                            symbols_name (summary->symbols->symbols_of_module[m]));
        g_string_append_c (out, '}');
    }
    g_string_append (out, summary->modules.len > 0 ? "\n  ],\n" : "],\n");
}

typedef struct {
    GString *out;
    unsigned n;
} JsonNotes;

static void
append_json_note (const PvProfile *profile, const PvNote *note, void *user)
{
    JsonNotes *notes = user;
    append_json_member (notes->out, notes->n++ > 0 ? ",\n    {" : "\n    {", "severity",
                        severity_name (note->severity));
    append_json_member (notes->out, ", ", "module", module_of_note (profile, note));
    append_json_member (notes->out, ", ", "text", note->text);
    g_string_append_c (notes->out, '}');
}

static void
append_json_heap (const Summary *summary, GString *out)
{
    const PvHeap *heap = summary->profile->heap;
    append_json_number (out, "allocations", heap->n_allocations);
    append_json_number (out, "temporary", heap->n_temporary);
    append_json_number (out, "allocated_bytes", heap->allocated_bytes);
    append_json_number (out, "leaked_bytes", summary->heap->leaked_bytes);
    append_json_number (out, "suppressed_bytes", summary->heap->suppressed_bytes);
    append_json_number (out, "peak_bytes", get_peak_bytes (heap));
    append_json_number (out, "peak_ns", get_peak_ns (heap));
    append_json_number (out, "peak_rss_bytes", heap->peak_rss_bytes);
    g_string_append_printf (out, "  \"is_exact\": %s,\n", heap->is_exact ? "true" : "false");
    g_string_append_printf (out, "  \"is_attached\": %s,\n", heap->is_attached ? "true" : "false");
}

static void
append_json_stacks (const PvSummaryStacks *stacks, GString *out)
{
    g_string_append_printf (out,
                            "  \"stacks\": {\"complete\": %" G_GUINT64_FORMAT
                            ", \"truncated\": %" G_GUINT64_FORMAT
                            ", \"unknown\": %" G_GUINT64_FORMAT "},\n",
                            stacks->n_complete, stacks->n_truncated, stacks->n_unknown);
}

static void
append_json (const Summary *summary, GString *out)
{
    const PvProfile *profile = summary->profile;
    g_string_append (out, "{\n");
    append_json_member (out, "  ", "format", profile->facts.format);
    g_string_append (out, ",\n");
    append_json_measures (summary, out);
    append_json_number (out, "samples", profile->n_samples);
    append_json_number (out, "lost", profile->n_lost);
    append_json_number (out, "skipped_records", profile->n_skipped_records);
    append_json_number (out, "processes", summary->n_processes);
    append_json_number (out, "threads", summary->n_threads);
    append_json_modules (summary, out);
    append_json_number (out, "start_ns", profile->start_ns);
    append_json_number (out, "duration_ns", profile->duration_ns);
    if (summary->heap != NULL) {
        append_json_heap (summary, out);
        g_string_append (out, "  \"stacks\": null,\n");
    } else {
        append_json_stacks (summary->stacks, out);
    }
    g_string_append (out, "  \"notes\": [");
    JsonNotes notes = {out, 0};
    for_each_note (profile, summary->symbols, append_json_note, &notes);
    g_string_append (out, notes.n > 0 ? "\n  ]\n}\n" : "]\n}\n");
}

/* --- text and tsv: rows of key and value --- */

typedef struct {
    PvTable *table;
    bool is_text;
} Facts;

/* key for scripts, title for people. */
static void
add_fact (Facts *facts, const char *key, const char *title, const char *value)
{
    if (value == NULL || *value == '\0')
        return;
    g_autofree char *line = g_strdup (value);
    if (facts->is_text)
        g_strdelimit (line, "\n", ' ');
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
add_recording (Facts *facts, const PvProfile *profile)
{
    const PvFacts *known = &profile->facts;
    add_fact (facts, "format", _ ("Format"), known->format);
    add_fact (facts, "command", _ ("Command"), known->command);
    if (known->recorded_at != 0) {
        g_autoptr (GDateTime) utc = g_date_time_new_from_unix_utc (known->recorded_at);
        g_autofree char *text =
            utc != NULL ? g_date_time_format (utc, "%Y-%m-%d %H:%M:%S UTC") : NULL;
        add_fact (facts, "recorded_at", _ ("Recorded"), text);
    }
    add_fact (facts, "host", _ ("Host"), known->host);
    add_fact (facts, "kernel", _ ("Kernel"), known->kernel_release);
    add_fact (facts, "arch", _ ("Architecture"), known->arch);
    add_fact (facts, "cpu", _ ("Processor"), known->cpu);
    add_if_any (facts, "cpus", _ ("Processors"), known->n_cpus, PV_UNIT_COUNT);
    add_if_any (facts, "memory_bytes", _ ("Memory"), known->memory_bytes, PV_UNIT_BYTES);
    add_fact (facts, "recorder", _ ("Recorder"), known->recorder);
    add_fact (facts, "events", _ ("Events"), known->events);
    add_fact (facts, "call_graph", _ ("Call graph"), known->call_graph);
    add_number (facts, "duration_ns", _ ("Duration"), profile->duration_ns, PV_UNIT_NS);
}

static void
add_counts (Facts *facts, const Summary *summary)
{
    const PvProfile *profile = summary->profile;
    add_number (facts, "samples",
                summary->heap == NULL ? _ ("Samples") : _ ("Stacks that allocate"),
                profile->n_samples, PV_UNIT_COUNT);
    add_if_any (facts, "lost", _ ("Lost"), profile->n_lost, PV_UNIT_COUNT);
    add_if_any (facts, "skipped_records", _ ("Skipped records"), profile->n_skipped_records,
                PV_UNIT_COUNT);
    add_if_any (facts, "processes", _ ("Processes"), summary->n_processes, PV_UNIT_COUNT);
    add_if_any (facts, "threads", _ ("Threads"), summary->n_threads, PV_UNIT_COUNT);
}

/* An amount for people with what they want to know beside it; a plain number for scripts. */
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
    g_autofree char *amount = pv_format_amount (value, (int)unit);
    g_autofree char *text = g_strdup_printf ("%s, %s", amount, explained);
    add_fact (facts, key, title, text);
}

static char *
format_rate (uint64_t amount, uint64_t duration_ms, PvUnit unit)
{
    uint64_t rate = (uint64_t)((double)amount * 1000 / (double)MAX (duration_ms, 1));
    return pv_format_amount (rate, (int)unit);
}

static void
add_heap_sums (Facts *facts, const PvHeap *heap)
{
    g_autofree char *calls = format_rate (heap->n_allocations, heap->duration_ms, PV_UNIT_COUNT);
    g_autofree char *bytes = format_rate (heap->allocated_bytes, heap->duration_ms, PV_UNIT_BYTES);
    g_autofree char *share = pv_format_percent (heap->n_temporary, heap->n_allocations);
    /* Translators: a number */
    add_explained (facts, "allocations", _ ("Allocations"), heap->n_allocations, PV_UNIT_COUNT,
                   _ ("%s per second"), calls);
    if (heap->is_exact)
        /* Translators: a share of all allocations */
        add_explained (facts, "temporary", _ ("Temporary"), heap->n_temporary, PV_UNIT_COUNT,
                       _ ("%s of the allocations"), share);
    else
        add_explained (facts, "temporary", _ ("Temporary"), heap->n_temporary, PV_UNIT_COUNT,
                       _ ("%s of the allocations, told by size and stack as heaptrack does"),
                       share);
    /* Translators: an amount of bytes */
    add_explained (facts, "allocated_bytes", _ ("Allocated"), heap->allocated_bytes, PV_UNIT_BYTES,
                   _ ("%s per second"), bytes);
}

static void
add_heap_levels (Facts *facts, const PvHeap *heap, const PvSummaryHeap *leaks)
{
    g_autofree char *peak_time = pv_format_amount (get_peak_ns (heap), PV_UNIT_NS);
    g_autofree char *suppressed = pv_format_amount (leaks->suppressed_bytes, PV_UNIT_BYTES);
    const char *leaked = heap->is_attached ? _ ("Not freed since attaching") : _ ("Leaked");
    /* Translators: a time */
    add_explained (facts, "peak_bytes", _ ("Peak"), get_peak_bytes (heap), PV_UNIT_BYTES,
                   _ ("at %s"), peak_time);
    if (leaks->suppressed_bytes > 0)
        /* Translators: an amount of bytes */
        add_explained (facts, "leaked_bytes", leaked, leaks->leaked_bytes, PV_UNIT_BYTES,
                       _ ("without %s that is suppressed"), suppressed);
    else
        add_number (facts, "leaked_bytes", leaked, leaks->leaked_bytes, PV_UNIT_BYTES);
    add_if_any (facts, "peak_rss_bytes", _ ("Peak of resident memory"), heap->peak_rss_bytes,
                PV_UNIT_BYTES);
    if (facts->is_text)
        return;
    add_number (facts, "suppressed_bytes", NULL, leaks->suppressed_bytes, PV_UNIT_BYTES);
    add_number (facts, "peak_ns", NULL, get_peak_ns (heap), PV_UNIT_NS);
    add_number (facts, "is_exact", NULL, heap->is_exact, PV_UNIT_COUNT);
    add_number (facts, "is_attached", NULL, heap->is_attached, PV_UNIT_COUNT);
}

static void
add_stacks (Facts *facts, const PvSummaryStacks *stacks)
{
    if (!facts->is_text) {
        add_number (facts, "stacks_complete", NULL, stacks->n_complete, PV_UNIT_COUNT);
        add_number (facts, "stacks_truncated", NULL, stacks->n_truncated, PV_UNIT_COUNT);
        add_number (facts, "stacks_unknown", NULL, stacks->n_unknown, PV_UNIT_COUNT);
        return;
    }
    uint64_t n = stacks->n_complete + stacks->n_truncated + stacks->n_unknown;
    g_autofree char *complete = pv_format_percent (stacks->n_complete, n);
    g_autofree char *truncated = pv_format_percent (stacks->n_truncated, n);
    g_autofree char *unknown = pv_format_percent (stacks->n_unknown, n);
    /* Translators: three shares of all stacks. */
    g_autofree char *text =
        g_strdup_printf (_ ("%s complete, %s truncated, %s unknown"), complete, truncated, unknown);
    add_fact (facts, NULL, _ ("Stacks"), text);
}

static void
append_facts (const Summary *summary, PvFormat format, GString *out)
{
    const PvTableColumn columns[] = {{.id = "key", .title = ""}, {.id = "value", .title = ""}};
    g_autoptr (PvTable) table = pv_table_new (columns, G_N_ELEMENTS (columns));
    Facts facts = {table, format == PV_FORMAT_TEXT};
    add_recording (&facts, summary->profile);
    add_counts (&facts, summary);
    if (summary->heap == NULL) {
        add_stacks (&facts, summary->stacks);
    } else {
        add_heap_sums (&facts, summary->profile->heap);
        add_heap_levels (&facts, summary->profile->heap, summary->heap);
    }
    if (format == PV_FORMAT_TSV) {
        pv_table_append (table, format, out);
        return;
    }
    g_autoptr (GString) text = g_string_new (NULL);
    pv_table_append (table, format, text);
    g_string_append (out, strchr (text->str, '\n') + 1); /* without the empty heading */
}

static void
append_measures (const Summary *summary, GString *out)
{
    const PvTableColumn columns[] = {
        {.id = "measure", .title = _ ("Measure")},
        {.id = "samples", .title = _ ("Samples"), .kind = PV_CELL_AMOUNT},
        {.id = "total", .title = _ ("Total"), .kind = PV_CELL_TEXT},
    };
    g_autoptr (PvTable) table = pv_table_new (columns, G_N_ELEMENTS (columns));
    for (uint32_t i = 0; i < summary->profile->n_measures; i++) {
        const PvMeasure *measure = &summary->profile->measures[i];
        g_autofree char *total = pv_format_amount (measure->total, (int)measure->unit);
        pv_table_add_text (table, measure->name);
        pv_table_add_number (table, pv_profile_count_samples (summary->profile, i));
        pv_table_add_text (table, total);
    }
    g_string_append_c (out, '\n');
    pv_table_append (table, PV_FORMAT_TEXT, out);
}

/* The functions that weigh most by each measure. */
static void
append_sites (const Summary *summary, GString *out)
{
    const PvTableColumn columns[] = {
        {.id = "measure", .title = _ ("Measure")}, {.id = "total", .title = _ ("Amount")},
        {.id = "share", .title = _ ("Share")},     {.id = "function", .title = _ ("Allocated in")},
        {.id = "module", .title = _ ("Module")},
    };
    g_autoptr (PvTable) table = pv_table_new (columns, G_N_ELEMENTS (columns));
    for (uint32_t i = 0; i < summary->heap->n_sites; i++) {
        const PvSummarySite *site = &summary->heap->sites[i];
        const PvMeasure *measure = &summary->profile->measures[site->measure];
        bool is_first = i == 0 || site[-1].measure != site->measure;
        g_autofree char *amount = pv_format_amount (site->weight, (int)measure->unit);
        g_autofree char *share =
            pv_format_percent (site->weight, get_total (summary, site->measure));
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
        return _ ("names");
    case PV_MODULE_SYMBOLS_NONE:
        return _ ("stripped");
    case PV_MODULE_SYMBOLS_PENDING:
    case PV_MODULE_SYMBOLS_MISSING:
        break;
    }
    return _ ("not found");
}

static void
append_modules (const Summary *summary, GString *out)
{
    const PvTableColumn columns[] = {
        {.id = "module", .title = _ ("Module")},
        {.id = "symbols", .title = _ ("Symbols")},
        {.id = "path", .title = _ ("Path")},
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

static void
append_text (const Summary *summary, GString *out)
{
    append_facts (summary, PV_FORMAT_TEXT, out);
    if (summary->stacks != NULL && summary->stacks->cause != NULL)
        g_string_append_printf (out, "%s%s%s\n", summary->stacks->cause,
                                summary->stacks->advice != NULL ? " " : "",
                                summary->stacks->advice != NULL ? summary->stacks->advice : "");
    if (summary->heap == NULL)
        append_measures (summary, out);
    else if (summary->heap->n_sites > 0)
        append_sites (summary, out);
    if (summary->modules.len > 0)
        append_modules (summary, out);
    if (summary->profile->n_notes + summary->symbols->n_notes > 0) {
        g_string_append_printf (out, "\n%s\n", _ ("Notes"));
        pv_write_notes (summary->profile, summary->symbols, PV_FORMAT_TEXT, out);
    }
}

void
pv_write_summary (const PvProfile *profile, const PvSymbolTable *symbols,
                  const PvSummaryStacks *stacks, const PvSummaryHeap *heap, PvFormat format,
                  GString *out)
{
    Summary summary;
    g_assert ((heap != NULL) == (profile->heap != NULL));
    init_summary (&summary, profile, symbols);
    summary.stacks = heap == NULL ? stacks : NULL;
    summary.heap = heap;
    switch (format) {
    case PV_FORMAT_JSON:
        append_json (&summary, out);
        break;
    case PV_FORMAT_TSV:
        append_facts (&summary, format, out);
        break;
    case PV_FORMAT_TEXT:
        append_text (&summary, out);
        break;
    }
    pv_array_clear (&summary.modules);
}
