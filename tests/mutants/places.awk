# Places of C files where a one-line fault can be put in, a line each, with tabs between:
#     FILE LINE FIRST LAST OPERATOR FORM ORIGINAL MUTATED
# Bytes FIRST to LAST of the line are ORIGINAL. FORM is `value` (an expression) or `drop` (a statement that is left
# out). Only what lies on one line of a function's body counts. What no test looks at is left out: comments, strings,
# all of the preprocessor and what stands under its conditions, arguments of calls that make up messages, assertions,
# statements that only give something back to the system, and changes that cannot be seen (a minimum by `<=`). The text
# is taken to be laid out by .clang-format: binary operators have blanks on both sides.
# usage: awk -f places.awk FILE.c...

function flush_file(    i) {
    if (n) {
        match_brackets()
        for (i = 1; i <= n; i++)
            if (body[i] && !quiet[i])
                place_at(i)
    }
    n = conditions = in_comment = continued = 0
}

FNR == 1 { flush_file(); file = FILENAME }

# Directives, and what is under a condition.
!in_comment && (continued || /^[ \t]*#/) {
    if (!continued) {
        if ($0 ~ /^[ \t]*#[ \t]*if/)
            conditions++
        else if ($0 ~ /^[ \t]*#[ \t]*endif/)
            conditions--
    }
    continued = /\\$/
    next
}
conditions { next }
{ text[FNR] = $0; cut($0) }
END { flush_file() }

# Cuts a line into tokens.
function cut(line,    at, rest, blank, long) {
    at = 1
    blank = 1
    while (at <= length(line)) {
        rest = substr(line, at)
        if (in_comment) {
            if (!(long = index(rest, "*/")))
                return
            in_comment = 0
            at += long + 1
            continue
        }
        if (match(rest, /^[ \t]+/)) {
            at += RLENGTH
            blank = 1
            continue
        }
        if (substr(rest, 1, 2) == "//")
            return
        if (substr(rest, 1, 2) == "/*") {
            in_comment = 1
            at += 2
            continue
        }
        n++
        if (match(rest, /^[A-Za-z_][A-Za-z0-9_]*/))
            kind[n] = "name"
        else if (match(rest,
            /^(0[xX][0-9a-fA-F]+|[0-9]+\.?[0-9]*([eE][-+]?[0-9]+)?|\.[0-9]+([eE][-+]?[0-9]+)?)[uUlLfF]*/))
            kind[n] = "number"
        else if (match(rest, /^"([^"\\]|\\.)*"/) || match(rest, /^'([^'\\]|\\.)*'/))
            kind[n] = "text"
        else {
            match(rest, /^(<<=|>>=|\.\.\.|->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[-+*\/%&|^]=|.)/)
            kind[n] = "sign"
        }
        token[n] = substr(rest, 1, RLENGTH)
        lines[n] = FNR
        first[n] = at
        last[n] = at + RLENGTH - 1
        spaced[n] = blank
        blank = 0
        at += RLENGTH
    }
}

function opens(t) { return t == "(" || t == "[" || t == "{" }
function closes(t) { return t == ")" || t == "]" || t == "}" }

# mate: the other bracket; body: within a function; quiet: within a call that makes up a message; control: the ) of if,
# for, while, switch
function match_brackets(    i, top, stack, in_body, hushed) {
    top = in_body = hushed = 0
    token[0] = token[n + 1] = kind[0] = kind[n + 1] = ""
    for (i = 1; i <= n; i++) {
        control[i] = 0
        mate[i] = opens(token[i]) ? n : 0 # where a condition of the preprocessor has taken the other one
        body[i] = in_body
        quiet[i] = hushed
        if (opens(token[i])) {
            stack[++top] = i
            if (top == 1 && token[i] == "{")
                in_body = token[i - 1] == ")"
            if (!hushed && token[i] == "(" && silent(i - 1))
                hushed = top
        } else if (closes(token[i]) && top > 0) {
            mate[i] = stack[top]
            mate[stack[top]] = i
            control[i] = token[stack[top] - 1] ~ /^(if|for|while|switch)$/
            if (hushed == top)
                hushed = 0
            if (--top == 0)
                in_body = 0
        }
    }
}

function silent(i) {
    return kind[i] == "name" &&
        (token[i] ~ /fail|error|message|[Aa]ssert|perror|_note$|^ws_note|^sizeof$|^_Alignof$|^offsetof$/ ||
        token[i + 2] == "stderr")
}

function rank(t) {
    if (t ~ /^[*\/%]$/) return 10
    if (t == "+" || t == "-") return 9
    if (t == "<<" || t == ">>") return 8
    if (t ~ /^[<>]=?$/) return 7
    if (t == "==" || t == "!=") return 6
    if (t == "&") return 5
    if (t == "^") return 4
    if (t == "|") return 3
    if (t == "&&") return 2
    if (t == "||") return 1
    return 0
}

function assigns(t) { return t ~ /^([-+*\/%&|^]|<<|>>)?=$/ }
function binary(i) { return kind[i] == "sign" && rank(token[i]) && spaced[i] && spaced[i + 1] && i > 1 && i < n }
function ends_value(i) {
    return token[i] ~ /^[;,{}?:]$/ || assigns(token[i]) || control[i] || token[i] ~ /^(return|case|else|do|goto)$/
}

# The tokens from which and to which the operands of binary operator i, of rank r, go.
function left_of(i, r,    j) {
    for (j = i - 1; j >= 1; j--) {
        if (ends_value(j) || opens(token[j]) || (binary(j) && rank(token[j]) < r))
            break
        if (closes(token[j]))
            j = mate[j]
    }
    return j + 1
}
function right_of(i, r,    j) {
    for (j = i + 1; j <= n; j++) {
        if (ends_value(j) || closes(token[j]) || (binary(j) && rank(token[j]) <= r))
            break
        if (opens(token[j]))
            j = mate[j]
    }
    return j - 1
}
# The operand of ++ or -- at i, from its first to its last token: found[1], found[2], the operator with it.
function operand_of(i,    j) {
    if (!spaced[i] && (kind[i - 1] == "name" || closes(token[i - 1]))) { # x++
        for (j = i - 1; j >= 1; j--) {
            if (closes(token[j]))
                j = mate[j]
            if (token[j - 1] ~ /^(->|\.)$/)
                j--
            else if (!(opens(token[j]) && !spaced[j] && (kind[j - 1] == "name" || closes(token[j - 1]))))
                break
        }
        found[1] = j
        found[2] = i
    } else { # ++x
        for (j = i + 1; j < n && (token[j + 1] ~ /^(->|\.)$/ || kind[j + 1] == "name" || token[j + 1] == "["); j++)
            if (token[j + 1] == "[")
                j = mate[j + 1] - 1
        found[1] = i
        found[2] = j
    }
}

function between(from, to) {
    return from > to ? "" : substr(text[lines[from]], first[from], last[to] - first[from] + 1)
}

# Tells of the place from token `from` to token `to`.
function tell(operator, form, from, to, mutated,    original) {
    if (from > to || lines[from] != lines[to])
        return
    original = between(from, to)
    if (original ~ /\/\*|\/\/|\t/)
        return
    printf "%s\t%d\t%d\t%d\t%s\t%s\t%s\t%s\n", file, lines[from], first[from], last[to], operator, form, original,
        mutated
}

# The fault of binary operator i by another operator.
function other_operator(operator, i, by,    from, to, r) {
    r = assigns(token[i]) ? 0 : rank(token[i])
    from = left_of(i, r)
    to = right_of(i, r)
    if (from < i && to > i && lines[from] == lines[to])
        tell(operator, "value", from, to, between(from, i - 1) " " by " " between(i + 1, to))
}

# Is comparison i a minimum or maximum, `a < b ? a : b` or `if (a < b) b = a`? Equality makes no difference to it.
function picks(i,    from, to, a, b, j, c, d) {
    from = left_of(i, rank(token[i]))
    to = right_of(i, rank(token[i]))
    a = between(from, i - 1)
    b = between(i + 1, to)
    j = to + 1
    if (token[j] == "?") {
        c = between(j + 1, right_of(j, 0))
        return c == a || c == b
    }
    if (token[j] != ")" || !control[j])
        return 0
    c = token[j + 1]
    for (d = j + 2; d <= n && token[d] ~ /^(->|\.|\[|\])$/ || kind[d] ~ /^(name|number)$/; d++)
        ;
    if (token[d] != "=")
        return 0
    c = between(j + 1, d - 1)
    d = between(d + 1, right_of(d, 0))
    return (c == a && d == b) || (c == b && d == a)
}

function place_at(i,    t, to) {
    t = token[i]
    if (kind[i] == "number")
        number_at(i)
    else if (kind[i] == "name")
        name_at(i)
    else if (t == "++" || t == "--") {
        operand_of(i)
        t = t == "++" ? "--" : "++"
        tell("step", "value", found[1], found[2], found[2] == i ? between(found[1], i - 1) t \
            : t between(i + 1, found[2]))
    } else if (t ~ /^[-+*\/|&]=$/)
        other_operator("arithmetic", i, t == "+=" ? "-=" : t == "-=" ? "+=" : t == "*=" ? "/=" : t == "/=" ? "*=" \
            : t == "|=" ? "&=" : "|=")
    else if (binary(i)) {
        if (t ~ /^[<>]=?$/)
            other_operator(picks(i) ? "minimum" : "relation", i,
                picks(i) ? (t ~ /</ ? ">" : "<") : t == "<" ? "<=" : t == "<=" ? "<" : t == ">" ? ">=" : ">")
        else if (t == "==" || t == "!=")
            other_operator("relation", i, t == "==" ? "!=" : "==")
        else if (t == "&&" || t == "||")
            other_operator("logic", i, t == "&&" ? "||" : "&&")
        else if (t ~ /^[-+*\/]$/)
            other_operator("arithmetic", i, t == "+" ? "-" : t == "-" ? "+" : t == "*" ? "/" : "*")
        else if (t ~ /^(<<|>>|&|\|)$/)
            other_operator("bits", i, t == "<<" ? ">>" : t == ">>" ? "<<" : t == "&" ? "|" : "&")
    }
    if (starts_statement(i))
        statement_at(i)
}

# One more, one less.
function number_at(i,    t, less) {
    t = token[i]
    less = i % 2 && t !~ /^0[uUlL]*$/
    if ((token[i - 1] == "-" && !binary(i - 1)) || (token[i + 1] == ")" &&
        token[mate[i + 1] - 1] == "__builtin_expect"))
        return
    tell("constant", "value", i, i, t ~ /^[0-9][0-9]?[0-9]?$/ ? (less ? t - 1 : t + 1) : t (less ? " - 1" : " + 1"))
}

function name_at(i,    t, to, value) {
    t = token[i]
    if ((t == "if" || t == "while") && token[i + 1] == "(") {
        to = mate[i + 1] - 1
        tell("condition", "value", i + 2, to, "!(" between(i + 2, to) ")")
    } else if (t ~ /^(fmin|fmax|min|max)f?$/ && token[i + 1] == "(") {
        to = mate[i + 1]
        value = t
        if (!sub(/min/, "max", value))
            sub(/max/, "min", value)
        tell("minimum", "value", i, to, value between(i + 1, to))
    } else if (t == "return" && token[i + 1] != ";" && !silent(i + 1)) {
        for (to = i + 1; to <= n && token[to] != ";"; to++)
            ;
        value = between(i + 1, to - 1)
        tell("return", "value", i + 1, to - 1, truth(i + 1, to - 1) ? "!(" value ")" : "(" value ") + 1")
    }
}

# Is a value true or false by its looks?
function truth(from, to,    j) {
    if (token[from] == "!" || (from == to && token[from] ~ /^(true|false)$/))
        return 1
    for (j = from; j <= to; j++) {
        if (opens(token[j]))
            j = mate[j]
        else if (token[j] == "?")
            return 0
        else if (binary(j) && (rank(token[j]) == 6 || rank(token[j]) == 7 || rank(token[j]) < 3))
            return 1
    }
    return 0
}

function starts_statement(i) {
    return token[i - 1] ~ /^[;{}]$/ || control[i - 1] || token[i - 1] == "else"
}

# An assignment, or a call whose value goes nowhere, up to its semicolon.
function statement_at(i,    j, from, name) {
    from = i
    if (token[i] == "*" || token[i] == "(") {
        if (token[i] == "(" && token[i + 1] == "void" && token[i + 2] == ")")
            from = i + 3
        else if (token[i] == "(")
            from = mate[i]
    } else if (kind[i] != "name" ||
        token[i] ~ /^(return|if|for|while|switch|do|else|case|default|goto|break|continue|sizeof|static|const|struct|enum|union)$/)
        return
    if (kind[from] == "name" && kind[from + 1] == "sign" && token[from + 1] !~ /^(\(|\[|->|\.)$/ &&
        !assigns(token[from + 1]))
        return
    if (kind[from] == "name" && kind[from + 1] == "name")
        return # a declaration
    # Frees, closings and advice change nothing that can be seen without sanitizers.
    if (kind[from] == "name" && token[from + 1] == "(" &&
        (silent(from) ||
            token[from] ~ /free|destroy|fini|close|unmap|unlock|madvise|flush|progress|message|WS_GROW|va_end|va_start/))
        return
    for (j = i; j <= n && token[j] != ";"; j++) {
        if (token[j] == "{" || token[j] == "}")
            return
        if (opens(token[j]))
            j = mate[j]
        if (assigns(token[j]))
            name = 1
    }
    if (name || (kind[from] == "name" && token[from + 1] == "("))
        tell("statement", "drop", i, j, "")
}
