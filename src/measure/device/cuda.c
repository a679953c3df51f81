/* NVIDIA GPUs by the CUDA driver API, found at run time. Written from its documentation and never run: docs/devices.md.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "measure/device/device.h"

/* What is used of the driver API, declared here so that no headers are needed. Source: CUDA Driver API reference 12;
 * names in _v2 are those that cuda.h gives the plain ones. */
typedef int cu_result, cu_device;
typedef unsigned long long cu_address;
typedef struct cu_context_of *cu_context;
typedef struct cu_module_of *cu_module;
typedef struct cu_function_of *cu_function;
typedef struct cu_stream_of *cu_stream;
typedef struct cu_event_of *cu_event;
enum { CU_SUCCESS = 0 };
enum {
    CU_MAX_THREADS_PER_BLOCK = 1,
    CU_SHARED_PER_BLOCK = 8,
    CU_MULTIPROCESSORS = 16,
    CU_L2_SIZE = 38,
    CU_MAJOR = 75,
    CU_MINOR = 76
};
enum { CU_JIT_ERROR_LOG = 5, CU_JIT_ERROR_LOG_SIZE = 6 };

typedef struct cuda {
    void *library;
    cu_result (*init)(unsigned flags);
    cu_result (*driver_version)(int *version);
    cu_result (*device_count)(int *count);
    cu_result (*device_get)(cu_device *device, int index);
    cu_result (*device_name)(char *name, int size, cu_device device);
    cu_result (*device_memory)(size_t *bytes, cu_device device);
    cu_result (*device_attribute)(int *value, int attribute, cu_device device);
    cu_result (*context_create)(cu_context *context, unsigned flags, cu_device device);
    cu_result (*context_destroy)(cu_context context);
    cu_result (*module_load)(cu_module *module, const void *image, unsigned count, int *options, void **values);
    cu_result (*module_unload)(cu_module module);
    cu_result (*module_function)(cu_function *function, cu_module module, const char *name);
    cu_result (*memory_alloc)(cu_address *address, size_t bytes);
    cu_result (*memory_free)(cu_address address);
    cu_result (*host_alloc)(void **memory, size_t bytes);
    cu_result (*host_free)(void *memory);
    cu_result (*to_device)(cu_address to, const void *from, size_t bytes, cu_stream stream);
    cu_result (*from_device)(void *to, cu_address from, size_t bytes, cu_stream stream);
    cu_result (*event_create)(cu_event *event, unsigned flags);
    cu_result (*event_record)(cu_event event, cu_stream stream);
    cu_result (*event_synchronize)(cu_event event);
    cu_result (*event_elapsed)(float *milliseconds, cu_event start, cu_event end);
    cu_result (*event_destroy)(cu_event event);
    cu_result (*launch)(cu_function function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
                        unsigned block_y, unsigned block_z, unsigned shared, cu_stream stream, void **parameters,
                        void **extra);
    cu_result (*error_string)(cu_result result, const char **text);
} cuda;

struct device {
    cuda cu;
    cu_context context;
    cu_event start, end;
};

typedef struct built {
    cu_module module;
    cu_function function;
} built;

static bool load(cuda *cu, const char *library) {
    *cu = (cuda){.library = dlopen(library, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE)};
    if (!cu->library)
        return false;
    const struct {
        const char *name;
        void *slot;
    } wanted[] = {
        {"cuInit", &cu->init},
        {"cuDriverGetVersion", &cu->driver_version},
        {"cuDeviceGetCount", &cu->device_count},
        {"cuDeviceGet", &cu->device_get},
        {"cuDeviceGetName", &cu->device_name},
        {"cuDeviceTotalMem_v2", &cu->device_memory},
        {"cuDeviceGetAttribute", &cu->device_attribute},
        {"cuCtxCreate_v2", &cu->context_create},
        {"cuCtxDestroy_v2", &cu->context_destroy},
        {"cuModuleLoadDataEx", &cu->module_load},
        {"cuModuleUnload", &cu->module_unload},
        {"cuModuleGetFunction", &cu->module_function},
        {"cuMemAlloc_v2", &cu->memory_alloc},
        {"cuMemFree_v2", &cu->memory_free},
        {"cuMemAllocHost_v2", &cu->host_alloc},
        {"cuMemFreeHost", &cu->host_free},
        {"cuMemcpyHtoDAsync_v2", &cu->to_device},
        {"cuMemcpyDtoHAsync_v2", &cu->from_device},
        {"cuEventCreate", &cu->event_create},
        {"cuEventRecord", &cu->event_record},
        {"cuEventSynchronize", &cu->event_synchronize},
        {"cuEventElapsedTime", &cu->event_elapsed},
        {"cuEventDestroy_v2", &cu->event_destroy},
        {"cuLaunchKernel", &cu->launch},
        {"cuGetErrorString", &cu->error_string},
    };
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++) {
        void *found = dlsym(cu->library, wanted[i].name);
        if (!found) {
            dlclose(cu->library);
            return false;
        }
        memcpy(wanted[i].slot, &found, sizeof found); /* POSIX: a function's address in a void pointer */
    }
    return true;
}

