/* roofline measure --device list: what can be measured here. */
#include "cli/errors.h"
#include "cli/measure/measure.h"
#include "cli/out/answer.h"
#include "cli/out/table.h"

static void devices_text(const void *context, text_out *out) {
    roof_device device;
    table_grid table = {0};
    (void)context;
    text_title(out, "Devices that can be measured", PAINT_NONE, "--device D");
    text_add(out, "\n");
    table_heads(&table, "l:device", "l:vendor", "lf:name");
    table_row(&table);
    table_cell_add(&table, PAINT_BOLD, "cpu");
    table_text(&table, "-");
    table_text(&table, "this machine's CPU");
    for (size_t i = 0; roof_device_at(i, &device) == 0; i++) {
        table_row(&table);
        table_cell_add(&table, PAINT_BOLD, "%s", device.id);
        table_cell_add(&table, PAINT_NONE, "%.24s", device.vendor);
        table_cell_add(&table, PAINT_NONE, "%.60s%s%s", device.name, device.is_cpu ? ", this CPU" : "",
                       device.untried ? ", a kind never tried" : "");
    }
    table_print(&table, out);
    table_free(&table);
}

static void devices_csv(const void *context, text_out *out) {
    roof_device device;
    (void)context;
    text_add(out, "id,name,vendor,driver,is_cpu,untried\n");
    for (size_t i = 0; roof_device_at(i, &device) == 0; i++) {
        csv_text(out, device.id);
        csv_text(out, device.name);
        csv_text(out, device.vendor);
        csv_text(out, device.driver);
        csv_bool(out, device.is_cpu);
        csv_bool(out, device.untried);
        csv_end(out);
    }
}

static void devices_json(const void *context, emit *json) {
    roof_device device;
    (void)context;
    emit_array(json, "devices");
    for (size_t i = 0; roof_device_at(i, &device) == 0; i++) {
        emit_row(json, NULL);
        emit_string(json, "id", device.id);
        emit_string(json, "name", device.name);
        emit_string(json, "vendor", device.vendor);
        emit_string(json, "driver", device.driver);
        emit_bool(json, "is_cpu", device.is_cpu);
        emit_bool(json, "untried", device.untried);
        emit_end(json);
    }
    emit_end(json);
}

int measure_devices(const cli_settings *settings) {
    roof_error error = {0};
    cli_answer answer = {.context = settings, .text = devices_text, .csv = devices_csv, .json = devices_json};
    return answer_print(settings, &answer, &error) ? complain(&error) : EXIT_ANSWERED;
}
