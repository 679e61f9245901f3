/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/analyze/columns/value.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "core/analyze/compare/compare-text.h"

/* Traces of heaps have a time stamp every ten milliseconds or so. */
enum { NS_PER_MS = 1000000, MIN_LIFETIME_MS = 10 };

static int64_t
get_delta (const PvChange *change)
{
    return (int64_t)(change->newer - change->base);
}

/* --- for people --- */

static char *
format_change (const PvValue *value)
{
    switch (value->show) {
    case PV_SHOW_PERCENT:
        return pv_compare_format_percent (value->change.base, value->change.newer);
    case PV_SHOW_BASE:
        return pv_format_amount (value->change.base, value->unit);
    case PV_SHOW_NEW:
        return pv_format_amount (value->change.newer, value->unit);
    case PV_SHOW_INTERVAL:
        return value->change.is_exact ? NULL
                                      : pv_compare_format_interval (
                                            value->change.low, value->change.high, value->unit);
    case PV_SHOW_LOW:
        return pv_format_signed_amount (value->change.low, value->unit);
    case PV_SHOW_HIGH:
        return pv_format_signed_amount (value->change.high, value->unit);
    default:
        return pv_format_signed_amount (get_delta (&value->change), value->unit);
    }
}

static char *
format_words (const PvValue *value)
{
    if (value->text == NULL || value->line == 0)
        return value->length > 0 ? g_strndup (value->text, value->length) : g_strdup (value->text);
    return g_strdup_printf ("%s:%u", value->text, value->line);
}

static char *
format_lifetime (uint64_t ms)
{
    if (ms > UINT64_MAX / NS_PER_MS)
        return NULL;
    return ms < MIN_LIFETIME_MS ? g_strdup (_ ("under 10 ms"))
                                : pv_format_amount (ms * NS_PER_MS, PV_UNIT_NS);
}

char *
pv_value_format (const PvValue *value)
{
    g_assert (value != NULL);
    switch (value->kind) {
    case PV_VALUE_NONE:
        break;
    case PV_VALUE_WORDS:
        return format_words (value);
    case PV_VALUE_FOLDED:
        return pv_call_tree_format_small (value->tree, value->amount);
    case PV_VALUE_LINE:
        return g_strdup_printf ("%u", value->line);
    case PV_VALUE_ADDRESS:
        return g_strdup_printf ("0x%" G_GINT64_MODIFIER "x", value->amount);
    case PV_VALUE_AMOUNT:
        return value->show == PV_SHOW_SHARE
                   ? pv_format_percent ((double)value->amount, (double)value->whole)
                   : pv_format_amount (value->amount, value->unit);
    case PV_VALUE_NET:
        return value->show == PV_SHOW_SHARE
                   ? pv_format_percent ((double)pv_value_get_net (value), (double)value->whole)
                   : pv_format_signed_amount (pv_value_get_net (value), value->unit);
    case PV_VALUE_CHANGE:
        return format_change (value);
    case PV_VALUE_FORMULA:
        return pv_formula_format (value->formula, value->number);
    case PV_VALUE_COUNT:
        return pv_format_count (value->amount);
    case PV_VALUE_LIFETIME:
        return format_lifetime (value->amount);
    case PV_VALUE_NOISE:
        return g_strdup (value->is_noise ? C_ ("change", "noise") : "");
    }
    return NULL;
}

/* --- for other programs --- */

static char *
format_two_digits (double part, double whole)
{
    char text[G_ASCII_DTOSTR_BUF_SIZE];
    return g_strdup (
        g_ascii_formatd (text, sizeof text, "%.2f", whole > 0 ? 100.0 * part / whole : 0));
}

static char *
format_plain_amount (uint64_t amount)
{
    return g_strdup_printf ("%" G_GUINT64_FORMAT, amount);
}

static char *
format_plain_net (int64_t net)
{
    return g_strdup_printf ("%" G_GINT64_FORMAT, net);
}

/* The percent of a row that is new is empty. */
static char *
format_plain_change (const PvValue *value)
{
    const PvChange *change = &value->change;
    switch (value->show) {
    case PV_SHOW_PERCENT:
        return change->base > 0
                   ? format_two_digits ((double)get_delta (change), (double)change->base)
                   : NULL;
    case PV_SHOW_BASE:
        return format_plain_amount (change->base);
    case PV_SHOW_NEW:
        return format_plain_amount (change->newer);
    case PV_SHOW_LOW:
        return format_plain_net (change->low);
    case PV_SHOW_HIGH:
        return format_plain_net (change->high);
    default:
        return format_plain_net (get_delta (change));
    }
}

