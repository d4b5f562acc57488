/* Configurations: the shipped files, every option, what is refused and how, and files of GPGPU-Sim. */
#include "base/status.h"
#include "model/machine/kinds.h"
#include "model/machine/machine.h"
#include "model/sim/network/network.h"
#include "tests/unit/machine_word.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static ws_machine *parse(const char *file, const char *text)
{
    ws_machine *machine;
    if (ws_machine_parse("data", file, text, strlen(text), &machine))
        fail_msg("%s", ws_message());
    return machine;
}

static void refused(const char *file, const char *text, const char *message)
{
    ws_machine *machine;
    assert_int_equal(ws_machine_parse("data", file, text, strlen(text), &machine), WS_EINPUT);
    assert_null(machine);
    assert_string_equal(ws_message(), message);
}

/* --- Shipped files --- */

static const struct {
    const char *name;
    uint32_t sms, channels, slices, threads, l2_bytes; /* l2: of a slice */
    const char *network;
} shipped[] = {
    {"config1", 8, 8, 1, 1024, 2048, "mesh"},
    {"config2", 8, 8, 1, 512, 2048, "mesh"},
    {"baseline", 28, 8, 1, 1024, 2048, "mesh"},
    {"config3", 64, 8, 1, 1024, 2048, "crossbar"},
    {"config4", 110, 11, 1, 1024, 2048, "mesh"},
    {"config5", 110, 11, 1, 2048, 2048, "mesh"},
    {"renewable", 16, 6, 1, 1024, 81920, "mesh"},
    {"photonic-electrical", 64, 16, 1, 2048, 524288, "mesh"},
    {"photonic-mwsr", 64, 16, 1, 2048, 524288, "mwsr"},
    {"photonic-swmr", 64, 16, 1, 2048, 524288, "swmr"},
    {"photonic-memory", 64, 16, 1, 2048, 524288, "mwsr"},
    {"sttram-sram", 30, 8, 1, 1024, 131072, "mesh"},
    {"sttram", 30, 8, 1, 1024, 131072, "mesh"},
    {"gtsc", 16, 8, 1, 1536, 131072, "mesh"},
    {"rtx2060", 30, 12, 2, 1024, 131072, "crossbar"},
    {"two-chips", 16, 8, 1, 1536, 131072, "mesh"},
    {"four-chips", 16, 8, 1, 1536, 262144, "mesh"},
    {"h100", 132, 40, 1, 2048, 1310720, "crossbar"},
    {"fup", 30, 6, 1, 1536, 131072, "crossbar"},
    {"dacache", 30, 6, 1, 1536, 131072, "crossbar"},
    {"oaws", 30, 6, 1, 1536, 131072, "crossbar"},
};

static void shipped_files(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof shipped / sizeof *shipped; i++) {
        ws_machine *m;
        ws_network *network;
        if (ws_machine_read("data", shipped[i].name, &m))
            fail_msg("%s", ws_message());
        assert_string_equal(m->name, shipped[i].name);
        assert_int_equal(m->chip_sms, shipped[i].sms);
        assert_int_equal(m->memory_channels, shipped[i].channels);
        assert_int_equal(m->l2_slices, shipped[i].slices);
        assert_int_equal(m->sm_threads, shipped[i].threads);
        assert_int_equal(m->l2_sets * m->l2_ways * m->l2_line, shipped[i].l2_bytes);
        assert_string_equal(machine_word_of(m, network_kind), shipped[i].network);
        assert_string_equal(m->folder, "data/tech");
        assert_string_equal(m->ignored, "");
        assert_float_equal(m->shape.part.clock_mhz * 1000, m->chip_memory_clock, 0.5);
        const uint32_t nodes = ws_machine_nodes(m);
        if (ws_network_create(m->network_kind->name, nodes, m->network.list, m->network.count, &network))
            fail_msg("%s: %s", m->name, ws_message());
        ws_network_destroy(network);
        ws_machine_destroy(m);
    }
}

static void values_of_files(void **state)
{
    (void)state;
    ws_machine *m;
    assert_int_equal(ws_machine_read("data", "gtsc", &m), WS_OK);
    assert_int_equal(m->chip_core_clock, 1400000);
    assert_int_equal(m->sm_shared, 49152);
    assert_string_equal(machine_word_of(m, coherence_protocol), "gtsc-rc");
    assert_int_equal(m->memory.count, 2);
    assert_string_equal(m->memory.list[0].name, "read_queue");
    assert_int_equal(m->memory.list[0].value, 32);
    ws_machine_destroy(m);
    assert_int_equal(ws_machine_read("elsewhere", "data/configs/baseline.ini", &m), WS_EINPUT); /* no part there */
    assert_non_null(strstr(ws_message(), "memory.part = dram_gddr3: cannot read elsewhere/tech/dram_gddr3.ini"));
    assert_int_equal(ws_machine_read("data", "nothing", &m), WS_EIO);
    assert_non_null(strstr(ws_message(), "there is no configuration nothing in data/configs; it has "));
    assert_int_equal(ws_machine_read("data", "./nothing.ini", &m), WS_EIO);
    assert_string_equal(ws_message(), "cannot read ./nothing.ini: No such file or directory");
}

/* --- Every option --- */

static uint32_t number_of(const ws_machine *m, const char *section, const char *name)
{
    return ws_machine_number(m, ws_machine_row(section, name));
}

static const char *word_of(const ws_machine *m, const char *section, const char *name)
{
    return ws_machine_word(m, ws_machine_row(section, name));
}

