/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/*
 * A profile with so many samples, dealt out to so many threads in turns of random length. Returns
 * the folder of made-profile.h, NULL if it cannot be written.
 */
char *bench_make_many_threads (unsigned n_samples, unsigned n_threads);
