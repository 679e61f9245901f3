/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The summary for scripts. */
#include "core/model/profile/labels.h"
#include "core/write/escape.h"
#include "core/write/summary-private.h"

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
append_json_fact (GString *out, const char *key, const char *value)
{
    append_json_member (out, "  ", key, value);
    g_string_append (out, ",\n");
}

static void
append_json_sides (const PvProfile *profile, PvMeasureId measure, GString *out)
{
    const PvPair *pair = pv_profile_get_pair (profile, measure);
    if (pair == NULL)
        return;
    append_json_member (out, ", ", "base", profile->measures[pair->of_side[PV_SIDE_BASE]].name);
    append_json_member (out, ", ", "new", profile->measures[pair->of_side[PV_SIDE_NEW]].name);
}

static void
append_json_measures (const PvSummary *summary, GString *out)
{
    const PvProfile *profile = summary->profile;
    g_string_append (out, "  \"measures\": [");
    bool is_first = true;
    for (uint32_t i = 0; i < profile->n_measures; i++) {
        const PvMeasure *measure = &profile->measures[i];
        append_json_member (out, !is_first ? ",\n    {" : "\n    {", "name", measure->name);
        append_json_member (out, ", ", "unit", pv_summary_unit_name (measure->unit));
        if (measure->unit_name != NULL)
            append_json_member (out, ", ", "unit_name", measure->unit_name);
        if (profile->n_joined > 0)
            append_json_member (out, ", ", "file", pv_profile_get_joined_file (profile, i)->name);
        else
            g_string_append_printf (out, ", \"samples\": %" G_GUINT64_FORMAT,
                                    pv_profile_count_samples (profile, i));
        g_string_append_printf (out, ", \"total\": %" G_GINT64_FORMAT,
                                pv_summary_total (summary, i));
        append_json_sides (profile, i, out);
        g_string_append_c (out, '}');
        is_first = false;
    }
    g_string_append (out, profile->n_measures > 0 ? "\n  ],\n" : "],\n");
}

static void
append_json_figures (const PvSummary *summary, GString *out)
{
    g_string_append (out, "  \"derived\": {");
    for (uint32_t i = 0; i < summary->n_figures; i++) {
        g_string_append (out, i > 0 ? ", " : "");
        pv_json_append_string (out, summary->figures[i].name);
        g_string_append_printf (out, ": %s", summary->figures[i].plain);
    }
    g_string_append (out, "},\n");
}

static void
append_json_modules (const PvSummary *summary, GString *out)
{
    g_string_append (out, "  \"modules\": [");
    for (size_t i = 0; i < summary->modules.len; i++) {
        PvModuleId m = summary->modules.data[i];
        const PvModule *module = &summary->profile->modules[m];
        g_autoptr (GString) build_id = g_string_new (NULL);
        pv_append_hex (build_id, module->build_id, module->build_id_size);
        append_json_member (out, i > 0 ? ",\n    {" : "\n    {", "path", module->path);
        append_json_member (out, ", ", "build_id", build_id->len > 0 ? build_id->str : NULL);
        append_json_member (out, ", ", "debug_info",
                            pv_summary_symbols_name (summary->symbols->symbols_of_module[m]));
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
                        pv_summary_severity_name (note->severity));
    append_json_member (notes->out, ", ", "module", pv_summary_module_of_note (profile, note));
    append_json_member (notes->out, ", ", "text", note->text);
    g_string_append_c (notes->out, '}');
}

static void
append_json_dumps (const PvProfile *profile, GString *out)
{
    g_string_append (out, "  \"dumps\": [");
    for (uint32_t i = 0; i < profile->n_dumps; i++) {
        const PvDump *dump = &profile->dumps[i];
        append_json_member (out, i > 0 ? ",\n    {" : "\n    {", "name", dump->name);
        g_string_append_printf (
            out, ", \"time_ns\": %" G_GUINT64_FORMAT ", \"recorded_at\": %" G_GINT64_FORMAT "}",
            dump->time_ns, dump->recorded_at);
    }
    g_string_append (out, profile->n_dumps > 0 ? "\n  ],\n" : "],\n");
}

