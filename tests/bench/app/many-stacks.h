/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/*
 * A profile with so many distinct stacks: walks of 24 calls over a random graph of 5,000 functions
 * that share their outer part with the stack before, as recorded ones do. Returns the
 * folder of made-profile.h, NULL if it cannot be written.
 */
char *bench_make_many_stacks (unsigned n_stacks);
