/* launch_texture.h - textures of a launch file: parsing of their form, and creation on the device. */
#ifndef WS_LAUNCH_TEXTURE_H
#define WS_LAUNCH_TEXTURE_H

#include "cli/launch/launchfile.h"

/* Binds the module's variable of the texture's name, or creates a texture or surface object if the module has none.
 * memory: device address of its buffer. *handle: the value of a kernel argument. */
int ws_texture_apply(const ws_script *script, const ws_launch_texture *texture, ws_device *device,
                     const ws_image *image, uint64_t memory, uint64_t *handle);

#endif
