/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/read/heaptrack/heaptrack-session.h"

void
heaptrack_session_init (HeaptrackSession *session, PvUnpackStream *stream, uint64_t file_bytes,
                        PvProfileBuilder *builder, const PvReadContext *context)
{
    g_assert (session != NULL && stream != NULL && builder != NULL && context != NULL);
    *session = (HeaptrackSession){
        .builder = builder,
        .context = context,
        .file_bytes = file_bytes,
        .feed = {.stream = stream, .job = context->job},
        .page_bytes = 4096,
        .space = pv_address_space_new (),
    };
    heaptrack_blocks_init (&session->blocks, &session->infos);
    pv_array_push (&session->strings, NULL);
    pv_array_push (&session->stack_of_trace, 0);
    pv_array_push (&session->site_of_trace, 0);
    pv_array_push (&session->locations, 0);
    pv_array_push (&session->ips, ((HeaptrackIp){0}));
}

void
heaptrack_session_clear (HeaptrackSession *session)
{
    pv_heap_builder_free (session->heap);
    heaptrack_feed_clear (&session->feed);
    heaptrack_blocks_clear (&session->blocks);
    heaptrack_infos_clear (&session->infos);
    pv_address_space_free (session->space);
    pv_id_map_clear (&session->ip_ids);
    pv_id_map_clear (&session->module_ids);
    pv_array_clear (&session->strings);
    pv_array_clear (&session->stack_of_trace);
    pv_array_clear (&session->site_of_trace);
    pv_array_clear (&session->stack_of_site);
    pv_array_clear (&session->ips);
    pv_array_clear (&session->locations);
    pv_array_clear (&session->frames);
}

void
heaptrack_take_batch (HeaptrackSession *session, HeaptrackBatch *batch)
{
    heaptrack_blocks_resolve (&session->blocks, batch);
    if (batch->len > 0)
        pv_heap_builder_add (session->heap, batch->events, batch->len);
}

const PvHeap *
heaptrack_publish (HeaptrackSession *session, PvHeapBuilder *heap)
{
    g_assert (heap != NULL);
    if (session->is_by_pointer)
        heaptrack_blocks_keep (&session->blocks, heap);
    PvHeap *published = pv_heap_builder_finish (heap, session->stack_of_site.data,
                                                (uint32_t)session->stack_of_site.len);
    published->is_cut = session->is_cut;
    pv_profile_builder_set_heap (session->builder, published);
    return published;
}

bool
heaptrack_has_memory (HeaptrackSession *session)
{
    uint64_t used_bytes = session->used_bytes +
                          atomic_load_explicit (&session->blocks.used_bytes, memory_order_relaxed);
    session->is_full |=
        used_bytes > pv_budget_get_bytes (&session->context->budget, session->unpacked_bytes);
    return !session->is_full;
}

void
heaptrack_decide (HeaptrackSession *session, HeaptrackKind kind)
{
    g_assert (session->kind == HEAPTRACK_UNDECIDED);
    session->kind = kind;
    session->is_by_pointer = kind == HEAPTRACK_RAW || session->version == 0;
    session->blocks.is_by_pointer = session->is_by_pointer;
    session->heap = pv_heap_builder_new (session->is_by_pointer, 0);
}
