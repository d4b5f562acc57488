/* report_page.c - how is a characterization told on one page?
 *
 * Words, still pictures and small tables stand in the page as they are. Tables and figures to explore are places that
 * the script fills from the frames in the page (page/main.js names the kinds of places). */
#include "cli/report/report.h"

#include "base/status.h"
#include "base/text.h"
#include "cli/report/embed.h"
#include "cli/report/html.h"
#include "cluster/caution.h"
#include "cluster/members.h"
#include "metrics/metric.h"
#include "metrics/performance.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Words for the study's abbreviations; other groups are called by their names. */
static const ws_report_subspace words[] = {
    {"DV", "divergence (DV)"},
    {"CO", "coalescing (CO)"},
    {"IM", "instruction mix (IM)"},
    {"KS", "kernel stress (KS)"},
    {"KC", "kernel characteristics (KC)"},
};

/* Does a group come here for the first time? */
static bool is_first(const ws_frame *frame, size_t column)
{
    const char *const group = frame->column[column].group;
    for (size_t j = 0; j < column; j++) {
        if (!strcmp(frame->column[j].group, group))
            return false;
    }
    return *group;
}

ws_report_subspace ws_report_subspace_at(const ws_report *r, size_t index)
{
    for (size_t j = 0; j < r->map->columns; j++) {
        if (!is_first(r->map, j) || index--)
            continue;
        const char *const group = r->map->column[j].group;
        for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
            if (!strcmp(words[i].group, group))
                return words[i];
        }
        return (ws_report_subspace){group, group};
    }
    return (ws_report_subspace){0};
}

bool ws_report_is_mapped(const ws_report *r, const char *column)
{
    if (ws_frame_find_column(r->map, column) >= 0)
        return true;
    for (size_t i = 0; ws_feature_at(i).name; i++) {
        if (!strcmp(ws_feature_at(i).column, column) && ws_frame_find_column(r->map, ws_feature_at(i).name) >= 0)
            return true;
    }
    return false;
}

static const struct {
    const char *file, *meaning;
} tree_files[WS_LINKAGES] = {
#define LINKAGE(name, search, space, update, r_name, meaning) {"tree-" #name, "merges by " #name " linkage"},
#include "cluster/linkage.def"
#undef LINKAGE
};

ws_report_frame ws_report_frame_at(const ws_report *r, size_t index)
{
    const ws_report_frame frames[] = {
        {"rows", "the frame", r->rows},
        {"all", "every characteristic of each workload", r->workloads},
        {"kernels", "every characteristic of each kernel", r->kernels},
        {"work", "launches, instructions and shape of each kernel", r->work},
        {"findings", "what is wrong with kernels", r->findings},
        {"lines", "lines of kernels that execute most", r->lines},
        {"roofline", "what bounds each kernel at best", r->roofline},
        {"map", "what the map is made from", r->map},
        {"scores", "components of each row of the map", r->analysis.points},
        {"standard", "the map in standard deviations", r->standard},
        {"loadings", "characteristics in each component", r->analysis.pca.loadings},
        {"eigenvalues", "variance of each component", r->analysis.pca.eigenvalues},
        {"tree", "merges of the chosen tree", r->analysis.merges},
        {"clusters", "cluster of each row of the map", r->analysis.groups},
        {"quality", "silhouette by number of clusters", r->quality},
        {"subsets", "members, weights and speedup", r->subsets},
        {"errors", "error of each subset", r->errors},
    };
    enum { FRAMES = sizeof frames / sizeof frames[0], OF_MAP = 7 };
    ws_report_frame f = {0};
    if (index < FRAMES)
        f = frames[index];
    else if (index < FRAMES + WS_LINKAGES)
        f = (ws_report_frame){tree_files[index - FRAMES].file, tree_files[index - FRAMES].meaning,
                              r->tree[index - FRAMES]};
    if (index >= OF_MAP && r->no_map)
        f.frame = NULL;
    return f;
}

/* The file of the frame that has all rows of the kind that the map has. */
static const char *table_of(const ws_report *r)
{
    return r->rows ? "rows" : !strcmp(r->unit, "kernel") ? "kernels" : "all";
}

