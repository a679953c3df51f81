/* SQLite exports of Nsight Systems: the only file that knows sqlite3. A database is data of somebody else: opened
 * read-only, without views and triggers, and its schema is not trusted. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "read/profile/nvidia/nsys.h"
#include "read/profile/stream.h"

static int recognise(const char *head, size_t length) {
    if (length < 16 || memcmp(head, "SQLite format 3", 16) != 0)
        return 0;
    for (size_t i = 16; i + 14 < length; i++)
        if (head[i] == 'C' && memcmp(head + i, "CUPTI_ACTIVITY", 14) == 0)
            return 95;
    for (size_t i = 16; i + 15 < length; i++)
        if (head[i] == 'T' && memcmp(head + i, "TARGET_INFO_GPU", 15) == 0)
            return 90;
    return 30;
}

#ifdef ROOFLINE_HAVE_SQLITE
#include <sqlite3.h>

enum { MEMORY_MAX = 256 << 20, TEXT_MAX = 1 << 20, CHUNK = 1 << 16 };

typedef struct export {
    profile_job *job;
    sqlite3 *db;
    double first, last, busy;
}
export;

/* ---- opening ---- */

/* The bytes of a stream, in sqlite's memory. */
static unsigned char *slurp(profile_job *job, sqlite3_int64 *length) {
    unsigned char *bytes = NULL;
    sqlite3_int64 room = 0;
    for (*length = 0;;) {
        if (*length + CHUNK > room) {
            room = room ? room * 2 : 4 * CHUNK;
            unsigned char *larger = room <= MEMORY_MAX ? sqlite3_realloc64(bytes, (sqlite3_uint64)room) : NULL;
            if (!larger) {
                sqlite3_free(bytes);
                roof_fail(job->error, ROOF_ENOMEM,
                          "out of memory: a database inside a stream is read whole, up to %d MiB", MEMORY_MAX >> 20);
                roof_hint(job->error, "give the path of an unpacked .sqlite file");
                return NULL;
            }
            bytes = larger;
        }
        size_t got = stream_read(job->in, bytes + *length, CHUNK);
        if (got == 0)
            return bytes;
        *length += (sqlite3_int64)got;
    }
}

static int cannot(const export *from) {
    roof_fail(from->job->error, ROOF_EFORMAT, "the database cannot be read: %.200s", sqlite3_errmsg(from->db));
    if (sqlite3_errcode(from->db) == SQLITE_NOTADB)
        roof_hint(from->job->error, "give the path of an unpacked .sqlite file");
    return -1;
}

static int open_database(export *to) {
    const int flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE;
    if (to->job->path && sqlite3_open_v2(to->job->path, &to->db, flags, NULL) != SQLITE_OK)
        return cannot(to);
    if (to->job->path)
        return 0;
    sqlite3_int64 length;
    unsigned char *bytes = slurp(to->job, &length);
    if (!bytes)
        return -1;
    if (sqlite3_open_v2(":memory:", &to->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL) != SQLITE_OK) {
        sqlite3_free(bytes);
        return cannot(to);
    }
    if (sqlite3_deserialize(to->db, "main", bytes, length, length,
                            SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_READONLY) != SQLITE_OK)
        return cannot(to);
    return 0;
}

static void distrust(sqlite3 *db) {
    sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    sqlite3_db_config(db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
    sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
    sqlite3_limit(db, SQLITE_LIMIT_LENGTH, TEXT_MAX);
    sqlite3_limit(db, SQLITE_LIMIT_ATTACHED, 0);
    sqlite3_exec(db, "PRAGMA cell_size_check=ON", NULL, NULL, NULL);
}

/* ---- what is there ---- */

static bool has_table(const export *from, const char *table) {
    return sqlite3_table_column_metadata(from->db, "main", table, NULL, NULL, NULL, NULL, NULL, NULL) == SQLITE_OK;
}

static bool has(const export *from, const char *table, const char *column) {
    return sqlite3_table_column_metadata(from->db, "main", table, column, NULL, NULL, NULL, NULL, NULL) == SQLITE_OK;
}

static void read_device(const export *from) {
    static const char *const tables[] = {"TARGET_INFO_GPU", "TARGET_INFO_CUDA_GPU"};
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++) {
        char query[96];
        sqlite3_stmt *rows;
        snprintf(query, sizeof query, "SELECT name FROM main.%s LIMIT 1", tables[i]);
        if (!has(from, tables[i], "name") || sqlite3_prepare_v2(from->db, query, -1, &rows, NULL) != SQLITE_OK)
            continue;
        if (sqlite3_step(rows) == SQLITE_ROW && sqlite3_column_text(rows, 0))
            build_info(from->job->out)->device = build_text(from->job->out, (const char *)sqlite3_column_text(rows, 0));
        sqlite3_finalize(rows);
    }
}

