/* A BLAS found at run time: OpenBLAS, BLIS, MKL or whatever stands behind libblas. The only file that loads one.
 * Function names: OpenBLAS 0.3 (cblas.h), BLIS 0.9 (bli_thread.h, bli_info.h), oneMKL (mkl_service.h). */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "measure/run/blas.h"

const char *const *blas_names(void) {
    static const char *const names[] = {"libopenblas.so.0", "libblis.so.4", "libmkl_rt.so.2", "libblas.so.3", NULL};
    return names;
}

/* POSIX lets an object pointer from dlsym() become a function pointer; ISO C only by copying its bytes. */
static bool find(void *library, const char *name, void *slot) {
    void *symbol = dlsym(library, name);
    memcpy(slot, &symbol, sizeof symbol);
    return symbol != NULL;
}

/* "OpenBLAS 0.3.21 NO_LAPACKE DYNAMIC_ARCH ..." -> its first two words, and the kind of core it chose. */
static void name_openblas(blas *out) {
    const char *(*config)(void), *(*core)(void);
    if (!find(out->library, "openblas_get_config", &config))
        return;
    const char *text = config();
    size_t length = strcspn(text, " ");
    length += text[length] ? 1 + strcspn(text + length + 1, " ") : 0;
    snprintf(out->name, sizeof out->name, "%.*s", (int)(length < 40 ? length : 40), text);
    if (find(out->library, "openblas_get_corename", &core))
        snprintf(out->name + strlen(out->name), sizeof out->name - strlen(out->name), " (%.20s)", core());
}

static void name_blis(blas *out) {
    const char *(*version)(void), *(*arch_name)(int);
    int (*arch)(void);
    if (!find(out->library, "bli_info_get_version_str", &version))
        return;
    snprintf(out->name, sizeof out->name, "BLIS %.30s", version());
    if (find(out->library, "bli_arch_query_id", &arch) && find(out->library, "bli_arch_string", &arch_name))
        snprintf(out->name + strlen(out->name), sizeof out->name - strlen(out->name), " (%.20s)", arch_name(arch()));
}

static void name_mkl(blas *out) {
    void (*version)(char *, int);
    char text[128] = "";
    if (!find(out->library, "MKL_Get_Version_String", &version))
        return;
    version(text, sizeof text - 1);
    snprintf(out->name, sizeof out->name, "MKL: %.70s", text);
}

/* How many threads a call starts is a setting of each library's own. */
static void take_threads(blas *out) {
    static const struct {
        const char *get, *set;
    } calls[] = {
        {"openblas_get_num_threads", "openblas_set_num_threads"},
        {"MKL_Get_Max_Threads", "MKL_Set_Num_Threads"},
    };
    int (*get)(void);
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        if (find(out->library, calls[i].get, &get) && find(out->library, calls[i].set, &out->set_threads)) {
            out->threads = get();
            out->set_threads(1);
            return;
        }
}

/* BLIS counts in its own integer type, 64 bits wide unless configured otherwise; a register holds either. */
static void take_blis_threads(blas *out) {
    long (*get)(void);
    void (*set)(long);
    if (!find(out->library, "bli_thread_get_num_threads", &get) ||
        !find(out->library, "bli_thread_set_num_threads", &set))
        return;
    long before = get();
    out->threads = before > 0 ? (int)before : 1;
    set(1);
    out->set_long = set;
}

static bool open_one(const char *name, blas *out) {
    *out = (blas){.library = dlopen(name, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE)};
    if (!out->library)
        return false;
    snprintf(out->name, sizeof out->name, "%.70s", name);
    if (!find(out->library, "dgemm_", &out->dgemm) || !find(out->library, "sgemm_", &out->sgemm)) {
        dlclose(out->library);
        out->library = NULL;
        return false;
    }
    name_openblas(out);
    name_blis(out);
    name_mkl(out);
    take_threads(out);
    take_blis_threads(out);
    return true;
}

int blas_open(const char *const *names, blas *out, roof_error *error) {
    char list[160] = "";
    for (size_t i = 0; names[i]; i++) {
        if (open_one(names[i], out))
            return 0;
        snprintf(list + strlen(list), sizeof list - strlen(list), "%s%.40s", i ? ", " : "", names[i]);
    }
    *out = (blas){0};
    roof_fail(error, ROOF_EUNSUPPORTED, "gemm needs a BLAS, and none was found: looked for %s", list);
    roof_hint(error, "install one, on Debian and Ubuntu: libopenblas0-pthread");
    return -1;
}

void blas_close(blas *opened) {
    if (opened->set_threads)
        opened->set_threads(opened->threads);
    if (opened->set_long)
        opened->set_long(opened->threads);
    if (opened->library)
        dlclose(opened->library);
    opened->library = NULL;
}

/* Fortran's matrices lie by columns: C' = B' A' in that order is C = A B by rows. */
void blas_multiply(const blas *with, roof_dtype dtype, int m, int n, int k, const void *a, int lda, const void *b,
                   int ldb, void *c, int ldc) {
    const double one = 1, zero = 0;
    const float one_single = 1, zero_single = 0;
    if (dtype == ROOF_F64)
        with->dgemm("N", "N", &n, &m, &k, &one, b, &ldb, a, &lda, &zero, c, &ldc, 1, 1);
    else
        with->sgemm("N", "N", &n, &m, &k, &one_single, b, &ldb, a, &lda, &zero_single, c, &ldc, 1, 1);
}