static const struct {
    const char *abbr, *name, *description;
} known[] = {
#define WORKLOAD(abbr, folder, name, suite, kernels, shared, tiny, small, study, description) \
    {#abbr, name, description},
#include "data/workloads/workloads.def"
#undef WORKLOAD
};

static bool has_kernels(const ws_report *r)
{
    return r->kernels && r->kernels->rows;
}

static bool has_workloads(const ws_report *r)
{
    return r->workloads;
}

static bool has_rows(const ws_report *r)
{
    return r->rows;
}

static bool has_map(const ws_report *r)
{
    return !r->no_map;
}

static bool has_subspaces(const ws_report *r)
{
    return ws_album_has(&r->album, "subspaces");
}

static bool always(const ws_report *r)
{
    (void)r;
    return true;
}

static const struct {
    const char *id, *title;
    bool (*shown)(const ws_report *r);
} sections[] = {
    {"kernels", "Kernels", has_kernels},
    {"workloads", "Workloads", has_workloads},
    {"rows", "Rows", has_rows},
    {"space", "Map", always},
    {"similarity", "Similarity", has_map},
    {"subsets", "Subsets", has_map},
    {"subspaces", "Subspaces", has_subspaces},
    {"characteristics", "Characteristics", has_map},
    {"compare", "Compare", always},
    {"definitions", "Definitions", always},
    {"frames", "Data", always},
    {"provenance", "Provenance", always},
};

static bool is_shown(const ws_report *r, const char *id)
{
    size_t i = 0;
    while (strcmp(sections[i].id, id))
        i++;
    return sections[i].shown(r);
}

static const char *workload_of(const ws_frame *frame, size_t row)
{
    return frame->label[row * frame->labels];
}

/* A value of a workload by column name, NaN when there is none. */
static double value_of(const ws_frame *frame, size_t row, const char *column)
{
    const long j = ws_frame_find_column(frame, column);
    return j < 0 ? NAN : frame->value[row * frame->columns + (size_t)j];
}

static void write_figures(const ws_report *r, const char *section, bool wide, FILE *out)
{
    ws_html_pictures(out, &r->album, section, wide);
}

static void begin_section(const char *id, const char *lead, FILE *out)
{
    for (size_t i = 0; i < sizeof sections / sizeof sections[0]; i++) {
        if (!strcmp(sections[i].id, id))
            ws_html_section(out, id, sections[i].title, lead);
    }
}

static void write_navigation(const ws_report *r, FILE *out)
{
    fputs("<nav aria-label=\"Sections\">\n", out);
    for (size_t i = 0; i < sizeof sections / sizeof sections[0]; i++)
        if (sections[i].shown(r))
            fprintf(out, "<a href=\"#%s\">%s</a>\n", sections[i].id, sections[i].title);
    fputs("</nav>\n", out);
}

static double sum_column(const ws_frame *frame, const char *column)
{
    double sum = 0;
    for (size_t i = 0; i < frame->rows; i++)
        sum += value_of(frame, i, column);
    return sum;
}

static void write_map_facts(const ws_report *r, FILE *out)
{
    char value[64], meaning[200];
    const ws_pca *pca = &r->analysis.pca;
    if (pca->loadings) {
        snprintf(value, sizeof value, "%zu of %zu", pca->loadings->rows, r->map->columns);
        snprintf(meaning, sizeof meaning, "characteristics of the %s%s vary and, by their %s, make the map",
                 r->set ? "set " : "frame", r->set ? r->set : "", r->options.pca.ranks ? "ranks" : "values");
        ws_html_fact(out, value, meaning);
        snprintf(value, sizeof value, "%zu", pca->kept);
        snprintf(meaning, sizeof meaning, "component%s with %.1f %% of the variance", pca->kept == 1 ? "" : "s",
                 100 * value_of(pca->eigenvalues, pca->kept - 1, "cumulative"));
        ws_html_fact(out, value, meaning);
    }
    snprintf(value, sizeof value, "%zu", r->options.clusters);
    snprintf(meaning, sizeof meaning, "clusters by %s linkage, at first: the page cuts where you like",
             ws_linkage_name(r->options.linkage));
    ws_html_fact(out, value, meaning);
}

static void write_count(size_t n, const char *what, FILE *out)
{
    char value[32], meaning[64];
    snprintf(value, sizeof value, "%zu", n);
    snprintf(meaning, sizeof meaning, "%s%s", what, n == 1 ? "" : "s");
    ws_html_fact(out, value, meaning);
}

static void write_facts(const ws_report *r, FILE *out)
{
    char value[64];
    fputs("<dl class=\"facts\">\n", out);
    if (r->rows)
        write_count(r->rows->rows, "row", out);
    if (r->workloads)
        write_count(r->workloads->rows, "workload", out);
    if (r->kernels)
        write_count(r->kernels->rows, "kernel", out);
    if (r->workloads) {
        ws_text_count(value, sizeof value, sum_column(r->workloads, "I_total"), "");
        ws_html_fact(out, value, "thread instructions executed");
    }
    if (r->findings)
        write_count(r->findings->rows, "finding", out);
    if (!r->no_map)
        write_map_facts(r, out);
    fputs("</dl>\n", out);
}

/* A place that the script fills: what comes there, and of which frame. */
static void write_place(FILE *out, const char *part, const char *frame)
{
    fprintf(out, "<div class=\"place\" data-part=\"%s\" data-frame=\"%s\"></div>\n", part, frame);
}

static void write_caution(FILE *out, const char *text)
{
    fputs("<p class=\"caution\"><b>Caution:</b> ", out);
    ws_html_text(out, text);
    fputs(".</p>\n", out);
}

static void write_kernels(const ws_report *r, FILE *out)
{
    begin_section("kernels",
                  "Each kernel with its share of its program's instructions and what stands out. Click a row to mark "
                  "it everywhere on this page, "
                  "and to read what is wrong with the kernel, on which line, and what to try.",
                  out);
    write_place(out, "table", "kernels");
    write_place(out, "details", "kernels");
    if (r->kernels->rows > 1 && (r->no_map || strcmp(r->unit, "kernel"))) { /* else the map is of them */
        fputs("<h3>Two of their characteristics</h3>\n", out);
        write_place(out, "scatter", "kernels");
    }
    if (ws_album_has(&r->album, "kernels")) {
        fputs("<h3>What bounds them at best</h3>\n", out);
        write_figures(r, "kernels", true, out);
    }
    if (!r->work)
        fputs("<p>Nothing is known of their launches, so the rules have nothing to say.</p>\n", out);
    ws_html_section_end(out);
}

static void write_workloads(const ws_report *r, FILE *out)
{
    begin_section("workloads",
                  r->no_map || strcmp(r->unit, "workload")
                      ? "What was run."
                      : "What was run. A ring marks the row that stands for its cluster: the one nearest the "
                        "cluster's centroid.",
                  out);
    write_place(out, "table", "all");
    ws_html_section_end(out);
}

static void write_rows(const ws_report *r, FILE *out)
{
    (void)r;
    begin_section("rows", "The rows of the frame. Click a row to mark it everywhere on this page.", out);
    write_place(out, "table", "rows");
    ws_html_section_end(out);
}

/* Still pictures of what the page draws by itself. */
static void write_still(const ws_report *r, const char *section, FILE *out)
{
    if (!ws_album_has(&r->album, section))
        return;
    fputs("<details class=\"still\"><summary>The same as still pictures</summary>\n", out);
    write_figures(r, section, false, out);
    write_figures(r, section, true, out);
    fputs("</details>\n", out);
}

static void write_missing(const ws_report *r, FILE *out)
{
    if (r->no_figures)
        fputs("<p class=\"caution\">gnuplot is not installed, so its still pictures are missing here: variance of "
              "components, loadings, silhouettes, "
              "errors by size, subspaces, profiles. What the page draws by itself needs no gnuplot.</p>\n",
              out);
    if (r->step > 1)
        fprintf(out,
                "<p class=\"caution\">The map is of %zu of the rows, every %zuth: what trees need grows with the "
                "square of their number.</p>\n",
                r->map->rows, r->step);
}

static void write_no_space(const ws_report *r, FILE *out)
{
    begin_section("space", NULL, out);
    fputs("<p>There is no map of components and clusters: ", out);
    ws_html_text(out, r->no_map);
    fputs(".</p>\n", out);
    if (r->rows && r->rows->rows > 1)
        write_place(out, "scatter", "rows");
    ws_html_section_end(out);
}

static void write_space(const ws_report *r, FILE *out)
{
    if (r->no_map) {
        write_no_space(r, out);
        return;
    }
    begin_section("space",
                  r->options.pca.ranks
                      ? "Each characteristic orders the rows; these ranks are turned into uncorrelated "
                        "principal components: rows near one another are alike, and no "
                        "outlier has a component to itself."
                      : "The characteristics, each brought to mean 0 and standard deviation 1, turned into "
                        "uncorrelated principal components: rows near one another are alike.",
                  out);
    write_missing(r, out);
    write_place(out, "cut", "scores");
    write_place(out, "scatter", table_of(r));
    write_still(r, "space-still", out);
    write_figures(r, "space", false, out);
    write_figures(r, "space", true, out);
    ws_html_section_end(out);
}

/* What a frame warns of, as sentences. */
static void write_cautions(const ws_frame *frame, FILE *out)
{
    const char *caution;
    for (size_t at = 0; (caution = ws_caution_next(frame, &at));)
        write_caution(out, caution);
}

static void write_similarity(const ws_report *r, FILE *out)
{
    begin_section("similarity",
                  "Rows joined early are alike; where the tree is cut, the clusters of this page come from.", out);
    write_cautions(r->analysis.groups, out);
    write_place(out, "dendrogram", "scores");
    write_place(out, "clusters", "scores");
    write_still(r, "similarity-still", out);
    write_figures(r, "similarity", false, out);
    ws_html_section_end(out);
}

/* "A B C" with "2 1 3" becomes three chips. */
static void write_members(FILE *out, const char *members, const char *weights)
{
    for (char *name; (name = ws_members_next(&members)); free(name)) {
        const size_t w = strcspn(weights, " ");
        fputs("<span class=\"chip\">", out);
        ws_html_text(out, name);
        fputs(" <small>", out);
        ws_html_number(out, strtod(weights, NULL), 3);
        fputs("</small></span>", out);
        weights += w + (weights[w] == ' ');
    }
}

/* Sizes at which a method's subset is off by more than a tenth, as a sentence. */
static void write_weak_errors(const ws_report *r, FILE *out)
{
    static const double MUCH = 0.1; /* the study calls errors below 10 % good */
    const long average = r->errors ? ws_frame_find_column(r->errors, "average") : -1;
    for (size_t i = 0; average >= 0 && i < r->errors->rows; i++) {
        const double error = r->errors->value[i * r->errors->columns + (size_t)average];
        char text[200];
        if (!(error > MUCH))
            continue;
        snprintf(text, sizeof text,
                 "the subset of %s by %s is off by %.0f %% of the mean of all: more than a tenth, so it does not stand "
                 "for them well",
                 r->subsets->label[i * r->subsets->labels], r->subsets->label[i * r->subsets->labels + 1], 100 * error);
        write_caution(out, text);
    }
}

static const char *heading_of(const char *column)
{
    return strcmp(column, "percentile") == 0 ? "random subsets that are better"
           : strcmp(column, "random") == 0   ? "error of random subsets"
                                             : column;
}

static void write_subset_row(const ws_report *r, size_t i, FILE *out)
{
    const ws_frame *subsets = r->subsets, *errors = r->errors;
    const char *const *label =
        (const char *const *)subsets->label + i * subsets->labels; /* size, linkage, members, weights */
    fputs("<tr><td class=\"n\">", out);
    ws_html_text(out, label[0]);
    fputs("</td><td>", out);
    ws_html_text(out, label[1]);
    fputs("</td><td class=\"text\">", out);
    write_members(out, label[2], label[3]);
    fputs("</td><td class=\"n\">", out);
    ws_html_number(out, subsets->value[i * subsets->columns], 3);
    fputs("</td>", out);
    for (size_t j = 1; errors && j < errors->columns; j++) {
        if (ws_frame_is_limit(errors, j)) /* the figure has them */
            continue;
        const double value = errors->value[i * errors->columns + j];
        fputs("<td class=\"n\">", out);
        ws_html_number(out, strcmp(errors->column[j].unit, "%") ? round(1000 * value) / 10 : value, 3);
        fputs(" %</td>", out);
    }
    fputs("</tr>\n", out);
}

static void write_no_subsets(const ws_report *r, FILE *out)
{
    begin_section("subsets", NULL, out);
    fputs("<p>There are no subsets: ", out);
    ws_html_text(out, r->no_subsets);
    fputs(".</p>\n", out);
    ws_html_section_end(out);
}

static void write_subsets(const ws_report *r, FILE *out)
{
    char lead[600];
    if (r->no_subsets) {
        write_no_subsets(r, out);
        return;
    }
    snprintf(
        lead, sizeof lead,
        "A few %ss that can stand for all, with the number of %ss that each stands for: by the default "
        "method, and by complete linkage, which the study used. Speedup: thread instructions of all %ss over "
        "those of the members. Error: how far the members' mean is from that of all, in numbers that did not "
        "choose them; and how many of %zu random subsets of the size are nearer (50 %% is what drawing lots gives).",
        r->unit, r->unit, r->unit, r->random);
    begin_section("subsets", lead, out);
    write_cautions(r->subsets, out);
    write_weak_errors(r, out);
    fputs("<div class=\"scroll\"><table>\n<tr><th class=\"n\">size</th><th>method</th><th>members</th><th "
          "class=\"n\">speedup</th>",
          out);
    for (size_t j = 1; r->errors && j < r->errors->columns; j++) {
        if (ws_frame_is_limit(r->errors, j))
            continue;
        fputs("<th class=\"n\">", out);
        ws_html_text(out, heading_of(r->errors->column[j].name));
        fputs("</th>", out);
    }
    fputs("</tr>\n", out);
    for (size_t i = 0; i < r->subsets->rows; i++)
        write_subset_row(r, i, out);
    fputs("</table></div>\n", out);
    write_figures(r, "subsets", false, out);
    ws_html_section_end(out);
}

static void write_subspaces(const ws_report *r, FILE *out)
{
    begin_section(
        "subspaces",
        "The same map from one group of characteristics at a time: where do rows differ in this respect alone?", out);
    write_figures(r, "subspaces", false, out);
    ws_html_section_end(out);
}

static void write_characteristics(const ws_report *r, FILE *out)
{
    begin_section("characteristics", "What makes rows differ, one by one: in standard deviations from the mean of all.",
                  out);
    if (r->standard)
        write_place(out, "heatmap", "standard");
    write_still(r, "characteristics-still", out);
    write_figures(r, "characteristics", false, out);
    write_figures(r, "characteristics", true, out);
    ws_html_section_end(out);
}

static void write_compare(const ws_report *r, FILE *out)
{
    begin_section("compare", "Two rows side by side, those characteristics first in which they differ most.", out);
    write_place(out, "compare", table_of(r));
    ws_html_section_end(out);
}

static void write_data(const ws_report *r, FILE *out)
{
    begin_section("frames", "The frames behind this page: as files beside it, and from the page itself.", out);
    fputs("<p class=\"frames\">", out);
    for (size_t i = 0, n = 0; ws_report_frame_at(r, i).file; i++) {
        const ws_report_frame f = ws_report_frame_at(r, i);
        if (f.frame)
            fprintf(out, "%s<a href=\"frames/%s.csv\">%s</a> (%s)", n++ ? ", " : "", f.file, f.file, f.meaning);
    }
    fputs(".</p>\n", out);
    write_place(out, "downloads", "");
    ws_html_section_end(out);
}

static void write_definition(const ws_metric *metric, const ws_metric_column *c, FILE *out)
{
    char index[48] = "";
    const unsigned count = c->count ? c->count : 1;
    if (c->index && count > 1)
        snprintf(index, sizeof index, "%u–%u", c->index, c->index + count - 1);
    else if (c->index)
        snprintf(index, sizeof index, "%u", c->index);
    const char *const cells[] = {metric->set, c->group, index, c->name, c->unit};
    fputs("<tr>", out);
    for (size_t i = 0; i < sizeof cells / sizeof cells[0]; i++) {
        fputs("<td>", out);
        ws_html_text(out, cells[i] ? cells[i] : "");
        if (i == 3 && count > 1)
            fprintf(out, " <span class=\"unit\">× %u</span>", count);
        fputs("</td>", out);
    }
    fputs("<td class=\"text\">", out);
    ws_html_text(out, c->question);
    fputs("</td></tr>\n", out);
}

static void write_feature(const ws_feature *feature, FILE *out)
{
    const char *const cells[] = {WS_SET_PERFORMANCE, feature->group, "", feature->name, feature->unit};
    fputs("<tr>", out);
    for (size_t i = 0; i < sizeof cells / sizeof cells[0]; i++) {
        fputs("<td>", out);
        ws_html_text(out, cells[i]);
        fputs("</td>", out);
    }
    fputs("<td class=\"text\">", out);
    ws_html_text(out, feature->meaning);
    fputs(" (from <code>", out);
    ws_html_text(out, feature->column);
    fputs("</code>)</td></tr>\n", out);
}

static void write_definitions(const ws_report *r, FILE *out)
{
    (void)r;
    begin_section("definitions", "What each characteristic counts, and how exactly.", out);
    fputs("<details><summary>All definitions</summary>\n<div class=\"scroll\"><table>\n<tr><th>set</th><th>group</th>"
          "<th>dimension</th><th>column</th><th>unit</th><th>definition</th></tr>\n",
          out);
    size_t n;
    const ws_metric *const *metric = ws_metrics(&n);
    for (size_t i = 0; i < n; i++) {
        for (const ws_metric_column *c = metric[i]->columns; c->name; c++)
            write_definition(metric[i], c, out);
    }
    for (size_t i = 0; ws_feature_at(i).name; i++) {
        const ws_feature feature = ws_feature_at(i);
        write_feature(&feature, out);
    }
    fputs("</table></div></details>\n", out);
    ws_html_section_end(out);
}

static void write_provenance(const ws_report *r, FILE *out)
{
    begin_section("provenance", "What the numbers were made from, as the frames say it.", out);
    fputs("<pre>", out);
    const ws_frame *const noted = r->no_map ? r->rows ? r->rows : r->workloads : r->analysis.points;
    for (size_t i = 0; i < noted->notes; i++) {
        ws_html_text(out, noted->note[i]);
        fputc('\n', out);
    }
    fputs("</pre>\n", out);
    ws_html_section_end(out);
}

/* ---------------------------------------------------------------- for the script */

static void separate(FILE *out, size_t *n)
{
    if ((*n)++)
        fputs(",\n", out);
}

static void write_meaning(FILE *out, size_t *n, const char *name, const char *group, const char *unit,
                          const char *meaning)
{
    const char *const text[] = {group, unit, meaning};
    separate(out, n);
    ws_embed_text(out, name);
    for (size_t i = 0; i < sizeof text / sizeof *text; i++) {
        fputs(i ? "," : ":[", out);
        ws_embed_text(out, text[i] ? text[i] : "");
    }
    fputs("]", out);
}

/* What columns and words mean: {NAME: [GROUP, UNIT, MEANING]}; bins of histograms are under the name without their
 * number. */
static void embed_meanings(const ws_report *r, FILE *out)
{
    size_t metrics, n = 0;
    const ws_metric *const *metric = ws_metrics(&metrics);
    fputs("\"meanings\":{", out);
    for (size_t i = 0; i < metrics; i++) {
        for (const ws_metric_column *c = metric[i]->columns; c->name; c++)
            write_meaning(out, &n, c->name, c->group, c->unit, c->question);
    }
    for (size_t i = 0; ws_feature_at(i).name; i++)
        write_meaning(out, &n, ws_feature_at(i).name, ws_feature_at(i).group, ws_feature_at(i).unit,
                      ws_feature_at(i).meaning);
    for (size_t i = 0; i < r->terms; i++)
        write_meaning(out, &n, r->term[i].name, "", r->term[i].unit, r->term[i].meaning);
    fputs("}", out);
}

/* Names of the built-in workloads that are here: {ABBR: [NAME, DESCRIPTION]}. */
static void embed_names(const ws_report *r, FILE *out)
{
    size_t n = 0;
    fputs("\"names\":{", out);
    for (size_t k = 0; k < sizeof known / sizeof known[0]; k++) {
        bool here = false;
        for (size_t i = 0; r->workloads && i < r->workloads->rows && !here; i++)
            here = !strcmp(workload_of(r->workloads, i), known[k].abbr);
        if (!here)
            continue;
        separate(out, &n);
        ws_embed_text(out, known[k].abbr);
        fputs(":[", out);
        ws_embed_text(out, known[k].name);
        fputc(',', out);
        ws_embed_text(out, known[k].description);
        fputc(']', out);
    }
    fputs("}", out);
}

static void embed_about(const ws_report *r, FILE *out)
{
    fprintf(out,
            "<script type=\"application/json\" "
            "id=\"about\">{\"unit\":\"%s\",\"table\":\"%s\",\"map\":%s,\"clusters\":%zu,\"linkage\":\"%s\",\n",
            r->unit, table_of(r), r->no_map ? "false" : "true", r->options.clusters,
            ws_linkage_name(r->options.linkage));
    embed_meanings(r, out);
    fputs(",\n", out);
    embed_names(r, out);
    fputs("}</script>\n", out);
}

static void embed_frames(const ws_report *r, FILE *out)
{
    embed_about(r, out);
    for (size_t i = 0; ws_report_frame_at(r, i).file; i++) {
        const ws_report_frame f = ws_report_frame_at(r, i);
        if (f.frame)
            ws_embed_frame(out, f.file, f.meaning, f.frame);
    }
}

/* ---------------------------------------------------------------- page */

static const struct {
    const char *id;
    void (*write)(const ws_report *r, FILE *out);
} parts[] = {
    {"kernels", write_kernels},
    {"workloads", write_workloads},
    {"rows", write_rows},
    {"space", write_space},
    {"similarity", write_similarity},
    {"subsets", write_subsets},
    {"subspaces", write_subspaces},
    {"characteristics", write_characteristics},
    {"compare", write_compare},
    {"definitions", write_definitions},
    {"frames", write_data},
    {"provenance", write_provenance},
};

static void write_subtitle(const ws_report *r, char *text, size_t size)
{
    if (r->rows)
        snprintf(text, size, "%zu rows of %s, shown by warpscape %s", r->rows->rows, r->name, WS_VERSION);
    else
        snprintf(text, size, "%zu GPU workload%s, characterized on a CPU by warpscape %s", r->workloads->rows,
                 r->workloads->rows == 1 ? "" : "s", WS_VERSION);
}

int ws_report_write_page(const ws_report *r, FILE *out)
{
    char subtitle[400];
    write_subtitle(r, subtitle, sizeof subtitle);
    ws_html_begin(out, r->title, subtitle);
    write_navigation(r, out);
    write_facts(r, out);
    fputs("<noscript><p class=\"caution\">Tables and figures to explore need JavaScript, which is in this page. "
          "Without it there are the still pictures "
          "below, and the frames in frames/.</p></noscript>\n",
          out);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        if (is_shown(r, parts[i].id))
            parts[i].write(r, out);
    }
    embed_frames(r, out);
    ws_html_script(out);
    ws_html_end(out, "Figures are in figures/, frames in frames/ beside this page.");
    return ferror(out) ? ws_fail(WS_EIO, "cannot write the page: %s", strerror(errno)) : WS_OK;
}