/* ---- rows: start, duration, device, name or kind, bytes ---- */

static const char *copy_name(int kind) {
    static const char *const names[] = {[1] = "[CUDA memcpy Host-to-Device]",   [2] = "[CUDA memcpy Device-to-Host]",
                                        [3] = "[CUDA memcpy Host-to-Array]",    [4] = "[CUDA memcpy Array-to-Host]",
                                        [8] = "[CUDA memcpy Device-to-Device]", [9] = "[CUDA memcpy Host-to-Host]",
                                        [10] = "[CUDA memcpy Peer-to-Peer]"};
    return kind > 0 && kind < (int)(sizeof names / sizeof names[0]) && names[kind] ? names[kind] : "[CUDA memcpy]";
}

typedef enum activity { KERNEL, COPY, FILL } activity;

static void describe(sqlite3_stmt *row, activity what, draft *launch) {
    double bytes = sqlite3_column_double(row, 4);
    if (what == KERNEL) {
        const char *name = (const char *)sqlite3_column_text(row, 3);
        launch->name = name && name[0] ? name : "(no name)";
        launch->missing = NSYS_MISSING;
        return;
    }
    int kind = sqlite3_column_int(row, 3);
    launch->name = what == FILL ? "[CUDA memset]" : copy_name(kind);
    if (bytes > 0 && bytes < 1e18 && (what == FILL || kind == 8)) {
        draft_flops(launch, ROOF_VECTOR, ROOF_F32, 0, ROOF_CERTAINTY_COMPUTED, "a copy");
        draft_bytes(launch, ROOF_DRAM, what == FILL ? bytes : 2 * bytes, ROOF_CERTAINTY_COUNTED, "bytes");
    }
}

static int take(export *from, sqlite3_stmt *row, activity what) {
    roof_profile_info *info = build_info(from->job->out);
    draft launch = DRAFT_EMPTY;
    char where[40];
    double start = sqlite3_column_double(row, 0), duration = sqlite3_column_double(row, 1);
    if (sqlite3_column_type(row, 1) == SQLITE_NULL || !(duration >= 0) || !(fabs(start) + duration < 1e19)) {
        info->dropped++;
        return 0;
    }
    info->rows++;
    from->first = fmin(from->first, start / 1e9);
    from->last = fmax(from->last, (start + duration) / 1e9);
    from->busy += duration / 1e9;
    snprintf(where, sizeof where, "GPU %d", sqlite3_column_int(row, 2));
    launch.where = where;
    launch.seconds = (roof_count){duration / 1e9, ROOF_CERTAINTY_COUNTED, "nsys"};
    describe(row, what, &launch);
    return build_launch(from->job->out, &launch);
}

static int read_rows(export *from, const char *query, activity what) {
    sqlite3_stmt *rows;
    int step, result = 0;
    if (sqlite3_prepare_v2(from->db, query, -1, &rows, NULL) != SQLITE_OK)
        return cannot(from);
    while (result == 0 && (step = sqlite3_step(rows)) != SQLITE_DONE) {
        if (step == SQLITE_ROW) {
            result = take(from, rows, what);
            continue;
        }
        build_info(from->job->out)->ended_early = true;
        build_info(from->job->out)->dropped++;
        build_warning(from->job->out, "the database is damaged: %.200s", sqlite3_errmsg(from->db));
        break;
    }
    sqlite3_finalize(rows);
    return result;
}

