# An option of the simulated machine: docs/adding-simulator.md.
machine=$(find model -name machine.def)
change "$machine" 's/^NUMBER\( sm, refill, .*/&\nNUMBER( sm, toy, "cycles", 0, 0, 8, "more of these" )/'
fails 'nothing uses sm_toy' check rows
change "$(find model -name sm_issue.c)" 's/sm_schedule\(sm, sm->s->now \+ cycles, EVENT_FETCHED/sm_schedule(sm, sm->s->now + cycles + m->sm_toy, EVENT_FETCHED/'
passes check rows
passes unit machine
passes build