static void set_number(ws_machine *m, const ws_machine_option *row, const char *name)
{
    char value[64], message[128];
    const ws_option *const o = &row->option;
    const uint32_t least = (uint32_t)o->least, most = (uint32_t)o->most, fallback = (uint32_t)o->fallback;
    const uint32_t values[] = {least, most, fallback};
    for (size_t i = 0; i < 3; i++) {
        snprintf(value, sizeof value, "%" PRIu32 " %s", values[i], o->unit);
        if (ws_machine_set(m, name, value))
            fail_msg("%s", ws_message());
        assert_int_equal(number_of(m, row->section, o->name), values[i]);
    }
    snprintf(value, sizeof value, "%" PRIu64 " %s", (uint64_t)most + 1, o->unit);
    assert_int_equal(ws_machine_set(m, name, value), WS_EINPUT);
    snprintf(message, sizeof message, "%s = %s: expected a whole number from %" PRIu32 " to %" PRIu32, name, value,
             least, most);
    assert_memory_equal(ws_message(), message, strlen(message));
    snprintf(value, sizeof value, "%" PRIu32 " parsecs", fallback);
    assert_int_equal(ws_machine_set(m, name, value), WS_EINPUT);
    assert_memory_equal(ws_message(), name, strlen(name));
    assert_int_equal(number_of(m, row->section, o->name), fallback);
}

static void every_option(void **state)
{
    (void)state;
    ws_machine *const m = parse("empty", "");
    const ws_machine_option *row;
    size_t rows = 0;
    for (; (row = ws_machine_option_row(rows)); rows++) {
        char name[64];
        snprintf(name, sizeof name, "%s.%s", row->section, row->option.name);
        if (row->word) {
            assert_string_equal(word_of(m, row->section, row->option.name), row->word);
            assert_int_equal(ws_machine_set(m, name, "something"), WS_OK);
            assert_string_equal(word_of(m, row->section, row->option.name), "something");
            assert_int_equal(ws_machine_check(m), WS_EINPUT);
            if (!strstr(ws_message(), name) || !strstr(ws_message(), " = something: "))
                fail_msg("%s", ws_message());
            assert_int_equal(ws_machine_set(m, name, row->word), WS_OK);
        } else {
            assert_int_equal(number_of(m, row->section, row->option.name), row->option.fallback);
            set_number(m, row, name);
        }
    }
    assert_true(rows > 100);
    assert_int_equal(ws_machine_check(m), WS_OK);
    ws_machine_destroy(m);
}

static void units(void **state)
{
    (void)state;
    ws_machine *const m =
        parse("u", "[chip]\ncore_clock = 1.4 GHz\nl2_clock = 700.5 MHz\nnetwork_clock=650000 kHz\n[sm]\n"
                   "shared = 48 KB\n[l2]\nlatency = 20 L2 cycles\n[l1]\nlatency = 7\n[memory]\n"
                   "read_queue = 17 requests\nlatency = 0\n");
    assert_int_equal(m->chip_core_clock, 1400000);
    assert_int_equal(m->chip_l2_clock, 700500);
    assert_int_equal(m->chip_network_clock, 650000);
    assert_int_equal(m->sm_shared, 49152);
    assert_int_equal(m->l2_latency, 20);
    assert_int_equal(m->l1_latency, 7);
    assert_int_equal(ws_machine_set(m, "memory.read_queue", "18"), WS_OK);
    assert_int_equal(m->memory.count, 1);
    assert_int_equal(m->memory.list[0].value, 18);
    assert_null(m->memory.list[0].where);
    ws_machine_destroy(m);
}

/* --- What is refused --- */

/* Whichever sections there are, each is named. */
static void unknown_section(void **state)
{
    (void)state;
    ws_machine *machine;
    const ws_machine_option *row;
    static const char text[] = "[l4]\nsets = 5";
    assert_int_equal(ws_machine_parse("data", "f", text, strlen(text), &machine), WS_EINPUT);
    assert_memory_equal(ws_message(), "f:2:1: l4.sets is no option; the sections are ", 45);
    for (size_t i = 0; (row = ws_machine_option_row(i)); i++)
        assert_non_null(strstr(ws_message(), row->section));
}

/* A word that names no row is answered with all that there are. */
static void unknown_rows(void **state)
{
    (void)state;
    const ws_kind *kind;
    for (size_t i = 0; (kind = ws_kind_at(i)); i++) {
        ws_machine *m;
        char text[128];
        snprintf(text, sizeof text, "[%s]\n%s = elephant", kind->section, kind->word);
        assert_int_equal(ws_machine_parse("data", "f", text, strlen(text), &m), WS_EINPUT);
        snprintf(text, sizeof text, "f:2:%zu: %s.%s = elephant: expected one of ", strlen(kind->word) + 4,
                 kind->section, kind->word);
        assert_memory_equal(ws_message(), text, strlen(text));
        for (size_t row = 0; kind->name(row); row++)
            assert_non_null(strstr(ws_message() + strlen(text), kind->name(row)));
    }
}

