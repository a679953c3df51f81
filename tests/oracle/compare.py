#!/usr/bin/env python3
"""Compare our parameter counts and FLOPs with those of transformers on torch's meta device.

    compare.py ROOFLINE [--configs FOLDER] [--named] [--extra FILE.json] [--flops] [--only WORD] [--markdown]

ROOFLINE is the program. FOLDER holds config.json files of any name. --named takes the models the program knows by name,
--extra a file of {name: config}. Each config is instantiated as the class that transformers has for it, without weights,
and the sizes of its parameters are added up; score corrections of routers, which checkpoints hold, are counted too although
transformers keep them as buffers. Nothing is downloaded: configs whose class is only in a repository of its own are
reported as such. docs/oracle.md has the results and how to install what this needs.
"""
import argparse
import inspect
import json
import math
import os
import subprocess
import sys
import tempfile
import warnings

warnings.filterwarnings("ignore")
os.environ.setdefault("HF_HUB_OFFLINE", "1")
os.environ.setdefault("TRANSFORMERS_VERBOSITY", "error")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "")

import torch  # noqa: E402
import transformers  # noqa: E402
from torch.utils.flop_counter import FlopCounterMode  # noqa: E402

try:  # classes of flash-linear-attention: GLA, DeltaNet, HGRN2, RWKV
    import fla  # noqa: E402,F401
except Exception:
    fla = None

# Spellings of one architecture: what a file says, and the class that transformers has for it now.
SAME = {
    "kimi_k2": "deepseek_v3", "minimax_m1": "minimax", "minimax_text_01": "minimax", "RefinedWeb": "falcon",
    "RefinedWebModel": "falcon", "deepseek_v3_2": "deepseek_v32", "yi": "llama", "phi4": "phi3",
}
# Buffers that checkpoints hold as weights.
STORED_BUFFERS = ("e_score_correction_bias", "expert_bias", "layer_scalar")
TOWERS = ("visual.", "vision_tower.", "vision_model.", "multi_modal_projector.", "vision_embed", "mlp1.", "audio_tower.",
          "embed_vision.", "embed_audio.", "mm_projector.")
FLA = ("gla", "delta_net", "gated_deltanet", "hgrn2", "rwkv6", "rwkv7")
TOKENS = 64


def ours(program, path):
    """What the program makes of a file: (total, vision, layers) or the error."""
    call = subprocess.run([program, "model", path, "--show", "--json"], capture_output=True, text=True)
    if call.returncode != 0:
        return None, call.stderr.strip().splitlines()[0].removeprefix("roofline: ") if call.stderr else "no answer"
    answer = json.loads(call.stdout)
    return answer, None


def our_flops(program, path):
    """Matrix FLOPs of TOKENS tokens: (linear layers, routed experts among them, attention), and whether it is causal."""
    for phase in ("prefill", "encode"):
        call = subprocess.run([program, "model", path, "--on", "h100-sxm", "--capacity", "100TB", "--dtype", "bf16",
                               "--phase", phase, "--prompt", str(TOKENS), "--json"], capture_output=True, text=True)
        points = json.loads(call.stdout)["points"] if call.returncode == 0 else []
        for point in points:
            if point["phase"] == phase:
                total = {"experts": 0, "attention": 0, "linear": 0}
                for operation in point["operations"]:
                    name, kind = operation["name"].split()[0], operation["kind"]
                    bucket = ("experts" if name in ("experts_up", "experts_down") else "attention" if kind == "attention"
                              else "linear" if kind == "gemm" else None)  # a recurrence is neither
                    if bucket:
                        total[bucket] += operation["matrix_flops"]
                return total, phase == "prefill"
    return None, False


def config_of(data):
    kind = data.get("model_type")
    data = {k: v for k, v in data.items() if k not in ("quantization_config", "auto_map", "_name_or_path")}
    for inner in ("text_config", "vision_config", "llm_config"):
        if isinstance(data.get(inner), dict):
            data[inner] = {k: v for k, v in data[inner].items() if k not in ("quantization_config", "auto_map")}
    kind = SAME.get(kind, kind)
    if kind not in transformers.CONFIG_MAPPING:
        raise LookupError(f"no class for model_type {kind!r}")
    if kind == "gemma3" and "text_config" not in data:
        kind = "gemma3_text"
    data["model_type"] = kind
    return transformers.CONFIG_MAPPING[kind].from_dict(data)


