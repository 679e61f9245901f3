#pragma once

#include "core/base/program-facts.h"
#include "core/symbolize/elf/elf-image.h"

/* Reads what the file at path, a program or a script, says about how it can be recorded: headers,
 * symbols and some of its code. Blocking; any thread; any bytes. */
void pv_program_facts_read (const char *path, PvProgramFacts *ret_facts);

/* The same for files that were found already; debug may be binary, or NULL. */
void pv_program_facts_judge (PvElfImage *binary, PvElfImage *debug, PvProgramFacts *ret_facts);

/* Whether most of its functions keep a frame pointer, as far as a sample of them tells. */
bool pv_program_has_frame_pointers (PvElfImage *binary, PvElfImage *debug);
