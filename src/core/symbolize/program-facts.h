#pragma once

#include "core/base/program-facts.h"

/* Reads what the file at path, a program or a script, says about how it can be recorded: headers,
 * symbols and some of its code. Blocking; any thread; any bytes. */
void pv_program_facts_read (const char *path, PvProgramFacts *ret_facts);
