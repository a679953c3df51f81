/* Advance widths in thousandths of the font size: for each character the widest of Inter, DejaVu Sans and Liberation
 * Sans (the metrics of Arial and Helvetica), digits as wide as their tabular form. Weight 600 is the widest of Inter
 * SemiBold and the two Bolds a browser falls back to. Measured from the fonts' hmtx tables. */
#include "chart/metrics.h"

#include <string.h>

static const short ascii[2][95] = {
    {
        318, 401, 460, 838, 638, 951, 780, 275, 391, 391, 500, 838, 318, 461,  318, 357, 637, 637, 637,
        637, 643, 637, 637, 637, 637, 637, 337, 337, 838, 838, 838, 557, 1016, 685, 687, 728, 771, 667,
        611, 778, 752, 295, 543, 667, 563, 890, 753, 788, 667, 788, 723, 667,  643, 742, 685, 989, 686,
        667, 686, 391, 357, 391, 838, 557, 500, 613, 635, 559, 635, 616, 361,  635, 634, 278, 278, 580,
        278, 975, 634, 612, 635, 635, 412, 523, 393, 634, 592, 818, 592, 592,  542, 637, 337, 637, 838,
    },
    {
        349, 457,  521, 838, 696, 1002, 873, 307, 458, 458, 544, 838, 380, 466,  380, 379, 696, 696,  696,
        696, 696,  696, 696, 696, 696,  696, 400, 400, 838, 838, 838, 611, 1000, 774, 763, 744, 831,  684,
        684, 821,  837, 373, 561, 775,  638, 996, 837, 851, 733, 851, 771, 721,  683, 813, 774, 1104, 771,
        725, 726,  458, 379, 458, 838,  557, 500, 675, 716, 593, 716, 679, 436,  716, 712, 343, 343,  666,
        343, 1042, 712, 688, 716, 716,  494, 596, 479, 712, 652, 924, 646, 652,  583, 712, 366, 712,  838,
    },
};

typedef struct wide_row {
    unsigned first, last;
    short width[2];
} wide_row;

/* Beyond ASCII: the signs this program writes, then whole blocks at the width of their widest letter. */
static const wide_row beyond[] = {
    {0xB2, 0xB3, {431, 439}},                                     /* superscripts */
    {0xB5, 0xB5, {637, 736}},                                     /* micro */
    {0xB7, 0xB7, {334, 380}},                                     /* middle dot */
    {0xD7, 0xD7, {838, 838}},                                     /* multiplication sign */
    {0xA0, 0x17F, {1070, 1167}},                                  /* Latin */
    {0x180, 0x10FF, {1338, 1406}},  {0x2013, 0x2013, {557, 557}}, /* en dash */
    {0x2018, 0x2019, {318, 380}},                                 /* quotes */
    {0x2026, 0x2026, {1000, 1000}}, {0x25CB, 0x25CB, {915, 915}},   {0x25CF, 0x25CF, {915, 915}},
    {0x2010, 0x2030, {1000, 1000}}, {0x2192, 0x2192, {1000, 1000}}, {0x25C6, 0x25C6, {1052, 1058}},
};
static const short widest[2] = {1400, 1450};

static unsigned continuation(const unsigned char *bytes, size_t length, unsigned code) {
    static const unsigned least[] = {0, 0, 0x80, 0x800, 0x10000};
    for (size_t i = 1; i < length; i++) {
        if ((bytes[i] & 0xC0) != 0x80)
            return 0xFFFD;
        code = code << 6 | (bytes[i] & 0x3F);
    }
    bool bad =
        code < least[length] || code > 0x10FFFF || (code >= 0xD800 && code < 0xE000) || (code & 0xFFFE) == 0xFFFE;
    return bad ? 0xFFFD : code;
}

/* Marks, embeddings and isolates that reorder the text around them: a name shall not rearrange a chart. */
static bool reorders(unsigned code) {
    return code == 0x061C || code == 0x200E || code == 0x200F || (code >= 0x202A && code <= 0x202E) ||
           (code >= 0x2066 && code <= 0x2069);
}