/* The database takes start from end: nanoseconds since 1970 do not fit a double. */
static int read_kernels(export *from) {
    static const char table[] = "CUPTI_ACTIVITY_KIND_KERNEL";
    static const char *const names[] = {"demangledName", "shortName", "mangledName", "name"};
    const char *name = NULL;
    char query[512];
    for (size_t i = 0; i < sizeof names / sizeof names[0] && !name; i++)
        name = has(from, table, names[i]) ? names[i] : NULL;
    if (!name || !has(from, table, "start") || !has(from, table, "end"))
        return roof_fail(from->job->error, ROOF_EFORMAT, "table %s has no column start, end or demangledName", table);
    bool joined = has(from, "StringIds", "id") && has(from, "StringIds", "value");
    int length = snprintf(query, sizeof query, "SELECT k.start, k.\"end\" - k.start, %s, ",
                          has(from, table, "deviceId") ? "k.deviceId" : "0");
    if (joined)
        snprintf(query + length, sizeof query - (size_t)length,
                 "coalesce(s.value, k.%s), 0 FROM main.%s k LEFT JOIN main.StringIds s ON s.id = k.%s", name, table,
                 name);
    else
        snprintf(query + length, sizeof query - (size_t)length, "k.%s, 0 FROM main.%s k", name, table);
    return read_rows(from, query, KERNEL);
}

static int read_moves(export *from, const char *table, activity what) {
    char query[256];
    if (!has(from, table, "start") || !has(from, table, "end"))
        return 0;
    snprintf(query, sizeof query, "SELECT start, \"end\" - start, %s, %s, %s FROM main.%s",
             has(from, table, "deviceId") ? "deviceId" : "0", has(from, table, "copyKind") ? "copyKind" : "0",
             has(from, table, "bytes") ? "bytes" : "0", table);
    return read_rows(from, query, what);
}

static int no_kernels(const export *from) {
    int tables = 0;
    sqlite3_stmt *rows;
    if (sqlite3_prepare_v2(from->db, "SELECT count(*) FROM sqlite_master", -1, &rows, NULL) != SQLITE_OK)
        return cannot(from);
    if (sqlite3_step(rows) == SQLITE_ROW)
        tables = sqlite3_column_int(rows, 0);
    sqlite3_finalize(rows);
    roof_fail(from->job->error, ROOF_EFORMAT, "no kernels: none of its %d tables is CUPTI_ACTIVITY_KIND_KERNEL",
              tables);
    roof_hint(from->job->error, "nsys profile --trace cuda ...; nsys export --type sqlite report.nsys-rep");
    return -1;
}

static int read_export(export *from) {
    if (open_database(from))
        return -1;
    distrust(from->db);
    if (!has_table(from, "CUPTI_ACTIVITY_KIND_KERNEL"))
        return no_kernels(from);
    read_device(from);
    if (read_kernels(from) || read_moves(from, "CUPTI_ACTIVITY_KIND_MEMCPY", COPY) ||
        read_moves(from, "CUPTI_ACTIVITY_KIND_MEMSET", FILL))
        return -1;
    if (from->last > from->first)
        nsys_span(from->job->out, from->first, from->last, from->busy);
    return 0;
}

static int read_sqlite(profile_job *job) {
    export from = {.job = job, .first = HUGE_VAL, .last = -HUGE_VAL};
    int result = read_export(&from);
    sqlite3_close(from.db);
    return result;
}

#else

static int read_sqlite(profile_job *job) {
    roof_fail(job->error, ROOF_EUNSUPPORTED, "this is an SQLite file, and this build has no sqlite3");
    roof_hint(job->error, "nsys stats --report cuda_gpu_kern_sum --format csv report.nsys-rep");
    return -1;
}

#endif

const profile_reader reader_nsys_sqlite = {
    .format = {"nsys-sqlite", "Nsight Systems export, SQLite", "nsys export --type sqlite report.nsys-rep",
               "kernels and copies: time, calls"},
    .recognise = recognise,
    .read = read_sqlite,
};
