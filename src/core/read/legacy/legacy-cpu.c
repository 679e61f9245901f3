/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The binary CPU profile of gperftools, and of Go before it used protobuf: words with the size of a
 * pointer on the recording machine, in its byte order.
 *   0, number of header words that follow (3), version, period in us, 0
 *   count, depth, depth addresses (leaf first)      for each stack, which may be repeated
 *   0, 1, 0                                         the end
 * Then the map as text. Version 1 is Java's: the addresses are ids, whose names follow as text.
 *
 * Tools write other profiles in this form, too, after names of the addresses, as it has one number
 * for each stack: google-pprof --raw those of heaps, and php-memprof bytes. Their period is 1 or 0,
 * as there is none.
 */
#include <glib/gi18n-lib.h>
#include <string.h>

#include "core/base/cursor.h"
#include "core/model/profile/period.h"
#include "core/read/legacy/legacy-formats.h"
#include "core/read/legacy/legacy-names.h"
#include "core/read/legacy/legacy-samples.h"

#define NS_PER_US       UINT64_C (1000)
#define MAX_PERIOD_US   UINT64_C (1000000000000)
#define WORDS_PER_CHECK 65536u
/* Header words after the first two; three are known. */
#define MIN_HEADER_WORDS 3u
#define MAX_HEADER_WORDS 1024u
/* The smallest period of a timer; programs ask for 100 us and more. */
#define MIN_PERIOD_US 2u
/* Frames that signal handlers and their trampoline have at most. */
#define MAX_SIGNAL_FRAMES 4u
/* So many places that differ are not the callers of one function of a library. */
#define MIN_CALLERS 4u

typedef struct {
    bool is_64_bit;
    bool is_swapped;
    bool is_java;
    uint64_t period_us; /* 0: numbers are not of time */
    size_t size_bytes;  /* of the header */
} CpuHeader;

typedef struct {
    uint64_t count;
    size_t first; /* in addrs */
    size_t depth;
} CpuRecord;

typedef struct {
    PvCursor cursor;
    bool is_64_bit;
    bool is_complete; /* the end mark was found */
    bool ends_between_records;
    PV_ARRAY (CpuRecord) records;
    PV_ARRAY (uint64_t) addrs;
} CpuData;

static uint64_t
take_word (PvCursor *cursor, bool is_64_bit)
{
    return is_64_bit ? pv_cursor_u64 (cursor) : pv_cursor_u32 (cursor);
}

static bool
try_header (PvText text, bool is_64_bit, bool is_big_endian, CpuHeader *ret)
{
    bool is_swapped = is_big_endian != (G_BYTE_ORDER == G_BIG_ENDIAN);
    PvCursor cursor = pv_cursor (text.at, pv_text_len (text), is_swapped);
    uint64_t words[5];
    for (size_t i = 0; i < G_N_ELEMENTS (words); i++)
        words[i] = take_word (&cursor, is_64_bit);
    if (cursor.failed || words[0] != 0 || words[1] < MIN_HEADER_WORDS ||
        words[1] > MAX_HEADER_WORDS || words[2] > 1 || words[3] > MAX_PERIOD_US || words[4] != 0)
        return false;
    /* So many zeros are in other files, too. */
    if (words[3] == 0 && (words[1] > MIN_HEADER_WORDS || words[2] != 0))
        return false;
    *ret = (CpuHeader){
        .is_64_bit = is_64_bit,
        .is_swapped = is_swapped,
        .is_java = words[2] == 1,
        .period_us = words[3] >= MIN_PERIOD_US ? words[3] : 0,
        .size_bytes = (2 + (size_t)words[1]) * (is_64_bit ? 8 : 4),
    };
    return true;
}

static bool
parse_header (PvText text, CpuHeader *ret)
{
    return try_header (text, false, false, ret) || try_header (text, false, true, ret) ||
           try_header (text, true, false, ret) || try_header (text, true, true, ret);
}

bool
legacy_is_cpu (PvText text)
{
    CpuHeader header;
    return parse_header (text, &header);
}

/* Records */

/* False at the end mark or the end of the file. */
static bool
take_record (CpuData *data)
{
    PvCursor *cursor = &data->cursor;
    data->ends_between_records = pv_cursor_left (cursor) == 0;
    uint64_t count = take_word (cursor, data->is_64_bit);
    uint64_t depth = take_word (cursor, data->is_64_bit);
    if (cursor->failed || depth > pv_cursor_left (cursor) / (data->is_64_bit ? 8 : 4))
        return false;
    CpuRecord record = {count, data->addrs.len, (size_t)depth};
    for (uint64_t i = 0; i < depth; i++)
        pv_array_push (&data->addrs, take_word (cursor, data->is_64_bit));
    if (count == 0 && depth == 1 && data->addrs.data[record.first] == 0) {
        data->is_complete = true;
        return false;
    }
    pv_array_push (&data->records, record);
    return true;
}