static void bad_values(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } bad[] = {
        {"[chip]\ncore_clock = 1400", "f:2:14: chip.core_clock = 1400: expected the unit kHz, MHz or GHz"},
        {"[chip]\ncore_clock = 1.4 KB", "f:2:14: chip.core_clock = 1.4 KB: expected the unit kHz, MHz or GHz"},
        {"[sm]\nshared = 48", "f:2:10: sm.shared = 48: expected the unit bytes, KB, MB or GB"},
        {"[l1]\n  latency = 3 ns", "f:2:13: l1.latency = 3 ns: expected the unit cycles or none"},
        {"[l1]\nlatency = 2.5", "f:2:11: l1.latency = 2.5: expected a whole number from 1 to 10000 cycles (of a hit)"},
        {"[l1]\nsets = 4 sets", "f:2:8: l1.sets = 4 sets: expected a number without a unit"},
        {"[l1]\nsets = many", "f:2:8: l1.sets = many: expected a number and its unit"},
        {"[sm]\nmemory_queue = 0", "f:2:16: sm.memory_queue = 0: expected a whole number from 1 to 256 (memory "
                                   "instructions between issue and the caches)"},
        {"[sm]\nthreads = 4096",
         "f:2:11: sm.threads = 4096: expected a whole number from 32 to 2048 (threads that fit, in 64 warps at most)"},
        {"[sm]\nthreads = 1000", "f:2:11: sm.threads = 1000: expected a multiple of a warp, 32 threads"},
        {"[sm]\nthreads = 32\nschedulers = 2", "f:3:14: sm.schedulers = 2: more schedulers than warps (1)"},
        {"[sm]\nlanes = 24", "f:2:9: sm.lanes = 24: expected a power of two"},
        {"[l1]\nline = 96 bytes\n", "f:2:8: l1.line = 96 bytes: expected a power of two"},
        {"[l1]\nline = 64 bytes\nsector = 64 bytes",
         "f:2:8: l1.line = 64 bytes: L1 and L2 speak about the same lines; l2.line is 128 bytes"},
        {"[l1]\nline = 64 bytes", "f: l1.sector = 128 bytes (default): a sector is a part of a line of 64 bytes"},
        {"[l1]\nwrite = evict\nwrite_allocate = fetch",
         "f:3:18: l1.write_allocate = fetch: with write evict a store leaves no copy; expected none"},
        {"[l2]\nsector = 32 bytes\nmshrs = 2",
         "f:3:9: l2.mshrs = 2: expected one for each of the 4 sectors of a line at least"},
        {"[l2]\nstripe = 64 bytes", "f:2:10: l2.stripe = 64 bytes: expected at least a line of L2, 128 bytes"},
        {"[l1]\nindex = xor\nsets = 48", "f:3:8: l1.sets = 48: index xor needs a power of two"},
        {"[l1]\nreplacement = dip\npsel = 40",
         "f:3:8: l1.psel = 40: expected 1 to 30 bits (of the counter that chooses for the other sets)"},
        {"[l1]\nleaders = 2", "f:2:11: l1.leaders is an option of l1.replacement = dip, but l1.replacement is lru: "
                              "choose that, or remove it"},
        {"[l2]\nreplacement = drrip\nsets = 1",
         "f:2:15: l2.replacement = drrip: drrip uses set dueling: expected at least 2 sets, there is 1"},
        {"[l2]\nleaders = 9\nreplacement = dip\nsets = 16",
         "f:3:15: l2.replacement = dip: leaders is 9, expected at most half of the 16 sets for each rule of dip, or 0"},
        {"[l1]\nrrpv = many\nreplacement = srrip", "f:2:8: l1.rrpv = many: expected a number and its unit"},
        {"[l1]\nwrite = both", "f:2:9: l1.write = both: expected one of through, evict, back, local-back"},
        {"[l1]\nwrite = through back", "f:2:9: l1.write = through back: expected one word of at most 63 characters"},
        {"[network]\nvcs = 4 flits",
         "f:2:7: network.vcs = 4 flits: expected a number of channels, with this unit or none"},
        {"[network]\nvcs = 99", "f:2:7: network.vcs = 99: expected 1 to 12 channels (virtual channels of a port)"},
        {"[network]\nkind = crossbar\nvcs = 2", "f:3:7: network.vcs is an option of network.kind = mesh, but "
                                                "network.kind is crossbar: choose that, or remove it"},
        {"[network]\nwidth = 4\nheight = 5",
         "f: network.kind = mesh (default): 4 x 5 routers (width, height) for 24 nodes: 16 SMs and 8 x 1 slices"},
        {"[memory]\nchannels = 0",
         "f:2:12: memory.channels = 0: expected a whole number from 1 to 64 (memory channels)"},
        {"[memory]\nread_queue = -1", "f:2:14: memory.read_queue = -1: expected a whole number that is not negative"},
        {"[memory]\npart = sdram",
         "f:2:8: memory.part = sdram: cannot read data/tech/sdram.ini: No such file or directory"},
        {"[chip]\nsms = 4\nsms = 5", "f:3:1: sms stands in line 2 already; remove one"},
        {"[port]\ncycle = 5", "f:2:1: port.cycle is no option; [port] has cycles, packets; did you mean cycles?"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        refused("f", bad[i].text, bad[i].message);
}

static void overrides(void **state)
{
    (void)state;
    ws_machine *const m = parse("f", "[network]\nkind = mesh\nvcs = 2\nflit_bytes = 16 bytes\n");
    assert_int_equal(ws_machine_set(m, "l1latency", "3"), WS_EINPUT);
    assert_string_equal(ws_message(), "l1latency = 3: expected section.name, e.g. l1.latency");
    assert_int_equal(ws_machine_set(m, "l1.latency", "soon"), WS_EINPUT);
    assert_string_equal(ws_message(), "l1.latency = soon: expected a number and its unit");
    assert_int_equal(ws_machine_set(m, "l1.line", "48 bytes"), WS_OK);
    assert_int_equal(ws_machine_check(m), WS_EINPUT);
    assert_string_equal(ws_message(), "l1.line = 48 bytes: expected a power of two");
    assert_int_equal(ws_machine_set(m, "l1.line", "128 bytes"), WS_OK);
    /* The crossbar has no virtual channels; flits it has. */
    assert_int_equal(ws_machine_set(m, "network.kind", "crossbar"), WS_OK);
    assert_int_equal(m->network.count, 1);
    assert_string_equal(m->network.list[0].name, "flit_bytes");
    assert_int_equal(ws_machine_check(m), WS_OK);
    assert_int_equal(ws_machine_set(m, "network.speedup", "2"), WS_OK);
    assert_int_equal(ws_machine_check(m), WS_OK);
    ws_machine_destroy(m);
}

/* --- Files of GPGPU-Sim --- */

#define MUSTS "-gpgpu_shmem_limited_broadcast 0 -gpgpu_shmem_warp_parts 1 -gpgpu_cache:dl2_texture_only 0\n"
#define L2    "-gpgpu_cache:dl2 S:64:128:16,L:B:m:L:P,A:192:4,32:0,32\n"
#define READ_ONLY \
    "-gpgpu_tex_cache:l1 N:4:128:24,L:R:m:N:L,T:128:4,128:2\n-gpgpu_const_cache:l1 N:64:64:2,L:R:f:N:L,S:2:32,4\n"
#define CROSSBAR "-network_mode 2\n"
#define REST     MUSTS L2 READ_ONLY CROSSBAR

static const char theirs[] =
    "# a machine that nobody built\n" MUSTS L2 READ_ONLY CROSSBAR
    "-gpgpu_n_clusters 5\n-gpgpu_n_cores_per_cluster 2 # ten SMs\n"
    "-gpgpu_n_mem 6\n-gpgpu_n_sub_partition_per_mchannel 2\n-gpgpu_clock_domains 1000.0:1200.0:500.0:2000.0\n"
    "-gpgpu_kernel_launch_latency 700\n-gpgpu_shader_core_pipeline 768:32\n-gpgpu_shader_cta 12\n"
    "-gpgpu_shader_registers 40000\n-gpgpu_num_sched_per_core 2\n-gpgpu_max_insn_issue_per_warp 1\n"
    "-gpgpu_scheduler lrr\n-gpgpu_num_sp_units 3\n-gpgpu_num_int_units 2\n-gpgpu_num_dp_units 1\n"
    "-gpgpu_num_sfu_units 4\n-gpgpu_num_reg_banks 24\n-gpgpu_reg_file_port_throughput 2\n"
    "-gpgpu_operand_collector_num_units_gen 3\n-gpgpu_operand_collector_num_units_sp 6\n-ptx_opcode_latency_int "
    "4,13,5,6,145,32\n-ptx_opcode_latency_fp 7,13,8,9,39\n"
    "-ptx_opcode_latency_dp 10,19,11,12,330\n-ptx_opcode_latency_sfu 21\n-ptx_opcode_initiation_int 1,2,3,4,8,5\n"
    "-ptx_opcode_initiation_fp 2,3,4,5,6\n-ptx_opcode_initiation_dp 8,16,9,10,130\n-ptx_opcode_initiation_sfu 3\n"
    "-ptx_opcode_latency_tesnor 100\n-ptx_opcode_initiation_tensor 32\n"
    "-gpgpu_shmem_size 32768\n-gpgpu_shmem_num_banks 16\n-gpgpu_smem_latency 26\n"
    "-gpgpu_cache:dl1 N:16:128:6,F:T:f:F:X,A:20:9,8\n-gpgpu_l1_latency 35\n-gpgpu_l1_banks 4\n"
    "-gpgpu_flush_l1_cache 0\n-gpgpu_l2_rop_latency 120\n-gpgpu_perf_sim_memcpy 0\n"
    "-gpgpu_dram_partition_queues 64:32:16:8\n-gpgpu_dram_scheduler 0\n-gpgpu_frfcfs_dram_sched_queue_size 0\n"
    "-gpgpu_dram_return_queue_size 116\n-dram_seperate_write_queue_enable 1\n-dram_write_queue_size 64:56:32\n"
    "-dram_latency 100\n-gpgpu_n_mem_per_ctrlr 2\n-gpgpu_dram_buswidth 4\n-gpgpu_dram_burst_length 8\n"
    "-dram_data_command_freq_ratio 4\n-dram_bnkgrp_indexing_policy 1\n"
    "-gpgpu_mem_addr_mapping dramid@8;0000RRRR.RRRRRRRR.BBBCCCCB.CCSSSSSS\n"
    "-gpgpu_dram_timing_opt \"nbk=16:CCD=2:RRD=6:RCD=12:RAS=28:RP=11:RC=40:\n"
    "                        CL=13:WL=4:CDLR=5:WR=14:nbkgrp=4:CCDL=3:RTPL=2\"\n"
    "-icnt_flit_size 40\n-icnt_in_buffer_limit 512\n-icnt_out_buffer_limit 128\n"
    "-gpgpu_n_cluster_ejection_buffer_size 24\n-gpgpu_memlatency_stat 14\n-trace_sampling_memory_partition -1\n";

static uint64_t option_of(const ws_machine_options *list, const char *name)
{
    for (size_t i = 0; i < list->count; i++)
        if (!strcmp(list->list[i].name, name))
            return list->list[i].value;
    fail_msg("no %s", name);
    return 0;
}

static void their_core(void **state)
{
    (void)state;
    ws_machine *const m = parse("dir/their.config", theirs);
    static const struct {
        const char *section, *name;
        uint32_t value;
    } expected[] = {
        {"chip", "sms", 10},
        {"chip", "core_clock", 1000000},
        {"chip", "network_clock", 1200000},
        {"chip", "l2_clock", 500000},
        {"chip", "memory_clock", 2000000},
        {"chip", "launch", 700},
        {"sm", "threads", 768},
        {"sm", "blocks", 12},
        {"sm", "registers", 40000},
        {"sm", "shared", 32768},
        {"sm", "schedulers", 2},
        {"sm", "issue", 1},
        {"sm", "sp_units", 3},
        {"sm", "int_units", 2},
        {"sm", "dp_units", 1},
        {"sm", "sfu_units", 4},
        {"latency", "int_mul", 5},
        {"latency", "int_mad", 6},
        {"latency", "int_div", 145},
        {"latency", "exchange", 32},
        {"latency", "fp_add", 7},
        {"latency", "fp_mad", 9},
        {"latency", "dp_mul", 11},
        {"latency", "sfu", 21},
        {"initiation", "int_max", 2},
        {"initiation", "exchange", 5},
        {"initiation", "fp_div", 6},
        {"initiation", "dp_max", 16},
        {"initiation", "sfu", 3},
        {"tensor", "half", 128}, /* 16 x 16 x 16 multiply-adds in 32 cycles */
        {"tensor", "mixed", 128},
        {"tensor", "byte", 128},
        {"tensor", "latency", 68}, /* theirs includes the 32 */
        {"shared", "banks", 16},
        {"shared", "read", 26},
        {"shared", "write", 26},
        {"l1", "enabled", 1},
        {"l1", "sets", 16},
        {"l1", "ways", 6},
        {"l1", "line", 128},
        {"l1", "sector", 128},
        {"l1", "mshrs", 20},
        {"l1", "merges", 9},
        {"l1", "latency", 35},
        {"l1", "ports", 4},
        {"l1", "flush", 0},
        {"l2", "slices", 2},
        {"l2", "sets", 64},
        {"l2", "ways", 16},
        {"l2", "sector", 32},
        {"l2", "mshrs", 192},
        {"l2", "merges", 4},
        {"l2", "latency", 60},
        {"l2", "queue", 64},
        {"l2", "warm", 0},
        {"l2", "stripe", 256},
        {"texture", "sets", 4},
        {"texture", "ways", 24},
        {"texture", "mshrs", 128},
        {"constant", "sets", 64},
        {"constant", "line", 64},
        {"constant", "mshrs", 2},
        {"memory", "channels", 6},
        {"memory", "latency", 200},
        {"port", "packets", 24},
    };
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
        if (number_of(m, expected[i].section, expected[i].name) != expected[i].value)
            fail_msg("%s.%s", expected[i].section, expected[i].name);
    assert_string_equal(m->name, "their");
    assert_int_equal(option_of(&m->registers, "banks"), 24);
    assert_int_equal(option_of(&m->registers, "ports"), 2);
    assert_int_equal(option_of(&m->registers, "collectors"), 15); /* and 4 and 2 that the file does not have */
    assert_string_equal(machine_word_of(m, sm_scheduler), "lrr");
    assert_string_equal(machine_word_of(m, l1_replacement), "fifo");
    assert_string_equal(machine_word_of(m, l1_write), "through");
    assert_string_equal(machine_word_of(m, l1_allocate), "fill");
    assert_string_equal(machine_word_of(m, l1_write_allocate), "fetch");
    assert_string_equal(machine_word_of(m, l1_index), "xor");
    assert_string_equal(machine_word_of(m, l2_write), "back");
    assert_string_equal(machine_word_of(m, l2_write_allocate), "lazy");
    assert_string_equal(machine_word_of(m, l2_index), "ipoly");

    assert_null(strstr(m->ignored, "-trace_sampling_memory_partition")); /* changes no cycle */
    ws_machine_destroy(m);
}

static void their_memory(void **state)
{
    (void)state;
    ws_machine *const m = parse("dir/their.config", theirs);
    ws_dram_part part = m->shape.part;
    assert_true(m->has_part);
    assert_float_equal(part.clock_mhz, 2000, 1e-9);
    assert_int_equal(part.bank_groups, 4);
    assert_int_equal(part.banks, 4);
    assert_int_equal(part.rows, 4096);
    assert_int_equal(part.columns, 64);
    assert_int_equal(part.bus, 64);
    assert_int_equal(part.burst, 8);
    assert_int_equal(part.rate, 4);
    assert_int_equal(part.tRCDRD, 12);
    assert_int_equal(part.tRCDWR, 7);
    assert_int_equal(part.tRP, 11);
    assert_int_equal(part.tCL, 13);
    assert_int_equal(part.tWTRL, 5);
    assert_int_equal(part.tWR, 14);
    assert_int_equal(part.tCCDL, 3);
    assert_string_equal(part.mapping, "dramid@8;0000RRRR.RRRRRRRR.BBGCCCCG.CCSSSSSS");
    assert_string_equal(machine_word_of(m, memory_controller), "fcfs");
    assert_int_equal(option_of(&m->memory, "read_queue"), 4096);
    assert_int_equal(option_of(&m->memory, "write_queue"), 64);
    assert_int_equal(option_of(&m->memory, "write_high"), 56);
    assert_int_equal(option_of(&m->memory, "write_low"), 32);
    assert_int_equal(option_of(&m->memory, "replies"), 116);
    assert_string_equal(machine_word_of(m, network_kind), "crossbar");
    assert_int_equal(option_of(&m->network, "flit_bytes"), 40);
    assert_int_equal(option_of(&m->network, "injection_flits"), 512);
    assert_int_equal(option_of(&m->network, "ejection_packets"), 128);
    assert_int_equal(ws_machine_set(m, "memory.part", "dram_gddr3"), WS_OK);
    assert_false(m->has_part);
    assert_int_equal(ws_machine_check(m), WS_OK);
    assert_int_equal(m->shape.part.tCL, 9);
    ws_machine_destroy(m);
}

/* What a file does not have counts as GPGPU-Sim has it. */
static void their_defaults(void **state)
{
    (void)state;
    ws_machine *const m = parse("their.config", REST);
    assert_int_equal(m->chip_sms, 30);
    assert_int_equal(m->chip_core_clock, 500000);
    assert_int_equal(m->l1_enabled, 0);
    assert_int_equal(m->part.tCL, 9);
    assert_int_equal(m->part.columns, 128);
    assert_int_equal(m->l2_stripe, 1024);
    assert_int_equal(m->l2_latency, 340); /* 85 cycles of 500 MHz */
    assert_string_equal(machine_word_of(m, sm_scheduler), "gto");
    ws_machine_destroy(m);
}

static void their_mistakes(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } bad[] = {
        {"-gpgpu_cache:dl2 Q:64:128:16", "g:1:18: -gpgpu_cache:dl2: expected a number"},
        {"-gpgpu_cache:dl2 S:64:128", "g:1:26: -gpgpu_cache:dl2: expected ':'"},
        {"-gpgpu_cache:dl2 S:64:128:16,Z:B:m:L:P", "g:1:30: -gpgpu_cache:dl2: expected one of LF"},
        {"-gpgpu_cache:dl2 S:64:128:16,L:B:m:L:C", "g:1:38: -gpgpu_cache:dl2: expected one of LHPX"},
        {"-gpgpu_cache:dl2 S:64:128:16,L:R:m:L:P,A:192:4,32:0,32",
         "g:1:32: -gpgpu_cache:dl2: expected B, T, E or L; this cache takes stores"},
        {"-gpgpu_cache:dl2 S:64:128:16,L:B:f:L:P,A:192:4,32:0,32",
         "g:1:34: -gpgpu_cache:dl2: expected m; L2 chooses a line at the miss here"},
        {"-gpgpu_cache:dl2 S:64:128:16,L:B:m:L:P,A:0:4", "g:1:42: -gpgpu_cache:dl2: expected 1 to 1000000000"},
        {"-gpgpu_cache:dl2 S:64:128:16,L:B:m:L:P,A:1:4,3x", "g:1:47: -gpgpu_cache:dl2: expected nothing more"},
        {"-gpgpu_cache:dl2 S:48:128:16,L:B:m:L:P,A:192:4,32:0,32",
         "g:1:20: -gpgpu_cache:dl2: l2.sets = 48: index ipoly needs 16, 32 or 64"},
        {"-gpgpu_cache:dl2 none", "g:1:18: -gpgpu_cache:dl2: a machine has an L2 here"},
        {"\n-gpgpu_const_cache:l1 S:64:64:2,L:R:f:N:L,S:2:32,4",
         "g:2:23: -gpgpu_const_cache:l1: expected N; this cache has no sectors here"},
        {"-gpgpu_n_mem 0",
         "g:1:14: -gpgpu_n_mem: memory.channels = 0: expected a whole number from 1 to 64 (memory channels)"},
        {"-gpgpu_n_mem", "g:1:1: -gpgpu_n_mem: expected a value after it"},
        {"-gpgpu_n_mem -gpgpu_n_clusters 3", "g:1:1: -gpgpu_n_mem: expected a value after it"},
        {"-gpgpu_n_mem 8 9", "g:1:16: 9: expected -option"},
        {"-gpgpu_n_memory 8", "g:1:1: -gpgpu_n_memory: unknown option of GPGPU-Sim; remove it if it does not matter"},
        {"-gpgpu_dram_timing_opt \"nbk=16", "g:1:25: a quotation mark that does not end"},
        {"-gpgpu_dram_timing_opt \"nbk=16:CCD=2:\n XYZ=3\"", "g:2:2: -gpgpu_dram_timing_opt: expected a number, or one "
                                                             "of nbk= CCD= RRD= RCD= RAS= RP= RC= CL= WL= CDLR= WR= "
                                                             "nbkgrp= CCDL= RTPL="},
        {"-gpgpu_dram_timing_opt nbk=16:nbk=8", "g:1:31: -gpgpu_dram_timing_opt: nbk appears twice"},
        {"-gpgpu_dram_timing_opt 4:2:8", "g:1:29: -gpgpu_dram_timing_opt: RCD is missing"},
        {"-gpgpu_clock_domains 500:700:900", "g:1:33: -gpgpu_clock_domains: expected ':'"},
        {"-gpgpu_shader_core_pipeline 1024:16", "g:1:34: -gpgpu_shader_core_pipeline: a warp has 32 threads here"},
        {"-gpgpu_simd_model 2", "g:1:19: -gpgpu_simd_model: branches join at the post-dominator here; expected 1"},
        {"-gpgpu_scheduler warp_limiting:2:16",
         "g:1:18: -gpgpu_scheduler: expected lrr, gto or two_level_active:N:0:1"},
        {"-ptx_opcode_latency_fp 1,2,3", "g:1:29: -ptx_opcode_latency_fp: expected ','"},
        {"-network_mode 3", "g:1:15: -network_mode: expected 1 to 2"},
        {"-network_mode 1 -inter_config_file none.icnt",
         "cannot read none.icnt: No such file or directory; it is the -inter_config_file"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char text[1024];
        snprintf(text, sizeof text, "%s\n" MUSTS "%s%s%s", bad[i].text, strstr(bad[i].text, "dl2 ") ? "" : L2,
                 strstr(bad[i].text, "const") ? "" : READ_ONLY, strstr(bad[i].text, "network") ? "" : CROSSBAR);
        ws_machine *m;
        const int rc = ws_machine_parse("data", "g", text, strlen(text), &m);
        assert_true(rc == WS_EINPUT || rc == WS_EIO);
        assert_string_equal(ws_message(), bad[i].message);
    }
    refused("g", "-gpgpu_n_mem 8",
            "g: default of -gpgpu_shmem_limited_broadcast: any number of words are broadcast here; "
            "expected 0");
}

static void their_streaming_l1(void **state)
{
    (void)state;
    ws_machine *m = parse("g", REST "-gpgpu_cache:dl1 S:4:128:64,L:L:s:N:L,A:256:8,16:0,32");
    assert_int_equal(m->l1_mshrs, 1024);
    assert_int_equal(m->l1_merges, 64);
    assert_int_equal(m->l1_sector, 32);
    assert_string_equal(machine_word_of(m, l1_allocate), "fill");
    assert_string_equal(machine_word_of(m, l1_write), "local-back");
    assert_string_equal(machine_word_of(m, l1_write_allocate), "none");
    ws_machine_destroy(m);
    m = parse("g", REST "-gpgpu_scheduler two_level_active:6:0:1");
    assert_string_equal(machine_word_of(m, sm_scheduler), "two-level");
    assert_int_equal(option_of(&m->scheduler, "active"), 6);
    ws_machine_destroy(m);
}

static void write_file(const char *path, const char *text)
{
    FILE *const file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

/* The interconnect's own file stands beside the configuration. */
static void their_interconnect(void **state)
{
    (void)state;
    char root[] = "/tmp/ws_icnt_XXXXXX", config[64], icnt[64], expected[256];
    assert_non_null(mkdtemp(root));
    snprintf(config, sizeof config, "%s/x.config", root);
    snprintf(icnt, sizeof icnt, "%s/m.icnt", root);
    write_file(config, MUSTS L2 READ_ONLY "-network_mode 1\n-inter_config_file m.icnt\n-icnt_flit_size 7\n");
    write_file(
        icnt,
        "//a mesh\ntopology = mesh;\nk = 7; // 49\nn = 2;\nrouting_function = dor;\nflit_size = 16;\nnum_vcs = 3;\n"
        "vc_buf_size = 5;\nrouting_delay = 2;\ncredit_delay = 1;\ntraffic = uniform;\nsubnets = 2;\n");
    ws_machine *m;
    if (ws_machine_read("data", config, &m))
        fail_msg("%s", ws_message());
    assert_string_equal(machine_word_of(m, network_kind), "mesh");
    assert_int_equal(option_of(&m->network, "width"), 7);
    assert_int_equal(option_of(&m->network, "height"), 7);
    assert_int_equal(option_of(&m->network, "flit_bytes"), 16);
    assert_int_equal(option_of(&m->network, "vcs"), 3);
    assert_int_equal(option_of(&m->network, "vc_flits"), 5);
    assert_int_equal(option_of(&m->network, "route_cycles"), 2);
    assert_int_equal(option_of(&m->network, "credit_cycles"), 1);
    assert_non_null(strstr(m->ignored, "traffic of the interconnect"));
    ws_machine_destroy(m);
    write_file(icnt, "topology = fly;\nk = 38;\nn = 1;\nvc_buf_size = 64;\nrouting_delay = 0;\n");
    assert_int_equal(ws_machine_read("data", config, &m), WS_OK);
    assert_string_equal(machine_word_of(m, network_kind), "crossbar");
    assert_int_equal(option_of(&m->network, "injection_flits"), 64);
    assert_int_equal(option_of(&m->network, "latency"), 3);
    ws_machine_destroy(m);
    write_file(icnt, "k = 3;\ntopology =   torus;\n");
    assert_int_equal(ws_machine_read("data", config, &m), WS_EINPUT);
    snprintf(expected, sizeof expected, "%s:2:14: topology = torus: expected mesh, or fly with n = 1, a crossbar",
             icnt);
    assert_string_equal(ws_message(), expected);
    unlink(config);
    unlink(icnt);
    rmdir(root);
}

static void their_overrides(void **state)
{
    (void)state;
    ws_machine *const m = parse("f", "[network]\nvcs = 2\n");
    assert_int_equal(ws_machine_set(m, "-gpgpu_n_clusters", "20"), WS_OK);
    assert_int_equal(m->chip_sms, 20);
    assert_int_equal(ws_machine_set(m, "-network_mode", "2"), WS_OK);
    assert_string_equal(machine_word_of(m, network_kind), "crossbar");
    assert_int_equal(ws_machine_set(m, "-icnt_flit_size", "40"), WS_OK);
    assert_int_equal(option_of(&m->network, "flit_bytes"), 40);
    assert_int_equal(ws_machine_set(m, "-gpgpu_l2_rop_latency", "100"), WS_OK);
    assert_int_equal(m->l2_latency, 50); /* 1.4 GHz, 700 MHz */
    assert_int_equal(ws_machine_set(m, "-dram_latency", "100"), WS_OK);
    assert_int_equal(m->memory_latency, 66); /* the part's 924 MHz */
    assert_int_equal(ws_machine_check(m), WS_OK);
    assert_int_equal(ws_machine_set(m, "-gpgpu_dram_buswidth", "4"), WS_EINPUT);
    assert_string_equal(ws_message(),
                        "-gpgpu_dram_buswidth = 4, character 1: a part has more than this; set memory.part");
    assert_int_equal(ws_machine_set(m, "-gpgpu_cache:dl1", "N:32:128"), WS_EINPUT);
    assert_string_equal(ws_message(), "-gpgpu_cache:dl1 = N:32:128, character 9: expected ':'");
    assert_int_equal(ws_machine_set(m, "-gpgpu_l1_latency", "x"), WS_EINPUT);
    assert_string_equal(ws_message(), "-gpgpu_l1_latency: l1.latency = x cycles: expected a number and its unit");
    assert_int_equal(ws_machine_set(m, "-gpgpu_nothing", "x"), WS_EINPUT);
    assert_string_equal(ws_message(), "-gpgpu_nothing = x: no option of GPGPU-Sim that is known here");
    ws_machine_destroy(m);
}

static void aliases_are_unique(void **state)
{
    (void)state;
    ws_machine_alias a, b;
    size_t rows = 0;
    for (; ws_machine_alias_row(rows, &a); rows++) {
        assert_int_equal(a.theirs[0], '-');
        assert_true(strlen(a.ours) >= 2);
        assert_true(!a.must || a.fallback);
        for (size_t k = 0; k < rows && ws_machine_alias_row(k, &b); k++)
            assert_string_not_equal(a.theirs, b.theirs);
    }
    assert_true(rows > 150);
}

static void what_coherent_caches_do_not_follow_is_named(void **state)
{
    (void)state;
    ws_machine *m;
    assert_int_equal(ws_machine_read("data", "gtsc", &m), WS_OK);
    assert_string_equal(ws_machine_unfollowed(m), "");
    assert_int_equal(ws_machine_set(m, "l2.replacement", "fifo"), WS_OK);
    assert_int_equal(ws_machine_set(m, "l1.sector", "32 bytes"), WS_OK);
    assert_string_equal(ws_machine_unfollowed(m), "l1.sector");
    assert_int_equal(ws_machine_set(m, "coherence.protocol", "none"), WS_OK);
    assert_string_equal(ws_machine_unfollowed(m), "");
    ws_machine_destroy(m);
}

static uint64_t given_of(const ws_machine_options *list, const char *name)
{
    for (size_t i = 0; i < list->count; i++)
        if (!strcmp(list->list[i].name, name))
            return list->list[i].value;
    return 0;
}

static void options_of_caches_go_with_what_has_them(void **state)
{
    (void)state;
    ws_machine *m;
    assert_int_equal(ws_machine_read("data", "gtsc", &m), WS_OK);
    assert_int_equal(ws_machine_set(m, "l1.replacement", "dip"), WS_OK);
    assert_int_equal(ws_machine_set(m, "l1.psel", "8"), WS_OK);
    assert_int_equal(ws_machine_set(m, "l1.epsilon", "16"), WS_OK);
    assert_int_equal(ws_machine_set(m, "l2.replacement", "brrip"), WS_OK);
    assert_int_equal(ws_machine_set(m, "l2.epsilon", "64"), WS_OK);
    assert_int_equal(ws_machine_check(m), WS_OK);
    const ws_cache_choice choice = ws_machine_l1_choice(m);
    assert_string_equal(choice.replacement, "dip");
    assert_int_equal(choice.count, 2);
    assert_int_equal(ws_machine_set(m, "l1.index", "xor"), WS_OK); /* another component of the section */
    assert_int_equal(given_of(&m->l1, "psel"), 8);
    assert_int_equal(ws_machine_set(m, "l1.replacement", "brrip"), WS_OK); /* has epsilon, too */
    assert_int_equal(m->l1.count, 1);
    assert_int_equal(given_of(&m->l1, "epsilon"), 16);
    assert_int_equal(ws_machine_set(m, "l1.replacement", "lru"), WS_OK);
    assert_int_equal(m->l1.count, 0);
    assert_int_equal(given_of(&m->l2, "epsilon"), 64);
    assert_int_equal(ws_machine_check(m), WS_OK);
    ws_machine_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_coherent_caches_do_not_follow_is_named),
        cmocka_unit_test(options_of_caches_go_with_what_has_them),
        cmocka_unit_test(shipped_files),
        cmocka_unit_test(values_of_files),
        cmocka_unit_test(every_option),
        cmocka_unit_test(units),
        cmocka_unit_test(unknown_section),
        cmocka_unit_test(unknown_rows),
        cmocka_unit_test(bad_values),
        cmocka_unit_test(overrides),
        cmocka_unit_test(their_core),
        cmocka_unit_test(their_memory),
        cmocka_unit_test(their_defaults),
        cmocka_unit_test(their_mistakes),
        cmocka_unit_test(their_streaming_l1),
        cmocka_unit_test(their_interconnect),
        cmocka_unit_test(their_overrides),
        cmocka_unit_test(aliases_are_unique),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
