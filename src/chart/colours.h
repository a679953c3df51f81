/* The colours of charts and pages, light and dark. Contrast of every text colour is at least 4.5 on its paper
 * (docs/chart.md, "Colours"). */
#ifndef ROOFLINE_CHART_COLOURS_H
#define ROOFLINE_CHART_COLOURS_H

#define LIGHT_PAPER "#ffffff"
#define LIGHT_INK "#17212b"
#define LIGHT_MUTE "#5b6875"
#define LIGHT_GRID "#e7ebef"
#define LIGHT_AXIS "#9aa5b1"
#define LIGHT_MEMORY "#0072B2"
#define LIGHT_COMPUTE "#C44E00"
#define LIGHT_BETTER "#007A5A"

#define DARK_PAPER "#10161c"
#define DARK_INK "#eef2f5"
#define DARK_MUTE "#a3b0bc"
#define DARK_GRID "#222b34"
#define DARK_AXIS "#5d6a76"
#define DARK_MEMORY "#56B4E9"
#define DARK_COMPUTE "#F0883E"
#define DARK_BETTER "#2FC79A"

#define CHART_FONTS "Inter, 'Helvetica Neue', Helvetica, Arial, sans-serif"

/* The classes of the shapes. */
#define CHART_STYLE(paper, ink, mute, grid, axis, memory, compute, better)                                             \
    ".bg{fill:" paper "}.ink{fill:" ink "}.mute{fill:" mute "}.grid{stroke:" grid "}.ax{stroke:" axis "}\n"            \
    ".roof{stroke:" ink "}.roof2{stroke:" mute "}.m{fill:" memory "}.c{fill:" compute "}.n{fill:" mute                 \
    "}.g{fill:" better "}\n"                                                                                           \
    ".ml{stroke:" memory "}.cl{stroke:" compute "}.nl{stroke:" mute "}.gl{stroke:" better "}.lead{stroke:" axis        \
    "}.on{fill:" paper "}\n"                                                                                           \
    ".halo{paint-order:stroke;stroke:" paper ";stroke-width:4px;stroke-linejoin:round}.ring{stroke:" paper             \
    "}.hole{fill:" paper "}\n"
#define CHART_STYLE_LIGHT                                                                                              \
    CHART_STYLE(LIGHT_PAPER, LIGHT_INK, LIGHT_MUTE, LIGHT_GRID, LIGHT_AXIS, LIGHT_MEMORY, LIGHT_COMPUTE, LIGHT_BETTER) \
    ".tm{fill:#0072B2;fill-opacity:.07}.tc{fill:#D55E00;fill-opacity:.07}\n"
#define CHART_STYLE_DARK                                                                                               \
    CHART_STYLE(DARK_PAPER, DARK_INK, DARK_MUTE, DARK_GRID, DARK_AXIS, DARK_MEMORY, DARK_COMPUTE, DARK_BETTER)         \
    ".tm{fill:#56B4E9;fill-opacity:.09}.tc{fill:#F0883E;fill-opacity:.09}"

#endif
