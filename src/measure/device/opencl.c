/* OpenCL, of any vendor: the loader is found at run time, only its headers are needed to build. */
#include "measure/device/device.h"

#ifdef ROOFLINE_HAVE_OPENCL

#include <CL/cl.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* clang-format off */
#define FUNCTIONS(X)                                                                                                   \
    X(clGetPlatformIDs) X(clGetPlatformInfo) X(clGetDeviceIDs) X(clGetDeviceInfo) X(clCreateContext)                   \
    X(clReleaseContext) X(clCreateCommandQueue) X(clReleaseCommandQueue) X(clCreateProgramWithSource)                  \
    X(clBuildProgram) X(clGetProgramBuildInfo) X(clReleaseProgram) X(clCreateKernel) X(clReleaseKernel)                \
    X(clSetKernelArg) X(clCreateBuffer) X(clReleaseMemObject) X(clEnqueueMapBuffer) X(clEnqueueUnmapMemObject)         \
    X(clEnqueueReadBuffer) X(clEnqueueWriteBuffer) X(clEnqueueNDRangeKernel) X(clFinish) X(clGetEventInfo)             \
    X(clGetEventProfilingInfo) X(clReleaseEvent)
/* clang-format on */

typedef struct opencl {
    void *library;
#define SLOT(name) __typeof__(&name) name;
    FUNCTIONS(SLOT)
#undef SLOT
} opencl;

struct device {
    opencl cl;
    cl_device_id id;
    cl_context context;
    cl_command_queue queue;
    bool timer;
    cl_mem pinned;
};

typedef struct built {
    cl_program program;
    cl_kernel kernel;
} built;

enum { PLATFORMS_MAX = 16, DEVICES_MAX = 64 };

static bool load(opencl *cl, const char *library) {
    static const char *const names[] = {
#define NAME(name) #name,
        FUNCTIONS(NAME)
#undef NAME
    };
    void **slot = NULL;
    cl->library = dlopen(library, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (!cl->library)
        return false;
    void *found[sizeof names / sizeof names[0]];
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        found[i] = dlsym(cl->library, names[i]);
        if (!found[i]) {
            dlclose(cl->library);
            return false;
        }
    }
    slot = found;
#define TAKE(name) memcpy(&cl->name, slot++, sizeof(void *)); /* POSIX: a function's address in a void pointer */
    FUNCTIONS(TAKE)
#undef TAKE
    return true;
}

/* What OpenCL calls its errors: those a driver gives for reasons of its own. */
static const char *status_name(cl_int status) {
    static const struct {
        cl_int status;
        const char *name;
    } names[] = {
        {CL_DEVICE_NOT_AVAILABLE, "CL_DEVICE_NOT_AVAILABLE"},
        {CL_COMPILER_NOT_AVAILABLE, "CL_COMPILER_NOT_AVAILABLE"},
        {CL_MEM_OBJECT_ALLOCATION_FAILURE, "CL_MEM_OBJECT_ALLOCATION_FAILURE"},
        {CL_OUT_OF_RESOURCES, "CL_OUT_OF_RESOURCES"},
        {CL_OUT_OF_HOST_MEMORY, "CL_OUT_OF_HOST_MEMORY"},
        {CL_BUILD_PROGRAM_FAILURE, "CL_BUILD_PROGRAM_FAILURE"},
        {CL_INVALID_BUFFER_SIZE, "CL_INVALID_BUFFER_SIZE"},
        {CL_INVALID_WORK_GROUP_SIZE, "CL_INVALID_WORK_GROUP_SIZE"},
        {CL_INVALID_COMMAND_QUEUE, "CL_INVALID_COMMAND_QUEUE"},
        {CL_INVALID_DEVICE, "CL_INVALID_DEVICE"},
    };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (names[i].status == status)
            return names[i].name;
    return "status";
}

static int failed(roof_error *error, const char *what, cl_int status) {
    return roof_fail(error, status == CL_OUT_OF_HOST_MEMORY ? ROOF_ENOMEM : ROOF_EUNSUPPORTED,
                     "OpenCL failed to %s: %s (%d)", what, status_name(status), status);
}

/* ---- finding ---- */

