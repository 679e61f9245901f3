/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stddef.h>

/*
 * Memory that is freed together. Not thread-safe: one arena per worker. Blocks are 16-byte aligned
 * and stay where they are until pv_arena_free (). With AddressSanitizer every allocation is a
 * malloc of its own, so that overruns are detected.
 */
typedef struct PvArena PvArena;

PvArena *pv_arena_new (void);
void pv_arena_free (PvArena *arena);

/* Uninitialised memory; size 0 gives a valid pointer. Aborts when memory is exhausted. */
void *pv_arena_alloc (PvArena *arena, size_t size);
void *pv_arena_alloc0 (PvArena *arena, size_t size);
void *pv_arena_memdup (PvArena *arena, const void *data, size_t size);

/* A NUL-terminated copy of the first size_bytes bytes. */
char *pv_arena_strndup (PvArena *arena, const char *string, size_t size_bytes);
char *pv_arena_printf (PvArena *arena, const char *format, ...) G_GNUC_PRINTF (2, 3);

/* All memory that the arena has taken from the system. */
size_t pv_arena_count_bytes (const PvArena *arena);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvArena, pv_arena_free)
