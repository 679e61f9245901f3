/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "record/plan/recorders.h"

#include <string.h>

static const PvRecorder *const recorders[] = {
#define ENTRY(kind, name) [PV_RECORD_##kind] = &pv_##name##_recorder,
    PV_RECORDERS (ENTRY)
#undef ENTRY
};

const PvRecorder *
pv_recorder_get (PvRecordKind kind)
{
    g_assert (kind < PV_N_RECORD_KINDS);
    return recorders[kind];
}

bool
pv_record_kind_find (const char *id, PvRecordKind *ret_kind)
{
    g_assert (id != NULL && ret_kind != NULL);
    for (unsigned i = 0; i < PV_N_RECORD_KINDS; i++) {
        if (strcmp (recorders[i]->id, id) != 0)
            continue;
        *ret_kind = (PvRecordKind)i;
        return true;
    }
    return false;
}

bool
pv_record_kind_uses (PvRecordKind kind, unsigned fields)
{
    return (pv_recorder_get (kind)->fields & fields) != 0;
}

char *
pv_record_kinds_join (void)
{
    GString *ids = g_string_new (NULL);
    for (unsigned i = 0; i < PV_N_RECORD_KINDS; i++)
        g_string_append_printf (ids, "%s%s", i > 0 ? ", " : "", recorders[i]->id);
    return g_string_free (ids, FALSE);
}