static int failed(const cuda *cu, roof_error *error, const char *what, cu_result result) {
    const char *text = NULL;
    if (cu->error_string(result, &text) != CU_SUCCESS || !text)
        text = "unknown error";
    return roof_fail(error, ROOF_EUNSUPPORTED, "CUDA failed to %s: %.120s (%d)", what, text, result);
}

/* ---- finding and opening ---- */

static double attribute(const cuda *cu, cu_device id, int which) {
    int value = 0;
    return cu->device_attribute(&value, which, id) == CU_SUCCESS && value > 0 ? value : 0;
}

static void facts_of(const cuda *cu, cu_device id, size_t index, device_facts *out) {
    size_t memory = 0;
    int version = 0;
    cu->device_memory(&memory, id);
    cu->driver_version(&version);
    *out = (device_facts){
        .device = {.vendor = "NVIDIA", .untried = true},
        .scope = "GPU",
        .memory = (double)memory,
        .cache = attribute(cu, id, CU_L2_SIZE),
        .local = attribute(cu, id, CU_SHARED_PER_BLOCK),
        .units = (int)attribute(cu, id, CU_MULTIPROCESSORS),
        .group_max = (int)attribute(cu, id, CU_MAX_THREADS_PER_BLOCK),
        .capability = (int)(10 * attribute(cu, id, CU_MAJOR) + attribute(cu, id, CU_MINOR)),
        .f64 = true,
        .f16 = true,
        .dot = true,
    };
    snprintf(out->device.id, sizeof out->device.id, "cuda:%zu", index);
    if (cu->device_name(out->device.name, (int)sizeof out->device.name, id) != CU_SUCCESS)
        out->device.name[0] = '\0';
    out->device.name[sizeof out->device.name - 1] = '\0';
    snprintf(out->device.driver, sizeof out->device.driver, "CUDA %d.%d", version / 1000, version % 1000 / 10);
    snprintf(out->platform, sizeof out->platform, "CUDA %d.%d, compute capability %d.%d", version / 1000,
             version % 1000 / 10, out->capability / 10, out->capability % 10);
}

static int device_id(const cuda *cu, size_t index, cu_device *id) {
    int count = 0;
    if (cu->init(0) != CU_SUCCESS || cu->device_count(&count) != CU_SUCCESS || index >= (size_t)(count > 0 ? count : 0))
        return -1;
    return cu->device_get(id, (int)index) == CU_SUCCESS ? 0 : -1;
}

static int find_device(const device_backend *self, size_t index, device_facts *out) {
    cuda cu;
    cu_device id;
    if (!load(&cu, self->library))
        return -1;
    int found = device_id(&cu, index, &id);
    if (found == 0)
        facts_of(&cu, id, index, out);
    dlclose(cu.library);
    return found;
}

static void close_device(device *at) {
    if (at->start)
        at->cu.event_destroy(at->start);
    if (at->end)
        at->cu.event_destroy(at->end);
    if (at->context)
        at->cu.context_destroy(at->context);
    dlclose(at->cu.library);
    free(at);
}

static int open_context(device *at, size_t index, roof_error *error) {
    cu_device id;
    if (device_id(&at->cu, index, &id))
        return roof_fail(error, ROOF_ENOTFOUND, "there is no CUDA device %zu", index);
    cu_result result = at->cu.context_create(&at->context, 0, id);
    if (result != CU_SUCCESS) {
        at->context = NULL;
        return failed(&at->cu, error, "open the device", result);
    }
    if ((result = at->cu.event_create(&at->start, 0)) != CU_SUCCESS) {
        at->start = NULL;
        return failed(&at->cu, error, "make an event", result);
    }
    if ((result = at->cu.event_create(&at->end, 0)) != CU_SUCCESS) {
        at->end = NULL;
        return failed(&at->cu, error, "make an event", result);
    }
    return 0;
}

static device *open_device(const device_backend *self, size_t index, roof_error *error) {
    device *at = calloc(1, sizeof *at);
    if (!at) {
        roof_fail(error, ROOF_ENOMEM, "not enough memory to open a device");
        return NULL;
    }
    if (!load(&at->cu, self->library)) {
        roof_fail(error, ROOF_ENOTFOUND, "the CUDA driver %s is missing or too old", self->library);
        free(at);
        return NULL;
    }
    if (open_context(at, index, error) == 0)
        return at;
    close_device(at);
    return NULL;
}

/* ---- kernels ---- */

