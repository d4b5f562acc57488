/* study_page.c - how is the study told on one page? */
#include "base/status.h"
#include "cli/claims/claims.h"
#include "cli/report/html.h"
#include "cli/study/study.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { COMPLETE = 1 };

static const struct {
    const char *id, *title;
} sections[] = {
    {"claims", "The study's claims"},
    {"workloads", "Workloads"},
    {"map", "Map"},
    {"trees", "Trees"},
    {"subspaces", "Subspaces"},
    {"subsets", "Subsets"},
    {"machines", "Machines"},
    {"networks", "Memory and networks"},
    {"linkages", "How many clusters"},
    {"stability", "Stability"},
    {"modern", "The modern set"},
    {"matrix", "The matrix"},
    {"provenance", "Provenance"},
};

static void begin(const char *id, const char *lead, FILE *out)
{
    for (size_t i = 0; i < sizeof sections / sizeof sections[0]; i++) {
        if (!strcmp(sections[i].id, id))
            ws_html_section(out, id, sections[i].title, lead);
    }
}

static void end(const ws_study *s, const char *id, FILE *out)
{
    ws_html_pictures(out, &s->album, id, false);
    ws_html_pictures(out, &s->album, id, true);
    ws_html_section_end(out);
}

static void text_cell(FILE *out, const char *class, const char *text)
{
    fprintf(out, "<td%s%s%s>", *class ? " class=\"" : "", class, *class ? "\"" : "");
    ws_html_text(out, text);
    fputs("</td>", out);
}

static void number_cell(FILE *out, double value, int digits)
{
    fputs("<td class=\"n\">", out);
    ws_html_number(out, value, digits);
    fputs("</td>", out);
}

static void table(FILE *out, const char *const *heads)
{
    fputs("<div class=\"scroll\"><table>\n<tr>", out);
    for (; *heads; heads++) {
        const bool number = (*heads)[0] == '#'; /* of numbers, to the right */
        fprintf(out, number ? "<th class=\"n\">" : "<th>");
        ws_html_text(out, *heads + number);
        fputs("</th>", out);
    }
    fputs("</tr>\n", out);
}

static void table_end(FILE *out)
{
    fputs("</table></div>\n", out);
}

/* ---------------------------------------------------------------- sections */

static void write_facts(const ws_study *s, FILE *out)
{
    char value[64], meaning[160];
    size_t said[WS_CLAIM_VERDICTS] = {0}, n;
    const ws_claim *const claim = ws_claims_list(s->claims, &n);
    for (size_t i = 0; i < n; i++)
        said[claim[i].verdict]++;
    const ws_pca *pca = &s->map[WS_STUDY_90][COMPLETE].pca;
    fputs("<dl class=\"facts\">\n", out);
    size_t members;
    ws_study_members(&members);
    snprintf(value, sizeof value, "%zu of %zu", s->matrix->rows, members);
    ws_html_fact(out, value, "workloads of the study's map");
    snprintf(value, sizeof value, "%zu of %zu", pca->loadings->rows, s->matrix->columns);
    ws_html_fact(out, value, "dimensions vary (the study: 93)");
    snprintf(value, sizeof value, "%zu, %zu, %zu", s->map[WS_STUDY_70][COMPLETE].pca.kept, pca->kept,
             s->map[WS_STUDY_KAISER][COMPLETE].pca.kept);
    ws_html_fact(out, value, "components for 70 %, 90 %, by the Kaiser rule (the study: 7, 16, 20)");
    const size_t same = said[WS_CLAIM_SIZE] + said[WS_CLAIM_DIRECTION];
    snprintf(value, sizeof value, "%zu of %zu", same, same + said[WS_CLAIM_NO]);
    snprintf(meaning, sizeof meaning, "claims that were judged have the direction, %zu of them the size",
             said[WS_CLAIM_SIZE]);
    ws_html_fact(out, value, meaning);
    fputs("</dl>\n", out);
}

static void write_claims(const ws_study *s, FILE *out)
{
    static const char *const heads[] = {"claim", "the study", "here", "verdict", NULL};
    size_t n;
    const ws_claim *const claim = ws_claims_list(s->claims, &n);
    begin("claims",
          "Kernels, inputs and compiler here are not the study's, so percentages differ. Verdicts: the direction, and "
          "within a factor of two the size. The rules are in data/claims/study.ini. Not here: workloads or runs that "
          "the claim needs are missing.",
          out);
    table(out, heads);
    for (size_t i = 0; i < n; i++) {
        fputs("<tr>", out);
        text_cell(out, "text", claim[i].claim);
        text_cell(out, "text", claim[i].theirs);
        text_cell(out, "text", claim[i].ours);
        text_cell(out, "", ws_claim_verdict_text(&claim[i]));
        fputs("</tr>\n", out);
    }
    table_end(out);
    end(s, "claims", out);
}

