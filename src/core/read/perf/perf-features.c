/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Feature sections: facts about the recording. In a file, a bit in the header announces each of
 * them and a table after the records locates it; a pipe has HEADER_FEATURE records. Strings are a
 * u32 length, rounded up, and that many bytes, padded with zeros. Specification:
 * perf.data-file-format.txt.
 */
#include "core/read/perf/perf-features.h"

#include <sys/utsname.h>

#include "core/base/cursor.h"
#include "core/base/path.h"
#include "core/read/events/perf-attr.h"
#include "core/read/events/perf-tracing.h"
#include "core/read/perf/perf-maps.h"

#define NS_PER_SECOND UINT64_C (1000000000)

/* Takes a string and its length without padding; NULL at the end. */
static const char *
take_string (PvCursor *cursor, size_t *ret_len)
{
    uint32_t size = pv_cursor_u32 (cursor);
    const uint8_t *string = pv_cursor_take (cursor, size);
    if (string == NULL || cursor->failed)
        return NULL;
    *ret_len = strnlen ((const char *)string, size);
    return (const char *)string;
}

static const char *
read_string (PerfSession *session, PvCursor *cursor)
{
    size_t len;
    const char *string = take_string (cursor, &len);
    return string != NULL ? pv_profile_builder_string_len (session->builder, string, len) : NULL;
}

static PvArch
arch_of (const char *name)
{
    if (strcmp (name, "x86_64") == 0)
        return PV_ARCH_X86_64;
    if (name[0] == 'i' && strlen (name) == 4 && strcmp (name + 2, "86") == 0)
        return PV_ARCH_X86;
    if (strcmp (name, "aarch64") == 0)
        return PV_ARCH_AARCH64;
    if (g_str_has_prefix (name, "arm"))
        return PV_ARCH_ARM;
    return PV_ARCH_UNKNOWN;
}

PvArch
perf_arch_of_this_machine (void)
{
    struct utsname names;
    return uname (&names) == 0 ? arch_of (names.machine) : PV_ARCH_UNKNOWN;
}

/* Reads the command line, without the recorder's name. */
static void
read_command (PerfSession *session, PvCursor *cursor)
{
    uint32_t n = pv_cursor_u32 (cursor);
    PvFacts *facts = pv_profile_builder_facts (session->builder);
    g_autoptr (GString) command = g_string_new (NULL);
    for (uint32_t i = 0; i < n; i++) {
        size_t len;
        const char *argument = take_string (cursor, &len);
        if (argument == NULL)
            break;
        g_autofree char *program = i == 0 ? g_strndup (argument, len) : NULL;
        /* Its old versions do not say so otherwise, while perf has told its own by now. */
        if (program != NULL && facts->recorder == NULL &&
            strcmp (pv_path_get_base (program), "simpleperf") == 0)
            facts->recorder = pv_profile_builder_string (session->builder, "simpleperf");
        if (i > 0)
            g_string_append_c (command, ' ');
        g_string_append_len (command, argument, (gssize)len);
    }
    facts->command = pv_profile_builder_string (session->builder, command->str);
}

/* Reads event names. Events are matched to attributes by id, as their order and attribute size may
 * differ from the attribute section; those without ids are matched by position. */
static void
read_event_descriptions (PerfSession *session, PvCursor *cursor)
{
    uint32_t n = pv_cursor_u32 (cursor);
    uint32_t attr_size = pv_cursor_u32 (cursor);
    for (uint32_t i = 0; i < n && !cursor->failed; i++) {
        pv_cursor_skip (cursor, attr_size);
        uint32_t n_ids = pv_cursor_u32 (cursor);
        size_t len;
        const char *name = take_string (cursor, &len);
        if (name == NULL || n_ids > pv_cursor_left (cursor) / 8)
            return;
        const uint8_t *ids = pv_cursor_take (cursor, 8 * (size_t)n_ids);
        PerfAttr *attr = NULL;
        for (uint32_t k = 0; k < n_ids && attr == NULL; k++)
            attr = perf_attr_of_id (session, perf_load_u64 (ids + 8 * (size_t)k, session->swap));
        if (attr == NULL && i < session->events->attrs.len &&
            (n_ids == 0 || n == session->events->attrs.len))
            attr = &session->events->attrs.data[i];
        if (attr == NULL)
            continue;
        g_autofree char *copy = g_strndup (name, len);
        perf_attr_set_name (session, attr, copy);
    }
}

void
perf_feature_build_id (PerfSession *session, const uint8_t *record, size_t size_bytes, bool has_pid)
{
    size_t id_offset = has_pid ? 12 : 8;
    if (size_bytes < id_offset + 24)
        return;
    uint16_t misc = perf_load_u16 (record + 4, session->swap);
    const uint8_t *id = record + id_offset;
    uint8_t size = 20;
    if ((misc & PERF_MISC_BUILD_ID_SIZE) != 0)
        size = MIN (id[20], 20);
    size_t name_offset = id_offset + 24;
    size_t len = strnlen ((const char *)record + name_offset, size_bytes - name_offset);
    g_autofree char *name = g_strndup ((const char *)record + name_offset, len);
    if (size > 0 && *name != '\0')
        perf_maps_build_id (session, name, misc & PERF_MISC_CPUMODE_MASK, id, size);
}