static void
append_json_labels (const PvProfile *profile, GString *out)
{
    uint32_t n_keys;
    g_autofree PvLabelKey *keys = pv_labels_list_keys (profile, &n_keys);
    g_string_append (out, "  \"labels\": [");
    for (uint32_t i = 0; i < n_keys; i++) {
        append_json_member (out, i > 0 ? ",\n    {" : "\n    {", "key", keys[i].key);
        g_string_append_printf (out, ", \"values\": %u}", keys[i].n_values);
    }
    g_string_append (out, n_keys > 0 ? "\n  ],\n" : "],\n");
}

static void
append_json_heap (const PvSummary *summary, GString *out)
{
    const PvHeap *heap = summary->profile->heap;
    append_json_number (out, "allocations", heap->n_allocations);
    append_json_number (out, "temporary", heap->n_temporary);
    append_json_number (out, "allocated_bytes", heap->allocated_bytes);
    append_json_number (out, "leaked_bytes", summary->heap->leaked_bytes);
    append_json_number (out, "suppressed_bytes", summary->heap->suppressed_bytes);
    append_json_number (out, "peak_bytes", pv_summary_peak_bytes (heap));
    append_json_number (out, "peak_ns", pv_summary_peak_ns (heap));
    append_json_number (out, "peak_rss_bytes", heap->peak_rss_bytes);
    g_string_append_printf (out, "  \"is_exact\": %s,\n", heap->is_exact ? "true" : "false");
    g_string_append_printf (out, "  \"is_attached\": %s,\n", heap->is_attached ? "true" : "false");
    g_string_append_printf (out, "  \"is_cut\": %s,\n", heap->is_cut ? "true" : "false");
}

static void
append_json_stacks (const PvSummaryStacks *stacks, GString *out)
{
    g_string_append_printf (out,
                            "  \"stacks\": {\"complete\": %" G_GUINT64_FORMAT
                            ", \"truncated\": %" G_GUINT64_FORMAT ", \"broken\": %" G_GUINT64_FORMAT
                            ", \"unknown\": %" G_GUINT64_FORMAT "},\n",
                            stacks->all.n_complete, stacks->all.n_truncated, stacks->all.n_broken,
                            stacks->all.n_unknown);
}

void
pv_summary_append_json (const PvSummary *summary, GString *out)
{
    g_assert (summary != NULL && out != NULL);
    const PvProfile *profile = summary->profile;
    g_string_append (out, "{\n");
    append_json_member (out, "  ", "format", profile->facts.format);
    g_string_append (out, ",\n");
    append_json_measures (summary, out);
    append_json_figures (summary, out);
    if (!pv_profile_has_sums (profile))
        append_json_number (out, "samples", profile->n_samples);
    append_json_number (out, "lost", profile->n_lost);
    append_json_number (out, "skipped_records", profile->n_skipped_records);
    append_json_number (out, "processes", summary->n_processes);
    if (summary->heap == NULL)
        append_json_number (out, "threads", summary->n_threads);
    else
        g_string_append (out, "  \"threads\": null,\n");
    append_json_modules (summary, out);
    append_json_number (out, "start_ns", profile->start_ns);
    append_json_number (out, "duration_ns", pv_profile_known_duration_ns (profile));
    if (summary->heap != NULL) {
        append_json_heap (summary, out);
        g_string_append (out, "  \"stacks\": null,\n");
    } else if (summary->stacks == NULL) {
        g_string_append (out, "  \"stacks\": null,\n");
    } else {
        append_json_stacks (summary->stacks, out);
    }
    append_json_fact (out, "command", profile->facts.command);
    append_json_fact (out, "recorded_with", profile->facts.recorded_with);
    append_json_number (out, "profiled_ns", profile->facts.profiled_ns);
    append_json_fact (out, "period", profile->facts.period);
    append_json_fact (out, "comment", profile->facts.comment);
    append_json_fact (out, "doc_url", profile->facts.doc_url);
    append_json_dumps (profile, out);
    append_json_labels (profile, out);
    g_string_append (out, "  \"notes\": [");
    JsonNotes notes = {out, 0};
    pv_summary_each_note (profile, summary->symbols, append_json_note, &notes);
    g_string_append (out, notes.n > 0 ? "\n  ]\n}\n" : "]\n}\n");
}
