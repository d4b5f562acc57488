/* physics.h - WP: the numbers of the scheme, for device code and its reference. Floats, so that both start from the
 * same values. HDC: S.-Y. Hong, J. Dudhia, S.-H. Chen, A Revised Approach to Ice Microphysical Processes for the Bulk
 * Parameterization of Clouds and Precipitation, Monthly Weather Review 132, 2004. LFO: Y.-L. Lin, R. Farley, H.
 * Orville, Bulk Parameterization of the Snow Field in a Cloud Model, Journal of Climate and Applied Meteorology 22,
 * 1983. */
#ifndef WS_WEATHER_PHYSICS_H
#define WS_WEATHER_PHYSICS_H

enum { WP_LEVELS = 27, WP_SIDE = 8 }; /* the most levels of a column; a block is 8 x 8 columns */

/* Air, water, ice: J, kg, m, K, s, Pa. */
#define WP_R_DRY            287.0f
#define WP_R_VAPOUR         461.6f
#define WP_EPSILON          0.6217504f /* WP_R_DRY / WP_R_VAPOUR */
#define WP_C_DRY            1004.5f    /* heat capacities at constant pressure */
#define WP_C_VAPOUR         1846.4f
#define WP_C_WATER          4190.0f
#define WP_C_ICE            2106.0f
#define WP_L_BOIL           2.5e6f /* latent heats at freezing: water to vapour, ice to vapour, ice to water */
#define WP_L_SUBLIME        2.85e6f
#define WP_L_MELT           3.5e5f
#define WP_T_FREEZE         273.15f
#define WP_T_TRIPLE         273.16f
#define WP_P_TRIPLE         610.78f /* pressure of vapour there */
#define WP_RHO_WATER        1000.0f
#define WP_RHO_SNOW         100.0f
#define WP_RHO_AIR          1.28f /* at the ground; fall speeds are given for it */

/* Drops and flakes have sizes N0 exp(-lambda D) and fall at A D^B (LFO); cold snow has more flakes (HDC 6). */
#define WP_N0_RAIN          8e6f
#define WP_N0_SNOW          2e6f
#define WP_N0_SNOW_MOST     1e11f
#define WP_N0_SNOW_COLD     0.12f /* per K */
#define WP_A_RAIN           841.9f
#define WP_B_RAIN           0.8f
#define WP_A_SNOW           11.72f
#define WP_B_SNOW           0.41f
#define WP_SLOPE_RAIN       1.25e-5f /* least 1 / lambda */
#define WP_SLOPE_SNOW       1e-5f
#define WP_LEAST_WATER      1e-9f  /* rain and snow below this have the least slope and collect nothing */
#define WP_NO_WATER         1e-15f /* cloud below this is none */

/* Clouds: number of droplets, and the size from which they join to rain (HDC 16). */
#define WP_DROPLETS         3e8f
#define WP_DROPLET_RADIUS   8e-6f
#define WP_JOIN             0.55f /* efficiency */
#define WP_VISCOSITY        1.718e-5f
#define WP_GRAVITY          9.8f

/* Crystals (HDC 5): number by mass of ice in air, diameter by mass, fall speed by diameter. */
#define WP_ICE_NUMBER       5.38e7f
#define WP_ICE_NUMBER_LEAST 1e3f
#define WP_ICE_NUMBER_MOST  1e6f
#define WP_ICE_DIAMETER     11.9f
#define WP_ICE_LARGEST      5e-4f
#define WP_ICE_FALL         1.49e4f
#define WP_ICE_FALL_POWER   1.31f
#define WP_ICE_MASS         2.08e22f /* times the 8th power of the largest diameter: more becomes snow (HDC 12) */

/* Freezing (LFO 45), and the temperature below which all water freezes. */
#define WP_FREEZE_RATE      100.0f
#define WP_FREEZE_COLD      0.66f /* per K */
#define WP_ALL_FREEZES      40.0f /* K below the freezing point */

#define WP_LONGEST_STEP     120.0f /* s; longer ones are divided */

#endif
