/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/analyze/findings/rules.h"

#include <glib/gi18n-lib.h>

static const char *const names[] = {
    "memset",       "__memset",        "__memset_*",       "__memset_chk*",
    "bzero",        "__bzero*",        "explicit_bzero*",  "wmemset",
    "__GI_memset*", "runtime.memclr*", "_platform_memset", NULL};

const PvFindingRule pv_rule_zeroing = {
    .word = "zeroing",
    .names = names,
    .is_of_calls = true,
    .least = 0.05,
    .is_never_blamed = true,
    .title = N_ ("Filling memory (%s) takes %s of %s"),
    .detail = N_ ("Allocate without zeros what is written anyway, or clear only the part "
                  "that was used."),
};
