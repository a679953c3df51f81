/* SVG to PNG and PDF by librsvg and cairo, found when asked for: the library itself depends on neither. */
#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "roofline.h"
#include "roofline_chart.h"

/* The few functions used, declared here so that no headers are needed to build. Sources: cairo 1.16 and librsvg 2.54
 * reference manuals; their ABI is fixed by the library versions .so.2. */
typedef struct cairo_canvas cairo_canvas;
typedef struct cairo_pen cairo_pen;
typedef struct svg_handle svg_handle;
typedef struct svg_size {
    int width, height;
    double em, ex;
} svg_size; /* RsvgDimensionData */
typedef struct svg_rectangle {
    double x, y, width, height;
} svg_rectangle; /* RsvgRectangle */
typedef int (*cairo_sink)(void *closure, const unsigned char *bytes, unsigned length);
enum { CAIRO_ARGB32 = 0, CAIRO_SUCCESS = 0, CAIRO_WRITE_ERROR = 11 };

typedef struct raster_api {
    void *rsvg, *cairo, *gobject;
    svg_handle *(*handle_new)(const unsigned char *, size_t, void *);
    int (*render)(svg_handle *, cairo_pen *, const svg_rectangle *, void *);
    void (*get_dimensions)(svg_handle *, svg_size *);
    void (*unref)(void *);
    cairo_canvas *(*image)(int, int, int);
    cairo_canvas *(*pdf)(cairo_sink, void *, double, double);
    void (*pdf_metadata)(cairo_canvas *, int, const char *);
    int (*png)(cairo_canvas *, cairo_sink, void *);
    cairo_pen *(*pen)(cairo_canvas *);
    void (*pen_destroy)(cairo_pen *);
    void (*canvas_finish)(cairo_canvas *);
    void (*canvas_destroy)(cairo_canvas *);
    int (*canvas_status)(cairo_canvas *);
} raster_api;

static void unload(raster_api *api) {
    void *handles[] = {api->rsvg, api->cairo, api->gobject};
    for (int i = 0; i < 3; i++)
        if (handles[i])
            dlclose(handles[i]);
}

/* POSIX lets an object pointer from dlsym() become a function pointer; ISO C only by copying its bytes. */
static bool find(void *library, const char *name, void *slot) {
    void *symbol = library ? dlsym(library, name) : NULL;
    memcpy(slot, &symbol, sizeof symbol);
    return symbol != NULL;
}

static int load(raster_api *api, roof_error *error) {
    *api = (raster_api){.rsvg = dlopen("librsvg-2.so.2", RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE),
                        .cairo = dlopen("libcairo.so.2", RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE),
                        .gobject = dlopen("libgobject-2.0.so.0", RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE)};
    const struct {
        void *library;
        const char *name;
        void *slot;
    } wanted[] = {
        {api->rsvg, "rsvg_handle_new_from_data", &api->handle_new},
        {api->rsvg, "rsvg_handle_render_document", &api->render},
        {api->rsvg, "rsvg_handle_get_dimensions", &api->get_dimensions},
        {api->gobject, "g_object_unref", &api->unref},
        {api->cairo, "cairo_image_surface_create", &api->image},
        {api->cairo, "cairo_pdf_surface_create_for_stream", &api->pdf},
        {api->cairo, "cairo_pdf_surface_set_metadata", &api->pdf_metadata},
        {api->cairo, "cairo_surface_write_to_png_stream", &api->png},
        {api->cairo, "cairo_create", &api->pen},
        {api->cairo, "cairo_destroy", &api->pen_destroy},
        {api->cairo, "cairo_surface_finish", &api->canvas_finish},
        {api->cairo, "cairo_surface_destroy", &api->canvas_destroy},
        {api->cairo, "cairo_surface_status", &api->canvas_status},
    };
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++) {
        if (find(wanted[i].library, wanted[i].name, wanted[i].slot))
            continue;
        unload(api);
        roof_fail(error, ROOF_EUNSUPPORTED, "drawing png and pdf needs librsvg and cairo, and %s",
                  wanted[i].library ? "the ones here are too old" : "they are not here");
        roof_hint(error, "apt-get install librsvg2-2, or ask for .svg");
        return -1;
    }
    return 0;
}

typedef struct sink {
    roof_write write;
    void *context;
} sink;

static int pour(void *closure, const unsigned char *bytes, unsigned length) {
    const sink *to = closure;
    return to->write(to->context, (const char *)bytes, length) ? CAIRO_WRITE_ERROR : CAIRO_SUCCESS;
}

/* Draw the handle on a canvas of this size; the canvas is finished, not destroyed. */
static int draw(const raster_api *api, svg_handle *handle, cairo_canvas *canvas, double width, double height, bool png,
                sink *to) {
    int status = api->canvas_status(canvas);
    if (status)
        return status;
    cairo_pen *pen = api->pen(canvas);
    svg_rectangle viewport = {0, 0, width, height};
    int drawn = api->render(handle, pen, &viewport, NULL);
    api->pen_destroy(pen);
    if (drawn && png)
        status = api->png(canvas, pour, to);
    api->canvas_finish(canvas);
    if (!drawn)
        return -1;
    return status ? status : api->canvas_status(canvas);
}

static int draw_document(const raster_api *api, svg_handle *handle, bool png, double scale, sink *to,
                         roof_error *error) {
    enum { CAIRO_PDF_CREATED = 5 };
    svg_size size;
    api->get_dimensions(handle, &size);
    double width = ceil(size.width * scale), height = ceil(size.height * scale);
    if (!(width >= 1 && height >= 1 && width <= 32767 && height <= 32767))
        return roof_fail(error, ROOF_EARGUMENT, "a picture of %.0f x %.0f pixels cannot be drawn: at most 32767 a side",
                         width, height);
    cairo_canvas *canvas = png ? api->image(CAIRO_ARGB32, (int)width, (int)height)
                               : api->pdf(pour, to, size.width * 0.75, size.height * 0.75);
    if (!png && api->canvas_status(canvas) == CAIRO_SUCCESS)
        api->pdf_metadata(canvas, CAIRO_PDF_CREATED, "2000-01-01T00:00:00Z"); /* the same input gives the same bytes */
    int status = draw(api, handle, canvas, png ? width : size.width * 0.75, png ? height : size.height * 0.75, png, to);
    api->canvas_destroy(canvas);
    if (status == CAIRO_WRITE_ERROR)
        return roof_fail(error, ROOF_EIO, "the picture could not be written");
    if (status)
        return roof_fail(error, ROOF_ENOMEM, "the picture could not be drawn: cairo status %d", status);
    return 0;
}

int roof_chart_raster(const char *svg, size_t length, const char *format, double scale, roof_write write, void *context,
                      roof_error *error) {
    bool png = strcmp(format, "png") == 0;
    if (!png && strcmp(format, "pdf") != 0)
        return roof_fail(error, ROOF_EARGUMENT, "'%.20s' is not a picture format: png, pdf", format);
    if (!(scale > 0 && scale <= 16))
        return roof_fail(error, ROOF_EARGUMENT, "a picture's scale is above 0 and at most 16");
    raster_api api;
    if (load(&api, error))
        return -1;
    svg_handle *handle = api.handle_new((const unsigned char *)svg, length, NULL);
    sink to = {write, context};
    int result = handle ? draw_document(&api, handle, png, scale, &to, error)
                        : roof_fail(error, ROOF_EFORMAT, "librsvg cannot read this svg");
    if (handle)
        api.unref(handle);
    unload(&api);
    return result;
}
