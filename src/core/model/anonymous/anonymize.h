/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/model/profile/symbols.h"

/* Stands for the name of the file where names are pseudonyms. */
#define PV_ANONYMOUS_NAME "profile"

/*
 * A profile without names that somebody could recognize, with the same figures: for one that is to
 * be shown to others.
 *
 * Functions, files, modules, processes, threads, hosts, commands, the texts of labels and all else
 * that the recorded program or its user named become pseudonyms ("f_1a2b3c4d"), of which equal ones
 * stand for equal names. They are made with a random key that is forgotten, so nobody can try names
 * to find out whether they are there. Facts that figures do not need are left out: addresses,
 * build-ids, arguments of events, notes, comments, source code. Ids of threads, times, processors,
 * names of measures and of events of the system, and facts about the machine stay.
 *
 * Filters go on working, as they look at the names of the old profile, which the new one refers to;
 * nothing that is printed or written does.
 *
 * Any thread. The new profile shares the tables of the old one. Free with pv_profile_free () and
 * pv_symbol_table_free ().
 */
void pv_anonymize (const PvProfile *profile, const PvSymbolTable *symbols, PvProfile **ret_profile,
                   PvSymbolTable **ret_symbols);