def class_of(config, data):
    for name in data.get("architectures") or []:
        found = getattr(transformers, name, None)
        if found is not None and name not in ("T5WithLMHeadModel",):
            return found
    mappings = (transformers.MODEL_FOR_CAUSAL_LM_MAPPING, transformers.MODEL_FOR_IMAGE_TEXT_TO_TEXT_MAPPING,
                transformers.MODEL_FOR_SEQ_TO_SEQ_CAUSAL_LM_MAPPING, transformers.MODEL_FOR_SPEECH_SEQ_2_SEQ_MAPPING,
                transformers.MODEL_MAPPING)
    order = mappings if not data.get("vision_config") else (mappings[1], mappings[0], mappings[4])
    for mapping in order:
        if type(config) in mapping:
            found = mapping[type(config)]
            return found[0] if isinstance(found, tuple) else found
    raise LookupError(f"no model class for {type(config).__name__}")


def adapt(data):
    """What today's classes expect for what files of the model's own code say."""
    layers = data.get("num_hidden_layers") or data.get("num_layers") or 0
    if isinstance(data.get("attn_type_list"), list):
        words = ("linear_attention", "full_attention")
        data = data | {"layer_types": [words[kind] for kind in data["attn_type_list"]]}
    pattern = data.get("sliding_window_pattern")
    if data.get("model_type", "").startswith("exaone") and "layer_types" not in data:
        period = len(pattern) if isinstance(pattern, str) else pattern
        sliding = data.get("sliding_window") and period
        data = data | {"sliding_window_pattern": period or 4, "sliding_window": data.get("sliding_window") or 4096,
                       "layer_types": ["sliding_attention" if sliding and (i + 1) % period else "full_attention"
                                       for i in range(layers)]}
    if data.get("model_type") == "hunyuan_v1_moe":
        lists = ("moe_topk", "moe_intermediate_size", "num_shared_expert", "num_experts")
        data = data | {k: data[k][0] for k in lists if isinstance(data.get(k), list)}
        data = data | {"rope_theta": 10000.0, "head_dim": data.get("attention_head_dim") or data.get("head_dim")}
    return data


def build(data):
    data = adapt(data)
    if fla is not None and data.get("model_type") in FLA:
        data = data | {"fuse_norm": False, "fuse_swiglu": False, "fuse_cross_entropy": False}
    config = config_of(data)
    cls = class_of(config, data)
    for part in (config, getattr(config, "text_config", None)):
        if part is not None:
            part._attn_implementation = "eager"
    with torch.device("meta"):
        return cls._from_config(config) if hasattr(cls, "_from_config") else cls(config)


def sizes(model):
    """Elements of the language model and of towers, each stored once."""
    seen, text, tower = set(), 0, 0
    entries = list(model.named_parameters(remove_duplicate=False))
    entries += [(n, b) for n, b in model.named_buffers() if n.endswith(STORED_BUFFERS)]
    output, table = model.get_output_embeddings(), model.get_input_embeddings()
    if output is not None and output.weight is not table.weight and getattr(model.config, "tie_word_embeddings", False):
        seen.add(id(output.weight))
    for name, tensor in entries:
        if id(tensor) in seen:
            continue
        seen.add(id(tensor))
        if any(mark in "." + name for mark in ["." + t for t in TOWERS]):
            tower += tensor.numel()
        else:
            text += tensor.numel()
    return text, tower


def their_flops(model):
    """(mm and addmm, bmm, those of logits but the last row) of a forward pass over TOKENS tokens."""
    ids = torch.zeros((1, TOKENS), dtype=torch.long, device="meta")
    counter = FlopCounterMode(display=False)
    names = inspect.signature(type(model).forward).parameters
    extra = {"logits_to_keep": 1} if "logits_to_keep" in names else {}
    if "position_ids" in names:
        extra["position_ids"] = torch.zeros((1, TOKENS), dtype=torch.long, device="meta")
    if "use_cache" in names:
        extra["use_cache"] = False
    mask = torch.zeros((1, 1, TOKENS, TOKENS), dtype=next(model.parameters()).dtype, device="meta")
    with torch.no_grad(), counter:  # a mask of four dimensions is taken as it is: nothing looks into the tensors
        model(input_ids=ids, attention_mask=mask, **extra)
    linear = attention = 0
    for op, flops in counter.get_flop_counts()["Global"].items():
        if "bmm" in str(op):
            attention += flops
        elif "mm" in str(op):  # not the convolutions of state layers
            linear += flops
    head = model.get_output_embeddings()
    rows = TOKENS - 1 if "logits_to_keep" not in extra and head is not None else 0  # of logits nobody needs in a prefill
    return linear, attention, 2 * head.weight.numel() * rows if rows else 0


