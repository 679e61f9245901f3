/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/tables/mark-list.h"

#include <string.h>

#include "app/tables/sort-keys.h"
#include "core/base/format.h"

#define SIGN             ((uint64_t)1 << 63)
#define ROWS_PER_CHECK   1024
#define TIME_DECIMALS_MS 6

void
pv_mark_list_input_free (gpointer data)
{
    PvMarkListInput *input = data;
    pv_profile_free (input->profile);
    pv_symbol_table_free (input->symbols);
    pv_query_clear (&input->query);
    g_free (input->search);
    g_free (input);
}

PvMarkList *
pv_mark_list_ref (PvMarkList *list)
{
    g_atomic_int_inc (&list->ref_count);
    return list;
}

void
pv_mark_list_unref (gpointer data)
{
    PvMarkList *list = data;

    if (!g_atomic_int_dec_and_test (&list->ref_count))
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

/* Whether the thread or a field, as "name=value", has the text, which is folded. */
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

static void
sum_up (PvMarkList *list, guint number)
{
    const PvFields *fields = list->set->fields;

    if (number >= fields->n_fields)
        return;
    list->sum.is_signed = fields->fields[number].kind == PV_FIELD_SIGNED;
    for (uint32_t i = 0; i < list->n_rows; i++)
        pv_mark_sum_add (&list->sum, list->set, &fields->fields[number], list->samples[i]);
}

gpointer
pv_mark_list_build (gpointer data, PvJob *job, GError **error)
{
    PvMarkListInput *input = data;
    g_autoptr (PvMarks) marks =
        pv_marks_new (input->profile, input->symbols, &input->query, false, job, error);
    PvMarkList *list;

    if (marks == NULL)
        return NULL;
    list = g_new0 (PvMarkList, 1);
    list->ref_count = 1;
    list->profile = pv_profile_ref (input->profile);
    list->set = pv_profile_get_measure_set (list->profile, input->query.measure);
    if (collect (list, marks, input->search, job) &&
        sort (list, input->sort, input->is_descending, job)) {
        sum_up (list, input->sum_field);
        return list;
    }
    pv_mark_list_unref (list);
    return NULL;
}
