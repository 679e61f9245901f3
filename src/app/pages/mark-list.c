/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/pages/mark-list.h"

#include <glib/gi18n.h>
#include <string.h>

#include "core/analyze/columns/sort-keys.h"
#include "core/analyze/tables/calls.h"
#include "core/base/idmap.h"
#include "core/base/ref.h"

#define SIGN             ((uint64_t)1 << 63)
#define ROWS_PER_CHECK   1024
#define TIME_DECIMALS_MS 6

void
pv_mark_list_input_free (gpointer data)
{
    PvMarkListInput *input = data;
    pv_call_tree_free (input->tree);
    g_free (input->search);
    g_free (input);
}

PV_DEFINE_REF (pv_mark_list_ref, PvMarkList, PvMarkList)

void
pv_mark_list_unref (gpointer data)
{
    PvMarkList *list = data;

    if (!pv_ref_was_last (list))
        return;
    pv_profile_free (list->profile);
    g_free (list->samples);
    g_free (list);
}

/* Cells */

static char *
make_field (const PvMarkList *list, guint number, uint32_t sample)
{
    const PvFields *fields = list->set->fields;
    size_t size;
    const uint8_t *data = pv_sample_set_get_record (list->set, sample, &size);
    GString *text;

    if (data == NULL || number >= fields->n_fields)
        return NULL;
    text = g_string_new (NULL);
    pv_field_append (text, &fields->fields[number], data, size, fields->swap);
    return g_string_free (text, FALSE);
}

char *
pv_mark_list_make_cell (const PvMarkList *list, guint number, gboolean is_plain, uint32_t sample)
{
    uint64_t time_ns;
    uint16_t cpu;

    g_assert (list != NULL && sample < list->set->n_samples);
    switch (number) {
    case PV_MARK_TIME:
        time_ns = pv_sample_set_time_ns (list->set, sample);
        time_ns -= MIN (list->profile->start_ns, time_ns);
        return is_plain ? g_strdup_printf ("%" G_GUINT64_FORMAT, time_ns)
                        : pv_format_decimals ((double)time_ns / 1e6, TIME_DECIMALS_MS);
    case PV_MARK_THREAD:
        return pv_format_thread (list->profile, pv_sample_set_thread (list->set, sample));
    case PV_MARK_CPU:
        cpu = pv_sample_set_cpu (list->set, sample);
        return cpu != PV_CPU_UNKNOWN ? g_strdup_printf ("%u", cpu) : NULL;
    default:
        return make_field (list, number - PV_MARK_FIELDS, sample);
    }
}

/* Rows */

/* True if the thread or a field, as "name=value", contains the text, which is case-folded. */
static gboolean
matches (const PvMarkList *list, uint32_t sample, const char *search)
{
    g_autofree char *thread = pv_mark_list_make_cell (list, PV_MARK_THREAD, FALSE, sample);
    g_autoptr (GString) text = g_string_new (thread);
    g_autofree char *folded = NULL;

    for (uint32_t f = 0; f < list->set->fields->n_fields; f++) {
        g_autofree char *value = make_field (list, f, sample);
        g_string_append_printf (text, "\n%s=%s", list->set->fields->fields[f].name,
                                value != NULL ? value : "");
    }
    folded = g_utf8_casefold (text->str, -1);
    return strstr (folded, search) != NULL;
}

/* FALSE when cancelled. */
static gboolean
collect (PvMarkList *list, PvMarks *marks, const char *search, PvJob *job)
{
    g_autoptr (GArray) samples = g_array_new (FALSE, FALSE, sizeof (uint32_t));
    g_autofree char *folded =
        search != NULL && *search != '\0' ? g_utf8_casefold (search, -1) : NULL;
    PvMark mark;

    for (uint32_t i = 1; pv_marks_next (marks, &mark); i++) {
        if (i % ROWS_PER_CHECK == 0 && pv_job_is_cancelled (job))
            return FALSE;
        if (folded == NULL || matches (list, mark.sample, folded))
            g_array_append_val (samples, mark.sample);
    }
    list->n_rows = samples->len;
    list->samples = (uint32_t *)(gpointer)g_array_free (g_steal_pointer (&samples), FALSE);
    return TRUE;
}

/* Numbers in the order of their values, everything else by its text. */
static void
fill_key (const PvMarkList *list, guint number, uint32_t sample, GStringChunk *texts,
          PvSortKey *key)
{
    const PvFields *fields = list->set->fields;
    const PvField *field = number >= PV_MARK_FIELDS && number - PV_MARK_FIELDS < fields->n_fields
                               ? &fields->fields[number - PV_MARK_FIELDS]
                               : NULL;
    size_t size = 0;
    const uint8_t *data = pv_sample_set_get_record (list->set, sample, &size);
    uint64_t value;

    *key = (PvSortKey){.key = sample};
    if (number == PV_MARK_TIME) {
        key->amount = pv_sample_set_time_ns (list->set, sample);
    } else if (number == PV_MARK_CPU) {
        key->amount = pv_sample_set_cpu (list->set, sample);
    } else if (field != NULL && data != NULL &&
               pv_field_get_number (field, data, size, fields->swap, &value)) {
        key->amount = field->kind == PV_FIELD_SIGNED ? value ^ SIGN : value;
    } else {
        g_autofree char *text = pv_mark_list_make_cell (list, number, FALSE, sample);
        key->text = text != NULL ? g_string_chunk_insert_const (texts, text) : NULL;
    }
}