def flops_row(program, path, model):
    try:
        their_linear, their_attention, logits = their_flops(model)
    except Exception as error:  # data-dependent shapes have no meaning without data
        return f"no forward pass ({type(error).__name__})"
    mine, causal = our_flops(program, path)
    if mine is None:
        return "not judged"
    their_linear -= logits if causal else 0
    # a full mask counts all pairs, ours the visible ones: half and the diagonal, or all of an encoder
    full = mine["attention"] * (2 * TOKENS / (TOKENS + 1) if causal else 1)
    pairs = "attention exact" if math.isclose(full, their_attention, rel_tol=1e-9) else (
        f"attention {full - their_attention:+.0f}")
    if math.isclose(mine["linear"] + mine["experts"], their_linear, rel_tol=1e-12):
        return f"exact, {pairs}"
    if mine["experts"] and math.isclose(mine["linear"], their_linear, rel_tol=1e-12):
        return f"exact but for grouped experts, which its counter leaves out, {pairs}"
    return f"{mine['linear'] + mine['experts'] - their_linear:+.0f}, {pairs}"


def compare(program, name, data, flops):
    with tempfile.NamedTemporaryFile("w", suffix=".json", delete=False) as file:
        json.dump(data, file)
    try:
        answer, refused = ours(program, file.name)
        try:
            model = build(data)
            text, tower = sizes(model)
        except Exception as error:
            why = str(error).splitlines()[0][:100] if str(error) else type(error).__name__
            return {"name": name, "ours": answer and answer["parameters"]["total"], "verdict": "no class",
                    "note": refused or f"{type(error).__name__}: {why}"}
        row = {"name": name, "theirs": text, "tower": tower, "class": type(model).__name__}
        if refused:
            return row | {"verdict": "refused", "note": refused}
        total = answer["parameters"]["total"]
        vision = answer.get("architecture", {}).get("vision_parameters")
        row |= {"ours": total, "vision": vision, "verdict": "exact" if total == text else "differs"}
        row["note"] = "" if total == text else f"{total - text:+.0f}"
        if vision:
            row["note"] += f"; tower {'exact' if vision == tower else f'{vision - tower:+.0f}'}"
        elif tower:
            row["note"] += "; tower not counted"
        if flops:
            row["flops"] = flops_row(program, file.name, model)
        return row
    finally:
        os.unlink(file.name)


def inputs(arguments):
    for name in sorted(os.listdir(arguments.configs)) if arguments.configs else []:
        if name.endswith(".json") and not name.endswith("hf_quant_config.json"):
            try:
                with open(os.path.join(arguments.configs, name), encoding="utf-8") as file:
                    yield name, json.load(file)
            except (ValueError, UnicodeDecodeError):
                continue
    if arguments.named:
        listed = json.loads(subprocess.run([arguments.program, "models", "--json"], capture_output=True, text=True).stdout)
        for model in listed["models"]:
            shown = json.loads(subprocess.run([arguments.program, "model", model["id"], "--show", "--json"],
                                              capture_output=True, text=True).stdout)
            yield model["id"], json.loads(shown["config"])
    if arguments.extra:
        with open(arguments.extra, encoding="utf-8") as file:
            yield from json.load(file).items()


def show(row, markdown):
    theirs = f"{row['theirs']}" if row.get("theirs") is not None else "-"
    mine = f"{row['ours']:.0f}" if row.get("ours") is not None else "-"
    cells = [row["name"], row.get("class", "-"), mine, theirs, row["verdict"], row.get("note", "").lstrip("; ")]
    if "flops" in row:
        cells.append(row["flops"])
    print(("| " + " | ".join(cells) + " |") if markdown else "  ".join(cells), flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--configs")
    parser.add_argument("--named", action="store_true")
    parser.add_argument("--extra")
    parser.add_argument("--flops", action="store_true")
    parser.add_argument("--only", default="")
    parser.add_argument("--markdown", action="store_true")
    arguments = parser.parse_args()
    counts = {}
    for name, data in inputs(arguments):
        if arguments.only in name:
            row = compare(arguments.program, name, data, arguments.flops)
            counts[row["verdict"]] = counts.get(row["verdict"], 0) + 1
            show(row, arguments.markdown)
    print("\n" + ", ".join(f"{verdict} {count}" for verdict, count in sorted(counts.items())))
    return 1 if counts.get("differs") else 0


if __name__ == "__main__":
    sys.exit(main())
