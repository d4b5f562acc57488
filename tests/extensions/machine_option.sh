# An option of the simulated machine: docs/adding.md.
machine=$(find model -name machine.def)
change "$machine" 's/^NUMBER\( sm, refill, .*/&\nNUMBER( sm, toy, "cycles", 0, 0, 8, "more of these" )/'
fails 'nothing uses sm_toy' check rows
change "$(find model -name sm_issue.c)" 's/const uint32_t refill = sm->shared->machine->sm_refill;/const uint32_t refill = sm->shared->machine->sm_refill + sm->shared->machine->sm_toy;/'
passes check rows
passes unit machine
passes build
