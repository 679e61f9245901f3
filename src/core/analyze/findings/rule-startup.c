/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/analyze/findings/rules.h"

#include <glib/gi18n-lib.h>

static const char *const names[] = {"_dl_relocate_object*",
                                    "_dl_map_object*",
                                    "_dl_lookup_symbol_x",
                                    "_dl_start",
                                    "dl_main",
                                    "do_lookup_x",
                                    "check_match",
                                    "_dl_fixup",
                                    "_dl_runtime_resolve*",
                                    "_dl_protect_relro",
                                    "_dl_new_object",
                                    "_dl_check_map_versions",
                                    "_dl_check_all_versions",
                                    "_dl_load_cache_lookup",
                                    "_dl_important_hwcaps",
                                    "_dl_sort_maps*",
                                    "open_verify*",
                                    "elf_machine_rela*",
                                    "elf_get_dynamic_info*",
                                    "_dl_map_segments",
                                    "_dl_cache_libcmp",
                                    "_dl_name_match_p",
                                    NULL};

const PvFindingRule pv_rule_startup = {
    .word = "startup",
    .names = names,
    .least = 0.05,
    .title = N_ ("Loading and linking shared libraries (%s) takes %s of %s"),
    .detail = N_ ("The program needs fewer or smaller libraries, was recorded for a short"
                  " time only, or is started too often. Prelinked or static programs "
                  "start faster."),
};