unsigned chart_code(const char **text) {
    const unsigned char *bytes = (const unsigned char *)*text;
    if (bytes[0] == 0)
        return 0;
    size_t length = bytes[0] < 0x80   ? 1
                    : bytes[0] < 0xC2 ? 0
                    : bytes[0] < 0xE0 ? 2
                    : bytes[0] < 0xF0 ? 3
                    : bytes[0] < 0xF5 ? 4
                                      : 0;
    unsigned code = 0xFFFD;
    if (length == 1)
        code = bytes[0] < 0x20 || bytes[0] == 0x7F ? ' ' : bytes[0];
    else if (length > 1)
        code = continuation(bytes, length, bytes[0] & (0xFFu >> (length + 1)));
    *text += code == 0xFFFD && !(length == 3 && memcmp(bytes, "\xEF\xBF\xBD", 3) == 0) ? 1 : length;
    if ((code >= 0x80 && code < 0xA0) || code == 0x2028 || code == 0x2029)
        return ' ';
    return reorders(code) ? 0xFFFD : code;
}

size_t chart_encode(unsigned code, char out[4]) {
    if (code < 0x80) {
        out[0] = (char)code;
        return 1;
    }
    size_t length = code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    for (size_t i = length - 1; i > 0; i--, code >>= 6)
        out[i] = (char)(0x80 | (code & 0x3F));
    out[0] = (char)((0xF00u >> length & 0xFF) | code);
    return length;
}

static double code_width(unsigned code, int bold) {
    if (code >= 0x20 && code < 0x7F)
        return ascii[bold][code - 0x20];
    for (size_t i = 0; i < sizeof beyond / sizeof beyond[0]; i++)
        if (code >= beyond[i].first && code <= beyond[i].last)
            return beyond[i].width[bold];
    return widest[bold];
}

static double font_width(unsigned code, chart_font font) {
    return code_width(code, font.weight >= 600) * font.size / 1000;
}

double chart_width(const char *text, chart_font font) {
    double width = 0;
    for (unsigned code = chart_code(&text); code; code = chart_code(&text))
        width += font_width(code, font);
    return width;
}

/* Copy at most `length` bytes of `text` (to its end when 0 bytes are left), cut with an ellipsis at `most`. */
static bool fit_part(char out[CHART_LINE], const char *text, const char *end, chart_font font, double most) {
    static const char ellipsis[] = "\xE2\x80\xA6";
    double width = 0, spare = font_width(0x2026, font);
    size_t used = 0, cut = 0;
    while (text < end) {
        char bytes[4];
        unsigned code = chart_code(&text);
        size_t length = chart_encode(code, bytes);
        width += font_width(code, font);
        if (width > most || used + length + sizeof ellipsis > CHART_LINE) {
            memcpy(out + cut, ellipsis, sizeof ellipsis);
            return false;
        }
        memcpy(out + used, bytes, length);
        used += length;
        if (width + spare <= most)
            cut = used;
    }
    out[used] = '\0';
    return true;
}

bool chart_fit(char out[CHART_LINE], const char *text, chart_font font, double most) {
    return fit_part(out, text, text + strlen(text), font, most);
}

/* The end of the longest run of words that fits; a first word that does not fit is taken whole. */
static const char *line_end(const char *text, chart_font font, double most) {
    const char *end = NULL, *at = text;
    double width = 0;
    for (;;) {
        const char *before = at;
        unsigned code = chart_code(&at);
        if (code == 0 || code == ' ') {
            if (end && width > most)
                return end;
            end = before;
        }
        if (code == 0)
            return end;
        width += font_width(code, font);
    }
}

static int wrap(char out[][CHART_LINE], int lines, const char *text, chart_font font, double most, bool *whole) {
    int used = 0;
    *whole = true;
    while (*text == ' ')
        text++;
    while (*text && used < lines) {
        const char *end = used == lines - 1 ? text + strlen(text) : line_end(text, font, most);
        *whole &= fit_part(out[used++], text, end, font, most);
        for (text = end; *text == ' ';)
            text++;
    }
    return used;
}

int chart_wrap(char out[][CHART_LINE], int lines, const char *text, chart_font font, double most, bool even,
               bool *whole) {
    int used = wrap(out, lines, text, font, most, whole);
    if (!even || used < 2 || !*whole)
        return used;
    double low = most / lines, high = most; /* the narrowest column that needs no further line */
    while (high - low > 2) {
        double middle = (low + high) / 2;
        bool fits;
        if (wrap(out, lines, text, font, middle, &fits) <= used && fits)
            high = middle;
        else
            low = middle;
    }
    return wrap(out, lines, text, font, high, whole);
}
