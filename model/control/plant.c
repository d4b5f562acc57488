/* plant.c - see plant.h. */
#include "model/control/plant.h"

enum { SECONDS_PER_HOUR = 3600 };

void ws_plant_init(const ws_control *c, const ws_server *server, ws_plant *plant)
{
    const double capacity_j = c->battery_capacity * SECONDS_PER_HOUR;
    *plant = (ws_plant){.server = server,
                        .modes = c->modes,
                        .step_s = c->loop_fine,
                        .capacity_j = capacity_j,
                        .floor_j = c->battery_floor * capacity_j,
                        .resume_j = (c->battery_floor + c->battery_resume) * capacity_j,
                        .start_j = c->battery_start * capacity_j,
                        .charge_w = c->battery_charge_rate * c->battery_capacity,
                        .charge_efficiency = c->battery_charge_efficiency,
                        .discharge_efficiency = c->battery_discharge_efficiency};
    for (size_t i = 0; i < c->modes; i++)
        plant->mode[i] = (ws_plant_mode){.draw_w = c->mode[i].battery * c->battery_discharge_rate * c->battery_capacity,
                                         .priority = c->mode[i].priority,
                                         .top = server->top[(size_t)ws_control_level_of(c, c->mode[i].level)],
                                         .least = server->top[(size_t)ws_control_level_of(c, c->mode[i].least)]};
}

ws_plant_state ws_plant_start(const ws_plant *plant)
{
    return (ws_plant_state){.stored_j = plant->start_j};
}
