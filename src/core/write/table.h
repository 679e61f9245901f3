#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * Tables for people (aligned text), for scripts (tsv: tab separated with a header line, tabs,
 * newlines and backslashes in cells escaped) and for programs (json: an array of objects).
 */
typedef enum {
    PV_FORMAT_TEXT,
    PV_FORMAT_TSV,
    PV_FORMAT_JSON,
} PvFormat;

/* Appends a JSON string literal with quotes. */
void pv_json_append_string (GString *out, const char *string);

/* Amounts for people: "1.25 s", "437,001", "12.4 MiB". unit is a PvUnit. */
char *pv_format_amount (uint64_t amount, int unit);
char *pv_format_percent (uint64_t part, uint64_t whole); /* "48.2 %" */
