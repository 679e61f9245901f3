/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables of rows: what is done with each of them in the same way. */
#include "../cases.h"
#include "core/model/anonymous/anonymize.h"
#include "core/model/build/builder.h"
#include "core/model/profile/rows.h"

enum { N_ROWS = 3, MAX_ROW_BYTES = 512 };

static size_t
get_size (PvMemberType type)
{
    switch (type) {
    case PV_MEMBER_TEXT:
    case PV_MEMBER_NAME:
    case PV_MEMBER_ROWS:
        return sizeof (void *);
    case PV_MEMBER_BOOL:
        return sizeof (bool);
    case PV_MEMBER_CHAR:
        return sizeof (char);
    case PV_MEMBER_INT64:
    case PV_MEMBER_UINT64:
    case PV_MEMBER_END_NS:
        return sizeof (uint64_t);
    default:
        return sizeof (uint32_t);
    }
}

static void
use_bytes (bool *is_used, size_t size_bytes, size_t first, size_t n)
{
    g_assert_cmpuint (first + n, <=, size_bytes);
    for (size_t i = first; i < first + n; i++) {
        g_assert_false (is_used[i]);
        is_used[i] = true;
    }
}

static void
check_members (const PvRowMember *members, size_t size_bytes)
{
    bool is_used[MAX_ROW_BYTES] = {false};
    g_assert_cmpuint (size_bytes, <=, MAX_ROW_BYTES);
    for (const PvRowMember *member = members; member->type != PV_MEMBER_NONE; member++) {
        use_bytes (is_used, size_bytes, member->offset, get_size (member->type));
        if (member->type == PV_MEMBER_ENUM || member->type == PV_MEMBER_OPEN_ENUM)
            g_assert_cmpuint (member->n_values, >, 1);
        if (member->type != PV_MEMBER_ROWS)
            continue;
        use_bytes (is_used, size_bytes, member->offset_of_n, sizeof (uint32_t));
        check_members (member->rows, member->size_bytes);
    }
}

/* Members are in the row, and each at its own place. */
TEST (members)
{
    for (PvProfileTable t = 0; t < PV_N_PROFILE_TABLES; t++)
        check_members (pv_row_types[t].members, pv_row_types[t].size_bytes);
}

static PvProfile *
make_profile (void)
{
    g_autoptr (PvProfileBuilder) builder = pv_profile_builder_new ();
    PvProcessId process = pv_profile_builder_add_process (builder, 1, "p", 0);
    pv_profile_builder_add_thread (builder, process, 2, "t", 0);
    for (unsigned i = 0; i < N_ROWS; i++) {
        const PvDump dump = {.name = "d", .time_ns = (i + 1) * G_GUINT64_CONSTANT (1000000)};
        pv_profile_builder_add_dump (builder, &dump);
    }
    return pv_profile_builder_snapshot (builder);
}

