/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/analyze/findings/rules.h"

#include <glib/gi18n-lib.h>

static const char *const names[] = {
    "memcpy",       "memmove",         "mempcpy",           "bcopy",
    "wmemcpy",      "__memcpy",        "__memmove",         "__memcpy_*",
    "__memmove_*",  "__mempcpy*",      "__memcpy_chk*",     "__memmove_chk*",
    "__GI_memcpy*", "__GI_memmove*",   "__libc_memmove",    "__libc_memcpy",
    "__bcopy*",     "runtime.memmove", "_platform_memmove", NULL};

const PvFindingRule pv_rule_copying = {
    .word = "copying",
    .names = names,
    .is_of_calls = true,
    .least = 0.08,
    .is_never_blamed = true,
    .title = N_ ("Copying memory (%s) takes %s of %s"),
    .detail = N_ ("Pass references or move what is copied, or copy larger pieces at once."),
};
