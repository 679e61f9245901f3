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
    uint64_t bias; /* address - link address */
    bool is_link;  /* the results are link addresses; else there is no way to them */
} PvLinkAddresses;

/* file may be without any image. */
void pv_link_addresses_init (PvLinkAddresses *addresses, const PvModule *module,
                             const PvModuleFile *file);

/* False: the file does not hold the address. */
bool pv_link_addresses_convert (const PvLinkAddresses *addresses, uint64_t address,
                                uint64_t *ret_link_addr);