static gboolean
sort (PvMarkList *list, guint number, gboolean is_descending, PvJob *job)
{
    g_autoptr (GStringChunk) texts = NULL;
    g_autofree PvSortKey *keys = NULL;

    if (number == PV_MARK_TIME && !is_descending)
        return TRUE; /* as they came */
    texts = g_string_chunk_new (4096);
    keys = g_new (PvSortKey, MAX (list->n_rows, 1));
    for (uint32_t i = 0; i < list->n_rows; i++) {
        if (i % ROWS_PER_CHECK == 0 && pv_job_is_cancelled (job))
            return FALSE;
        fill_key (list, number, list->samples[i], texts, &keys[i]);
    }
    pv_sort_keys (keys, list->n_rows, is_descending);
    for (uint32_t i = 0; i < list->n_rows; i++)
        list->samples[i] = keys[i].key;
    return TRUE;
}

/* Numbers */

/* Durations of system calls, by the thread and the time at which they begin, or end. */
typedef struct {
    const PvSampleSet *calls; /* NULL: no durations, or not wanted */
    PvIdMap call_of_key;      /* index + 1 */
} Durations;

gboolean
pv_mark_list_has_durations (const PvProfile *profile, PvMeasureId measure)
{
    const char *name =
        pv_profile_has_weights (profile, measure) ? profile->measures[measure].name : NULL;

    return name != NULL && pv_calls_find_measure (profile) != UINT32_MAX &&
           (strstr (name, ":sys_enter") != NULL || strstr (name, ":sys_exit") != NULL);
}

static uint64_t
make_key (PvThreadId thread, uint64_t time_ns)
{
    return time_ns * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15) + thread;
}

/* FALSE when cancelled. */
static gboolean
read_durations (Durations *durations, const PvMarkListInput *input, PvJob *job)
{
    const PvProfile *profile = input->tree->profile;
    bool at_end = strstr (profile->measures[input->measure].name, ":sys_exit") != NULL;
    const PvSampleSet *calls;

    if (input->sum_field != PV_MARK_DURATION ||
        !pv_mark_list_has_durations (profile, input->measure))
        return TRUE;
    calls = durations->calls =
        pv_profile_get_measure_set (profile, pv_calls_find_measure (profile));
    for (uint32_t i = 0; i < calls->n_samples; i++) {
        uint64_t time_ns = pv_sample_set_time_ns (calls, i);
        if (i % ROWS_PER_CHECK == 0 && pv_job_is_cancelled (job))
            return FALSE;
        *pv_id_map_slot (&durations->call_of_key,
                         make_key (pv_sample_set_thread (calls, i),
                                   time_ns + (at_end ? calls->duration_ns[i] : 0))) = i + 1;
    }
    return TRUE;
}

/* FALSE: the mark has no such number. */
static gboolean
find_number (const PvMarkList *list, guint number, const Durations *durations, uint32_t sample,
             uint64_t *ret_number)
{
    const PvFields *fields = list->set->fields;
    size_t size = 0;
    const uint8_t *data;
    uint32_t call;

    if (durations->calls != NULL) {
        call = pv_id_map_find (&durations->call_of_key,
                               make_key (pv_sample_set_thread (list->set, sample),
                                         pv_sample_set_time_ns (list->set, sample)));
        *ret_number = call != 0 ? durations->calls->duration_ns[call - 1] : 0;
        return call != 0;
    }
    data = pv_sample_set_get_record (list->set, sample, &size);
    return number < fields->n_fields && data != NULL &&
           pv_field_get_number (&fields->fields[number], data, size, fields->swap, ret_number);
}

/* A call that took no time is counted among the shortest. */
static uint32_t
find_bar (const PvMarkList *list, uint64_t number)
{
    if (list->sum.is_signed && (int64_t)number < 0)
        return PV_MARK_BAR_ZERO - 1 - (63 - (uint32_t)__builtin_clzll (0 - number));
    if (number == 0)
        return list->unit == PV_UNIT_NS ? PV_MARK_BAR_ZERO + 1 : PV_MARK_BAR_ZERO;
    return PV_MARK_BAR_ZERO + 1 + (63 - (uint32_t)__builtin_clzll (number));
}

