/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The stacks of all threads of a C++ server:
 *   --- threadz 1 ---
 *   --- Thread 7f794ab90940 (name: NAME/TID) stack: ---
 *     PC:  0xADDRESS: FUNCTION
 *     0xADDRESS: FUNCTION
 *       creator: 0xADDRESS ...
 *   --- Thread ...
 *     [same as previous thread]
 */
#include <string.h>

#include "core/read/legacy/legacy-formats.h"
#include "core/read/legacy/legacy-samples.h"

bool
legacy_is_threads (PvText text)
{
    PvText line;
    uint64_t number;
    if (!pv_text_next_trimmed (&text, &line))
        return false;
    PvText title = line;
    return pv_text_begins (line, "--- Thread ") ||
           (pv_text_take_next (&title, "--- threadz ") && legacy_take_decimal (&title, &number) &&
            pv_text_take_next (&title, "---"));
}

/* "--- Thread HEX (name: NAME/TID) stack: ---" */
static bool
take_thread (LegacySession *session, PvText line, PvProcessId process, PvThreadId *ret_thread)
{
    uint64_t id, tid = 0;
    if (!pv_text_take_next (&line, "--- Thread") || !legacy_take_hex (&line, &id))
        return false;
    PvText name = {line.end, line.end};
    const char *close = pv_text_find (line, ") stack:");
    if (close != NULL && pv_text_take_next (&line, "(name:") && line.at < close) {
        name = (PvText){line.at + (*line.at == ' '), close};
        const char *slash = pv_text_find_last (name, '/');
        PvText digits = {slash != NULL ? slash + 1 : close, close};
        if (legacy_take_decimal (&digits, &tid))
            name.end = slash;
    }
    g_autofree char *text = pv_text_copy (name);
    *ret_thread = pv_profile_builder_add_thread (session->builder, process,
                                                 (int32_t)MIN (tid, INT32_MAX), text, 0);
    return true;
}

/* "0xADDRESS: FUNCTION" */
static void
take_name (LegacySession *session, PvText line)
{
    uint64_t addr;
    PvText rest = line;
    bool is_leaf = pv_text_take_next (&rest, "PC:");
    if (!legacy_take_address (&rest, &addr) || !pv_text_take_next (&rest, ": ") ||
        rest.at == rest.end)
        return;
    PvLocationId location =
        legacy_location (session, addr, is_leaf ? PV_LOCATION_EXACT : PV_LOCATION_RETURN);
    PvGivenFrame frame = {.name = pv_text_keep (rest, session->builder)};
    session->frames.len = 0;
    pv_array_push (&session->frames, frame);
    legacy_give_frames (session, location);
}

static void
take_addresses (LegacySession *session, PvText line)
{
    for (const char *at; (at = pv_text_find (line, "0x")) != NULL;) {
        uint64_t addr;
        line.at = at;
        if (legacy_take_address (&line, &addr))
            pv_array_push (&session->addrs, addr);
        else
            line.at++;
    }
}

/* In a signal handler, the address where the thread was stopped appears twice. */
static void
drop_repeated_leaf (LegacySession *session)
{
    if (session->addrs.len > 1 && session->addrs.data[0] == session->addrs.data[1]) {
        memmove (session->addrs.data + 1, session->addrs.data + 2,
                 (session->addrs.len - 2) * sizeof *session->addrs.data);
        session->addrs.len--;
    }
}

/* Takes the lines of a thread; ret_next is the line after them, which starts with a dash. False at
 * the end of the file. */
static bool
take_stack (LegacySession *session, PvThreadId thread, LegacyRow *previous, PvText *ret_next)
{
    bool is_same = false, has_next = false;
    PvText line;
    session->addrs.len = 0;
    while (!has_next && legacy_session_next_line (session, &line)) {
        has_next = pv_text_begins (line, "---");
        if (has_next)
            *ret_next = line;
        else if (pv_text_find (line, "same as previous thread") != NULL)
            is_same = true;
        else {
            take_addresses (session, line);
            take_name (session, line);
        }
    }
    LegacyRow row = {.thread = thread, .values = {1}};
    if (!is_same && session->addrs.len > 0) {
        drop_repeated_leaf (session);
        row.stack = legacy_stack (session, PV_LOCATION_EXACT, PV_LOCATION_RETURN);
    } else {
        row.stack = previous->stack;
    }
    *previous = row;
    legacy_add_row (session, &row);
    return has_next;
}

bool
legacy_read_threads (LegacySession *session, GError **error)
{
    static const LegacyColumn column = {"thread", PV_UNIT_COUNT, NULL, PV_AGGREGATION_STATE, false};
    PvText line;
    if (!legacy_session_next_line (session, &line))
        return legacy_fail (error);
    legacy_session_add_column (session, &column);
    pv_profile_builder_facts (session->builder)->format = "threadz";
    PvProcessId process =
        pv_profile_builder_add_process (session->builder, -1, legacy_get_program_name (session), 0);
    bool has_line = true;
    if (!pv_text_begins (line, "--- Thread "))
        while ((has_line = legacy_session_next_line (session, &line)))
            if (pv_text_begins (line, "-"))
                break;
    LegacyRow previous = {0};
    PvThreadId thread;
    while (has_line && !pv_text_begins (line, "---- no stack trace for")) {
        if (take_thread (session, line, process, &thread)) {
            has_line = take_stack (session, thread, &previous, &line);
        } else {
            session->n_bad_lines++;
            if (!pv_text_begins (line, "--- Thread "))
                legacy_add_odd_line (session, line);
            has_line = legacy_session_next_line (session, &line);
        }
    }
    return true;
}
