/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/model/profile/profile.h"

/* Notes that say the same of different files, so that several of them can be shown as one. */
typedef enum {
    PV_NOTE_GROUP_NONE, /* stands alone */
    PV_NOTE_GROUP_MISSING_BINARY,
    PV_NOTE_GROUP_CHANGED_BINARY,
    PV_NOTE_GROUP_UNVERIFIED_BINARY,
    PV_NOTE_GROUP_OTHER_FILE,
    PV_NOTE_GROUP_MISSING_DEBUG_INFO,
    PV_N_NOTE_GROUPS
} PvNoteGroup;

PvNoteGroup pv_note_get_group (const PvProfile *profile, const PvNote *note);

/* All notes of a group have this severity. */
PvNoteSeverity pv_note_group_get_severity (PvNoteGroup group);

/* "3 files were not found", translated, without a full stop; free with g_free (). */
char *pv_note_group_format_title (PvNoteGroup group, unsigned n_files);

/* Page of the user's help on such notes, static; NULL: there is none. */
const char *pv_note_get_help (PvNoteKind kind);

/* True if perf recorded it, whose commands can then help ("perf archive"). */
bool pv_profile_is_of_perf (const PvProfile *profile);
/* True if that was Android's simpleperf, which has commands of its own. */
bool pv_facts_are_of_simpleperf (const PvFacts *facts);

/* The meaning of a group's notes, and a remedy: translated sentences. */
const char *pv_note_group_get_meaning (const PvProfile *profile, PvNoteGroup group);
