/* album.h - folder of a report: figures, frames, and the page that shows them.
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
    const char *section; /* id of its section */
    char title[200], caption[400];
    char *words; /* text alternative of the picture; NULL: the title. Owned */
    bool wide;   /* never shrunk */
    char *svg;   /* owned */
    size_t size;
} ws_picture;

typedef struct ws_album {
    const char *directory;
    ws_picture *picture; /* [pictures], owned */
    size_t pictures, room;
} ws_album;

/* Creates the folders and their parents. WS_EIO, WS_EINPUT for an empty name. */
int ws_album_open(ws_album *album, const char *directory);
void ws_album_fini(ws_album *album);

/* Draws a figure. section and file name it; `caption` is printed below it. */
int ws_album_draw(ws_album *album, const char *figure, const char *section, const char *file, bool wide,
                  const char *caption, const ws_plot_request *request);

/* Sets the text alternative of the last picture; takes ownership of the text. */
void ws_album_describe(ws_album *album, char *words);

/* Saves a frame as frames/<file>.csv. */
int ws_album_save_frame(const ws_album *album, const ws_frame *frame, const char *file);

/* Saves the output of `write` as a file of the folder. */
int ws_album_save_page(const ws_album *album, const char *file, int (*write)(const void *context, FILE *out),
                       const void *context);

/* Returns whether the section has a picture. */
bool ws_album_has(const ws_album *album, const char *section);

#endif