/* Each table has two names. */
TEST (names_and_ids)
{
    g_autoptr (PvProfile) profile = make_profile ();
    unsigned n = 0;
#define CHECK_TABLE(id, name, T)                                                                   \
    g_assert_true (profile->name == profile->tables[id].rows);                                     \
    g_assert_cmpuint (profile->n_##name, ==, profile->tables[id].n_rows);                          \
    g_assert_cmpuint (pv_row_types[id].size_bytes, ==, sizeof *profile->name);                     \
    n++;
    PV_PROFILE_TABLES (CHECK_TABLE)
    g_assert_cmpuint (n, ==, PV_N_PROFILE_TABLES);
    g_assert_cmpuint (profile->n_threads, ==, 2);
    g_assert_cmpuint (profile->n_dumps, ==, N_ROWS);
    g_assert_cmpuint (profile->tables[PV_PROFILE_DUMPS].n_rows, ==, N_ROWS);
}

static void *
make_rows (const PvRowMember *members, size_t size_bytes, PvArena *arena)
{
    char *rows = pv_arena_alloc0 (arena, N_ROWS * size_bytes);
    for (unsigned i = 0; i < N_ROWS; i++) {
        char *row = rows + i * size_bytes;
        for (const PvRowMember *member = members; member->type != PV_MEMBER_NONE; member++) {
            void *value = pv_row_member (member, row);
            if (member->type == PV_MEMBER_TEXT || member->type == PV_MEMBER_NAME)
                *(const char **)value = "secret";
            if (member->type != PV_MEMBER_ROWS)
                continue;
            *pv_row_count (member, row) = N_ROWS;
            *(void **)value = make_rows (member->rows, member->size_bytes, arena);
        }
    }
    return rows;
}

/* Returns how many texts there are. */
static unsigned
check_hidden (const PvRowMember *members, size_t size_bytes, const void *rows, uint32_t n_rows)
{
    unsigned n = 0;
    for (uint32_t i = 0; i < n_rows; i++) {
        const char *row = (const char *)rows + i * size_bytes;
        for (const PvRowMember *member = members; member->type != PV_MEMBER_NONE; member++) {
            const char *const *value = pv_row_member (member, row);
            bool may_stay = member->names == PV_NAMES_NOTHING;
            if (member->type == PV_MEMBER_TEXT || member->type == PV_MEMBER_NAME) {
                n++;
                g_assert_true (may_stay == (strstr (*value, "secret") != NULL));
            } else if (member->type == PV_MEMBER_ROWS) {
                n += check_hidden (member->rows, member->size_bytes, *value,
                                   *pv_row_count (member, row));
            }
        }
    }
    return n;
}

/* No name remains in any table, and the profile that was given is as before. */
TEST (pseudonyms)
{
    unsigned n = 0;
    g_autoptr (PvProfile) profile = make_profile ();
    for (PvProfileTable t = 0; t < PV_N_PROFILE_TABLES; t++) {
        const PvRowType *type = &pv_row_types[t];
        if (t == PV_PROFILE_MODULES)
            continue;
        profile->tables[t].rows = make_rows (type->members, type->size_bytes, profile->arena);
        profile->tables[t].n_rows = N_ROWS;
    }
    g_autoptr (PvSymbolBuilder) builder = pv_symbol_builder_new (profile);
    g_autoptr (PvSymbolTable) symbols = pv_symbol_builder_publish (builder, true);
    g_autoptr (PvProfile) hidden = NULL;
    g_autoptr (PvSymbolTable) hidden_symbols = NULL;
    pv_anonymize (profile, symbols, &hidden, &hidden_symbols);
    for (PvProfileTable t = 0; t < PV_N_PROFILE_TABLES; t++) {
        const PvRows *rows = &hidden->tables[t];
        if (t == PV_PROFILE_MODULES || t == PV_PROFILE_NOTES)
            continue; /* they have others */
        n += check_hidden (pv_row_types[t].members, pv_row_types[t].size_bytes, rows->rows,
                           rows->n_rows);
    }
    g_assert_cmpuint (n, >, 40);
    g_assert_cmpuint (hidden->n_sources, ==, 0);
    g_assert_cmpuint (hidden->n_suppressions, ==, 0);
    g_assert_cmpuint (hidden->n_notes, ==, 1);
    g_assert_null (strstr (hidden->notes[0].text, "secret"));
    g_assert_cmpuint (hidden->n_counters, ==, N_ROWS);
    g_assert_cmpstr (hidden->counters[0].category, ==, "secret");
    g_assert_cmpstr (hidden->counters[0].description, ==, "");
    g_assert_true (hidden->distributions[1].rows[2].key == hidden->distributions[0].key);
    g_assert_true (hidden->waits == profile->waits);
    g_assert_cmpstr (profile->distributions[0].rows[0].key, ==, "secret");
    g_assert_cmpstr (profile->dumps[0].name, ==, "secret");
}