static void
add_duration (PvMarkSum *sum, uint64_t duration_ns)
{
    sum->min = sum->n_marks == 0 ? duration_ns : MIN (sum->min, duration_ns);
    sum->max = MAX (sum->max, duration_ns);
    sum->is_too_large |= __builtin_add_overflow (sum->sum, duration_ns, &sum->sum);
    sum->n_marks++;
}

/* Fills the histogram, keeps the rows of a bar if one is wanted, and sums those up. FALSE when
 * cancelled. */
static gboolean
sum_up (PvMarkList *list, const PvMarkListInput *input, const Durations *durations, PvJob *job)
{
    const PvFields *fields = list->set->fields;
    guint number = input->sum_field;
    uint32_t n_kept = 0;

    list->unit = durations->calls != NULL ? PV_UNIT_NS : PV_UNIT_COUNT;
    list->sum.is_signed = durations->calls == NULL && number < fields->n_fields &&
                          fields->fields[number].kind == PV_FIELD_SIGNED;
    for (uint32_t i = 0; i < list->n_rows; i++) {
        uint32_t sample = list->samples[i], bar = PV_MARK_NO_BAR;
        uint64_t value;
        if (i % ROWS_PER_CHECK == 0 && pv_job_is_cancelled (job))
            return FALSE;
        if (find_number (list, number, durations, sample, &value)) {
            bar = find_bar (list, value);
            list->bars[bar]++;
        }
        if (input->bar != PV_MARK_NO_BAR && bar != input->bar)
            continue;
        list->samples[n_kept++] = sample;
        if (durations->calls != NULL && bar != PV_MARK_NO_BAR)
            add_duration (&list->sum, value);
        else if (durations->calls == NULL && number < fields->n_fields)
            pv_mark_sum_add (&list->sum, list->set, &fields->fields[number], sample);
    }
    list->n_rows = n_kept;
    return TRUE;
}

static char *
format_value (const PvMarkList *list, uint64_t magnitude, gboolean is_negative)
{
    g_autofree char *text = list->unit == PV_UNIT_NS ? pv_format_amount (magnitude, PV_UNIT_NS)
                                                     : pv_format_count (magnitude);

    return g_strconcat (is_negative ? "−" : "", text, NULL);
}

char *
pv_mark_list_format_edge (const PvMarkList *list, uint32_t bar)
{
    g_assert (list != NULL && bar < PV_MARK_BARS);
    if (bar == PV_MARK_BAR_ZERO)
        return format_value (list, 0, FALSE);
    if (bar < PV_MARK_BAR_ZERO)
        return format_value (list, UINT64_MAX >> bar, TRUE);
    return format_value (list, (uint64_t)1 << (bar - PV_MARK_BAR_ZERO - 1), FALSE);
}

char *
pv_mark_list_format_bar (const PvMarkList *list, uint32_t bar)
{
    g_autofree char *first = pv_mark_list_format_edge (list, bar);
    g_autofree char *last = NULL;
    gboolean is_negative = bar < PV_MARK_BAR_ZERO;
    uint64_t least = is_negative ? (uint64_t)1 << (PV_MARK_BAR_ZERO - 1 - bar) : 0;
    uint64_t most = bar > PV_MARK_BAR_ZERO ? UINT64_MAX >> (PV_MARK_BARS - 1 - bar) : 0;

    if (bar == PV_MARK_BAR_ZERO)
        return g_steal_pointer (&first);
    if (list->unit == PV_UNIT_NS && most < UINT64_MAX)
        most++; /* a time is below it */
    last = format_value (list, is_negative ? least : most, is_negative);
    if (strcmp (first, last) == 0)
        return g_steal_pointer (&first);
    /* Translators: a range of numbers or times */
    return g_strdup_printf (_ ("%s to %s"), first, last);
}

gpointer
pv_mark_list_build (gpointer data, PvJob *job, GError **error)
{
    PvMarkListInput *input = data;
    const PvCallTree *tree = input->tree;
    g_autoptr (PvMarks) marks = NULL;
    g_auto (PvQuery) query;
    Durations durations = {0};
    PvMarkList *list;
    gboolean is_done;

    pv_query_copy (&query, &tree->query);
    query.measure = input->measure;
    marks = pv_marks_new (tree->profile, tree->symbols, &query, false, job, error);
    if (marks == NULL)
        return NULL;
    list = g_new0 (PvMarkList, 1);
    list->ref_count = 1;
    list->profile = pv_profile_ref (tree->profile);
    list->set = pv_profile_get_measure_set (list->profile, input->measure);
    is_done = read_durations (&durations, input, job) &&
              collect (list, marks, input->search, job) && sum_up (list, input, &durations, job) &&
              sort (list, input->sort, input->is_descending, job);
    pv_id_map_clear (&durations.call_of_key);
    if (!is_done)
        g_clear_pointer (&list, pv_mark_list_unref);
    return list;
}