static void write_workload(const ws_study *s, const char *abbr, FILE *out)
{
    const ws_suite_workload *w = ws_suite_find(abbr);
    const ws_study_member *m = ws_study_find(abbr);
    fputs("<tr><td><b>", out);
    ws_html_text(out, abbr);
    fputs("</b></td>", out);
    text_cell(out, "text", w->name);
    text_cell(out, "", m ? w->suite : "beside the study");
    const ws_frame *f = m ? s->matrix : s->beside;
    number_cell(out, ws_study_value(f, abbr, "T_total"), 6);
    number_cell(out, m ? m->threads : NAN, 6);
    number_cell(out, ws_study_value(f, abbr, "A_i"), 3);
    number_cell(out, m ? m->intensity : NAN, 4);
    number_cell(out, ws_study_value(f, abbr, "K_n"), 6);
    number_cell(out, ws_study_value(f, abbr, "I_total"), 4);
    number_cell(out, m ? ws_study_value(s->costs, abbr, "seconds") : NAN, 3);
    number_cell(out, ws_study_value(s->map[WS_STUDY_90][COMPLETE].groups, abbr, "cluster"), 3);
    fputs("</tr>\n", out);
}

static void write_workloads(const ws_study *s, FILE *out)
{
    static const char *const heads[] = {"",
                                        "workload",
                                        "suite",
                                        "#threads",
                                        "#theirs",
                                        "#arithmetic intensity",
                                        "#theirs",
                                        "#launches",
                                        "#thread instructions",
                                        "#engine seconds",
                                        "#cluster",
                                        NULL};
    begin("workloads", "Beside threads and arithmetic intensity stand the study's, as its table 7-11 prints them.",
          out);
    table(out, heads);
    for (size_t i = 0; i < s->matrix->rows; i++)
        write_workload(s, s->matrix->label[i * s->matrix->labels], out);
    for (size_t i = 0; s->beside && i < s->beside->rows; i++)
        write_workload(s, s->beside->label[i * s->beside->labels], out);
    table_end(out);
    end(s, "workloads", out);
}

static void write_map(const ws_study *s, FILE *out)
{
    begin("map",
          "Each dimension brought to mean 0 and standard deviation 1, and turned into principal components: workloads "
          "near one another use a GPU alike. Colours are the clusters by complete linkage over 90 % of the variance.",
          out);
    end(s, "map", out);
    begin("trees", "The study used single and complete linkage, over 70 % and over 90 % of the variance.", out);
    end(s, "trees", out);
    begin("subspaces", "One group of dimensions at a time, complete linkage over 90 % of its variance.", out);
    end(s, "subspaces", out);
}

static void write_subset_rows(const ws_study *s, size_t keep, FILE *out)
{
    const ws_frame *f = s->subsets[keep];
    for (size_t i = 0; i < f->rows; i++) {
        const char *const *label = (const char *const *)f->label + i * f->labels;
        fputs("<tr>", out);
        text_cell(out, "", ws_study_keep_names[keep]);
        text_cell(out, "", label[1]);
        text_cell(out, "n", label[0]);
        text_cell(out, "text", label[2]);
        number_cell(out, f->value[2 * i], 3);
        number_cell(out, f->value[2 * i + 1], 3);
        for (size_t j = 1; j < s->errors->columns; j++) {
            if (keep == WS_STUDY_90)
                number_cell(out, round(1000 * s->errors->value[i * s->errors->columns + j]) / 10, 3);
            else
                number_cell(out, NAN, 3);
        }
        fputs("</tr>\n", out);
    }
}

static void write_subsets(const ws_study *s, FILE *out)
{
    static const char *const heads[] = {"variance, %",
                                        "linkage",
                                        "#size",
                                        "members",
                                        "#speedup, seconds",
                                        "#speedup, instructions",
                                        "#error of activity factor, %",
                                        "#of SIMD parallelism, %",
                                        "#mean, %",
                                        NULL};
    begin("subsets",
          "The workload nearest the centre of each cluster. Speedup: cost of all over cost of the members, by measured "
          "engine time and by thread instructions. Error: how far the members' mean is from the mean of all, in the "
          "form of the study's table 3-4; both metrics have no machine in them, so its three machines would give the "
          "same number three times. The error of the DRAM efficiency, which has, stands among the claims.",
          out);
    table(out, heads);
    write_subset_rows(s, WS_STUDY_90, out);
    write_subset_rows(s, WS_STUDY_70, out);
    table_end(out);
    end(s, "subsets", out);
}

