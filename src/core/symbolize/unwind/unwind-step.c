/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/symbolize/unwind/unwinder-private.h"

/*
 * Finds the step for a pc that is not in the cache, with binary searches for the mapping, the
 * segment and the row; about one frame in a hundred needs this.
 */
static const PvUnwindModule *
get_module (PvUnwindWorker *worker, PvModuleId id)
{
    if (id >= worker->n_known) {
        size_t n_known = MAX ((size_t)id + 1, worker->n_known * 2);
        worker->known = g_renew (const PvUnwindModule *, worker->known, n_known);
        worker->is_known = g_renew (bool, worker->is_known, n_known);
        memset (worker->is_known + worker->n_known, 0, n_known - worker->n_known);
        worker->n_known = n_known;
    }
    if (!worker->is_known[id]) {
        worker->known[id] = pv_unwind_modules_get (worker->shared, &worker->modules[id]);
        worker->is_known[id] = true;
    }
    return worker->known[id];
}

const PvUnwindModule *
pv_unwind_find_module (PvUnwindWorker *worker, const PvAddressSpace *space, uint64_t runtime_addr,
                       uint64_t *ret_link_addr, const PvMapping **ret_mapping)
{
    const PvMapping *mapping = pv_address_space_find (space, runtime_addr);
    if (ret_mapping != NULL)
        *ret_mapping = mapping;
    if (mapping == NULL)
        return NULL;
    const PvUnwindModule *module = get_module (worker, mapping->module);
    if (module == NULL) {
        *ret_link_addr = runtime_addr;
        return pv_unwind_modules_get_code (worker->shared, &worker->modules[mapping->module],
                                           runtime_addr, worker->arch);
    }
    if (module->binary == NULL)
        return module;
    uint64_t file_offset = runtime_addr - mapping->start + mapping->file_offset;
    if (!pv_elf_image_offset_to_link (module->binary, file_offset, ret_link_addr))
        return NULL;
    return module;
}

static void
set_compact (PvUnwindStep *step, const PvUnwindRow *row, const PvCfiArch *arch)
{
    switch (pv_unwind_row_kind (row)) {
    case PV_UNWIND_SP:
    case PV_UNWIND_FP:
        step->kind = pv_unwind_row_kind (row) == PV_UNWIND_SP ? PV_STEP_SP : PV_STEP_FP;
        step->cfa_offset = (uint32_t)(row->cfa >> 2) * arch->word_size;
        step->frame = row->frame;
        break;
    case PV_UNWIND_FULL:
        step->kind = PV_STEP_FULL;
        break;
    default:
        step->kind = row->cfa >> 2 == PV_UNWIND_ROOT   ? PV_STEP_ROOT
                     : row->cfa >> 2 == PV_UNWIND_AWAY ? PV_STEP_AWAY
                                                       : PV_STEP_NO_CFI;
        break;
    }
}

/* Sets the rules for code whose bytes are known. */
static void
set_rules (PvUnwindStep *step, const PvUnwindModule *module, uint64_t link_addr, bool is_return)
{
    enum { ENTRY_SIZE = 128 }; /* larger than any start-up code without rules */
    if (!pv_unwind_module_is_code (module, link_addr)) {
        step->kind = PV_STEP_UNMAPPED;
        return;
    }
    /* The code takes precedence over the rules: on AArch64, the vdso's rules describe a call, not
     * an interrupt. */
    if (pv_unwind_module_is_sigreturn (module, link_addr + is_return, !is_return)) {
        step->kind = PV_STEP_SIGNAL;
        return;
    }
    step->kind = PV_STEP_NO_CFI;
    if (module->table != NULL)
        set_compact (step, pv_cfi_table_find (module->table, link_addr),
                     pv_cfi_table_get_arch (module->table));
    if (step->kind == PV_STEP_NO_CFI && module->entry_addr != 0 &&
        link_addr - module->entry_addr < ENTRY_SIZE)
        step->kind = PV_STEP_ENTRY;
}

void
pv_unwind_resolve_step (PvUnwindWorker *worker, const PvAddressSpace *space, uint64_t pc,
                        bool is_return, PvUnwindStep *step)
{
    uint64_t lookup = pc - is_return;
    uint64_t link_addr = 0;
    const PvMapping *mapping;
    const PvUnwindModule *module =
        pv_unwind_find_module (worker, space, lookup, &link_addr, &mapping);
    memset (step, 0, sizeof *step);
    if (mapping == NULL) {
        step->kind = PV_STEP_UNMAPPED;
        return;
    }
    const PvModule *described = &worker->modules[mapping->module];
    step->module = mapping->module;
    if (described->address_kind == PV_ADDRESS_FILE_OFFSET)
        step->delta = mapping->file_offset - mapping->start;
    else if (described->address_kind == PV_ADDRESS_LINK)
        step->delta = link_addr - lookup;

    bool is_file = described->kind == PV_MODULE_FILE || described->kind == PV_MODULE_VDSO;
    if (module != NULL && module->binary != NULL) {
        set_rules (step, module, link_addr, is_return);
    } else {
        /* A missing vdso was built with frame pointers; nothing is known about other missing files.
         * A file that was found has no such address. */
        step->is_file_missing = is_file && module != NULL;
        step->kind = PV_STEP_NO_CFI;
        if (is_file && module == NULL)
            step->kind = PV_STEP_UNMAPPED;
        else if (described->kind == PV_MODULE_FILE)
            step->kind = PV_STEP_NO_BINARY;
    }
}
