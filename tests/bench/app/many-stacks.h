#pragma once

/*
 * A profile with so many distinct stacks: walks of 24 calls over a random graph of 5,000 functions
 * that share their outer part with the stack before, as recorded ones do. Returns a new folder as
 * bench_make_many_boxes () does; free with bench_remove_many_boxes () and g_free ().
 */
char *bench_make_many_stacks (unsigned n_stacks);
