# What can be asked for, and what can be set: as it stands in the files, and as it is set.
"$WARPSCAPE" model chameleon --list
"$WARPSCAPE" model chameleon --options
"$WARPSCAPE" model chameleon --options --set battery.capacity=1kWh --set mode.saver.level=2 | grep -E 'capacity|saver'
printf '[loop]\ncoarse = 2 min\n' >mine.ini
"$WARPSCAPE" model chameleon --options --config mine.ini | grep coarse
