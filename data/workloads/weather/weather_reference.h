/* weather_reference.h - WP: the same scheme on the CPU. */
#ifndef WS_WEATHER_REFERENCE_H
#define WS_WEATHER_REFERENCE_H

#include "physics.h"

enum { WP_VAPOUR, WP_CLOUD, WP_ICE, WP_RAIN, WP_SNOW, WP_KINDS };

typedef struct wp_column {
    int levels;
    double t[WP_LEVELS];               /* temperature */
    double water[WP_KINDS][WP_LEVELS]; /* kg per kg of air */
    double density[WP_LEVELS], pressure[WP_LEVELS], thickness[WP_LEVELS];
    double rain, snow; /* kg per m2 that came to the ground: all, and frozen */
} wp_column;

/* `seconds` more; in double precision. */
void wp_reference(wp_column *c, double seconds);

/* All water above 1 m2 of ground, and what came down to it, in kg. */
double wp_column_water(const wp_column *c);

#endif
