/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/base/arena.h"

#include <stdint.h>
#include <string.h>

#if defined(__SANITIZE_ADDRESS__)
#define EVERY_BLOCK_ITS_OWN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define EVERY_BLOCK_ITS_OWN 1
#endif
#endif
#ifndef EVERY_BLOCK_ITS_OWN
#define EVERY_BLOCK_ITS_OWN 0
#endif

/* The first chunk is small: there may be one arena per module, and most modules have little to
 * keep. */
enum { ALIGN = 16, FIRST_CHUNK = 1024, SECOND_CHUNK = 4096, LARGEST_CHUNK = 1 << 20 };

typedef struct Chunk Chunk;
struct Chunk {
    Chunk *next;
    size_t size;
    _Alignas(ALIGN) uint8_t data[];
};

struct PvArena {
    Chunk *chunks; /* the first one is being filled */
    size_t used;   /* of the first chunk */
    size_t next_size;
    size_t size_bytes; /* of all chunks */
};

PvArena *
pv_arena_new (void)
{
    PvArena *arena = g_new0 (PvArena, 1);
    arena->next_size = FIRST_CHUNK;
    return arena;
}

void
pv_arena_free (PvArena *arena)
{
    if (arena == NULL)
        return;
    for (Chunk *chunk = arena->chunks, *next; chunk != NULL; chunk = next) {
        next = chunk->next;
        g_free (chunk);
    }
    g_free (arena);
}

size_t
pv_arena_count_bytes (const PvArena *arena)
{
    g_assert (arena != NULL);
    return arena->size_bytes;
}

static Chunk *
add_chunk (PvArena *arena, size_t size)
{
    Chunk *chunk = g_malloc (sizeof (Chunk) + size);
    chunk->size = size;
    arena->size_bytes += sizeof (Chunk) + size;
    chunk->next = arena->chunks;
    arena->chunks = chunk;
    return chunk;
}

/* A block too large to share a chunk gets its own, after the one being filled. */
static void *
alloc_alone (PvArena *arena, size_t size)
{
    Chunk *filling = arena->chunks;
    Chunk *chunk = add_chunk (arena, size);
    if (filling != NULL) {
        chunk->next = filling->next;
        filling->next = chunk;
        arena->chunks = filling;
    } else {
        arena->used = size;
    }
    return chunk->data;
}

void *
pv_arena_alloc (PvArena *arena, size_t size)
{
    if (EVERY_BLOCK_ITS_OWN)
        return alloc_alone (arena, size);
    g_assert (size <= SIZE_MAX - ALIGN);
    size = (size + ALIGN - 1) & ~(size_t)(ALIGN - 1);
    if (arena->chunks == NULL || size > arena->chunks->size - arena->used) {
        size_t chunk_size = arena->next_size;
        if (size > chunk_size / 4) {
            arena->next_size = MAX (chunk_size, SECOND_CHUNK);
            return alloc_alone (arena, size);
        }
        arena->next_size = CLAMP (chunk_size * 2, SECOND_CHUNK, LARGEST_CHUNK);
        add_chunk (arena, chunk_size);
        arena->used = 0;
    }
    void *block = arena->chunks->data + arena->used;
    arena->used += size;
    return block;
}

void *
pv_arena_alloc0 (PvArena *arena, size_t size)
{
    return memset (pv_arena_alloc (arena, size), 0, size);
}

void *
pv_arena_memdup (PvArena *arena, const void *data, size_t size)
{
    g_assert (arena != NULL && (data != NULL || size == 0));
    void *copy = pv_arena_alloc (arena, size);
    if (size > 0)
        memcpy (copy, data, size);
    return copy;
}

char *
pv_arena_strndup (PvArena *arena, const char *string, size_t size_bytes)
{
    g_assert (arena != NULL && (string != NULL || size_bytes == 0));
    char *copy = pv_arena_alloc (arena, size_bytes + 1);
    if (size_bytes > 0)
        memcpy (copy, string, size_bytes);
    copy[size_bytes] = '\0';
    return copy;
}

char *
pv_arena_printf (PvArena *arena, const char *format, ...)
{
    g_assert (arena != NULL && format != NULL);
    va_list args;
    va_start (args, format);
    g_autofree char *text = g_strdup_vprintf (format, args);
    va_end (args);
    return pv_arena_strndup (arena, text, strlen (text));
}
