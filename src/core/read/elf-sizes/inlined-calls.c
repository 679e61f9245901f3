/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/read/elf-sizes/inlined-calls.h"

void
inlined_calls_init (InlinedCalls *calls, const PvCodeMap *code, PvProfileBuilder *builder)
{
    g_assert (calls != NULL && code != NULL && builder != NULL);
    *calls = (InlinedCalls){.code = code, .builder = builder};
    calls->call_of_scope = g_new0 (uint32_t, MAX (code->n_scopes, 1));
    calls->function_of_scope = g_new0 (uint32_t, MAX (code->n_scopes, 1));
}

void
inlined_calls_clear (InlinedCalls *calls)
{
    g_assert (calls != NULL);
    pv_array_clear (&calls->calls);
    pv_hash_map_clear (&calls->call_of_name);
    pv_array_clear (&calls->path);
    pv_array_clear (&calls->frames);
    g_free (calls->call_of_scope);
    g_free (calls->function_of_scope);
}

static const char *
keep_string (InlinedCalls *calls, const char *string)
{
    size_t at = pv_hash_mix ((uint64_t)(uintptr_t)string) % INLINED_CALLS_KEPT;
    if (string == NULL)
        return NULL;
    if (calls->strings[at].given != string) {
        calls->strings[at].given = string;
        calls->strings[at].kept = pv_profile_builder_string (calls->builder, string);
    }
    return calls->strings[at].kept;
}

/* The call of a scope in the call of its parent (index + 1; 0: the function itself). */
static uint32_t
find_call (InlinedCalls *calls, uint32_t parent, uint32_t scope_row)
{
    const PvCodeScope *scope = &calls->code->scopes[scope_row];
    struct {
        uint64_t name, parent;
    } key = {0};
    const char *name = keep_string (calls, scope->name);
    key.name = (uint64_t)(uintptr_t)name;
    key.parent = parent;
    uint32_t *slot = pv_hash_map_slot (&calls->call_of_name, pv_hash_bytes (&key, sizeof key, 0));
    if (*slot == 0) {
        InlinedCall call = {
            .parent = parent,
            .depth = parent != 0 ? calls->calls.data[parent - 1].depth + 1 : 1,
            .frame = {.name = name,
                      .file = keep_string (calls, scope->file),
                      .start_line = scope->line,
                      .source = scope->source},
        };
        pv_array_push (&calls->calls, call);
        *slot = (uint32_t)calls->calls.len;
    }
    return *slot;
}

/* Finds or makes the calls of a scope and of all that it is inlined into. A scope whose bytes are
 * of two functions, as of a cold part, is a copy in the first one only. */
static uint32_t
find_call_of_scope (InlinedCalls *calls, uint32_t scope)
{
    const PvCodeScope *scopes = calls->code->scopes;
    calls->path.len = 0;
    for (; scopes[scope].parent != 0 && calls->function_of_scope[scope] != calls->function;
         scope = scopes[scope].parent)
        pv_array_push (&calls->path, scope);
    uint32_t call = scopes[scope].parent != 0 ? calls->call_of_scope[scope] : 0;
    while (calls->path.len > 0) {
        scope = calls->path.data[--calls->path.len];
        call = find_call (calls, call, scope);
        calls->calls.data[call - 1].n_copies += calls->function_of_scope[scope] == 0;
        calls->function_of_scope[scope] = calls->function;
        calls->call_of_scope[scope] = call;
    }
    return call;
}

void
inlined_calls_fill (InlinedCalls *calls, const ElfShare *shares, size_t n_shares)
{
    g_assert (calls != NULL && (shares != NULL || n_shares == 0));
    calls->function++;
    calls->calls.len = 0;
    pv_hash_map_clear (&calls->call_of_name);
    for (size_t i = 0; i < n_shares; i++) {
        uint32_t call = find_call_of_scope (calls, shares[i].scope);
        for (unsigned space = 0; space < ELF_N_SPACES; space++)
            calls->calls.data[call - 1].bytes[space] += shares[i].bytes[space];
    }
}

void
inlined_calls_give_frames (InlinedCalls *calls, size_t n, PvLocationId first,
                           const PvGivenFrame *function)
{
    g_assert (calls != NULL && n <= calls->calls.len && function != NULL);
    InlinedCall *all = calls->calls.data;
    for (size_t i = n; i-- > 0;) {
        if (all[i].has_frames)
            continue;
        calls->frames.len = 0;
        for (uint32_t at = (uint32_t)i + 1; at != 0; at = all[at - 1].parent)
            pv_array_push (&calls->frames, all[at - 1].frame);
        pv_array_push (&calls->frames, *function);
        pv_profile_builder_give_frames (calls->builder, first + (PvLocationId)i, calls->frames.data,
                                        (uint32_t)calls->frames.len);
        uint32_t inner = (uint32_t)i;
        for (uint32_t at = all[i].parent; at != 0 && !all[at - 1].has_frames;
             at = all[at - 1].parent) {
            all[at - 1].has_frames = true;
            pv_profile_builder_share_frames (calls->builder, first + at - 1, first + inner);
            inner = at - 1;
        }
    }
}