static void
read_build_ids (PerfSession *session, const uint8_t *data, size_t size_bytes)
{
    /* Early files had no pid, which makes the kernel's name lack its first four letters here. */
    static const char cut_name[] = "nel.kallsyms]";
    bool has_pid =
        size_bytes < 36 + sizeof cut_name || memcmp (data + 36, cut_name, sizeof cut_name - 1) != 0;
    while (size_bytes >= 8) {
        size_t size = perf_load_u16 (data + 6, session->swap);
        if (size < 8 || size > size_bytes)
            return;
        perf_feature_build_id (session, data, size, has_pid);
        data += size;
        size_bytes -= size;
    }
}

static void
read_clock (PerfSession *session, PvCursor *cursor)
{
    pv_cursor_skip (cursor, 8); /* version, clock */
    uint64_t tod_ns = pv_cursor_u64 (cursor);
    if (!cursor->failed)
        pv_profile_builder_facts (session->builder)->recorded_at =
            (int64_t)(tod_ns / NS_PER_SECOND);
}

static void
read_arch (PerfSession *session, PvCursor *cursor)
{
    const char *arch = read_string (session, cursor);
    if (arch == NULL)
        return;
    pv_profile_builder_facts (session->builder)->arch = arch;
    session->arch = arch_of (arch);
}

/* Takes what Android's simpleperf adds. */
static void
read_simpleperf (PerfSession *session, uint32_t feature, const uint8_t *data, size_t size_bytes)
{
    if (feature == PV_SIMPLEPERF_FEATURE_FIRST_RECORDS) {
        session->first_records = data;
        session->first_records_size_bytes = size_bytes;
    }
    session->has_call_addresses = true;
    bool is_first = !pv_simpleperf_is_used (session->simpleperf);
    bool has_infos = pv_simpleperf_take_feature (session->simpleperf, feature, data, size_bytes);
    if (is_first || has_infos)
        pv_simpleperf_set_facts (session->simpleperf, session->builder);
    for (size_t i = 0; has_infos && i < session->events->attrs.len; i++) {
        PerfAttr *attr = &session->events->attrs.data[i];
        bool is_user = perf_attr_has_flag (attr, PERF_ATTR_EXCLUDE_KERNEL),
             is_kernel = perf_attr_has_flag (attr, PERF_ATTR_EXCLUDE_USER);
        const char *suffix = is_user == is_kernel ? "" : is_user ? ":u" : ":k";
        g_autofree char *name =
            pv_simpleperf_make_event_name (session->simpleperf, attr->type, attr->config, suffix);
        if (attr->name == NULL && name != NULL)
            perf_attr_set_name (session, attr, name);
    }
}

void
perf_feature_read (PerfSession *session, uint32_t feature, const uint8_t *data, size_t size_bytes)
{
    PvFacts *facts = pv_profile_builder_facts (session->builder);
    PvCursor cursor = pv_cursor (data, size_bytes, session->swap);
    switch (feature) {
    case PERF_FEATURE_TRACING_DATA:
        perf_tracing_read (session, data, size_bytes);
        break;
    case PERF_FEATURE_BUILD_ID:
        read_build_ids (session, data, size_bytes);
        break;
    case PERF_FEATURE_HOSTNAME:
        facts->host = read_string (session, &cursor);
        break;
    case PERF_FEATURE_OSRELEASE:
        facts->kernel_release = read_string (session, &cursor);
        break;
    case PERF_FEATURE_VERSION: {
        size_t len;
        const char *version = take_string (&cursor, &len);
        if (version != NULL) {
            g_autofree char *recorder = g_strdup_printf ("perf %.*s", (int)len, version);
            facts->recorder = pv_profile_builder_string (session->builder, recorder);
        }
        break;
    }
    case PERF_FEATURE_ARCH:
        read_arch (session, &cursor);
        break;
    case PERF_FEATURE_NRCPUS:
        pv_cursor_u32 (&cursor); /* present */
        facts->n_cpus = pv_cursor_u32 (&cursor);
        break;
    case PERF_FEATURE_CPUDESC:
        facts->cpu = read_string (session, &cursor);
        break;
    case PERF_FEATURE_TOTAL_MEM: {
        uint64_t kilobytes = pv_cursor_u64 (&cursor);
        facts->memory_bytes = kilobytes <= UINT64_MAX / 1024 ? kilobytes * 1024 : 0;
        break;
    }
    case PERF_FEATURE_CMDLINE:
        read_command (session, &cursor);
        break;
    case PERF_FEATURE_EVENT_DESC:
        read_event_descriptions (session, &cursor);
        break;
    case PERF_FEATURE_STAT:
        session->is_stat = true;
        break;
    case PERF_FEATURE_DIR_FORMAT:
        session->dir_version = pv_cursor_u64 (&cursor);
        break;
    case PERF_FEATURE_CLOCK_DATA:
        read_clock (session, &cursor);
        break;
    default: /* topology, caches, capabilities: not shown */
        if (feature >= PV_SIMPLEPERF_FIRST_FEATURE && !session->swap)
            read_simpleperf (session, feature, data, size_bytes);
        break;
    }
}
