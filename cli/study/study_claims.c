/* study_claims.c - what did the study find, and does it come out here too?
 *
 * Each claim of the characterization in N. Goswami, "Power Performance Co-Optimization of Throughput Architecture Using
 * Emerging Technologies" (2013), with the number there, the number here, and a rule that says whether both point the
 * same way. The rules are written in the code beside each claim; a claim whose workloads did not run is not judged. */
#include "base/grow.h"
#include "base/status.h"
#include "cli/study/study.h"

#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_BYTES = 640, COMPLETE = 1 };
#define add ws_study_add /* shorter, for the many calls below */

static const char yes[] = "yes", no[] = "no", absent[] = "not here", later[] = "needs time",
                  given[] = "by construction";

static const char *judge(bool same)
{
    return same ? yes : no;
}

/* ---------------------------------------------------------------- the list */

int ws_study_add(ws_study *s, const char *claim, const char *theirs, const char *verdict, const char *ours, ...)
{
    if (WS_GROW(s->claim, s->claim_room, s->claims, 1))
        return WS_EMEM;
    ws_study_claim *c = &s->claim[s->claims++];
    *c = (ws_study_claim){.claim = strdup(claim), .theirs = strdup(theirs), .verdict = strdup(verdict)};
    va_list arguments;
    va_start(arguments, ours);
    if (vasprintf(&c->ours, ours, arguments) < 0)
        c->ours = NULL;
    va_end(arguments);
    return c->claim && c->theirs && c->verdict && c->ours ? WS_OK : ws_fail(WS_EMEM, "out of memory");
}

static void append(char *text, const char *separator, const char *format, ...) __attribute__((format(printf, 3, 4)));
static void append(char *text, const char *separator, const char *format, ...)
{
    size_t used = strlen(text);
    if (used && used < TEXT_BYTES)
        used += (size_t)snprintf(text + used, TEXT_BYTES - used, "%s", separator);
    va_list arguments;
    va_start(arguments, format);
    if (used < TEXT_BYTES)
        vsnprintf(text + used, TEXT_BYTES - used, format, arguments);
    va_end(arguments);
}

/* ---------------------------------------------------------------- rows by name */

static bool ran(const ws_study *s, const char *name)
{
    return !isnan(ws_study_value(s->every, name, "I_total"));
}

/* The next name of a list separated by blanks; "" at its end. */
static const char *next_name(const char **list, char name[32])
{
    *list += strspn(*list, " ");
    const size_t n = strcspn(*list, " ");
    snprintf(name, 32, "%.*s", (int)n, *list);
    *list += n;
    return name;
}

/* How many of the names of one list are in the other; *here: how many of them ran. */
static size_t common(const ws_study *s, const char *theirs, const char *ours, size_t *here)
{
    char a[32], b[32];
    size_t n = 0;
    *here = 0;
    while (*next_name(&theirs, a)) {
        *here += ran(s, a);
        for (const char *list = ours; *next_name(&list, b);)
            n += !strcmp(a, b);
    }
    return n;
}

/* A number for each workload of the map, from a column or made of several. */
typedef double number(const ws_study *s, const char *workload);

/* Rank of a workload among all of the map, 1 the highest, by a number; equal ones share the middle of their ranks. 0
 * when it did not run. */
static double rank_of(const ws_study *s, const char *workload, number *value)
{
    double rank = 0.5;
    const double own = value(s, workload);
    for (size_t i = 0; i < s->matrix->rows; i++) {
        const double other = value(s, s->matrix->label[i * s->matrix->labels]);
        rank += other > own ? 1 : other == own ? 0.5 : 0;
    }
    return isnan(own) ? 0 : rank;
}

