# Draws COUNT machines from SEED on: a line each, tabs between seed, what has to be refused (an option's name, or -),
# check or plain, program, machine and options. The generator is that of Park and Miller, "Random Number Generators:
# Good Ones Are Hard to Find", 1988, so every awk draws the same.
function below(n) { state = state * 16807 % 2147483647; return int(state / 2147483647 * n) }
function set(name, list,    n, value) {
    n = split(list, value, " ")
    value[1] = value[1 + below(n)]
    gsub(/~/, " ", value[1])
    if (sub(/^!/, "", value[1])) {
        if (refused != "-") # one defect of a machine is enough
            return
        refused = name
    }
    drawn[name] = value[1]
    options = options "\t-s\t" name "=" value[1]
}
$1 == "theme" { themes[++count] = $2; check[$2] = $3 }
$1 == "machine" { machine[$2, ++machines[$2]] = $3 }
$1 == "program" { program[$2, ++programs[$2]] = $3 }
/^(option|with)/ {
    theme = $2
    row = ++rows[theme]
    at = $1 ~ /with/ ? 4 : 3
    need[theme, row] = $1 ~ /with/ ? $3 : ""
    name[theme, row] = $at
    always[theme, row] = $1 ~ /!/
    for (i = at + 1; i <= NF; i++)
        values[theme, row] = values[theme, row] " " $i
}
END {
    for (seed = first; seed < first + draws; seed++) {
        state = seed * 7919 + 1
        for (i = 0; i < 8; i++)
            below(2)
        theme = themes[1 + seed % count]
        options = ""
        refused = "-"
        split("", drawn)
        one = machine[theme, 1 + below(machines[theme])]
        run = program[theme, 1 + below(programs[theme])]
        for (row = 1; row <= rows[theme]; row++) {
            split(need[theme, row], of, "=")
            if (need[theme, row] != "" && drawn[of[1]] != of[2])
                continue
            if (below(2) || always[theme, row])
                set(name[theme, row], values[theme, row])
        }
        print seed "\t" refused "\t" check[theme] "\t" run "\t" one options
    }
}
