/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Symbol names: demangled and shortened. */
#include <stdint.h>
#include <string.h>

#include "core/symbolize/names/demangle.h"

static void
use_name (const char *name)
{
    g_autofree char *full = pv_demangle (name, true);
    g_autofree char *plain = pv_demangle (name, false);
    g_autofree char *shorter = pv_shorten_name (full != NULL ? full : name);

    g_assert (*shorter != '\0' || *name == '\0');
    g_assert (full == NULL || strlen (full) <= 65536);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size_bytes)
{
    static const char *const prefixes[] = {"", "_Z", "_R", "_D"};

    for (size_t i = 0; i < G_N_ELEMENTS (prefixes); i++) {
        g_autofree char *text = g_strndup ((const char *)data, MIN (size_bytes, 4096));
        g_autofree char *name = g_strconcat (prefixes[i], text, NULL);
        use_name (name);
    }
    return 0;
}