#define COLUMN(name) \
    static double get_##name(const ws_study *s, const char *workload) \
    { \
        return ws_study_value(s->matrix, workload, #name); \
    }
COLUMN(I_op)
COLUMN(H2D)
COLUMN(K_n)
COLUMN(I_bar)
COLUMN(I_b)
COLUMN(T_total)
#undef COLUMN

/* Of histograms the numbers behind them, over all launches: most of a histogram with equal bins lies in its first. */
#define BEHIND(name, column) \
    static double get_##name(const ws_study *s, const char *workload) \
    { \
        return ws_study_value(s->every, workload, column); \
    }
BEHIND(D_bra, "evaluation_divergent_branches")
BEHIND(l_serial, "evaluation_section_length")
BEHIND(M_m, "evaluation_merge_ratio")
BEHIND(R, "evaluation_row_locality")
#undef BEHIND

static double get_I_avg(const ws_study *s, const char *workload)
{
    return ws_study_value(s->matrix, workload, "I_total") / get_T_total(s, workload);
}

static double get_I_kernel(const ws_study *s, const char *workload)
{
    return ws_study_value(s->matrix, workload, "I_total") / get_K_n(s, workload);
}

static double get_seconds(const ws_study *s, const char *workload)
{
    return ws_study_value(s->costs, workload, "seconds");
}

/* Arithmetic intensity as the study's table 7-11 has it: arithmetic of threads in a launch, in the mean, over memory
 * instructions of warps in all launches. Its values fall with the number of launches, of which arithmetic intensity
 * says nothing; as a simulator gives them that starts the one count again with each launch and not the other. */
static double get_intensity(const ws_study *s, const char *workload)
{
    enum { CAP = 1000 };
    return fmin(CAP, ws_study_value(s->every, workload, "evaluation_ai_mixed") / get_K_n(s, workload));
}

static double mean_of(const ws_study *s, number *value)
{
    double sum = 0;
    for (size_t i = 0; i < s->matrix->rows; i++)
        sum += value(s, s->matrix->label[i * s->matrix->labels]);
    return sum / (double)s->matrix->rows;
}

/* "The group is high (low) in a number": at least two thirds of its members stand in the upper (lower) half of all,
 * which a group drawn by lot does one time in three to seven. Of a single workload more is asked: the upper (lower)
 * quarter. Low is also what is below a tenth of the mean: where many have none of something, a rank tells none from
 * next to none. */
static int add_group(ws_study *s, const char *claim, const char *theirs, const char *group, bool high, number *value)
{
    enum { NEXT_TO_NONE = 10 };
    char name[32], ours[TEXT_BYTES] = "";
    const double little = high ? -INFINITY : mean_of(s, value) / NEXT_TO_NONE;
    size_t here = 0, fits = 0;
    const double rows = (double)s->matrix->rows, part = strchr(group, ' ') ? rows / 2 : rows / 4;
    for (const char *list = group; *next_name(&list, name);) {
        const double rank = rank_of(s, name, value);
        if (rank == 0)
            continue;
        here++;
        fits += (high ? rank : rows + 1 - rank) <= part + 0.5 || value(s, name) < little;
        append(ours, ", ", "%s %g", name, rank);
        if (value(s, name) < little)
            append(ours, "", " (%.2g of the mean)", value(s, name) / mean_of(s, value));
    }
    append(ours, "", " (rank of %g)", rows);
    return add(s, claim, theirs, here ? judge(3 * fits >= 2 * here) : absent, "%s", here ? ours : "–");
}

/* ---------------------------------------------------------------- dimensions and components */

static double share(const ws_study *s, size_t first, size_t last)
{
    const ws_frame *e = s->map[WS_STUDY_90][COMPLETE].pca.eigenvalues;
    double sum = 0;
    for (size_t i = first; i <= last && i <= e->rows; i++)
        sum += e->value[(i - 1) * e->columns + 1];
    return 100 * sum;
}

static int claim_components(ws_study *s)
{
    enum { THEIR_USED = 93, NEAR = 3, THEIR_SHARE = 53, NEAR_SHARE = 4, NEAR_COUNT = 2 };
    static const size_t theirs[WS_STUDY_KEEPS] = {7, 16, 20};
    const size_t used = s->map[WS_STUDY_90][COMPLETE].pca.loadings->rows;
    size_t k[WS_STUDY_KEEPS];
    bool near = true;
    for (size_t i = 0; i < WS_STUDY_KEEPS; i++) {
        k[i] = s->map[i][COMPLETE].pca.kept;
        near = near && k[i] + NEAR_COUNT >= theirs[i] && k[i] <= theirs[i] + NEAR_COUNT;
    }
    /* Within three dimensions. */
    int status =
        add(s, "Dimensions that vary", "93 of 129", judge(used + NEAR >= THEIR_USED && used <= THEIR_USED + NEAR),
            "%zu of %zu", used, s->matrix->columns);
    /* Each within two components. */
    if (!status)
        status = add(s, "Components for 70 % of the variance, for 90 %, by the Kaiser rule", "7, 16, 20 of 37",
                     judge(near), "%zu, %zu, %zu of %zu", k[0], k[1], k[2], s->matrix->rows - 1);
    /* All four within four points. */
    const double first = share(s, 1, 2), second = share(s, 3, 4);
    if (!status)
        status = add(s, "Variance in components 1 and 2; 3 and 4; all four", "39, 14, 53 %",
                     judge(fabs(first + second - THEIR_SHARE) <= NEAR_SHARE), "%.0f, %.0f, %.0f %%", first, second,
                     first + second);
    return status;
}

/* ---------------------------------------------------------------- subsets */

/* Row of a subset, or rows when there is none of that size. */
static size_t subset_row(const ws_frame *subsets, const char *size, ws_linkage linkage)
{
    for (size_t i = 0; i < subsets->rows; i++) {
        if (!strcmp(subsets->label[i * subsets->labels], size) &&
            !strcmp(subsets->label[i * subsets->labels + 1], ws_linkage_name(linkage)))
            return i;
    }
    return subsets->rows;
}

static const char *members_of(const ws_frame *subsets, const char *size, ws_linkage linkage)
{
    const size_t row = subset_row(subsets, size, linkage);
    return row < subsets->rows ? subsets->label[row * subsets->labels + 2] : "";
}

const char *ws_study_members_of(const ws_study *s, size_t size)
{
    char text[24];
    snprintf(text, sizeof text, "%zu", size);
    return members_of(s->subsets[WS_STUDY_90], text, WS_LINKAGE_complete);
}

static const char *const sizes[] = {"4", "6", "8", "12"};
enum { SIZES = 4 };

/* Two lists with the same names in any order. */
static bool same_members(const char *a, const char *b)
{
    char x[32], y[32];
    size_t in_a = 0, in_b = 0, shared = 0;
    for (const char *list = b; *next_name(&list, y);)
        in_b++;
    for (const char *list = a; *next_name(&list, x); in_a++) {
        for (const char *other = b; *next_name(&other, y);)
            shared += !strcmp(x, y);
    }
    return in_a && in_a == in_b && shared == in_a;
}

/* Never rises with the size, and each is within a factor of two. */
static int claim_speedup(ws_study *s, ws_linkage linkage, const char *theirs)
{
    const ws_frame *f = s->subsets[WS_STUDY_90];
    char claim[TEXT_BYTES], seconds[TEXT_BYTES] = "", instructions[TEXT_BYTES] = "";
    double last = INFINITY;
    bool near = true, any = false;
    const char *rest = theirs;
    for (size_t i = 0; i < SIZES; i++) {
        char *end;
        const double their = strtod(rest, &end);
        const size_t row = subset_row(f, sizes[i], linkage);
        rest = end + (*end == ',');
        if (row == f->rows)
            continue;
        const double now = f->value[row * f->columns];
        near = near && now <= last && now <= 2 * their && now >= their / 2;
        any = true;
        last = now;
        append(seconds, ", ", "%.2f", now);
        append(instructions, ", ", "%.2f", f->value[row * f->columns + 1]);
    }
    snprintf(claim, sizeof claim, "Speedup of subsets of 4, 6, 8, 12 by %s linkage", ws_linkage_name(linkage));
    return add(s, claim, theirs, any ? judge(near) : absent, "%s by engine time; %s by instructions", seconds,
               instructions);
}

static int claim_same_members(ws_study *s)
{
    char linkages[TEXT_BYTES] = "", variance[TEXT_BYTES] = "";
    bool four_six = true;
    for (size_t i = 0; i < SIZES; i++) {
        const char *single = members_of(s->subsets[WS_STUDY_90], sizes[i], WS_LINKAGE_single);
        const char *complete = members_of(s->subsets[WS_STUDY_90], sizes[i], WS_LINKAGE_complete);
        if (same_members(single, complete))
            append(linkages, ", ", "%s", sizes[i]);
        else
            four_six &= i > 1;
        if (same_members(complete, members_of(s->subsets[WS_STUDY_70], sizes[i], WS_LINKAGE_complete)))
            append(variance, ", ", "%s", sizes[i]);
    }
    int status = add(s, "Sizes at which both linkages choose the same members", "4, 6", judge(four_six), "%s",
                     *linkages ? linkages : "none");
    if (!status)
        status = add(s, "Sizes at which 70 % and 90 % of the variance choose the same members", "4, 6",
                     judge(strstr(variance, "4") && strstr(variance, "6")), "%s", *variance ? variance : "none");
    return status;
}

/* At least two thirds of theirs that ran here. */
static int claim_members(ws_study *s, size_t i, const char *theirs)
{
    char claim[TEXT_BYTES];
    size_t here;
    const char *ours = members_of(s->subsets[WS_STUDY_90], sizes[i], WS_LINKAGE_complete);
    const size_t n = common(s, theirs, ours, &here);
    snprintf(claim, sizeof claim, "Members of the subset of %s (complete linkage, 90 %%)", sizes[i]);
    return add(s, claim, theirs, *ours ? judge(3 * n >= 2 * here) : absent, "%s (%zu in common)", *ours ? ours : "–",
               n);
}

static int claim_error(ws_study *s, const char *column, const char *word, const char *theirs, const double percent[3])
{
    char claim[TEXT_BYTES], ours[TEXT_BYTES] = "";
    bool near = true;
    for (size_t i = 0; i < 3; i++) {
        for (size_t row = 0; row < s->errors->rows; row++) {
            const double *const v = s->errors->value + row * s->errors->columns;
            if (v[0] != strtod(sizes[i], NULL) ||
                strcmp(s->errors->label[row * s->errors->labels + 1], ws_linkage_name(WS_LINKAGE_complete)))
                continue;
            const double error = v[ws_frame_find_column(s->errors, column)];
            near = near && fabs(100 * error - percent[i]) <= 5;
            append(ours, ", ", "%.1f", 100 * error);
        }
    }
    snprintf(claim, sizeof claim, "Error of the mean %s, subsets of 4, 6, 8", word);
    /* Each within five points. */
    return add(s, claim, theirs, *ours ? judge(near) : absent, "%s %%", *ours ? ours : "–");
}

/* Both within a factor of one and a half. */
static int claim_time(ws_study *s)
{
    double all = 0;
    for (size_t i = 0; i < s->costs->rows; i++)
        all += s->costs->value[2 * i];
    char ours[TEXT_BYTES] = "";
    for (size_t rank = 1; rank <= 3; rank++) {
        for (size_t i = 0; i < s->costs->rows; i++) {
            if (rank_of(s, s->costs->label[i], get_seconds) == (double)rank)
                append(ours, ", ", "%s %.0f %%", s->costs->label[i], 100 * s->costs->value[2 * i] / all);
        }
    }
    const double ss = get_seconds(s, "SS") / all / 0.26, histogram = get_seconds(s, "64H") / all / 0.29, most = 1.5;
    return add(s, "The workloads that take the most time", "64H 29 %, SS 26 %",
               isnan(ss + histogram) ? absent : judge(fmax(ss, histogram) <= most && fmin(ss, histogram) >= 1 / most),
               "%s; SS %.0f %%", ours, 26 * ss);
}

static int claim_subsets(ws_study *s)
{
    static const char *const members[SIZES] = {"SS SLA PR NE", "SS SLA PR KM BN NE", "SS SLA PR KM BN LIB MRIQ MRIF",
                                               "SS SLA PR KM BN LIB MRIQ MRIF STO HS 64H MUM"};
    int status = claim_speedup(s, WS_LINKAGE_single, "3.60, 2.38, 1.80, 1.51");
    if (!status)
        status = claim_speedup(s, WS_LINKAGE_complete, "3.60, 2.38, 1.53, 1.05");
    if (!status)
        status = claim_time(s);
    if (!status)
        status = claim_same_members(s);
    for (size_t i = 0; !status && i < SIZES; i++)
        status = claim_members(s, i, members[i]);
    if (!status)
        status =
            claim_error(s, "activity_factor", "activity factor", "16.7, 5.5, 1.1 %", (const double[]){16.7, 5.5, 1.1});
    if (!status)
        status = claim_error(s, "simd_parallelism", "SIMD parallelism", "17.2, 6.0, 0.5 %",
                             (const double[]){17.2, 6.0, 0.5});
    return status;
}

/* ---------------------------------------------------------------- machines */

static int claim_machines(ws_study *s)
{
    const ws_frame *t = s->machine_table;
    if (!t)
        return add(s, "Runs of one workload on six machines lie nearer to one another than to any other workload",
                   "all of them", absent, "–");
    size_t apart = 0;
    char others[TEXT_BYTES] = "";
    for (size_t i = 0; i < t->rows; i++) {
        const bool near = t->value[i * t->columns] < t->value[i * t->columns + 1];
        apart += near;
        if (!near)
            append(others, ", ", "%s", t->label[2 * i]);
    }
    int status =
        add(s, "Runs of one workload on six machines lie nearer to one another than to any other workload",
            "all of them", judge(apart == t->rows), "%zu of %zu%s%s", apart, t->rows, *others ? "; not " : "", others);
    if (!status)
        status = add(s, "Characteristics do not depend on how a run is spread over the machine it runs on",
                     "small changes", s->cells_changed == 0 ? given : no,
                     "%zu of %zu numbers differ between 1 and 3 workers", s->cells_changed, s->cells);
    return status;
}

/* ---------------------------------------------------------------- the table of workloads */

static int claim_table(ws_study *s)
{
    enum { MOST = 64 };
    double ours[MOST], mixed[MOST], launch[MOST], theirs[MOST], work[2 * MOST];
    size_t n = 0, near = 0;
    for (size_t i = 0; i < s->matrix->rows && n < MOST; i++) {
        const char *const name = s->matrix->label[i * s->matrix->labels];
        const ws_study_member *m = ws_study_find(name);
        ours[n] = ws_study_value(s->matrix, name, "A_i");
        launch[n] = get_intensity(s, name);
        mixed[n] = ws_study_value(s->every, name, "evaluation_ai_mixed");
        theirs[n++] = m->intensity;
        near += fabs(get_T_total(s, name) / m->threads - 1) <= 0.05;
    }
    int status = add(s, "Threads of each workload (table 7-11), within 5 %", "38 of 38",
                     near == s->matrix->rows ? given : no, "%zu of %zu", near, s->matrix->rows);
    const double r = gsl_stats_spearman(ours, 1, theirs, 1, n, work);
    const double warps = gsl_stats_spearman(mixed, 1, theirs, 1, n, work);
    const double launches = gsl_stats_spearman(launch, 1, theirs, 1, n, work);
    /* A correlation that is more than slight, by any reading of its definition. */
    if (!status)
        status = add(s, "Arithmetic intensity of each workload (table 7-11), rank correlation", "1",
                     judge(r > 0.5 || warps > 0.5 || launches > 0.5),
                     "%.2f; %.2f by memory instructions of warps; %.2f by these of all launches and arithmetic of one",
                     r, warps, launches);
    return status;
}

/* ---------------------------------------------------------------- what is said of workloads */

static int claim_highest_intensity(ws_study *s)
{
    const double rank = rank_of(s, "BS", get_intensity);
    static const char claim[] = "BS: the highest arithmetic intensity", theirs[] = "1000, the first";
    return rank > 0 ? add(s, claim, theirs, judge(rank < 2), "%.1f, number %g", get_intensity(s, "BS"), rank)
                    : add(s, claim, theirs, absent, "–");
}

/* What is said of groups, as add_group takes it. */
typedef struct character {
    const char *claim, *theirs, *group;
    bool high;
    number *value;
} character;

static int add_groups(ws_study *s, const character *c, size_t n)
{
    int status = WS_OK;
    for (size_t i = 0; i < n && !status; i++)
        status = add_group(s, c[i].claim, c[i].theirs, c[i].group, c[i].high, c[i].value);
    return status;
}

static int claim_characters(ws_study *s)
{
    static const char low[] = "SS SLA PR GS SRAD 64H HS KM", heavy[] = "BN SLA MRIF MRIQ",
                      serial[] = "BN MRIQ MRIF KM PR";
    static const character before[] = {
        {"SS, SLA, PR, GS, SRAD, 64H, HS, KM: low arithmetic intensity", "low", low, false, get_intensity},
        {"The same: many threads", "many", low, true, get_T_total},
        {"The same: few instructions per kernel", "few", low, false, get_I_kernel},
        {"The same: good row locality", "good", low, true, get_R},
        {"CS and HY: many kernels", "many", "CS HY", true, get_K_n},
    };
    static const character behind[] = {
        {"SS: very many kernels", "very high", "SS", true, get_K_n},
        {"SS: many integer instructions", "high", "SS", true, get_I_op},
        {"SS: many bytes to the device", "large", "SS", true, get_H2D},
        {"SS: few divergent branches", "low", "SS", false, get_D_bra},
        {"SLA: few merge misses", "low", "SLA", false, get_M_m},
        {"SLA: good row locality", "good", "SLA", true, get_R},
        {"PR: many kernels", "many", "PR", true, get_K_n},
        {"PR: few merge misses", "low", "PR", false, get_M_m},
        {"BN, SLA, MRIF, MRIQ: heavy threads", "heavy", heavy, true, get_I_avg},
        {"BN, MRIQ, MRIF, KM, PR: long serialized sections", "long", serial, true, get_l_serial},
        {"The same: many barriers", "many", serial, true, get_I_bar},
        {"The same: many branches", "many", serial, true, get_I_b},
    };
    int status = add_groups(s, before, sizeof before / sizeof *before);
    if (!status)
        status = claim_highest_intensity(s);
    return status ? status : add_groups(s, behind, sizeof behind / sizeof *behind);
}

/* ---------------------------------------------------------------- diversity */

/* The `n` workloads that lie farthest from the middle of a map, as a list. */
static void farthest(const ws_frame *points, size_t n, char *list)
{
    bool taken[WS_SUITE_MOST] = {false};
    list[0] = '\0';
    for (size_t place = 0; place < n && place < points->rows; place++) {
        double most = -1;
        size_t best = 0;
        for (size_t i = 0; i < points->rows; i++) { /* scores have mean 0 */
            double square = 0;
            for (size_t c = 0; c < points->columns; c++)
                square += points->value[i * points->columns + c] * points->value[i * points->columns + c];
            if (!taken[i] && square > most) {
                most = square;
                best = i;
            }
        }
        taken[best] = true;
        append(list, " ", "%s", points->label[best * points->labels]);
    }
}

static int claim_farthest(ws_study *s, size_t subspace, const char *theirs)
{
    char claim[TEXT_BYTES], ours[TEXT_BYTES], name[32];
    size_t n = 0, here;
    snprintf(claim, sizeof claim, "Farthest out by %s", ws_study_subspaces[subspace].word);
    for (const char *list = theirs; *next_name(&list, name);)
        n++;
    if (!s->subspace[subspace].points)
        return add(s, claim, theirs, absent, "–");
    farthest(s->subspace[subspace].points, n, ours);
    const size_t shared = common(s, theirs, ours, &here);
    /* At least half of theirs that ran here. */
    return add(s, claim, theirs, here ? judge(2 * shared >= here) : absent, "%s (%zu in common)", ours, shared);
}

/* In how many directions do the workloads spread? (sum of eigenvalues)^2 / sum of their squares. */
static double directions(const ws_frame *eigenvalues)
{
    double sum = 0, squares = 0;
    for (size_t i = 0; i < eigenvalues->rows; i++) {
        const double e = eigenvalues->value[i * eigenvalues->columns];
        sum += e;
        squares += e * e;
    }
    return sum * sum / squares;
}

static int claim_subspaces(ws_study *s)
{
    double value[WS_STUDY_SUBSPACES], most = 0, least = INFINITY;
    char ours[TEXT_BYTES] = "";
    for (size_t i = 0; i < WS_STUDY_SUBSPACES; i++) {
        const ws_frame *e = s->subspace[i].pca.eigenvalues;
        value[i] = e ? directions(e) : NAN;
        most = fmax(most, value[i]);
        least = fmin(least, value[i]);
        append(ours, ", ", "%s %.1f", ws_study_subspaces[i].word, value[i]);
    }
    enum { DV = 0, CO = 2 }; /* of ws_study_subspaces */
    return add(s, "Divergence is the most diverse subspace, coalescing the least", "in that order",
               judge(value[DV] == most && value[CO] == least), "%s directions", ours);
}

/* Root mean square distance of a suite's workloads from their middle. */
static double spread(const ws_study *s, const char *suite)
{
    const ws_frame *p = s->map[WS_STUDY_90][COMPLETE].points;
    double sum = 0;
    size_t n = 0;
    for (size_t i = 0; i < p->rows; i++)
        n += !strcmp(ws_suite_find(p->label[i * p->labels])->suite, suite);
    for (size_t c = 0; c < p->columns; c++) {
        double mean = 0, squares = 0;
        for (size_t i = 0; i < p->rows; i++) {
            const double v = p->value[i * p->columns + c];
            if (!strcmp(ws_suite_find(p->label[i * p->labels])->suite, suite)) {
                mean += v / (double)n;
                squares += v * v / (double)n;
            }
        }
        sum += squares - mean * mean;
    }
    return n > 1 ? sqrt(sum) : NAN;
}

static int claim_diversity(ws_study *s)
{
    static const char *const far[WS_STUDY_SUBSPACES] = {"SS SLA MUM HS BN NE", "SS BN KM MRIF MRIQ HY", "SLA KM SS PR",
                                                        "PR STO SLA NQU WP SS CP LIB", "SS BN LIB MRIF MRIQ WP BP NE"};
    int status = WS_OK;
    for (size_t i = 0; !status && i < WS_STUDY_SUBSPACES; i++)
        status = claim_farthest(s, i, far[i]);
    if (!status)
        status = claim_subspaces(s);
    const double rodinia = spread(s, "Rodinia"), parboil = spread(s, "Parboil"), sdk = spread(s, "CUDA SDK");
    return status ? status
                  : add(s, "Diversity of the suites", "Rodinia > Parboil > CUDA SDK",
                        isnan(rodinia + parboil + sdk) ? absent : judge(rodinia > parboil && parboil > sdk),
                        "Rodinia %.1f, Parboil %.1f, CUDA SDK %.1f from their middle", rodinia, parboil, sdk);
}

/* ---------------------------------------------------------------- bits */

static int claim_flip(ws_study *s, const char *name, double theirs_percent)
{
    char claim[TEXT_BYTES], theirs[32];
    snprintf(claim, sizeof claim, "Shared-memory bits that change in a write, %s", name);
    snprintf(theirs, sizeof theirs, "%g %%", theirs_percent);
    const double ours = 100 * ws_study_value(s->every, name, "bitflip_shared_k1");
    /* Within a factor of one and a half. */
    if (isnan(ours))
        return add(s, claim, theirs, absent, "–");
    return add(s, claim, theirs, judge(ours > theirs_percent / 1.5 && ours < 1.5 * theirs_percent), "%.1f %%", ours);
}

/* Those that the study measured bits of (its table 7-10). */
static const char measured[] = "MM MT 64H LIB NW LPS RAY SLA ST3D BFS HY NE PNS BN CP FWT LU NN PR BP GS NQU SRAD";

/* Mean of a column over them, and the name of the highest. */
static double mean_of_measured(const ws_study *s, const char *column, char most[32])
{
    char name[32];
    double sum = 0, highest = -1;
    size_t n = 0;
    most[0] = '\0';
    for (const char *list = measured; *next_name(&list, name);) {
        const double v = ws_study_value(s->every, name, column);
        if (isnan(v))
            continue;
        sum += v;
        n++;
        if (v > highest) {
            highest = v;
            snprintf(most, 32, "%s", name);
        }
    }
    return n ? sum / (double)n : NAN;
}

static int claim_bits(ws_study *s)
{
    char most[32], unused[32];
    const double registers = mean_of_measured(s, "bitflip_reg_k1", most);
    const double shared = mean_of_measured(s, "bitflip_shared_k1", unused);
    /* Within a factor of one and a half; the same workload; below. */
    int status = isnan(registers)
                     ? add(s, "Register bits that change in a write, mean", "20 %", absent, "–")
                     : add(s, "Register bits that change in a write, mean", "20 %",
                           judge(registers > 0.2 / 1.5 && registers < 0.2 * 1.5), "%.1f %%", 100 * registers);
    if (!status)
        status =
            add(s, "Register bits that change in a write, most", "NW 45 %", *most ? judge(!strcmp(most, "NW")) : absent,
                "%s %.1f %%", *most ? most : "–", 100 * ws_study_value(s->every, most, "bitflip_reg_k1"));
    if (!status)
        status = add(s, "Shared-memory bits that change in a write, mean", "below 10 %",
                     isnan(shared) ? absent : judge(shared < 0.1), "%.1f %%, workloads without shared memory as 0",
                     100 * shared);
    static const struct {
        const char *name;
        double percent;
    } flips[] = {{"PR", 15}, {"FWT", 40}, {"SRAD", 35}, {"GS", 2}, {"BN", 20}};
    for (size_t i = 0; !status && i < sizeof flips / sizeof flips[0]; i++)
        status = claim_flip(s, flips[i].name, flips[i].percent);
    return status;
}

/* ---------------------------------------------------------------- what needs a power model */

static int claim_later(ws_study *s)
{
    return add(s, "Power of the cores", "35–45 % of the GPU, 50–85 W", later, "–");
}

int ws_study_make_claims(ws_study *s)
{
    static int (*const steps[])(ws_study *) = {
        claim_components, claim_subsets,   claim_machines, claim_table,
        claim_characters, claim_diversity, claim_bits,     ws_study_make_clock_claims,
        claim_later};
    int status = WS_OK;
    for (size_t i = 0; !status && i < sizeof steps / sizeof steps[0]; i++)
        status = steps[i](s);
    return status;
}

int ws_study_write_claims(const void *context, FILE *out)
{
    const ws_study *s = context;
    fputs("| Claim | The study | Here | Same direction? |\n| --- | --- | --- | --- |\n", out);
    for (size_t i = 0; i < s->claims; i++) {
        const ws_study_claim *c = &s->claim[i];
        fprintf(out, "| %s | %s | %s | %s |\n", c->claim, c->theirs, c->ours, c->verdict);
    }
    return ferror(out) ? ws_fail(WS_EIO, "cannot write the claims") : WS_OK;
}
