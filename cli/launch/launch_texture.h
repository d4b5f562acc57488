/* launch_texture.h - textures of a launch file: their form as text, and what becomes of it on the device. */
#ifndef WS_LAUNCH_TEXTURE_H
#define WS_LAUNCH_TEXTURE_H

#include "cli/launch/launchfile.h"

/* Binds the variable of the module that has the texture's name, or makes a texture or surface object when there is
 * none. memory: device address of its buffer. *handle: what a kernel gets as an argument. */
int ws_texture_apply(const ws_script *script, const ws_launch_texture *texture, ws_device *device,
                     const ws_image *image, uint64_t memory, uint64_t *handle);

#endif
