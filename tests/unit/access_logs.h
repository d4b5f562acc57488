/* access_logs.h - what an access log keeps of a script. */
#ifndef TESTS_ACCESS_LOGS_H
#define TESTS_ACCESS_LOGS_H

#include "model/access_log.h"
#include "tests/unit/events.h"

static const size_t plenty = 1 << 22;

/* The blocks [first, end), at most *limit entries; destroyed with drop. */
static inline ws_access_log *log_range(const script *s, const size_t *limit, uint64_t first, uint64_t end)
{
    const ws_metric m = {.sink = ws_access_log_sink(limit)};
    ws_access_log *const log = calloc(1, sizeof *log);
    assert_non_null(log);
    m.sink.attach(log, m.sink.context);
    assert_int_equal(m.sink.init(log, &s->launch), WS_OK);
    for (uint64_t block = first; block < end; block++)
        script_feed(&m, s, log, block, 3);
    return log;
}

static inline ws_access_log *log_of(const script *s)
{
    return log_range(s, &plenty, 0, s->launch.blocks);
}

static inline void drop(ws_access_log *log)
{
    ws_access_log_sink(&plenty).fini(log);
    free(log);
}

#endif
