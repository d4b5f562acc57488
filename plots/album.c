/* album.c - see album.h. */
#include "plots/album.h"

#include "base/grow.h"
#include "base/output.h"
#include "base/status.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int make_directory(const char *path)
{
    if (!ws_output_make_folder(path))
        return WS_OK;
    return ws_fail(WS_EIO, "cannot make the folder %s: %s", path, strerror(errno));
}

/* DIRECTORY/FOLDER/FILE.EXTENSION; folder may be "". NULL when memory is short. */
static char *path_of(const char *directory, const char *folder, const char *file, const char *extension)
{
    char *path = NULL;
    return asprintf(&path, "%s/%s%s%s%s", directory, folder, *folder ? "/" : "", file, extension) < 0 ? NULL : path;
}

/* Directories on the way to the report's folder are made too. */
int ws_album_open(ws_album *album, const char *directory)
{
    static const char *const folders[] = {"figures", "frames"};
    *album = (ws_album){.directory = directory};
    char *path = strdup(directory);
    int status = path && *path ? WS_OK : ws_fail(WS_EINPUT, "-o needs the name of a folder");
    for (char *slash = path; !status && (slash = strchr(slash + 1, '/'));) {
        *slash = '\0';
        status = make_directory(path);
        *slash = '/';
    }
    if (!status)
        status = make_directory(path);
    free(path);
    for (size_t i = 0; !status && i < sizeof folders / sizeof folders[0]; i++) {
        path = path_of(directory, "", folders[i], "");
        status = path ? make_directory(path) : ws_fail(WS_EMEM, "out of memory");
        free(path);
    }
    return status;
}

void ws_album_fini(ws_album *album)
{
    for (size_t i = 0; i < album->pictures; i++) {
        free(album->picture[i].svg);
        free(album->picture[i].words);
    }
    free(album->picture);
    *album = (ws_album){0};
}

int ws_album_save_frame(const ws_album *album, const ws_frame *frame, const char *file)
{
    char *path = path_of(album->directory, "frames", file, ".csv");
    const int status = path ? ws_frame_save(frame, path) : ws_fail(WS_EMEM, "out of memory");
    free(path);
    return status;
}

int ws_album_save_page(const ws_album *album, const char *file, int (*write)(const void *context, FILE *out),
                       const void *context)
{
    char *path = path_of(album->directory, "", file, "");
    ws_output output;
    int status = path ? ws_output_open(&output, path) : ws_fail(WS_EMEM, "out of memory");
    if (!status)
        status = ws_output_close(&output, write(context, output.stream));
    free(path);
    return status;
}

static int save_svg(const ws_album *album, const ws_picture *p)
{
    char *path = path_of(album->directory, "figures", p->file, ".svg");
    ws_output output;
    int status = path ? ws_output_open(&output, path) : ws_fail(WS_EMEM, "out of memory");
    if (!status) {
        if (fwrite(p->svg, 1, p->size, output.stream) != p->size)
            status = ws_fail(WS_EIO, "%s: cannot write: %s", path, strerror(errno));
        status = ws_output_close(&output, status);
    }
    free(path);
    return status;
}

int ws_album_draw(ws_album *album, const char *figure, const char *section, const char *file, bool wide,
                  const char *caption, const ws_plot_request *request)
{
    if (WS_GROW(album->picture, album->room, album->pictures, 1))
        return WS_EMEM;
    ws_picture *p = &album->picture[album->pictures];
    *p = (ws_picture){.section = section, .wide = wide};
    snprintf(p->file, sizeof p->file, "%s", file);
    snprintf(p->caption, sizeof p->caption, "%s", caption);
    snprintf(p->title, sizeof p->title, "%s", ws_plot_title(ws_figure_find(figure), request));
    const int status = ws_plot_draw(ws_figure_find(figure), request, WS_PLOT_SVG, &p->svg, &p->size);
    if (status)
        return ws_fail_context(status, "figure %s", file);
    album->pictures++;
    return save_svg(album, p);
}

void ws_album_describe(ws_album *album, char *words)
{
    ws_picture *const p = &album->picture[album->pictures - 1];
    free(p->words);
    p->words = words;
}

bool ws_album_has(const ws_album *album, const char *section)
{
    size_t i = 0;
    while (i < album->pictures && strcmp(album->picture[i].section, section))
        i++;
    return i < album->pictures;
}
