/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/model/profile/rows.h"

/* Where a member is, which must have the type. */
#define PLACE(T, member, type) _Generic(((T *)NULL)->member, type : offsetof (T, member))

#define TEXT(T, member, names)  PV_MEMBER_TEXT, PLACE (T, member, const char *), names
#define NAME(T, member, names)  PV_MEMBER_NAME, PLACE (T, member, const char *), names
#define BOOL(T, member)         PV_MEMBER_BOOL, PLACE (T, member, bool)
#define CHAR(T, member)         PV_MEMBER_CHAR, PLACE (T, member, char)
#define INT32(T, member)        PV_MEMBER_INT32, PLACE (T, member, int32_t)
#define INT64(T, member)        PV_MEMBER_INT64, PLACE (T, member, int64_t)
#define UINT64(T, member)       PV_MEMBER_UINT64, PLACE (T, member, uint64_t)
#define END_NS(T, member)       PV_MEMBER_END_NS, PLACE (T, member, uint64_t)
#define MODULE(T, member)       PV_MEMBER_MODULE, PLACE (T, member, PvModuleId)
#define PROCESS(T, member)      PV_MEMBER_PROCESS, PLACE (T, member, PvProcessId)
#define THREAD(T, member)       PV_MEMBER_THREAD, PLACE (T, member, PvThreadId)
#define STACK(T, member)        PV_MEMBER_STACK, PLACE (T, member, PvStackId)
#define ENUM(T, member, n)      PV_MEMBER_ENUM, PLACE (T, member, uint32_t), .n_values = n
#define OPEN_ENUM(T, member, n) PV_MEMBER_OPEN_ENUM, PLACE (T, member, uint32_t), .n_values = n
#define ROWS(T, member, members)                                                                   \
    PV_MEMBER_ROWS, offsetof (T, member), .offset_of_n = PLACE (T, n_##member, uint32_t),          \
                                          .size_bytes = sizeof *((T *)NULL)->member,               \
                                          .rows = members
#define LAST PV_MEMBER_NONE

/* Modules have code of their own for pseudonyms and in packs. */
static const PvRowMember modules_members[] = {{LAST}};

static const PvRowMember processes_members[] = {
    {INT32 (PvProcess, pid)},
    {NAME (PvProcess, name, PV_NAMES_PROCESS)},
    {UINT64 (PvProcess, start_ns)},
    {END_NS (PvProcess, end_ns)},
    {LAST},
};

static const PvRowMember threads_members[] = {
    {INT32 (PvThread, tid)},
    {PROCESS (PvThread, process)},
    {NAME (PvThread, name, PV_NAMES_THREAD)},
    {UINT64 (PvThread, start_ns)},
    {END_NS (PvThread, end_ns)},
    {LAST},
};

/* Packs have them by sets. */
static const PvRowMember labels_members[] = {
    {NAME (PvLabel, key, PV_NAMES_NOTHING)},
    {TEXT (PvLabel, text, PV_NAMES_VALUE)},
    {TEXT (PvLabel, unit, PV_NAMES_NOTHING)},
    {LAST},
};

static const PvRowMember waits_members[] = {
    {THREAD (PvWait, waker)},
    {STACK (PvWait, waker_stack)},
    {CHAR (PvWait, state)},
    {BOOL (PvWait, is_open)},
    {LAST},
};

static const PvRowMember dumps_members[] = {
    {NAME (PvDump, name, PV_NAMES_FILE)},
    {UINT64 (PvDump, time_ns)},
    {INT64 (PvDump, recorded_at)},
    {BOOL (PvDump, is_main)},
    {LAST},
};

static const PvRowMember losses_members[] = {
    {UINT64 (PvLoss, time_ns)},
    {UINT64 (PvLoss, n_lost)},
    {LAST},
};

/* In packs a source is a section, with its text. */
static const PvRowMember sources_members[] = {
    {NAME (PvEmbeddedSource, path, PV_NAMES_FILE)},
    {LAST},
};

static const PvRowMember suppressions_members[] = {
    {PV_MEMBER_NAME, 0, PV_NAMES_ANYTHING},
    {LAST},
};

static const PvRowMember bucket_members[] = {
    {INT64 (PvBucket, first)},
    {INT64 (PvBucket, last)},
    {UINT64 (PvBucket, count)},
    {LAST},
};

static const PvRowMember number_members[] = {
    {NAME (PvDistributionRow, key, PV_NAMES_VALUE)},
    {INT64 (PvDistributionRow, value)},
    {UINT64 (PvDistributionRow, count)},
    {LAST},
};

static const PvRowMember distributions_members[] = {
    {TEXT (PvDistribution, name, PV_NAMES_VALUE)},
    {TEXT (PvDistribution, key, PV_NAMES_VALUE)},
    {ENUM (PvDistribution, kind, PV_DISTRIBUTION_STATS + 1)},
    {ROWS (PvDistribution, buckets, bucket_members)},
    {ROWS (PvDistribution, rows, number_members)},
    {LAST},
};

/* In packs their samples are columns. */
static const PvRowMember counters_members[] = {
    {NAME (PvCounter, name, PV_NAMES_VALUE)},
    {NAME (PvCounter, category, PV_NAMES_NOTHING)},
    {NAME (PvCounter, description, PV_NAMES_ANYTHING)},
    {PROCESS (PvCounter, process)},
    {LAST},
};

static const PvRowMember notes_members[] = {
    {ENUM (PvNote, severity, PV_NOTE_WARNING + 1)},
    {OPEN_ENUM (PvNote, kind, PV_NOTE_FRACTIONS + 1)},
    {MODULE (PvNote, module)},
    {TEXT (PvNote, text, PV_NAMES_ANYTHING)},
    {LAST},
};

#define ROW_TYPE(id, name, T) [id] = {sizeof (T), name##_members},

const PvRowType pv_row_types[PV_N_PROFILE_TABLES] = {PV_PROFILE_TABLES (ROW_TYPE)};

void
pv_row_map (void *row, const PvRowMember *members, const PvRowMapping *mapping)
{
    g_assert (row != NULL && members != NULL && mapping != NULL);
    for (const PvRowMember *member = members; member->type != PV_MEMBER_NONE; member++) {
        void *value = pv_row_member (member, row);
        if (member->type == PV_MEMBER_ROWS) {
            void **rows = value;
            uint32_t n = *pv_row_count (member, row);
            *rows = pv_arena_memdup (mapping->arena, *rows, n * member->size_bytes);
            for (uint32_t i = 0; i < n; i++)
                pv_row_map ((char *)*rows + i * member->size_bytes, member->rows, mapping);
        } else if (member->type >= PV_MEMBER_MODULE && mapping->map_id != NULL) {
            uint32_t *id = value;
            *id = mapping->map_id (mapping->user, member->type, *id);
        } else if (member->type <= PV_MEMBER_NAME) {
            const char **text = value;
            *text = mapping->map_text (mapping->user, member->names, *text);
        }
    }
}