static void write_machines(const ws_study *s, FILE *out)
{
    static const char *const heads[] = {"workload",
                                        "#within",
                                        "#to the nearest other",
                                        "nearest other",
                                        "#row locality, least",
                                        "#most",
                                        "#merge misses, least",
                                        "#most",
                                        NULL};
    begin("machines",
          "Of the study's characteristics two, R and M_m, have a machine in their definition. It is frozen; here they "
          "are "
          "computed for each of the study's six machines as well. Within: the largest distance of two "
          "runs of the workload; beside it the distance to the nearest centre of another workload, in the "
          "components of all runs together.",
          out);
    if (!s->machine_table->rows) {
        fputs("<p>This check was not asked for.</p>\n", out);
        end(s, "machines", out);
        return;
    }
    fprintf(
        out,
        "<p>Of %zu numbers of runs on one and on three worker threads %zu differ. All runs of all machines cut into as "
        "many clusters as there are workloads agree with the workloads by an adjusted Rand index of %.3f.</p>\n",
        s->cells, s->cells_changed, s->machine_rand);
    enum { SHOWN = 6 }; /* columns */
    table(out, heads);
    const ws_frame *t = s->machine_table;
    for (size_t i = 0; i < t->rows; i++) {
        const double *const v = t->value + i * t->columns;
        fputs("<tr>", out);
        text_cell(out, "", t->label[2 * i]);
        number_cell(out, v[0], 3);
        number_cell(out, v[1], 3);
        text_cell(out, "", t->label[2 * i + 1]);
        for (size_t j = 2; j < SHOWN; j++)
            number_cell(out, v[j], 3);
        fputs("</tr>\n", out);
    }
    table_end(out);
    end(s, "machines", out);
}

static void write_networks(const ws_study *s, FILE *out)
{
    static const char *const heads[] = {"workload", "#config1", "#baseline", "#config3", "cut short on", NULL};
    begin("networks",
          "What the cycle simulator says. DRAM efficiency on three machines of the study: cycles in which the data bus "
          "is busy over cycles in which a request waits or is served. Cut short: of a long workload the first cycles "
          "are simulated. No number: its blocks do not fit a multiprocessor.",
          out);
    if (!s->simulated->rows) {
        fputs("<p>This was not asked for.</p>\n", out);
        end(s, "networks", out);
        return;
    }
    const ws_frame *const f = s->simulated;
    const long column = ws_frame_find_column(f, "dram_efficiency");
    table(out, heads);
    for (size_t i = 0; i < s->matrix->rows; i++) {
        char cut[64] = "";
        fputs("<tr>", out);
        text_cell(out, "", s->matrix->label[i * s->matrix->labels]);
        for (size_t m = 0; m < WS_STUDY_SIMULATED; m++) {
            const size_t row = m * s->matrix->rows + i, used = strlen(cut);
            number_cell(out, f->value[row * f->columns + (size_t)column], 3);
            if (!strcmp(f->label[row * f->labels + 2], "cut"))
                snprintf(cut + used, sizeof cut - used, "%s%s", used ? ", " : "", ws_study_simulated[m]);
        }
        text_cell(out, "", cut);
        fputs("</tr>\n", out);
    }
    table_end(out);
    end(s, "networks", out);
}

static void write_linkages(const ws_study *s, FILE *out)
{
    begin("linkages",
          "For every linkage: how well the heights at which workloads meet tell their distances (cophenetic "
          "correlation), "
          "the number of clusters with the highest mean silhouette, and the number by the gap statistic.",
          out);
    ws_html_frame(out, s->choice, 0, 3);
    end(s, "linkages", out);
}

static void write_stability(const ws_study *s, FILE *out)
{
    const ws_frame *f = s->stability.rows;
    begin("stability",
          "The dimensions drawn again with replacement, and components, tree and representatives made anew: the share "
          "of draws in which each member of the subset is chosen again, and in which any workload of its cluster is.",
          out);
    ws_html_frame(out, s->stability.sizes, 0, 3);
    static const char *const heads[] = {"#size", "members: chosen again, cluster represented", NULL};
    table(out, heads);
    for (size_t i = 0; i < f->rows; i++) {
        const double *const v = f->value + i * f->columns;
        const char *const size = f->label[i * f->labels];
        const bool first = !i || strcmp(size, f->label[(i - 1) * f->labels]);
        if (first)
            fprintf(out, "%s<tr><td class=\"n\">%s</td><td class=\"text\">", i ? "</td></tr>\n" : "", size);
        if (v[0] > 0) {
            fputs("<span class=\"chip\">", out);
            ws_html_text(out, f->label[i * f->labels + 1]);
            fprintf(out, " <small>%.0f %%, %.0f %%</small></span>", 100 * v[2], 100 * v[3]);
        }
    }
    fputs("</td></tr>\n", out);
    table_end(out);
    end(s, "stability", out);
}