char *
pv_value_format_plain (const PvValue *value)
{
    g_assert (value != NULL);
    switch (value->kind) {
    case PV_VALUE_AMOUNT:
        return value->show == PV_SHOW_SHARE
                   ? format_two_digits ((double)value->amount, (double)value->whole)
                   : format_plain_amount (value->amount);
    case PV_VALUE_NET:
        return value->show == PV_SHOW_SHARE
                   ? format_two_digits ((double)pv_value_get_net (value), (double)value->whole)
                   : format_plain_net (pv_value_get_net (value));
    case PV_VALUE_CHANGE:
        return format_plain_change (value);
    case PV_VALUE_FORMULA:
        return pv_formula_format_plain (value->number);
    case PV_VALUE_COUNT:
    case PV_VALUE_LIFETIME:
        return format_plain_amount (value->amount);
    case PV_VALUE_NOISE:
        return g_strdup (value->is_noise ? "true" : "false");
    case PV_VALUE_NONE:
    case PV_VALUE_WORDS:
    case PV_VALUE_FOLDED:
    case PV_VALUE_LINE:
    case PV_VALUE_ADDRESS:
        break;
    }
    return pv_value_format (value);
}

/* --- order --- */

static uint64_t
get_size (int64_t amount)
{
    return amount < 0 ? 0 - (uint64_t)amount : (uint64_t)amount;
}

/* The least that the change is, either way; 0 if it may be none. */
static uint64_t
find_sure_size (const PvChange *change)
{
    if (change->low <= 0 && change->high >= 0)
        return 0;
    return MIN (get_size (change->low), get_size (change->high));
}

static uint64_t
order_change (const PvValue *value)
{
    const PvChange *change = &value->change;
    switch (value->show) {
    case PV_SHOW_PERCENT:
        return pv_sort_key_order_value (change->base == 0 && change->newer == 0
                                            ? NAN
                                            : (double)change->newer / (double)change->base);
    case PV_SHOW_BASE:
        return change->base;
    case PV_SHOW_NEW:
        return change->newer;
    case PV_SHOW_INTERVAL:
        return find_sure_size (change);
    default:
        return get_size (get_delta (change));
    }
}

static const char *
keep_words (const PvValue *value, GStringChunk *texts)
{
    if (value->length == 0)
        return value->text;
    g_autofree char *copy = g_strndup (value->text, value->length);
    return g_string_chunk_insert_const (texts, copy);
}

void
pv_value_order (const PvValue *value, PvSortKey *key, GStringChunk *texts)
{
    g_assert (value != NULL && key != NULL);
    switch (value->kind) {
    case PV_VALUE_NONE:
    case PV_VALUE_FOLDED:
        break;
    case PV_VALUE_WORDS:
        key->text = keep_words (value, texts);
        key->line = value->line;
        break;
    case PV_VALUE_LINE:
        key->amount = value->line;
        break;
    case PV_VALUE_ADDRESS:
    case PV_VALUE_AMOUNT:
        key->amount = value->amount;
        break;
    case PV_VALUE_NET: /* the largest change first, up or down */
        key->amount = get_size (pv_value_get_net (value));
        break;
    case PV_VALUE_CHANGE:
        key->amount = order_change (value);
        break;
    case PV_VALUE_FORMULA:
        key->amount = pv_sort_key_order_value (value->number);
        break;
    case PV_VALUE_COUNT:
    case PV_VALUE_LIFETIME: /* 0 is more than not known */
        key->amount = value->amount + 1;
        break;
    case PV_VALUE_NOISE:
        key->amount = value->is_noise;
        break;
    }
}

bool
pv_value_is_zero (const PvValue *value)
{
    g_assert (value != NULL);
    switch (value->kind) {
    case PV_VALUE_NONE:
        return true;
    case PV_VALUE_AMOUNT:
        return value->amount == 0;
    case PV_VALUE_NET:
        return pv_value_get_net (value) == 0;
    case PV_VALUE_CHANGE:
        return value->show == PV_SHOW_BASE       ? value->change.base == 0
               : value->show == PV_SHOW_NEW      ? value->change.newer == 0
               : value->show >= PV_SHOW_INTERVAL ? false
                                                 : value->change.base == value->change.newer;
    default:
        return false;
    }
}
