/* What the source keys of the catalogue mean. docs/catalog.md prints the same table; a test compares the two. */
#include <string.h>

#include "roofline.h"

typedef struct source {
    const char *key, *text;
} source;

static const source sources[] = {
    {"aic", "NVIDIA AI Configurator, system files that quote NVIDIA datasheets (github.com/ai-dynamo/aiconfigurator)"},
    {"alcf", "Argonne user guide, Aurora node performance, measured (github.com/argonne-lcf/user-guides)"},
    {"amxwiki", "encyclopedia page on AMX: 1024 BF16 FLOP and 2048 INT8 OP a cycle and core"},
    {"awesomeagents", "web page on Tenstorrent Blackhole, BF16 by math fidelity"},
    {"baseten", "Baseten blog, A10 and A10G compared"},
    {"chipsandcheese", "chipsandcheese.com, articles on B200 caches and on EPYC 9005 clocks and bandwidth"},
    {"cloudmatrix", "Huawei CloudMatrix384 paper"},
    {"computerbase", "computerbase.de, Sapphire Rapids"},
    {"devquery", "print-outs of device queries (nvidia-smi, device properties) found in public repositories"},
    {"dla-sw", "NVIDIA deep-learning-accelerator repository, Orin throughput by engine"},
    {"ecer", "copy of NVIDIA's A40 datasheet table"},
    {"economics", "data set ai-inference-hardware-economics-2026 (weak: one compiler, no links)"},
    {"epoch", "Epoch AI, machine-learning hardware data, a datasheet link a row"},
    {"fixstars", "Fixstars blog, RTX PRO 6000 Max-Q power"},
    {"formula", "units x FLOP per clock and unit x clock of the same row (docs/catalog.md, Rates)"},
    {"gaudi3hc", "Intel Gaudi 3 deck, Hot Chips 2024"},
    {"gaudidocs", "Intel Gaudi documentation"},
    {"genz", "GenZ-LLM-Analyzer system table (github.com/abhibambhaniya/GenZ-LLM-Analyzer)"},
    {"ginjfo", "ginjfo.com, Ice Lake-SP models"},
    {"gpubench", "gpu-benches, measured caches and memory (github.com/te42kyfo/gpu-benches)"},
    {"gracebench", "NVIDIA Grace CPU benchmarking guide (github.com/NVIDIA/grace-cpu-benchmarking-guide)"},
    {"gracetune", "NVIDIA Grace performance tuning guide (docs.nvidia.com/grace-perf-tuning-guide)"},
    {"graviton", "AWS Graviton getting started (github.com/aws/aws-graviton-getting-started)"},
    {"groq", "Groq product pages"},
    {"hexus", "hexus.net, Xeon Platinum 8380 review"},
    {"hfjs", "huggingface.js hardware list (github.com/huggingface/huggingface.js); mixes kinds of FLOP/s"},
    {"hmc", "pages a GPU with dense and sparse, F16- and F32-accumulate figures kept apart, partly by formula"},
    {"hotchips", "NVIDIA GB10 slides, Hot Chips 2025"},
    {"hotdry", "web page on EPYC 9755"},
    {"hpctech", "copy of NVIDIA's H100 datasheet table (archive-lib.hpctech.co.jp)"},
    {"inference-sim", "inference-sim hardware_config.json (github.com/inference-sim/inference-sim)"},
    {"inferlab", "inference-lab hardware catalogue (github.com/doublewordai/inference-lab)"},
    {"infersim", "InferSim hardware/gpu.py (github.com/alibaba/InferSim)"},
    {"intelpages", "Intel product pages, Arc B580"},
    {"jouppi", "Jouppi and others, TPU v4, ISCA 2023"},
    {"kerncraft", "Kerncraft machine file of the A64FX (github.com/RRZE-HPC/kerncraft)"},
    {"klockwood", "glennklockwood.com processor pages, which cite datasheets"},
    {"lightning", "PyTorch Lightning peak table (github.com/Lightning-AI/pytorch-lightning)"},
    {"llmfit", "llmfit bandwidth table (github.com/AlexsJones/llmfit)"},
    {"llmperf", "llmperf.net, EPYC pages"},
    {"llmviewer", "LLM-Viewer hardware_params.py (github.com/hahnyuan/LLM-Viewer)"},
    {"metalbench", "metal-benchmarks, Apple GPU rates a core and clock (github.com/philipturner/metal-benchmarks)"},
    {"mullet.se", "copies of NVIDIA's L40 and L40S datasheet tables"},
    {"nanochat", "nanochat peak and bandwidth table (github.com/karpathy/nanochat)"},
    {"neuron", "AWS Neuron documentation, hardware pages (github.com/aws-neuron/aws-neuron-sdk)"},
    {"nowhyderabad", "copy of a Tom's Hardware article on the Xeon 8592+"},
    {"numberworld", "numberworld.org, AVX-512 on Zen 4 (two passes) and Zen 5 (full width)"},
    {"nvblog", "NVIDIA developer blog, Inside NVIDIA Blackwell Ultra"},
    {"nvtables", "NVIDIA Jetson Thor datasheet tables as reproduced on the web"},
    {"olcf", "Oak Ridge user guide, Frontier (github.com/olcf/olcf-user-docs)"},
    {"pcguide", "pcguide.com, Ryzen 9 9950X"},
    {"pcmasters", "pcmasters.de, Xeon 6980P"},
    {"playcrazygame", "web page on EPYC 9654 memory bandwidth"},
    {"pytorch", "PyTorch device_info.py (github.com/pytorch/pytorch); carries some sparse figures"},
    {"rdna", "AMD's own RDNA specification table as posted on r/hardware"},
    {"rocmspecs", "ROCm documentation, GPU hardware specifications, and AMD datasheet figures"},
    {"scalingbook", "How to Scale Your Model, TPU chapter (github.com/jax-ml/scaling-book)"},
    {"servethehome", "servethehome.com, Instinct MI300X"},
    {"sparkpages", "web guides to the DGX Spark and comparisons with Strix Halo"},
    {"sparse2x", "twice the dense figure: what NVIDIA prints for 2:4 sparsity from Ampere on, exceptions aside"},
    {"stas", "ml-engineering accelerator tables, each row cites the vendor page (github.com/stas00/ml-engineering)"},
    {"strixhalo", "web pages on the Ryzen AI Max+ 395"},
    {"sysrqmts", "pages a GPU derived from public specification data bases"},
    {"technical.city", "technical.city, RTX PRO 6000 Max-Q"},
    {"techopse", "web page on the Xeon 8592+"},
    {"timdobbs", "web page on the Ryzen 9 9950X"},
    {"tomshw", "Tom's Hardware, B300 (its figures are with sparsity)"},
    {"torchtitan", "torchtitan utils.py (github.com/pytorch/torchtitan)"},
    {"torring.dev", "torring.dev, accumulate rates of Blackwell GeForce and PRO"},
    {"tpudocs", "Google Cloud TPU documentation (docs.cloud.google.com/tpu/docs)"},
    {"ttdocs", "Tenstorrent board specifications (docs.tenstorrent.com)"},
    {"ttmetal", "tt-metal GEMM_FLOPS.md (github.com/tenstorrent/tt-metal)"},
    {"verda", "verda.com, GB300 NVL72 architecture"},
    {"wccftech", "wccftech.com, Ice Lake-SP and Granite Rapids models"},
    {"web-autoai", "web page on the Ryzen 9 7950X"},
    {"world-today-journal", "web page on EPYC 9005 models"},
};

const char *roof_source_text(const char *key) {
    for (size_t i = 0; key && i < sizeof sources / sizeof sources[0]; i++)
        if (strcmp(sources[i].key, key) == 0)
            return sources[i].text;
    return NULL;
}
