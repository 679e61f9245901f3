/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* True if a name is empty or only an address, such as "0x1f4a". */
bool firefox_is_without_name (const char *name);
/* False: the text is not "0x" and a number. */
bool firefox_parse_address (const char *text, uint64_t *ret_address);

/* Parts of Gecko's text for a frame: "name (file:line:column)[source]", or only a name. */
typedef struct {
    const char *file; /* NULL: none; name and file point into the text */
    size_t name_len, file_len;
    uint32_t line; /* 0: unknown */
} FirefoxLocation;

FirefoxLocation firefox_parse_location (const char *text);

/* The path in a place of a repository:
 * "git:github.com/rust-lang/rust:library/core/src/fmt/mod.rs:9b9" has the third part,
 * "cargo:github.com-1ecc6:serde-1.0:src/de.rs" the last two. Other texts stay as they are. Free
 * with g_free (). */
char *firefox_shorten_path (const char *path);

/* Where code of a page comes from: "https://example.com" of "https://example.com/app.js". "" if the
 * text is no URL. Free with g_free (). */
char *firefox_find_origin (const char *url);

/* The number that a text begins with; -1 if it does not or the number is too large. */
int32_t firefox_parse_id (const char *text);
