/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/model/profile/note-groups.h"

#include <glib/gi18n-lib.h>

#include "core/base/help-page.h"

PvNoteGroup
pv_note_get_group (const PvProfile *profile, const PvNote *note)
{
    g_assert (profile != NULL && note != NULL);
    const bool is_warning = note->severity == PV_NOTE_WARNING;
    /* Notes on the vdso and on generated code have sentences of their own. */
    if (note->module == 0 || note->module >= profile->n_modules ||
        profile->modules[note->module].kind != PV_MODULE_FILE)
        return PV_NOTE_GROUP_NONE;
    switch (note->kind) {
    case PV_NOTE_MISSING_BINARY:
        return is_warning ? PV_NOTE_GROUP_MISSING_BINARY : PV_NOTE_GROUP_NONE;
    case PV_NOTE_CHANGED_BINARY:
        return is_warning ? PV_NOTE_GROUP_CHANGED_BINARY : PV_NOTE_GROUP_NONE;
    case PV_NOTE_UNVERIFIED_BINARY:
        return is_warning ? PV_NOTE_GROUP_UNVERIFIED_BINARY : PV_NOTE_GROUP_NONE;
    case PV_NOTE_OTHER_FILE:
        return is_warning ? PV_NOTE_GROUP_OTHER_FILE : PV_NOTE_GROUP_NONE;
    case PV_NOTE_MISSING_DEBUG_INFO:
        return is_warning ? PV_NOTE_GROUP_NONE : PV_NOTE_GROUP_MISSING_DEBUG_INFO;
    default:
        return PV_NOTE_GROUP_NONE;
    }
}

PvNoteSeverity
pv_note_group_get_severity (PvNoteGroup group)
{
    return group == PV_NOTE_GROUP_MISSING_DEBUG_INFO ? PV_NOTE_INFO : PV_NOTE_WARNING;
}

char *
pv_note_group_format_title (PvNoteGroup group, unsigned n_files)
{
    switch (group) {
    case PV_NOTE_GROUP_MISSING_BINARY:
        return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%u file was not found",
                                             "%u files were not found", n_files),
                                n_files);
    case PV_NOTE_GROUP_CHANGED_BINARY:
        return g_strdup_printf (
            g_dngettext (GETTEXT_PACKAGE, "%u file is of another build than the one that ran",
                         "%u files are of other builds than those that ran", n_files),
            n_files);
    case PV_NOTE_GROUP_UNVERIFIED_BINARY:
        return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%u file is newer than the recording",
                                             "%u files are newer than the recording", n_files),
                                n_files);
    case PV_NOTE_GROUP_OTHER_FILE:
        return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%u file is not the one that ran",
                                             "%u files are not the ones that ran", n_files),
                                n_files);
    case PV_NOTE_GROUP_MISSING_DEBUG_INFO:
        return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%u file has no debug information",
                                             "%u files have no debug information", n_files),
                                n_files);
    case PV_NOTE_GROUP_NONE:
    case PV_N_NOTE_GROUPS:
        break;
    }
    g_assert_not_reached ();
}

bool
pv_profile_is_of_perf (const PvProfile *profile)
{
    g_assert (profile != NULL);
    return pv_profile_has_format (profile, "perf.data") &&
           !pv_facts_are_of_simpleperf (&profile->facts);
}

bool
pv_facts_are_of_simpleperf (const PvFacts *facts)
{
    g_assert (facts != NULL);
    return facts->recorder != NULL && g_str_has_prefix (facts->recorder, "simpleperf");
}

const char *
pv_note_group_get_meaning (const PvProfile *profile, PvNoteGroup group)
{
    g_assert (profile != NULL);
    switch (group) {
    case PV_NOTE_GROUP_MISSING_BINARY:
        if (pv_profile_is_of_perf (profile))
            return _ ("Their functions have no names. Add a folder that has them, a sysroot, or an "
                      "archive made by “perf archive” on the recording machine.");
        return _ ("Their functions have no names. Add a folder that has them, or a sysroot.");
    case PV_NOTE_GROUP_CHANGED_BINARY:
        return _ ("Their functions have no names. Add a folder with the recorded builds.");
    case PV_NOTE_GROUP_UNVERIFIED_BINARY:
        return _ ("There is no build-id to compare, so their names may be wrong.");
    case PV_NOTE_GROUP_OTHER_FILE:
        return _ ("Others are at their paths, so their functions have no names, or wrong ones. "
                  "Add a folder with the files that ran.");
    case PV_NOTE_GROUP_MISSING_DEBUG_INFO:
        return _ ("Their functions have no lines and no inlined functions; in stripped files most "
                  "have no names.");
    case PV_NOTE_GROUP_NONE:
    case PV_N_NOTE_GROUPS:
        break;
    }
    g_assert_not_reached ();
}

const char *
pv_note_get_help (PvNoteKind kind)
{
    switch (kind) {
    case PV_NOTE_NO_CALL_GRAPH:
    case PV_NOTE_ESTIMATED_STACKS:
    case PV_NOTE_TRUNCATED_STACKS:
    case PV_NOTE_BROKEN_STACKS:
        return PV_HELP ("stacks");
    case PV_NOTE_KERNEL_NAMES_HIDDEN:
    case PV_NOTE_MISSING_BINARY:
    case PV_NOTE_MISSING_DEBUG_INFO:
    case PV_NOTE_CHANGED_BINARY:
    case PV_NOTE_UNVERIFIED_BINARY:
    case PV_NOTE_OTHER_MACHINE:
    case PV_NOTE_NO_MAPPINGS:
    case PV_NOTE_OTHER_FILE:
    case PV_NOTE_ONE_SIDE:
        return PV_HELP ("names");
    case PV_NOTE_TRUNCATED_FILE:
    case PV_NOTE_SKIPPED_RECORDS:
        return PV_HELP ("limits#damaged");
    case PV_NOTE_LOST_SAMPLES:
    case PV_NOTE_THROTTLED:
    case PV_NOTE_NOTHING:
        return PV_HELP ("record-good");
    case PV_NOTE_IDLE:
        return PV_HELP ("record-offcpu");
    case PV_NOTE_GENERAL:
    case PV_NOTE_FRACTIONS:
        break;
    }
    return NULL;
}
