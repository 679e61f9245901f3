/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

#include "core/base/job.h"
#include "core/model/profile/profile.h"
#include "core/model/profile/raw-stack.h"
#include "core/symbolize/files/module-files.h"

/* The unwinder for DWARF-mode recordings. One thread at a time; it runs its own workers. */
typedef struct PvUnwinder PvUnwinder;

/* files must outlive the unwinder. n_workers 0: one per processor. */
PvUnwinder *pv_unwinder_new (PvModuleFiles *files, unsigned n_workers);
void pv_unwinder_free (PvUnwinder *unwinder);

/* A PvUnwindFunc; user is the PvUnwinder. */
void pv_unwinder_unwind (void *unwinder, PvArch arch, const PvModule *modules,
                         const PvRawStack *stacks, size_t n, PvRawResult *results, PvJob *job);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvUnwinder, pv_unwinder_free)
