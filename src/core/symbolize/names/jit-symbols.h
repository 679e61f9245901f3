/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/model/profile/profile.h"
#include "core/symbolize/files/file-roots.h"
#include "core/symbolize/files/frame-chain.h"
#include "core/symbolize/names/elf-symbols.h"

/* Names contained in the recording (jitdump, KSYMBOL): fills in hits of kind NONE, and chains (may
 * be NULL) of one frame if file and line are known. addrs are of the module's kind. */
void pv_named_ranges_find (const PvModule *module, const uint64_t *addrs, size_t n,
                           PvSymbolHit *hits, PvFrameChain *chains, PvArena *arena);

/* Names from the perf-PID.map of a JIT module's process: fills in hits of kind NONE. Returns the
 * path of the file, in the arena, or NULL if there is none. If the process's own map is missing,
 * uses one in the search folders that names most of the addresses, whatever its PID, or the one in
 * the process's container if it still runs on this machine. ret_is_reused: some addresses had other
 * names before, and nothing tells when. *ret_problem is why a map that there is was not used, a
 * translated sentence in the arena, or NULL. */
const char *pv_jit_map_find (PvFileRoots *roots, const PvModule *module,
                             const uint64_t *runtime_addrs, size_t n, PvSymbolHit *hits,
                             PvArena *arena, bool *ret_is_reused, const char **ret_problem);
