/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Symbol names: demangled and shortened, and names of other tools made alike. */
#include <stdint.h>
#include <string.h>

#include "core/model/profile/short-name.h"
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

/* As a symbol of each language. */
static void
use_symbol (const char *name)
{
    for (PvNameSource source = PV_NAME_WRITTEN; source <= PV_NAME_PASCAL; source++) {
        g_autofree char *full = pv_demangle_from (name, source);
        g_assert (full == NULL || strlen (full) <= 65536);
    }
}

/* As comparisons do, which must agree with themselves. */
static void
unify_name (const char *name)
{
    g_autofree char *unified = pv_unify_name (name);
    g_autofree char *bare = pv_strip_parameters (unified != NULL ? unified : name);
    pv_has_parameters (name);
    pv_has_parameters (bare);
    g_assert (pv_skip_return_type (name) <= name + strlen (name));
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size_bytes)
{
    static const char *const prefixes[] = {"", "_Z", "_R", "_D", "_ada_", "caml", "_QM"};

    for (size_t i = 0; i < G_N_ELEMENTS (prefixes); i++) {
        g_autofree char *text = g_strndup ((const char *)data, MIN (size_bytes, 4096));
        g_autofree char *name = g_strconcat (prefixes[i], text, NULL);
        use_name (name);
        use_symbol (name);
        unify_name (name);
    }
    return 0;
}
