/* store_shown.h - which runs count, and which of them are shown? SQL that the files of the store put into theirs. */
#ifndef WS_STORE_SHOWN_H
#define WS_STORE_SHOWN_H

/* Of run r: it ended in a way that lets its launches count, and some were measured. */
#define WS_STORE_ENDED         "(o.status = 'done' OR (o.partial AND o.status IS NOT NULL))"
#define WS_STORE_MEASURED(run) "EXISTS(SELECT 1 FROM launch l WHERE l.run = " run ".id AND l.measured)"
/* Worth something as far as it came; one whose sampling was not worked out would be taken for the whole. */
#define WS_STORE_UNFINISHED \
    "(o.partial AND o.status IS NULL" \
    " AND NOT EXISTS(SELECT 1 FROM launch l WHERE l.run = o.id AND l.stratum IS NOT NULL))"
/* The one of r's workload that is shown. Files of before may have a run that measured nothing, and no other. */
#define WS_STORE_LAST(what) "(SELECT max(o.id) FROM run o WHERE o.workload = r.workload AND " what ")"
#define WS_STORE_SHOWN \
    "coalesce(" WS_STORE_LAST(WS_STORE_ENDED " AND " WS_STORE_MEASURED("o")) ", " WS_STORE_LAST( \
        WS_STORE_ENDED) ", " WS_STORE_LAST(WS_STORE_UNFINISHED) ", 0)"

/* The same for all workloads at once, each with its run or 0: columns of, run. */
#define WS_STORE_ALL_SHOWN \
    "(SELECT o.workload AS of, coalesce(max(o.id) FILTER(WHERE " WS_STORE_ENDED \
    " AND " WS_STORE_MEASURED("o") "), max(o.id) FILTER(WHERE " WS_STORE_ENDED \
                                   "), max(o.id) FILTER(WHERE " WS_STORE_UNFINISHED \
                                   "), 0) AS run FROM run o GROUP BY o.workload)"

#endif
