/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * kcore is an ELF core file (ET_CORE of the System V gABI) whose PT_LOADs are the kernel's memory
 * at run-time addresses. /proc/kcore cannot be mapped, and its size is that of all addresses: its
 * headers and the requested bytes are read one by one. "perf record --kcore" and "perf
 * buildid-cache --kcore" copy the parts that hold code into files of the same form.
 */
#include "core/symbolize/machine/kernel-code.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAX_HEADER_BYTES ((size_t)1 << 18)

struct PvKernelCode {
    int fd;
    char *path;
    PvKallsyms kallsyms;
    PvElfImage *header; /* of the headers only */
    PvCodeMachine machine;
};

/* Reads as much as there is. */
static size_t
read_at (int fd, uint64_t offset, uint8_t *bytes, size_t size_bytes)
{
    size_t n_read = 0;
    while (n_read < size_bytes && offset + n_read <= INT64_MAX) {
        ssize_t n = pread (fd, bytes + n_read, size_bytes - n_read, (off_t)(offset + n_read));
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            break;
        n_read += (size_t)n;
    }
    return n_read;
}

static bool
read_header (PvKernelCode *code)
{
    uint8_t *bytes = g_malloc (MAX_HEADER_BYTES);
    size_t size_bytes = read_at (code->fd, 0, bytes, MAX_HEADER_BYTES);
    g_autoptr (PvMappedFile) file = pv_mapped_file_new_take (bytes, size_bytes);
    code->header = pv_elf_image_new (file, code->path, NULL);
    if (code->header == NULL || pv_elf_image_get_type (code->header) != ET_CORE)
        return false;
    code->machine = (PvCodeMachine){pv_elf_image_get_machine (code->header),
                                    pv_elf_image_is_64bit (code->header),
                                    pv_elf_image_is_swapped (code->header)};
    return true;
}

static PvKernelCodeResult
open_kcore (PvKernelCode *code)
{
    struct stat info;
    g_autofree char *folder = g_path_get_dirname (code->kallsyms.path);
    code->path = g_build_filename (folder, "kcore", NULL);
    code->fd = open (code->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (code->fd < 0)
        return errno == EACCES || errno == EPERM ? PV_KERNEL_CODE_FORBIDDEN
                                                 : PV_KERNEL_CODE_UNREADABLE;
    bool is_read = fstat (code->fd, &info) == 0 && S_ISREG (info.st_mode) && read_header (code);
    return is_read ? PV_KERNEL_CODE_FOUND : PV_KERNEL_CODE_UNREADABLE;
}

/* The kernel of a module: the one that was recorded, or what is known of it by the module. */
static const PvModule *
find_kernel (const PvProfile *profile, const PvModule *module)
{
    for (PvModuleId m = 1; m < profile->n_modules; m++)
        if (profile->modules[m].kind == PV_MODULE_KERNEL)
            return &profile->modules[m];
    return module;
}

PvKernelCodeResult
pv_kernel_code_open (PvFileRoots *roots, const PvProfile *profile, const PvModule *module,
                     PvKernelCode **ret_code)
{
    g_assert (roots != NULL && profile != NULL && module != NULL && ret_code != NULL);

    const PvModule *kernel =
        module->kind == PV_MODULE_KERNEL ? module : find_kernel (profile, module);
    g_autoptr (PvKernelCode) code = g_new0 (PvKernelCode, 1);
    code->fd = -1;
    PvKallsymsResult found = pv_kallsyms_open (roots, kernel, &code->kallsyms);
    if (found == PV_KALLSYMS_HIDDEN)
        return PV_KERNEL_CODE_FORBIDDEN;
    if (code->kallsyms.path == NULL)
        return PV_KERNEL_CODE_NONE;
    PvKernelCodeResult result = open_kcore (code);
    if (result == PV_KERNEL_CODE_FOUND && module->kind != PV_MODULE_KERNEL &&
        code->kallsyms.bias != 0)
        result = PV_KERNEL_CODE_MOVED;
    if (result == PV_KERNEL_CODE_FOUND)
        *ret_code = g_steal_pointer (&code);
    return result;
}

void
pv_kernel_code_free (PvKernelCode *code)
{
    if (code == NULL)
        return;
    if (code->fd >= 0)
        close (code->fd);
    pv_kallsyms_clear (&code->kallsyms);
    g_clear_pointer (&code->header, pv_elf_image_unref);
    g_free (code->path);
    g_free (code);
}

const char *
pv_kernel_code_get_path (const PvKernelCode *code)
{
    g_assert (code != NULL);

    return code->path;
}

const PvCodeMachine *
pv_kernel_code_get_machine (const PvKernelCode *code)
{
    g_assert (code != NULL);

    return &code->machine;
}

const PvKallsyms *
pv_kernel_code_get_kallsyms (const PvKernelCode *code)
{
    g_assert (code != NULL);

    return &code->kallsyms;
}

size_t
pv_kernel_code_read (const PvKernelCode *code, uint64_t runtime_addr, uint8_t *bytes,
                     size_t size_bytes)
{
    g_assert (code != NULL && (bytes != NULL || size_bytes == 0));

    const PvElfSegment *segments;
    size_t n_segments = pv_elf_image_get_segments (code->header, &segments);
    uint64_t addr = runtime_addr - code->kallsyms.bias;
    for (size_t s = 0; s < n_segments; s++) {
        uint64_t inside = addr - segments[s].link_addr;
        if (addr < segments[s].link_addr || inside >= segments[s].file_size_bytes ||
            segments[s].file_offset > INT64_MAX - inside)
            continue;
        uint64_t left = segments[s].file_size_bytes - inside;
        return read_at (code->fd, segments[s].file_offset + inside, bytes, MIN (left, size_bytes));
    }
    return 0;
}
