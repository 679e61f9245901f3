/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "core/model/profile/profile.h"
#include "core/symbolize/files/module-files.h"

/*
 * From the addresses of a module's locations to those that its file was linked for. Valid as long
 * as the module's file.
 */
typedef struct {
    const PvModuleFile *file;
    PvAddressKind kind;
    uint64_t bias; /* address - link address; of file offsets, if has_bias */
    bool has_bias; /* mappings tell the bias of file offsets to the list: the file is not there */
    bool is_link;  /* the results are link addresses; else there is no way to them */
} PvLinkAddresses;

/* file may be without any image. */
void pv_link_addresses_init (PvLinkAddresses *addresses, const PvModule *module,
                             const PvModuleFile *file);

/* False: the file does not hold the address, or is not there. */
bool pv_link_addresses_convert (const PvLinkAddresses *addresses, uint64_t address,
                                uint64_t *ret_link_addr);

/* The same for all addresses: writes at most PV_MAX_LINK_SEGMENTS and returns their number. 0:
 * addresses are shown as they are, as they are link addresses, or those of the running program. */
uint32_t pv_link_addresses_list (const PvLinkAddresses *addresses, PvLinkSegment *ret_segments);