static bool
take_records (LegacySession *session, CpuData *data)
{
    const char *start = (const char *)data->cursor.pos;
    size_t next_check = 0;
    while (take_record (data)) {
        if (data->addrs.len + data->records.len < next_check)
            continue;
        next_check += WORDS_PER_CHECK;
        pv_job_set_done (session->context->job, (uint64_t)((const char *)data->cursor.pos - start));
        if (legacy_session_is_cancelled (session))
            return false;
    }
    return true;
}

/* Frames of the signal handler */

/* If no stack has frames, there is no array. */
static uint64_t *
get_addrs (const CpuData *data, const CpuRecord *record)
{
    return record->depth > 0 ? data->addrs.data + record->first : NULL;
}

static void
cut_second (CpuData *data, CpuRecord *record)
{
    uint64_t *addrs = get_addrs (data, record);
    memmove (addrs + 1, addrs + 2, (record->depth - 2) * sizeof *addrs);
    record->depth--;
}

/* Finds the second address of nearly all stacks. One stack in 32 may lack it. */
static bool
find_common_second (const CpuData *data, uint64_t *ret_addr)
{
    PvIdMap counts = {0};
    size_t wanted = data->records.len - data->records.len / 32;
    bool is_found = false;
    for (size_t i = 0; i < data->records.len && !is_found; i++) {
        const CpuRecord *record = &data->records.data[i];
        if (record->depth < 2)
            continue;
        uint64_t addr = get_addrs (data, record)[1];
        uint32_t *count = pv_id_map_slot (&counts, addr);
        is_found = ++*count >= wanted;
        *ret_addr = addr;
    }
    pv_id_map_clear (&counts);
    return is_found;
}

static bool
has_second (const CpuData *data, const CpuRecord *record, uint64_t addr)
{
    return record->depth > 1 && get_addrs (data, record)[1] == addr;
}

/* True if unwinding went through the frames of the signal to the leaf, which is there again. */
static bool
repeats_leaf (const CpuData *data, const CpuRecord *record)
{
    const uint64_t *addrs = get_addrs (data, record);
    for (size_t i = 2; i < MIN (record->depth, 2 + MAX_SIGNAL_FRAMES); i++)
        if (addrs[i] == addrs[0])
            return true;
    return false;
}

static bool
mostly_repeats_leaf (const CpuData *data, uint64_t addr)
{
    size_t n = 0, n_repeated = 0;
    for (size_t i = 0; i < data->records.len; i++)
        if (has_second (data, &data->records.data[i], addr)) {
            n++;
            n_repeated += repeats_leaf (data, &data->records.data[i]);
        }
    return n_repeated * 2 > n;
}

/* The number of addresses behind this second one. */
static uint32_t
count_thirds (const CpuData *data, uint64_t addr)
{
    PvIdMap known = {0};
    for (size_t i = 0; i < data->records.len && known.len < MIN_CALLERS; i++) {
        const CpuRecord *record = &data->records.data[i];
        if (record->depth > 2 && has_second (data, record, addr))
            *pv_id_map_slot (&known, get_addrs (data, record)[2]) = 1;
    }
    uint32_t n = known.len;
    pv_id_map_clear (&known);
    return n;
}

static bool
is_profiler (const char *path)
{
    return strstr (path, "libprofiler") != NULL || strstr (path, "_and_profiler") != NULL;
}

/* A trampoline is the beginning of a function in a library, at a multiple of 16, and behind it is
 * the caller of any leaf. An address that calls is behind a call, and called from few places. */
static bool
looks_like_trampoline (const CpuData *data, uint64_t addr, const PvModule *module)
{
    return module->kind == PV_MODULE_FILE && !module->is_main && addr % 16 == 0 &&
           count_thirds (data, addr) >= MIN_CALLERS;
}

/* True if the second address of nearly all stacks is of a signal's frames: of the handler, or the
 * trampoline through which it returns. It may as well be the only caller of what takes the time,
 * such as main(). */
static bool
is_of_signal (const LegacySession *session, const CpuData *data, uint64_t addr, bool *is_in_handler)
{
    const PvMapping *mapping = pv_address_space_find (session->map.space, addr);
    const PvModule *module =
        mapping != NULL ? pv_profile_builder_module (session->builder, mapping->module) : NULL;
    bool was_in_handler = *is_in_handler;
    *is_in_handler = module != NULL && is_profiler (module->path);
    if (*is_in_handler || mostly_repeats_leaf (data, addr))
        return true;
    return module != NULL &&
           (module->kind == PV_MODULE_VDSO || (was_in_handler && !module->is_main) ||
            looks_like_trampoline (data, addr, module));
}

/* The leaf may follow the frames of the signal a second time, found by unwinding. False: the second
 * address of all stacks may be such a frame or not, and stays. */
