/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Paths of files as recordings have them. Any thread. */

/* The part behind the last "/". */
const char *pv_path_get_base (const char *path);
/* The length without " (deleted)", which the kernel adds to the path of a file that is gone. */
size_t pv_path_get_plain_len (const char *path);
/* "[kvm_intel]" for "/lib/modules/6.1/kernel/kvm-intel.ko.xz", to be freed with g_free; NULL if the
 * file is no module of the kernel. */
char *pv_path_name_kernel_module (const char *path);
/* Folders in which each host of the network has one, such as /net, are mounts of the type autofs;
 * the host's is mounted when somebody looks into it. `mounts` is the text of /proc/self/mountinfo.
 * The first is true if there is such a folder, the second if the path is in one, and the folder of
 * its host is not mounted. */
bool pv_path_has_hosts (const char *mounts);
bool pv_path_waits_for_mount (const char *mounts, const char *path);

/* True for a file that “perf inject” made of code that was generated at run time: nobody can build
 * it in another way, and what its mappings say of the file's generation is a counter of perf. */
bool pv_path_is_jitted (const char *path);

/* True for a file in memory, memfd_create (), which no folder has. */
bool pv_path_is_memfd (const char *path);
/* "memfd:cloned" of "/memfd:cloned:/proc/self/exe", as the name that its program gave it may be a
 * path. To be freed with g_free. */
char *pv_path_name_memfd (const char *path);
