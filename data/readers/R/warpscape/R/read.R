# How do frames and results files of warpscape become data frames, with units, definitions and where they come from?

FRAME <- 1 # the newest format of frames that is read
VIEWS <- 1 # of views
TEXT <- c("run", "workload", "kernel", "mangled", "text", "file", "metric", "unit", "family", "view", "definition", "scale",
          "seed", "command", "version", "status", "selection", "sampling", "left_out")

# "column NAME unit=UNIT group=GROUP" as c(name =, unit =, group =), percent signs decoded.
column_line <- function(line) {
  words <- strsplit(line, " ", fixed = TRUE)[[1]]
  pairs <- grep("=", words[-(1:2)], value = TRUE, fixed = TRUE)
  values <- vapply(sub("^[^=]*=", "", pairs), utils::URLdecode, "")
  c(name = utils::URLdecode(words[2]), named(values, sub("=.*", "", pairs)))
}
named <- function(values, names) { names(values) <- names; values }

# Of all columns that have it: unit or group, by name.
of_columns <- function(lines, key) {
  found <- lapply(lines, column_line)
  found <- found[vapply(found, function(f) key %in% names(f), NA)]
  named(vapply(found, `[[`, "", key), vapply(found, `[[`, "", "name"))
}

to_numbers <- function(cells, file, column) {
  cells <- trimws(cells)
  missing <- cells %in% c("", "NA", "NaN")
  numbers <- suppressWarnings(as.numeric(cells))
  wrong <- which(is.na(numbers) & !missing)
  if (length(wrong))
    stop(sprintf("%s: column %s: '%s' is no number", file, column, cells[wrong[1]]), call. = FALSE)
  numbers
}

looks_numeric <- function(cells) {
  cells <- trimws(cells)
  !any(is.na(suppressWarnings(as.numeric(cells))) & !cells %in% c("", "NA", "NaN"))
}

read_frame <- function(file) {
  lines <- readLines(file, encoding = "UTF-8", warn = FALSE)
  what <- if (is.character(file)) file else "frame"
  comments <- if (all(startsWith(lines, "#"))) length(lines) else which.min(startsWith(lines, "#")) - 1
  notes <- trimws(sub("^#", "", lines[seq_len(comments)]))
  known <- grepl("^warpscape frame [0-9]+$", notes[1])
  if (isTRUE(known) && as.numeric(sub(".* ", "", notes[1])) > FRAME)
    stop(sprintf("%s: a %s; this reader knows format %d: use one of a newer warpscape", what, notes[1], FRAME), call. = FALSE)
  # Everything as text first: a kernel may be called NA.
  x <- utils::read.csv(text = lines[seq_along(lines) > comments], colClasses = "character", na.strings = character(),
                       check.names = FALSE, comment.char = "", encoding = "UTF-8")
  labels <- as.integer(sub("labels: *", "", grep("^labels:", notes, value = TRUE)))
  if (!length(labels)) # a frame that somebody else wrote
    labels <- min(c(which(vapply(x, looks_numeric, NA)), length(x) + 1)) - 1
  for (i in seq_along(x)[seq_along(x) > labels])
    x[[i]] <- to_numbers(x[[i]], what, names(x)[i])
  columns <- grep("^column ", notes, value = TRUE)
  attr(x, "units") <- of_columns(columns, "unit")
  attr(x, "groups") <- of_columns(columns, "group")
  attr(x, "labels") <- names(x)[seq_len(labels)]
  attr(x, "notes") <- grep("^(column |labels:|warpscape frame )", notes, value = TRUE, invert = TRUE)
  x
}

# For reading alone; a file that nobody may write is read as it stands.
open_results <- function(file) {
  if (!requireNamespace("DBI", quietly = TRUE) || !requireNamespace("RSQLite", quietly = TRUE))
    stop("results files need the packages DBI and RSQLite (Debian: r-cran-rsqlite)", call. = FALSE)
  if (!file.exists(file))
    stop(sprintf("%s: no such file", file), call. = FALSE)
  db <- DBI::dbConnect(RSQLite::SQLite(), file, flags = RSQLite::SQLITE_RO)
  version <- tryCatch(DBI::dbGetQuery(db, "SELECT views FROM about")$views, error = function(e) {
    DBI::dbDisconnect(db)
    stop(sprintf("%s: no results file with views (%s); any `warpscape run` into it makes them", file, conditionMessage(e)), call. = FALSE)
  })
  if (version > VIEWS) {
    DBI::dbDisconnect(db)
    stop(sprintf("%s: views of version %d; this reader knows %d: use one of a newer warpscape", file, version, VIEWS), call. = FALSE)
  }
  db
}

results_views <- function(file) {
  db <- open_results(file)
  on.exit(DBI::dbDisconnect(db))
  DBI::dbGetQuery(db, "SELECT name FROM sqlite_master WHERE type = 'view' ORDER BY name")$name
}

read_results <- function(file, view = "kernel_metrics", run = NULL) {
  views <- results_views(file)
  if (!view %in% views)
    stop(sprintf("%s: there is no view %s; there are %s", file, view, paste(views, collapse = ", ")), call. = FALSE)
  db <- open_results(file)
  on.exit(DBI::dbDisconnect(db))
  plain <- sub("^all_", "", view)
  x <- if (is.null(run) || view %in% c("about", "metrics"))
    DBI::dbGetQuery(db, sprintf('SELECT * FROM "%s"', view))
  else
    DBI::dbGetQuery(db, sprintf('SELECT * FROM "all_%s" WHERE run = ?', plain), params = list(run))
  about <- DBI::dbGetQuery(db, "SELECT metric, unit, family, definition FROM metrics WHERE view = ?", params = list(plain))
  about <- about[about$metric %in% names(x), ]
  x[about$metric] <- lapply(x[about$metric], as.numeric)
  attr(x, "units") <- named(about$unit, about$metric)
  attr(x, "groups") <- named(about$family, about$metric)
  attr(x, "definitions") <- named(about$definition, about$metric)
  attr(x, "labels") <- intersect(names(x), TEXT)
  x
}

# Attributes that data frames of here carry, from one to another.
carry <- function(to, from) {
  for (name in c("units", "groups", "definitions", "labels", "notes"))
    attr(to, name) <- attr(from, name)
  to
}

tidy <- function(x) {
  labels <- attr(x, "labels")
  metrics <- setdiff(names(x), labels)
  units <- attr(x, "units")[metrics]
  units[is.na(units)] <- ""
  long <- x[rep(seq_len(nrow(x)), length(metrics)), labels, drop = FALSE]
  long$metric <- rep(metrics, each = nrow(x))
  long$value <- unlist(x[metrics], use.names = FALSE)
  long$unit <- rep(unname(units), each = nrow(x))
  rownames(long) <- NULL
  carry(long, x)
}

wide <- function(long) {
  metrics <- unique(long$metric)
  rows <- nrow(long) / max(length(metrics), 1)
  if (!identical(long$metric, rep(metrics, each = rows)))
    stop("rows are not in the order in which tidy() left them", call. = FALSE)
  x <- long[seq_len(rows), attr(long, "labels"), drop = FALSE]
  x[metrics] <- split(long$value, factor(long$metric, metrics))
  rownames(x) <- NULL
  carry(x, long)
}