static bool
clean_up (LegacySession *session, CpuData *data)
{
    uint64_t addr;
    bool is_in_handler = false, is_clean = true;
    for (unsigned round = 0;
         round < MAX_SIGNAL_FRAMES && is_clean && find_common_second (data, &addr); round++) {
        is_clean = is_of_signal (session, data, addr, &is_in_handler);
        for (size_t i = 0; i < data->records.len && is_clean; i++)
            if (has_second (data, &data->records.data[i], addr))
                cut_second (data, &data->records.data[i]);
    }
    for (size_t i = 0; i < data->records.len; i++) {
        CpuRecord *record = &data->records.data[i];
        const uint64_t *addrs = get_addrs (data, record);
        if (record->depth > 1 && addrs[0] == addrs[1])
            cut_second (data, record);
    }
    return is_clean;
}

/* Samples */

static PvStackId
make_stack (LegacySession *session, const CpuData *data, const CpuRecord *record, bool is_java)
{
    session->addrs.len = 0;
    pv_array_append (&session->addrs, get_addrs (data, record), record->depth);
    if (!is_java)
        return legacy_stack (session, PV_LOCATION_EXACT, PV_LOCATION_RETURN);
    session->locations.len = 0;
    for (size_t i = 0; i < record->depth; i++)
        pv_array_push (&session->locations, legacy_java_location (session, session->addrs.data[i]));
    return pv_profile_builder_chain (session->builder, session->locations.data,
                                     session->locations.len);
}

static void
add_rows (LegacySession *session, const CpuData *data, const CpuHeader *header)
{
    uint64_t period_ns = header->period_us * NS_PER_US;
    for (size_t i = 0; i < data->records.len; i++) {
        const CpuRecord *record = &data->records.data[i];
        uint64_t cpu_ns;
        if (__builtin_mul_overflow (record->count, period_ns, &cpu_ns))
            cpu_ns = INT64_MAX;
        LegacyRow row = {.values = {(int64_t)MIN (record->count, INT64_MAX)}};
        if (period_ns > 0)
            row.values[1] = (int64_t)MIN (cpu_ns, INT64_MAX);
        if (record->count > 0)
            row.stack = make_stack (session, data, record, header->is_java);
        legacy_add_row (session, &row);
    }
}

static void
add_columns (LegacySession *session, const CpuHeader *header)
{
    static const LegacyColumn columns[] = {
        {"samples", PV_UNIT_COUNT, NULL, PV_AGGREGATION_SUM, false},
        {"cpu", PV_UNIT_NS, NULL, PV_AGGREGATION_SUM, false},
    };
    session->preferred_column = header->period_us > 0;
    for (size_t i = 0; i <= session->preferred_column; i++)
        legacy_session_add_column (session, &columns[i]);
}

/* The recording functions, and those that deliver the signal. */
static const char profiler_functions[] =
    "ProfileData::Add|(?:ProfileData|CpuProfiler)::prof_handler|__pthread_sighandler|"
    "__restore(?:_rt)?";

static void
set_facts (LegacySession *session, const CpuHeader *header)
{
    PvFacts *facts = pv_profile_builder_facts (session->builder);
    if (header->period_us == 0) {
        facts->format = "gperftools";
        pv_note_info (
            session->builder,
            _ ("The file has one number for each stack, but does not say what it counts: samples, "
               "or bytes of a heap. It has no sampling period, so no time is known."));
        return;
    }
    facts->format = header->is_java ? "Java CPU" : "gperftools CPU";
    g_autofree char *period = pv_period_format ("cpu", header->period_us * 1000, PV_UNIT_NS, "");
    facts->period = pv_profile_builder_string (session->builder, period);
}

static void
take_stacks (LegacySession *session, CpuData *data, const CpuHeader *header)
{
    /* Tools that add names omit the end mark. */
    session->is_cut = !data->is_complete && !(session->names.len > 0 && data->ends_between_records);
    session->text = pv_text (data->cursor.pos, pv_cursor_left (&data->cursor));
    /* Tools that write other profiles have taken one off the addresses of callers. */
    session->has_exact_symbols = header->period_us == 0;
    if (!header->is_java && data->is_complete)
        legacy_map_add_lines (&session->map, session->text);
    /* Without a period it is not what a signal has recorded. Where the trampoline may still be
     * there, nothing is dropped by its name: the leaf would be dropped with it. */
    if (!header->is_java && header->period_us > 0 && clean_up (session, data))
        pv_profile_builder_set_drop_frames (session->builder, profiler_functions, NULL);
    add_rows (session, data, header);
    if (header->is_java)
        legacy_take_java_names (session);
    set_facts (session, header);
}

bool
legacy_read_cpu (LegacySession *session, GError **error)
{
    CpuHeader header;
    size_t left = pv_text_len (session->text);
    if (!parse_header (session->text, &header) || header.size_bytes > left)
        return legacy_fail (error);
    add_columns (session, &header);
    CpuData data = {
        .cursor = pv_cursor (session->text.at, left, header.is_swapped),
        .is_64_bit = header.is_64_bit,
    };
    pv_cursor_skip (&data.cursor, header.size_bytes);
    if (take_records (session, &data))
        take_stacks (session, &data, &header);
    pv_array_clear (&data.records);
    pv_array_clear (&data.addrs);
    return true;
}