static int device_id(const opencl *cl, size_t index, cl_platform_id *platform, cl_device_id *id) {
    cl_platform_id platforms[PLATFORMS_MAX];
    cl_uint count = 0;
    if (cl->clGetPlatformIDs(PLATFORMS_MAX, platforms, &count) != CL_SUCCESS)
        return -1;
    for (cl_uint p = 0; p < count && p < PLATFORMS_MAX; p++) {
        cl_device_id ids[DEVICES_MAX];
        cl_uint here = 0;
        if (cl->clGetDeviceIDs(platforms[p], CL_DEVICE_TYPE_ALL, DEVICES_MAX, ids, &here) != CL_SUCCESS)
            continue;
        here = here < DEVICES_MAX ? here : DEVICES_MAX;
        if (index < here) {
            *platform = platforms[p];
            *id = ids[index];
            return 0;
        }
        index -= here;
    }
    return -1;
}

/* A text of the device, cut to `size`; "" when it has none. Drivers pad names with spaces. */
static void device_text(const opencl *cl, cl_device_id id, cl_device_info what, char *out, size_t size) {
    char text[1024] = "";
    if (cl->clGetDeviceInfo(id, what, sizeof text - 1, text, NULL) != CL_SUCCESS)
        text[0] = '\0';
    size_t blank = strspn(text, " "), length = strlen(text + blank);
    while (length > 0 && text[blank + length - 1] == ' ')
        length--;
    snprintf(out, size, "%.*s", (int)length, text + blank);
}

static double device_number(const opencl *cl, cl_device_id id, cl_device_info what, size_t size) {
    union {
        cl_uint small;
        cl_ulong large;
        size_t count;
    } value = {.large = 0};
    if (cl->clGetDeviceInfo(id, what, size, &value, NULL) != CL_SUCCESS)
        return 0;
    return size == sizeof value.small ? (double)value.small : (double)value.large;
}

