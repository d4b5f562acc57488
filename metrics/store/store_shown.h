/* store_shown.h - which runs count, and which of them are shown? SQL that the files of the store put into theirs. */
#ifndef WS_STORE_SHOWN_H
#define WS_STORE_SHOWN_H

/* Of run o: it ended in a way that lets its launches count, and some were measured. */
#define WS_STORE_ENDED         "(o.status = 'done' OR (o.partial AND o.status IS NOT NULL))"
#define WS_STORE_MEASURED(run) "EXISTS(SELECT 1 FROM launch l WHERE l.run = " run ".id AND l.measured)"
/* Worth something as far as it came; one whose sampling was not worked out would be taken for the whole. */
#define WS_STORE_UNFINISHED \
    "(o.partial AND o.status IS NULL" \
    " AND NOT EXISTS(SELECT 1 FROM launch l WHERE l.run = o.id AND l.stratum IS NOT NULL))"
/* The run of each workload that is shown, 0: none: columns of, run. Files of before may have a run that measured
 * nothing, and no other. */
#define WS_STORE_LAST(what) "max(CASE WHEN " what " THEN o.id END)"
#define WS_STORE_SHOWN \
    "(SELECT o.workload AS of, coalesce(" WS_STORE_LAST(WS_STORE_ENDED " AND " WS_STORE_MEASURED( \
        "o")) ", " WS_STORE_LAST(WS_STORE_ENDED) ", " WS_STORE_LAST(WS_STORE_UNFINISHED) ", 0) AS run FROM run o " \
                                                                                         "GROUP BY o.workload)"

#endif