/* What of the first map of the agreement (the study's, complete linkage) is found in each other one; a row a map, a
 * column a size. Rows of one pair stand together. */
static void write_survival(const ws_study *s, FILE *out)
{
    const ws_frame *f = s->agreement;
    const size_t sizes = s->sizes.sizes;
    fputs("<div class=\"scroll\"><table>\n<tr><th>beside the study's map by complete linkage, that of</th>"
          "<th class=\"n\">correlation of distances</th>",
          out);
    for (size_t k = 0; k < sizes; k++)
        fprintf(out, "<th class=\"n\">%zu clusters: agreement, members kept</th>", s->sizes.size[k]);
    fputs("</tr>\n", out);
    for (size_t i = 0; i + sizes <= f->rows && !strcmp(f->label[i * f->labels], f->label[0]); i += sizes) {
        fputs("<tr>", out);
        text_cell(out, "text", f->label[i * f->labels + 1]);
        fprintf(out, "<td class=\"n\">%.2f</td>", f->value[i * f->columns + 2]);
        for (size_t k = 0; k < sizes; k++)
            fprintf(out, "<td class=\"n\">%.2f, %.0f %%</td>", f->value[(i + k) * f->columns],
                    100 * f->value[(i + k) * f->columns + 1]);
        fputs("</tr>\n", out);
    }
    table_end(out);
}

static void write_modern(const ws_study *s, FILE *out)
{
    char lead[400];
    snprintf(lead, sizeof lead,
             "The same map from %zu newer characteristics of the same runs (%zu components), and what survives: "
             "agreement of cuts (adjusted Rand index: 1 the same, 0 chance), share of representatives in common, and "
             "correlation of distances.",
             s->newer.pca.loadings->rows, s->newer.points->columns);
    begin("modern", lead, out);
    write_survival(s, out);
    fputs("<details><summary>Every two maps, at each size</summary>\n", out);
    ws_html_frame(out, s->agreement, 0, 3);
    fputs("</details>\n", out);
    end(s, "modern", out);
}

static void write_matrix(const ws_study *s, FILE *out)
{
    begin("matrix", NULL, out);
    fputs("<details><summary>The dimensions of every workload</summary>\n", out);
    ws_html_frame(out, s->matrix, 0, 4);
    fputs("</details>\n<details><summary>Dimensions that do not vary</summary>\n", out);
    ws_html_frame(out, s->dropped, 0, 4);
    fputs("</details>\n", out);
    if (s->beside) {
        fputs("<details><summary>Workloads beside the study</summary>\n", out);
        ws_html_frame(out, s->beside, 0, 4);
        fputs("</details>\n", out);
    }
    end(s, "matrix", out);
}

static void write_provenance(const ws_study *s, FILE *out)
{
    begin("provenance", "What the numbers were made from, as the frames say it.", out);
    fputs("<pre>", out);
    const ws_frame *scores = s->map[WS_STUDY_90][COMPLETE].points;
    for (size_t i = 0; i < scores->notes; i++) {
        ws_html_text(out, scores->note[i]);
        fputc('\n', out);
    }
    fputs("</pre>\n", out);
    ws_html_section_end(out);
}

int ws_study_write_page(const void *context, FILE *out)
{
    const ws_study *s = context;
    char subtitle[200];
    snprintf(
        subtitle, sizeof subtitle,
        "%zu workloads in 129 dimensions, after N. Goswami (2013); characterized on a CPU by warpscape %s, scale %s",
        s->matrix->rows, WS_VERSION, ws_suite_scales[s->suite.scale]);
    ws_html_begin(out, "A map of GPU workloads, made again", subtitle);
    fputs("<nav>\n", out);
    for (size_t i = 0; i < sizeof sections / sizeof sections[0]; i++)
        fprintf(out, "<a href=\"#%s\">%s</a>\n", sections[i].id, sections[i].title);
    fputs("</nav>\n", out);
    write_facts(s, out);
    write_claims(s, out);
    write_workloads(s, out);
    write_map(s, out);
    write_subsets(s, out);
    write_machines(s, out);
    write_networks(s, out);
    write_linkages(s, out);
    write_stability(s, out);
    write_modern(s, out);
    write_matrix(s, out);
    write_provenance(s, out);
    ws_html_end(out, "Figures are in figures/, frames in frames/, the claims in claims.md beside this page.");
    return ferror(out) ? ws_fail(WS_EIO, "cannot write the page: %s", strerror(errno)) : WS_OK;
}
