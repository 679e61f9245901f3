/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "core/model/profile/profile.h"
#include "core/write/table.h"

/* 12345678 as "12,345,678". */
static char *
group_digits (uint64_t number)
{
    g_autofree char *digits = g_strdup_printf ("%" G_GUINT64_FORMAT, number);
    GString *grouped = g_string_new (NULL);
    size_t n = strlen (digits);
    for (size_t i = 0; i < n; i++) {
        if (i > 0 && (n - i) % 3 == 0)
            g_string_append_c (grouped, ',');
        g_string_append_c (grouped, digits[i]);
    }
    return g_string_free (grouped, FALSE);
}

typedef struct {
    double size;
    const char *name;
} Scale;

/* Three significant digits in the largest unit that leaves one before the point. */
static char *
scale_amount (uint64_t amount, const Scale *scales, size_t n_scales, const char *base)
{
    for (size_t i = 0; i < n_scales; i++) {
        if ((double)amount < scales[i].size)
            continue;
        double scaled = (double)amount / scales[i].size;
        int decimals = scaled < 10 ? 2 : scaled < 100 ? 1 : 0;
        return g_strdup_printf ("%.*f %s", decimals, scaled, scales[i].name);
    }
    return g_strdup_printf ("%" G_GUINT64_FORMAT " %s", amount, base);
}

char *
pv_format_amount (uint64_t amount, int unit)
{
    static const Scale times[] = {{1e9, "s"}, {1e6, "ms"}, {1e3, "µs"}};
    static const Scale sizes[] = {
        {1099511627776.0, "TiB"}, {1073741824.0, "GiB"}, {1048576.0, "MiB"}, {1024.0, "KiB"}};
    static const Scale held[] = {{1099511627776e3, "TiB·s"},
                                 {1073741824e3, "GiB·s"},
                                 {1048576e3, "MiB·s"},
                                 {1024e3, "KiB·s"},
                                 {1e3, "B·s"}};
    if (unit == PV_UNIT_NS)
        return scale_amount (amount, times, G_N_ELEMENTS (times), "ns");
    if (unit == PV_UNIT_BYTES)
        return scale_amount (amount, sizes, G_N_ELEMENTS (sizes), "B");
    if (unit == PV_UNIT_BYTE_MS)
        return scale_amount (amount, held, G_N_ELEMENTS (held), "B·ms");
    return group_digits (amount);
}

char *
pv_format_percent (uint64_t part, uint64_t whole)
{
    double percent = whole > 0 ? 100.0 * (double)part / (double)whole : 0.0;
    return g_strdup_printf ("%.1f %%", percent);
}

void
pv_json_append_string (GString *out, const char *string)
{
    g_string_append_c (out, '"');
    for (const char *p = string; *p != '\0'; p++) {
        unsigned char c = (unsigned char)*p;
        switch (c) {
        case '"':
            g_string_append (out, "\\\"");
            break;
        case '\\':
            g_string_append (out, "\\\\");
            break;
        case '\n':
            g_string_append (out, "\\n");
            break;
        case '\t':
            g_string_append (out, "\\t");
            break;
        case '\r':
            g_string_append (out, "\\r");
            break;
        default:
            if (c < 0x20 || c == 0x7f)
                g_string_append_printf (out, "\\u%04x", c);
            else
                g_string_append_c (out, *p);
        }
    }
    g_string_append_c (out, '"');
}

#define EVERY_BYTE(byte) (UINT64_MAX / 0xff * (byte))

/* Whether none of eight bytes is a control character or a backslash; may be wrong about what is. */
static inline bool
is_plain_word (const char *bytes)
{
    uint64_t word;
    memcpy (&word, bytes, sizeof word);
    uint64_t others = word ^ EVERY_BYTE ('\\');
    uint64_t found = ((word - EVERY_BYTE (0x20)) & ~word) | ((others - EVERY_BYTE (1)) & ~others);
    return (found & EVERY_BYTE (0x80)) == 0;
}

/* Bytes before the first one that is escaped, or the end. */
static size_t
count_plain (const char *text, size_t len)
{
    size_t i = 0;
    while (len - i >= sizeof (uint64_t) && is_plain_word (text + i))
        i += sizeof (uint64_t);
    return i + strcspn (text + i, "\t\n\r\\");
}

void
pv_tsv_append_cell (GString *out, const char *string)
{
    const char *p = string, *end = string + strlen (string);
    for (;;) {
        size_t n_plain = count_plain (p, (size_t)(end - p));
        g_string_append_len (out, p, (gssize)n_plain);
        p += n_plain;
        if (*p == '\0')
            break;
        g_string_append_c (out, '\\');
        g_string_append_c (out, *p == '\t' ? 't' : *p == '\n' ? 'n' : *p == '\r' ? 'r' : '\\');
        p++;
    }
}