static void discard(device *at, void *program) {
    built *made = program;
    at->cu.module_unload(made->module);
    free(made);
}

static int make_kernel(device *at, built *made, const device_kernel *kernel, roof_error *error) {
    char log[2048] = "";
    int options[] = {CU_JIT_ERROR_LOG, CU_JIT_ERROR_LOG_SIZE};
    void *values[] = {log, (void *)(uintptr_t)(sizeof log - 1)};
    cu_result result = at->cu.module_load(&made->module, kernel->text, 2, options, values);
    if (result != CU_SUCCESS) {
        char *line = log + strspn(log, " \t\r\n");
        line[strcspn(line, "\r\n")] = '\0';
        if (!line[0])
            return failed(&at->cu, error, "load a kernel", result);
        return roof_fail(error, ROOF_EUNSUPPORTED, "CUDA cannot load the kernel '%s': %.160s", kernel->label, line);
    }
    result = at->cu.module_function(&made->function, made->module, kernel->name);
    if (result == CU_SUCCESS)
        return 0;
    at->cu.module_unload(made->module);
    return failed(&at->cu, error, "find a kernel in its module", result);
}

static void *build(device *at, const device_kernel *kernel, roof_error *error) {
    built *made = calloc(1, sizeof *made);
    if (!made) {
        roof_fail(error, ROOF_ENOMEM, "not enough memory to build a kernel");
        return NULL;
    }
    if (make_kernel(at, made, kernel, error) == 0)
        return made;
    free(made);
    return NULL;
}

/* ---- memory: an address of the device travels as a pointer ---- */

static cu_address address_of(const void *memory) {
    return (cu_address)(uintptr_t)memory;
}

static void *buffer(device *at, size_t bytes, roof_error *error) {
    cu_address made = 0;
    cu_result result = at->cu.memory_alloc(&made, bytes);
    if (result == CU_SUCCESS)
        return (void *)(uintptr_t)made;
    failed(&at->cu, error, "get device memory", result);
    return NULL;
}

static void release(device *at, void *memory) {
    at->cu.memory_free(address_of(memory));
}

static void *pin(device *at, size_t bytes, roof_error *error) {
    void *memory = NULL;
    cu_result result = at->cu.host_alloc(&memory, bytes);
    if (result == CU_SUCCESS)
        return memory;
    failed(&at->cu, error, "get pinned memory", result);
    return NULL;
}

static void unpin(device *at, void *memory) {
    at->cu.host_free(memory);
}

/* ---- running: between two events of the default stream ---- */

static cu_result finish(device *at, double *seconds) {
    float milliseconds = 0;
    cu_result result = at->cu.event_record(at->end, NULL);
    if (result == CU_SUCCESS)
        result = at->cu.event_synchronize(at->end);
    if (result == CU_SUCCESS)
        result = at->cu.event_elapsed(&milliseconds, at->start, at->end);
    if (seconds)
        *seconds = (double)milliseconds * 1e-3;
    return result;
}

static int move(device *at, void *memory, size_t offset, void *data, size_t bytes, bool to_device, double *seconds,
                roof_error *error) {
    cu_result result = at->cu.event_record(at->start, NULL);
    if (result == CU_SUCCESS)
        result = to_device ? at->cu.to_device(address_of(memory) + offset, data, bytes, NULL)
                           : at->cu.from_device(data, address_of(memory) + offset, bytes, NULL);
    if (result == CU_SUCCESS)
        result = finish(at, seconds);
    if (result == CU_SUCCESS)
        return 0;
    return failed(&at->cu, error, to_device ? "write to the device" : "read from the device", result);
}

static int launch(device *at, const device_launch *what, double *seconds, roof_error *error) {
    const built *made = what->program;
    cu_address a = address_of(what->a), b = address_of(what->b), c = address_of(what->c);
    unsigned long long n = what->n;
    void *parameters[] = {&a, &b, &c, &n};
    cu_result result = at->cu.event_record(at->start, NULL);
    for (int i = 0; i < what->times && result == CU_SUCCESS; i++)
        result = at->cu.launch(made->function, (unsigned)what->groups, 1, 1, (unsigned)what->group, 1, 1, 0, NULL,
                               parameters, NULL);
    if (result == CU_SUCCESS)
        result = finish(at, seconds);
    return result == CU_SUCCESS ? 0 : failed(&at->cu, error, "run a kernel", result);
}

const device_backend device_cuda = {
    .kind = "cuda",
    .title = "CUDA",
    .library = "libcuda.so.1",
    .untried = true,
    .find = find_device,
    .open = open_device,
    .close = close_device,
    .kernel = cuda_kernel_at,
    .build = build,
    .discard = discard,
    .buffer = buffer,
    .release = release,
    .pin = pin,
    .unpin = unpin,
    .move = move,
    .launch = launch,
};