static bool has_extension(const opencl *cl, cl_device_id id, const char *name) {
    size_t size = 0;
    if (cl->clGetDeviceInfo(id, CL_DEVICE_EXTENSIONS, 0, NULL, &size) != CL_SUCCESS || size == 0)
        return false;
    char *all = calloc(1, size + 1);
    bool found = false;
    if (all && cl->clGetDeviceInfo(id, CL_DEVICE_EXTENSIONS, size, all, NULL) == CL_SUCCESS) {
        size_t length = strlen(name);
        for (const char *at = all; !found && (at = strstr(at, name)) != NULL; at += length)
            found = (at == all || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0');
    }
    free(all);
    return found;
}

static void facts_of(const opencl *cl, cl_platform_id platform, cl_device_id id, size_t index, device_facts *out) {
    cl_device_type type = 0;
    cl->clGetDeviceInfo(id, CL_DEVICE_TYPE, sizeof type, &type, NULL);
    *out = (device_facts){
        .scope = type & CL_DEVICE_TYPE_CPU   ? "CPU"
                 : type & CL_DEVICE_TYPE_GPU ? "GPU"
                                             : "accelerator",
        .device.is_cpu = (type & CL_DEVICE_TYPE_CPU) != 0,
        .memory = device_number(cl, id, CL_DEVICE_GLOBAL_MEM_SIZE, sizeof(cl_ulong)),
        .allocation = device_number(cl, id, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof(cl_ulong)),
        .cache = device_number(cl, id, CL_DEVICE_GLOBAL_MEM_CACHE_SIZE, sizeof(cl_ulong)),
        .local = device_number(cl, id, CL_DEVICE_LOCAL_MEM_SIZE, sizeof(cl_ulong)),
        .units = (int)device_number(cl, id, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof(cl_uint)),
        .group_max = (int)device_number(cl, id, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof(size_t)),
        .f64 = has_extension(cl, id, "cl_khr_fp64"),
        .f16 = has_extension(cl, id, "cl_khr_fp16"),
        .dot = has_extension(cl, id, "cl_khr_integer_dot_product"),
    };
    snprintf(out->device.id, sizeof out->device.id, "opencl:%zu", index);
    device_text(cl, id, CL_DEVICE_NAME, out->device.name, sizeof out->device.name);
    device_text(cl, id, CL_DEVICE_VENDOR, out->device.vendor, sizeof out->device.vendor);
    device_text(cl, id, CL_DRIVER_VERSION, out->device.driver, sizeof out->device.driver);
    if (cl->clGetPlatformInfo(platform, CL_PLATFORM_VERSION, sizeof out->platform - 1, out->platform, NULL) !=
        CL_SUCCESS)
        device_text(cl, id, CL_DEVICE_VERSION, out->platform, sizeof out->platform);
}

static int find_device(const device_backend *self, size_t index, device_facts *out) {
    opencl cl;
    if (!load(&cl, self->library))
        return -1;
    cl_platform_id platform;
    cl_device_id id;
    int found = device_id(&cl, index, &platform, &id);
    if (found == 0)
        facts_of(&cl, platform, id, index, out);
    dlclose(cl.library);
    return found;
}

/* ---- opening ---- */

static void close_device(device *at) {
    if (at->queue)
        at->cl.clReleaseCommandQueue(at->queue);
    if (at->context)
        at->cl.clReleaseContext(at->context);
    dlclose(at->cl.library);
    free(at);
}

static int open_queue(device *at, roof_error *error) {
    cl_int status;
    at->context = at->cl.clCreateContext(NULL, 1, &at->id, NULL, NULL, &status);
    if (!at->context)
        return failed(error, "open the device", status);
    cl_command_queue_properties can = 0;
    at->cl.clGetDeviceInfo(at->id, CL_DEVICE_QUEUE_PROPERTIES, sizeof can, &can, NULL);
    at->timer = (can & CL_QUEUE_PROFILING_ENABLE) != 0;
    at->queue = at->cl.clCreateCommandQueue(at->context, at->id, at->timer ? CL_QUEUE_PROFILING_ENABLE : 0, &status);
    return at->queue ? 0 : failed(error, "make a command queue", status);
}

static device *open_device(const device_backend *self, size_t index, roof_error *error) {
    device *at = calloc(1, sizeof *at);
    if (!at) {
        roof_fail(error, ROOF_ENOMEM, "not enough memory to open a device");
        return NULL;
    }
    if (!load(&at->cl, self->library)) {
        roof_fail(error, ROOF_ENOTFOUND, "the OpenCL loader %s is not here", self->library);
        free(at);
        return NULL;
    }
    cl_platform_id platform;
    if (device_id(&at->cl, index, &platform, &at->id))
        roof_fail(error, ROOF_ENOTFOUND, "there is no OpenCL device %zu", index);
    else if (open_queue(at, error) == 0)
        return at;
    close_device(at);
    return NULL;
}

/* ---- kernels ---- */

static void discard(device *at, void *program) {
    built *made = program;
    if (made->kernel)
        at->cl.clReleaseKernel(made->kernel);
    if (made->program)
        at->cl.clReleaseProgram(made->program);
    free(made);
}

/* The first line of the build log that says something. */
static void build_failed(device *at, const built *made, const device_kernel *kernel, cl_int status, roof_error *error) {
    char log[4096] = "";
    at->cl.clGetProgramBuildInfo(made->program, at->id, CL_PROGRAM_BUILD_LOG, sizeof log - 1, log, NULL);
    char *line = log + strspn(log, " \t\r\n");
    line[strcspn(line, "\r\n")] = '\0';
    roof_fail(error, ROOF_EUNSUPPORTED, "OpenCL cannot build the kernel '%s': %.160s", kernel->label,
              line[0] ? line : status_name(status));
}

static int make_kernel(device *at, built *made, const device_kernel *kernel, roof_error *error) {
    cl_int status;
    const char *text = kernel->text;
    made->program = at->cl.clCreateProgramWithSource(at->context, 1, &text, NULL, &status);
    if (!made->program)
        return failed(error, "take a kernel's text", status);
    status = at->cl.clBuildProgram(made->program, 1, &at->id, kernel->options, NULL, NULL);
    if (status != CL_SUCCESS) {
        build_failed(at, made, kernel, status, error);
        return -1;
    }
    made->kernel = at->cl.clCreateKernel(made->program, kernel->name, &status);
    return made->kernel ? 0 : failed(error, "make a kernel", status);
}

static void *build(device *at, const device_kernel *kernel, roof_error *error) {
    built *made = calloc(1, sizeof *made);
    if (!made) {
        roof_fail(error, ROOF_ENOMEM, "not enough memory to build a kernel");
        return NULL;
    }
    if (make_kernel(at, made, kernel, error) == 0)
        return made;
    discard(at, made);
    return NULL;
}

/* ---- memory ---- */

static void *buffer(device *at, size_t bytes, roof_error *error) {
    cl_int status;
    cl_mem made = at->cl.clCreateBuffer(at->context, CL_MEM_READ_WRITE, bytes, NULL, &status);
    if (!made)
        failed(error, "get device memory", status);
    return made;
}

static void release(device *at, void *memory) {
    at->cl.clReleaseMemObject(memory);
}

static void *pin(device *at, size_t bytes, roof_error *error) {
    cl_int status;
    at->pinned = at->cl.clCreateBuffer(at->context, CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, bytes, NULL, &status);
    if (!at->pinned) {
        failed(error, "get pinned memory", status);
        return NULL;
    }
    void *memory = at->cl.clEnqueueMapBuffer(at->queue, at->pinned, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0, bytes, 0,
                                             NULL, NULL, &status);
    if (!memory) {
        at->cl.clReleaseMemObject(at->pinned);
        failed(error, "map pinned memory", status);
    }
    return memory;
}

static void unpin(device *at, void *memory) {
    at->cl.clEnqueueUnmapMemObject(at->queue, at->pinned, memory, 0, NULL, NULL);
    at->cl.clFinish(at->queue);
    at->cl.clReleaseMemObject(at->pinned);
}

/* ---- running ---- */

/* From the start of a finished command to its end by the device's own clock; 0 when it tells none. Releases the event.
 * A command that failed on the device says so here only. */
static double event_seconds(device *at, cl_event event, cl_int *status) {
    cl_ulong start = 0, end = 0;
    cl_int state = CL_COMPLETE;
    if (at->cl.clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state, &state, NULL) == CL_SUCCESS &&
        state < 0)
        *status = state;
    bool told =
        at->timer &&
        at->cl.clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof start, &start, NULL) == CL_SUCCESS &&
        at->cl.clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof end, &end, NULL) == CL_SUCCESS;
    at->cl.clReleaseEvent(event);
    return told && end > start ? (double)(end - start) * 1e-9 : 0;
}

