/* album.h - the folder that a report is written into: figures, frames, and the page that shows them.
 *
 *     DIRECTORY/index.html, DIRECTORY/figures/NAME.svg, DIRECTORY/frames/NAME.csv */
#ifndef WS_ALBUM_H
#define WS_ALBUM_H

#include "plots/plot.h"

#include <stdbool.h>
#include <stdio.h>

/* A picture of the page, also figures/<file>.svg. */
typedef struct ws_picture {
    char file[40];
    const char *section; /* id of the section it stands in */
    char title[200], caption[400];
    char *words; /* what it shows, for who does not see it; NULL: its title. Owned */
    bool wide;   /* never shrunk */
    char *svg;   /* owned */
    size_t size;
} ws_picture;

typedef struct ws_album {
    const char *directory;
    ws_picture *picture; /* [pictures], owned */
    size_t pictures, room;
} ws_album;

/* Makes the folders, and those on the way to them. WS_EIO, WS_EINPUT for an empty name. */
int ws_album_open(ws_album *album, const char *directory);
void ws_album_fini(ws_album *album);

/* Draws a figure: section and file name it, `caption` is printed below. */
int ws_album_draw(ws_album *album, const char *figure, const char *section, const char *file, bool wide,
                  const char *caption, const ws_plot_request *request);

/* Says in words what the picture drawn last shows; takes the text over. */
void ws_album_describe(ws_album *album, char *words);

/* Saves a frame as frames/<file>.csv. */
int ws_album_save_frame(const ws_album *album, const ws_frame *frame, const char *file);

/* Saves what `write` prints as a file of the folder. */
int ws_album_save_page(const ws_album *album, const char *file, int (*write)(const void *context, FILE *out),
                       const void *context);

/* Is there a picture for the section? */
bool ws_album_has(const ws_album *album, const char *section);

#endif
