/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/analyze/findings/rules.h"

#include <glib/gi18n-lib.h>

static const char *const kernel_names[] = {"asm_exc_page_fault",
                                           "exc_page_fault",
                                           "do_user_addr_fault",
                                           "do_page_fault",
                                           "__do_page_fault",
                                           "page_fault",
                                           "handle_mm_fault",
                                           "__handle_mm_fault",
                                           "do_anonymous_page",
                                           "do_mem_abort",
                                           "do_translation_fault",
                                           "el0_da",
                                           "el0_ia",
                                           "clear_page_*",
                                           "clear_huge_page",
                                           "clear_page",
                                           "do_fault",
                                           "filemap_map_pages",
                                           NULL};

const PvFindingRule pv_rule_page_faults = {
    .word = "page-faults",
    .kernel_names = kernel_names,
    .least = 0.05,
    .title = N_ ("Page faults (%s) take %s of %s"),
    .detail = N_ ("The program touches memory for the first time, or again after it was returned "
                  "to the kernel: reuse it, touch less of it, or allow huge pages."),
};