static int move(device *at, void *memory, size_t offset, void *data, size_t bytes, bool to_device, double *seconds,
                roof_error *error) {
    cl_event event = NULL;
    cl_int status = to_device
                        ? at->cl.clEnqueueWriteBuffer(at->queue, memory, CL_TRUE, offset, bytes, data, 0, NULL, &event)
                        : at->cl.clEnqueueReadBuffer(at->queue, memory, CL_TRUE, offset, bytes, data, 0, NULL, &event);
    if (status != CL_SUCCESS)
        return failed(error, to_device ? "write to the device" : "read from the device", status);
    double taken = event_seconds(at, event, &status);
    if (seconds)
        *seconds = taken;
    return status == CL_SUCCESS ? 0 : failed(error, "move memory", status);
}

static cl_int set_arguments(device *at, cl_kernel kernel, const device_launch *what) {
    cl_mem arrays[3] = {what->a, what->b, what->c};
    cl_ulong n = what->n;
    cl_int status = CL_SUCCESS;
    for (cl_uint i = 0; i < 3 && status == CL_SUCCESS; i++)
        status = at->cl.clSetKernelArg(kernel, i, sizeof(cl_mem), &arrays[i]);
    return status == CL_SUCCESS ? at->cl.clSetKernelArg(kernel, 3, sizeof n, &n) : status;
}

static int launch(device *at, const device_launch *what, double *seconds, roof_error *error) {
    built *made = what->program;
    size_t all = what->groups * what->group;
    cl_event event = NULL;
    cl_int status = set_arguments(at, made->kernel, what);
    for (int i = 0; i < what->times && status == CL_SUCCESS; i++)
        status = at->cl.clEnqueueNDRangeKernel(at->queue, made->kernel, 1, NULL, &all, &what->group, 0, NULL,
                                               what->times == 1 ? &event : NULL);
    cl_int finished = at->cl.clFinish(at->queue);
    if (status == CL_SUCCESS)
        status = finished;
    double taken = event ? event_seconds(at, event, &status) : 0;
    if (seconds)
        *seconds = taken;
    return status == CL_SUCCESS ? 0 : failed(error, "run a kernel", status);
}

const device_backend device_opencl = {
    .kind = "opencl",
    .title = "OpenCL",
    .library = "libOpenCL.so.1",
    .find = find_device,
    .open = open_device,
    .close = close_device,
    .kernel = opencl_kernel_at,
    .build = build,
    .discard = discard,
    .buffer = buffer,
    .release = release,
    .pin = pin,
    .unpin = unpin,
    .move = move,
    .launch = launch,
};

#else /* built without the headers: no device is found */

static int find_device(const device_backend *self, size_t index, device_facts *out) {
    (void)self, (void)index, (void)out;
    return -1;
}

static device *open_device(const device_backend *self, size_t index, roof_error *error) {
    roof_fail(error, ROOF_EUNSUPPORTED, "this build has no %s (device %zu): its headers were not there", self->title,
              index);
    return NULL;
}

const device_backend device_opencl = {
    .kind = "opencl",
    .title = "OpenCL",
    .library = "libOpenCL.so.1",
    .find = find_device,
    .open = open_device,
};

#endif
