/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The keys that the first bytes of a file of JSON show, for telling formats apart: those of the
 * outermost object and of objects in it, as "meta", "meta.version"; of arrays, those of the first
 * elements together, as "threads[].name", "[].ph".
 */
typedef struct PvJsonOutline PvJsonOutline;

/* NULL if the bytes are not the beginning of an object or array of JSON. */
PvJsonOutline *pv_json_outline_new (const uint8_t *data, size_t size_bytes);
void pv_json_outline_free (PvJsonOutline *outline);

bool pv_json_outline_has (const PvJsonOutline *outline, const char *path);
/* The text of a short string, or NULL. */
const char *pv_json_outline_get_string (const PvJsonOutline *outline, const char *path);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvJsonOutline, pv_json_outline_free)
