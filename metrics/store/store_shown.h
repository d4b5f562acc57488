/* store_shown.h - SQL conditions for counted and shown runs, used in the store's queries. */
#ifndef WS_STORE_SHOWN_H
#define WS_STORE_SHOWN_H

/* Conditions on a run: run o ended with a status that lets its launches count; some launches were measured. */
#define WS_STORE_ENDED         "(o.status = 'done' OR (o.partial AND o.status IS NOT NULL))"
#define WS_STORE_MEASURED(run) "EXISTS(SELECT 1 FROM launch l WHERE l.run = " run ".id AND l.measured)"
/* Condition on run o: unfinished, but counted up to its last launch. A sampled run without weights is excluded, because
 * it would look complete. */
#define WS_STORE_UNFINISHED \
    "(o.partial AND o.status IS NULL" \
    " AND NOT EXISTS(SELECT 1 FROM launch l WHERE l.run = o.id AND l.stratum IS NOT NULL))"
/* Table of the run shown for each workload, with columns `of` and `run`, 0 for none. Older files may have a run that
 * measured nothing as the only run. */
#define WS_STORE_LAST(what) "max(CASE WHEN " what " THEN o.id END)"
#define WS_STORE_SHOWN \
    "(SELECT o.workload AS of, coalesce(" WS_STORE_LAST(WS_STORE_ENDED " AND " WS_STORE_MEASURED( \
        "o")) ", " WS_STORE_LAST(WS_STORE_ENDED) ", " WS_STORE_LAST(WS_STORE_UNFINISHED) ", 0) AS run FROM run o " \
                                                                                         "GROUP BY o.workload)"

#endif
