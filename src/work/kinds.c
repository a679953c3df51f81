/* The table of kinds. Everything anyone may ask of a kind of operation stands in its row; the order of parameters is
 * the order of operation.shape[] and operation.dtype[] and never changes. Notation of the explanations: explain.c. */
#include "work/kinds.h"

#define MOST 1e15 /* doubles count exactly up to 9e15 */
#define NEED(name, text)                                                                                               \
    { name, ROOF_PARAMETER_COUNT, true, 0, 0, MOST, text }
#define NEED_SOME(name, text)                                                                                          \
    { name, ROOF_PARAMETER_COUNT, true, 1, 1, MOST, text } /* nothing without at least one */
#define MAY(name, preset, least, text)                                                                                 \
    { name, ROOF_PARAMETER_COUNT, false, preset, least, MOST, text }
#define REAL(name, required, text)                                                                                     \
    { name, ROOF_PARAMETER_REAL, required, 0, 0, 1e30, text }
#define FLAG(name, text)                                                                                               \
    { name, ROOF_PARAMETER_FLAG, false, 0, 0, 1, text }
#define DTYPE(name, preset, text)                                                                                      \
    { name, ROOF_PARAMETER_DTYPE, false, preset, 0, ROOF_DTYPE_COUNT - 1, text }

/* A weight format inside a shape, in the order of FORMAT_* in ops.h. */
#define FORMAT                                                                                                         \
    {"bits", ROOF_PARAMETER_REAL, false, 0, 0, 64, "bits of one code of B, scales left out; 0: as b says"},            \
        MAY("block_rows", 0, 0, "outputs that share a scale; 0: all"),                                                 \
        MAY("block_cols", 0, 0, "inputs that share a scale (the group size); 0: all"),                                 \
        {"scale_bits", ROOF_PARAMETER_REAL, false, 0, 0, 64, "bits of a block's scale; 0: none"}, {                    \
        "zero_bits", ROOF_PARAMETER_REAL, false, 0, 0, 64, "bits of a block's zero point; 0: none"                     \
    }

#define GEMM_DTYPES(main_text, a_text, b_text, c_text)                                                                 \
    DTYPE("dtype", ROOF_BF16, main_text), DTYPE("a", ROOF_DTYPE_NONE, a_text), DTYPE("b", ROOF_DTYPE_NONE, b_text),    \
        DTYPE("c", ROOF_DTYPE_NONE, c_text),                                                                           \
        DTYPE("math", ROOF_DTYPE_NONE, "dtype multiplied in; else the wider operand's")

static const roof_parameter gemm[] = {
    NEED("m", "rows of A and C"),
    NEED("n", "columns of B and C"),
    NEED("k", "columns of A, rows of B"),
    MAY("batch", 1, 0, "independent products"),
    FLAG("bias", "add a vector of n to each row"),
    FLAG("weights", "B is a stored weight matrix"),
    FORMAT,
    FLAG("f16_accumulate", "sums kept in f16, under the machine's f16-accumulate roof; else f32"),
    GEMM_DTYPES("dtype of A, B and C", "dtype of A (activations)", "dtype of B (weights)", "dtype of C"),
};

static const roof_parameter gemv[] = {
    NEED("m", "rows of A, length of y"),
    NEED("n", "columns of A, length of x"),
    MAY("batch", 1, 0, "independent products"),
    DTYPE("dtype", ROOF_BF16, "dtype of A, x and y"),
    DTYPE("a", ROOF_DTYPE_NONE, "dtype of A"),
    DTYPE("x", ROOF_DTYPE_NONE, "dtype of x"),
    DTYPE("y", ROOF_DTYPE_NONE, "dtype of y"),
    DTYPE("math", ROOF_DTYPE_NONE, "dtype multiplied in; else the wider operand's"),
};

static const roof_parameter grouped_gemm[] = {
    NEED("tokens", "tokens routed"),
    NEED_SOME("experts", "experts there are"),
    NEED_SOME("top_k", "experts a token goes to"),
    NEED("n", "outputs of an expert's matrix"),
    NEED("k", "inputs of an expert's matrix"),
    MAY("matrices", 1, 0, "matrices side by side (2: gate and up)"),
    REAL("touched", false, "distinct experts touched, as measured; 0: the expected number"),
    FLAG("bias", "each matrix has a bias"),
    FORMAT,
    GEMM_DTYPES("dtype of everything", "dtype of the inputs", "dtype of the weights", "dtype of the outputs"),
};

static const roof_parameter attention[] = {
    MAY("batch", 1, 0, "sequences"),
    NEED("heads", "query heads"),
    MAY("kv_heads", 0, 0, "key and value heads; 0: as heads"),
    NEED("q_len", "new tokens per sequence"),
    MAY("kv_len", 0, 0, "all tokens per sequence, new ones included; 0: as q_len"),
    NEED("qk_width", "width of a head's queries and keys"),
    MAY("v_width", 0, 0, "width of a head's values; 0: as qk_width"),
    MAY("window", 0, 0, "keys a query may see, itself included; 0: all"),
    MAY("chunk", 0, 0, "a query sees its own chunk only; 0: no chunks"),
    FLAG("causal", "a query sees no later key"),
    FLAG("unfused", "scores go through memory"),
    FLAG("latent", "values are part of the key row (absorbed MLA)"),
    FLAG("append", "the new keys and values are written to the cache"),
    DTYPE("dtype", ROOF_BF16, "dtype of everything"),
    DTYPE("q", ROOF_DTYPE_NONE, "dtype of the queries"),
    DTYPE("kv", ROOF_DTYPE_NONE, "dtype of the KV cache"),
    DTYPE("out", ROOF_DTYPE_NONE, "dtype of the output and of scores"),
    DTYPE("math", ROOF_DTYPE_NONE, "dtype multiplied in; else the wider of q and kv, 16 bits or more"),
};

static const roof_parameter recurrence[] = {
    MAY("batch", 1, 0, "sequences"),
    MAY("tokens", 1, 0, "new tokens per sequence"),
    NEED("heads", "heads, each with a state (Mamba 1: channels)"),
    MAY("key_heads", 0, 0, "heads of queries and keys (Mamba 2: groups); 0: as heads"),
    NEED("key_width", "width of a head's queries and keys (Mamba: state size)"),
    NEED("value_width", "width of a head's values (Mamba 1: 1)"),
    {"decay", ROOF_PARAMETER_COUNT, false, 1, 0, 3, "decay: 0 none, 1 per head, 2 per key channel, 3 per element"},
    {"delta", ROOF_PARAMETER_COUNT, false, 0, 0, 2, "0 none, 1 delta rule, 2 RWKV 7"},
    MAY("chunk", 0, 0, "chunk length of the chunked algorithm; 0: the recurrent one"),
    FLAG("resume", "read an earlier state"),
    DTYPE("dtype", ROOF_BF16, "dtype of queries, keys, values and output"),
    DTYPE("state", ROOF_F32, "dtype of the state"),
    DTYPE("math", ROOF_DTYPE_NONE, "dtype multiplied in; else that of dtype, 16 bits or more"),
};

#define AXES_OF(name, text)                                                                                            \
    {name "_d", ROOF_PARAMETER_COUNT, false, -1, -1, MOST, text " along the depth; -1: the common one"},               \
        {name "_h", ROOF_PARAMETER_COUNT, false, -1, -1, MOST, text " along the height; -1: the common one"}, {        \
        name "_w", ROOF_PARAMETER_COUNT, false, -1, -1, MOST, text " along the width; -1: the common one"              \
    }
#define CONV_SHAPE                                                                                                     \
    MAY("batch", 1, 0, "images"), NEED_SOME("in", "input channels"), NEED_SOME("out", "output channels"),              \
        MAY("d", 1, 0, "input depth"), MAY("h", 1, 0, "input height"), NEED("w", "input width"),                       \
        MAY("kd", 1, 1, "kernel depth"), MAY("kh", 1, 1, "kernel height"), NEED_SOME("kw", "kernel width"),            \
        MAY("stride", 1, 1, "stride of every axis in use"), AXES_OF("stride", "stride"),                               \
        MAY("dilation", 1, 1, "dilation of every axis in use"), AXES_OF("dilation", "dilation"),                       \
        MAY("padding", 0, 0, "padding at both ends of every axis in use"), AXES_OF("padding", "padding"),              \
        MAY("groups", 1, 1, "channel groups"), FLAG("bias", "add one value per output channel")
#define CONV_DTYPES                                                                                                    \
    DTYPE("dtype", ROOF_F16, "dtype of everything"), DTYPE("x", ROOF_DTYPE_NONE, "dtype of the input"),                \
        DTYPE("weight", ROOF_DTYPE_NONE, "dtype of the weights"), DTYPE("y", ROOF_DTYPE_NONE, "dtype of the output"),  \
        DTYPE("math", ROOF_DTYPE_NONE, "dtype multiplied in; else the wider operand's")

static const roof_parameter conv[] = {CONV_SHAPE, CONV_DTYPES};
static const roof_parameter conv_transposed[] = {
    CONV_SHAPE,
    MAY("output_padding", 0, 0, "extra output at one end of every axis in use"),
    AXES_OF("output_padding", "output padding"),
    CONV_DTYPES,
};

static const roof_parameter norm[] = {
    NEED("rows", "rows (tokens)"),
    NEED("width", "elements per row"),
    FLAG("residual", "fused with the residual add before it"),
    FLAG("plain", "no learned vectors"),
    DTYPE("dtype", ROOF_BF16, "dtype of the rows"),
    DTYPE("weights", ROOF_DTYPE_NONE, "dtype of the learned vectors"),
};
static const roof_parameter row_wise[] = {
    NEED("rows", "rows"),
    NEED("width", "elements per row"),
    DTYPE("dtype", ROOF_BF16, "dtype of the elements"),
};
static const roof_parameter elementwise[] = {
    NEED("n", "elements of one array"),
    MAY("inputs", 1, 0, "arrays read"),
    MAY("outputs", 1, 0, "arrays written"),
    {"flops", ROOF_PARAMETER_REAL, false, 1, 0, 1e9, "FLOPs per element"},
    DTYPE("dtype", ROOF_BF16, "dtype of the elements"),
};
static const roof_parameter embedding[] = {
    NEED("tokens", "rows looked up"),
    NEED("width", "elements per row"),
    DTYPE("dtype", ROOF_BF16, "dtype of the rows written"),
    DTYPE("table", ROOF_DTYPE_NONE, "dtype of the table"),
};
static const roof_parameter stream[] = {
    NEED("n", "elements of one array"),
    FLAG("write_allocate", "count the line each store reads first (CPU, normal stores)"),
    DTYPE("dtype", ROOF_F64, "dtype of the elements"),
};
static const roof_parameter vectors[] = {NEED("n", "elements of one array"),
                                         DTYPE("dtype", ROOF_F64, "dtype of the elements")};
static const roof_parameter spmv[] = {
    NEED("rows", "rows"),
    NEED("nnz", "stored values"),
    MAY("cols", 0, 0, "columns; 0: as rows"),
    DTYPE("dtype", ROOF_F64, "dtype of the values and vectors"),
    DTYPE("index", ROOF_INT32, "dtype of column indices and row pointers"),
};
static const roof_parameter stencil[] = {
    NEED_SOME("points", "points of the stencil (7 in 3-d)"),
    NEED("nx", "grid points along x"),
    MAY("ny", 1, 0, "grid points along y"),
    MAY("nz", 1, 0, "grid points along z"),
    MAY("inputs", 1, 1, "grids read"),
    {"flops", ROOF_PARAMETER_REAL, false, 0, 0, 1e9, "FLOPs per grid point; 0: 2 points - 1"},
    FLAG("write_allocate", "count the line each store reads first (CPU, normal stores)"),
    DTYPE("dtype", ROOF_F64, "dtype of the grids"),
};
static const roof_parameter fft[] = {
    NEED("n", "points of one transform (nx ny nz in 2-d and 3-d)"), MAY("batch", 1, 0, "transforms"),
    MAY("passes", 1, 1, "times the data go through memory"),        FLAG("real", "real data"),
    DTYPE("dtype", ROOF_F64, "dtype of one real number"),
};
static const roof_parameter all_reduce[] = {
    NEED_SOME("devices", "devices taking part"),
    REAL("bytes", true, "size of the buffer on each device"),
    FLAG("tree", "a tree, not a ring"),
    FLAG("two_shot", "every device to all others at once, twice"),
    DTYPE("dtype", ROOF_BF16, "dtype of the elements summed"),
};
static const roof_parameter gather[] = {
    NEED_SOME("devices", "devices taking part"),
    REAL("bytes", true, "size of the whole buffer"),
    DTYPE("dtype", ROOF_BF16, "dtype of the elements"),
};
static const roof_parameter point_to_point[] = {REAL("bytes", true, "bytes sent"),
                                                DTYPE("dtype", ROOF_BF16, "dtype of the elements")};
static const roof_parameter custom[] = {
    REAL("flops", true, "FLOPs"),
    REAL("bytes", true, "bytes to and from DRAM"),
    FLAG("vector", "the FLOPs run on the vector unit"),
    REAL("l3", false, "bytes to and from L3; 0: not known"),
    REAL("l2", false, "bytes to and from L2; 0: not known"),
    REAL("l1", false, "bytes to and from L1; 0: not known"),
    REAL("link", false, "bytes sent over the link"),
    REAL("steps", false, "latency steps of the link"),
    DTYPE("dtype", ROOF_BF16, "dtype of the roof"),
};

/* ----------------------------------------------------------- explanations -- */

static const char gemm_text[] =
    "FLOPs = 2 <MANY|batch >m n k = 2 x <MANY|{batch} x >{m} x {n} x {k} = {MATRIX} ({math.t})\n"
    "<bias|bias FLOPs = <MANY|batch >m n = <MANY|{batch} x >{m} x {n} = {VECTOR}\n>"
    "A = <MANY|batch >m k a = <MANY|{batch} x >{m} x {k} x {a.B} B = {batch*m*k*a.B} B ({a.t})\n"
    "<!bits|B = <MANY|batch >k n b = <MANY|{batch} x >{k} x {n} x {b.B} B = {batch*k*n*b.B} B ({b.t})\n>"
    "<bits|B = <MANY|batch >k n bits / 8 = <MANY|{batch} x >{k} x {n} x {bits} / 8 = {batch*k*n*bits/8} B ({b.t})\n>"
    "<BLOCKS|scales = <MANY|batch >blocks bits / 8 = <MANY|{batch} x >{BLOCKS} x {scale_bits+zero_bits} / 8"
    " = {batch*BLOCKS*scale_bits/8+batch*BLOCKS*zero_bits/8} B\n>"
    "<bias|bias = <MANY|batch >n c = <MANY|{batch} x >{n} x {c.B} B = {batch*n*c.B} B\n>"
    "C = <MANY|batch >m n c = <MANY|{batch} x >{m} x {n} x {c.B} B = {batch*m*n*c.B} B ({c.t})\n"
    "bytes = A + B<BLOCKS| + scales><bias| + bias> + C = {BYTES} B\n";

static const char gemv_text[] =
    "FLOPs = 2 <MANY|batch >m n = 2 x <MANY|{batch} x >{m} x {n} = {MATRIX} ({math.t})\n"
    "A = <MANY|batch >m n a = <MANY|{batch} x >{m} x {n} x {a.B} B = {batch*m*n*a.B} B ({a.t})\n"
    "x = <MANY|batch >n x = <MANY|{batch} x >{n} x {x.B} B = {batch*n*x.B} B ({x.t})\n"
    "y = <MANY|batch >m y = <MANY|{batch} x >{m} x {y.B} B = {batch*m*y.B} B ({y.t})\n"
    "bytes = A + x + y = {BYTES} B\n";

static const char grouped_gemm_text[] =
    "FLOPs = 2 tokens top_k n k matrices = 2 x {tokens} x {top_k} x {n} x {k} x {matrices} = {MATRIX} ({math.t})\n"
    "<bias|bias FLOPs = tokens top_k n matrices = {VECTOR}\n>"
    "<touched|experts touched = {TOUCHED} of {experts}, as given\n>"
    "<!touched|experts touched = experts (1 - (1 - top_k/experts)^tokens) = {experts} x (1 - (1 - "
    "{top_k}/{experts})^{tokens}) = {TOUCHED}"
    " (at least {top_k}, at most {MOST_TOUCHED})\n>"
    "weights = touched x one expert = {TOUCHED} x {WEIGHTS/TOUCHED} B = {WEIGHTS} B ({b.t})\n"
    "inputs = tokens top_k k a = {tokens} x {top_k} x {k} x {a.B} B = {tokens*top_k*k*a.B} B ({a.t})\n"
    "outputs = tokens top_k n matrices c = {tokens} x {top_k} x {n} x {matrices} x {c.B} B = "
    "{tokens*top_k*n*matrices*c.B} B ({c.t})\n"
    "bytes = weights + inputs + outputs = {BYTES} B\n"
    "<!touched|bytes with the least and the most experts = {LEAST} and {MOST} B\n>";

static const char recurrence_text[] =
    "state = <MANY|batch >heads key_width value_width = <MANY|{batch} x >{heads} x {key_width} x {value_width}"
    " = {batch*heads*key_width*value_width} elements, whatever the context\n"
    "<MATRIX&!delta|FLOPs per token = 4 state: one outer product in, one product out\n>"
    "<MATRIX&delta|FLOPs per token = (4 + 2 x {delta}) state: update, output and delta rule\n>"
    "<MATRIX&chunk|pairs inside chunks of {chunk} = {PAIRS_IN_CHUNKS} per head\n>"
    "<MATRIX|FLOPs = {MATRIX} ({math.t})\n>"
    "<VECTOR|<MATRIX|decays<delta| and differences>><!MATRIX|FLOPs = 7 per token and element of state> = {VECTOR} "
    "(f32)\n>"
    "states = {CACHE} B ({state.t})<resume|, read and written><!resume|, written>\n"
    "q, k, v, y and decays = bytes - states = {TOKEN_BYTES} B ({dtype.t})\n"
    "bytes = {BYTES} B\n";

static const char attention_text[] =
    "<!window&!chunk&!causal|pairs = q_len kv_len = {q_len} x {kv_len} = {PAIRS} per head, no mask\n>"
    "<!window&!chunk&causal|pairs = q_len (2 kv_len - q_len + 1) / 2 = {PAIRS} per head, causal, counted exactly "
    "(without a mask {q_len*kv_len})\n>"
    "<window&causal|pairs = sum over queries of min(keys so far, {window}) = {PAIRS} per head, counted exactly<chunk| "
    "inside chunks of {chunk}>"
    " (without a mask {q_len*kv_len})\n>"
    "<window&!causal|pairs = sum over queries of keys in a centred window of {window} = {PAIRS} per head, counted "
    "exactly\n>"
    "<!window&chunk|pairs = sum over queries of keys<causal| so far> in the query's chunk of {chunk} = {PAIRS} per "
    "head, "
    "counted exactly\n>"
    "QK FLOPs = 2 <MANY|batch >heads pairs qk_width = 2 x <MANY|{batch} x >{heads} x {PAIRS} x {qk_width}"
    " = {2*batch*heads*PAIRS*qk_width}\n"
    "PV FLOPs = 2 <MANY|batch >heads pairs v_width = 2 x <MANY|{batch} x >{heads} x {PAIRS} x {v_width}"
    " = {2*batch*heads*PAIRS*v_width}\n"
    "FLOPs = QK + PV = {MATRIX} ({math.t})\n"
    "softmax FLOPs = 5 <MANY|batch >heads pairs = 5 x <MANY|{batch} x >{heads} x {PAIRS} = {VECTOR} (f32)\n"
    "rows = keys that some query sees = {ROWS} of {kv_len}\n"
    "Q = <MANY|batch >heads q_len qk_width q = <MANY|{batch} x >{heads} x {q_len} x {qk_width} x {q.B} B"
    " = {batch*heads*q_len*qk_width*q.B} B ({q.t})\n"
    "<!latent|K and V = <MANY|batch >rows kv_heads (qk_width + v_width) kv = <MANY|{batch} x >{ROWS} x {kv_heads} x"
    " ({qk_width} + {v_width}) x {kv.B} B = {batch*ROWS*kv_heads*qk_width*kv.B+batch*ROWS*kv_heads*v_width*kv.B} B "
    "({kv.t})\n>"
    "<latent|cache = <MANY|batch >rows qk_width kv = <MANY|{batch} x >{ROWS} x {qk_width} x {kv.B} B"
    " = {batch*ROWS*qk_width*kv.B} B ({kv.t}), keys and values in one row\n>"
    "<append&!latent|append = <MANY|batch >q_len kv_heads (qk_width + v_width) kv"
    " = {batch*q_len*kv_heads*qk_width*kv.B+batch*q_len*kv_heads*v_width*kv.B} B\n>"
    "<append&latent|append = <MANY|batch >q_len qk_width kv = {batch*q_len*qk_width*kv.B} B\n>"
    "O = <MANY|batch >heads q_len v_width out = <MANY|{batch} x >{heads} x {q_len} x {v_width} x {out.B} B"
    " = {batch*heads*q_len*v_width*out.B} B ({out.t})\n"
    "<unfused|scores = 4 <MANY|batch >heads q_len rows out = 4 x <MANY|{batch} x >{heads} x {q_len} x {ROWS} x {out.B} "
    "B"
    " = {4*batch*heads*q_len*ROWS*out.B} B (not fused)\n>"
    "bytes = Q + <!latent|K and V><latent|cache><append| + append> + O<unfused| + scores> = {BYTES} B, {CACHE} B of it "
    "KV cache\n";

#define CONV_MIDDLE                                                                                                    \
    "<bias|bias FLOPs = <MANY|batch >out x output = <MANY|{batch} x >{out} x {OD*OH*OW} = {VECTOR}\n>"                 \
    "input = <MANY|batch >in d h w x = <MANY|{batch} x >{in} x {d*h*w} x {x.B} B = {batch*in*d*h*w*x.B} B ({x.t})\n"   \
    "weights = in out kernel weight / groups = {in} x {out} x {kd*kh*kw} x {weight.B} B / {groups}"                    \
    " = {in*out/groups*kd*kh*kw*weight.B} B ({weight.t})\n"                                                            \
    "<bias|bias = out y = {out} x {y.B} B = {out*y.B} B\n>"                                                            \
    "result = <MANY|batch >out x output y = <MANY|{batch} x >{out} x {OD*OH*OW} x {y.B} B"                             \
    " = {batch*out*OD*OH*OW*y.B} B ({y.t})\n"                                                                          \
    "bytes = input + weights<bias| + bias> + result = {BYTES} B\n"

static const char conv_text[] =
    "output = floor((size + 2 padding - dilation (kernel - 1) - 1) / stride) + 1 per axis = {OD} x {OH} x {OW}\n"
    "FLOPs = 2 <MANY|batch >out (in / groups) kernel output = 2 x <MANY|{batch} x >{out} x {in/groups} x {kd*kh*kw} x "
    "{OD*OH*OW}"
    " = {MATRIX} ({math.t})\n" CONV_MIDDLE;

static const char conv_transposed_text[] =
    "output = (size - 1) stride - 2 padding + dilation (kernel - 1) + output_padding + 1 per axis = {OD} x {OH} x "
    "{OW}\n"
    "FLOPs = 2 <MANY|batch >in (out / groups) kernel input = 2 x <MANY|{batch} x >{in} x {out/groups} x {kd*kh*kw} x "
    "{d*h*w}"
    " = {MATRIX} ({math.t})\n" CONV_MIDDLE;

#define NORM_BYTES                                                                                                     \
    "bytes = <residual|4><!residual|2> rows width dtype<!plain| + learned vectors> = "                                 \
    "<residual|4><!residual|2> x {rows} x {width} x {dtype.B} B<!plain| + {WEIGHTS} B> = {BYTES} B\n"

static const char layer_norm_text[] = "FLOPs = <residual|(7 + 1)><!residual|7> rows width = <residual|8><!residual|7> "
                                      "x {rows} x {width} = {VECTOR}\n" NORM_BYTES;
static const char rms_norm_text[] = "FLOPs = <residual|(4 + 1)><!residual|4> rows width = <residual|5><!residual|4> x "
                                    "{rows} x {width} = {VECTOR}\n" NORM_BYTES;
static const char softmax_text[] = "FLOPs = 5 rows width = 5 x {rows} x {width} = {VECTOR}\n"
                                   "bytes = 2 rows width dtype = 2 x {rows} x {width} x {dtype.B} B = {BYTES} B\n";
static const char reduction_text[] = "FLOPs = rows (width - 1) = {rows} x ({width} - 1) = {VECTOR}\n"
                                     "bytes = rows (width + 1) dtype = {rows} x {width+1} x {dtype.B} B = {BYTES} B\n";
static const char elementwise_text[] =
    "FLOPs = n flops = {n} x {flops} = {VECTOR}\n"
    "bytes = n (inputs + outputs) dtype = {n} x ({inputs} + {outputs}) x {dtype.B} B = {BYTES} B\n";
static const char embedding_text[] =
    "FLOPs = 0: a look-up multiplies nothing\n"
    "bytes = tokens width (table + dtype) = {tokens} x {width} x ({table.B} + {dtype.B}) B = {BYTES} B\n";

#define STREAM_TEXT(flops, arrays)                                                                                     \
    "FLOPs = " flops "{VECTOR}\n"                                                                                      \
    "<!write_allocate|bytes = " arrays " n dtype = " arrays " x {n} x {dtype.B} B = {BYTES} B\n>"                      \
    "<write_allocate|bytes = (" arrays " + 1) n dtype = (" arrays " + 1) x {n} x {dtype.B} B = {BYTES} B\n"            \
    "a store reads its line first: counted {" arrays "*n*dtype.B} B, moved {BYTES} B\n>"

static const char copy_text[] = STREAM_TEXT("", "2");
static const char scale_text[] = STREAM_TEXT("n = ", "2");
static const char add_text[] = STREAM_TEXT("n = ", "3");
static const char triad_text[] = STREAM_TEXT("2 n = 2 x {n} = ", "3");
static const char dot_text[] =
    "FLOPs = 2 n = 2 x {n} = {VECTOR}\nbytes = 2 n dtype = 2 x {n} x {dtype.B} B = {BYTES} B\n";
static const char axpy_text[] =
    "FLOPs = 2 n = 2 x {n} = {VECTOR}\nbytes = 3 n dtype = 3 x {n} x {dtype.B} B = {BYTES} B\n";
static const char spmv_text[] =
    "FLOPs = 2 nnz = 2 x {nnz} = {VECTOR}\n"
    "matrix = nnz (dtype + index) = {nnz} x ({dtype.B} + {index.B}) B = {nnz*dtype.B+nnz*index.B} B\n"
    "row pointers = (rows + 1) index = {rows+1} x {index.B} B = {rows*index.B+index.B} B\n"
    "vectors = (rows + cols) dtype = {rows+cols} x {dtype.B} B = {rows*dtype.B+cols*dtype.B} B\n"
    "bytes = matrix + row pointers + vectors = {BYTES} B\n";
static const char stencil_text[] = "sites = nx ny nz = {nx} x {ny} x {nz} = {nx*ny*nz}\n"
                                   "FLOPs = sites flops = {nx*ny*nz} x {flops} = {VECTOR} ({points} points)\n"
                                   "bytes = sites (inputs + 1<write_allocate| + 1>) dtype = {nx*ny*nz} x ({inputs} + "
                                   "1<write_allocate| + 1>) x {dtype.B} B = {BYTES} B\n";
static const char fft_text[] =
    "<!real|FLOPs = 5 <MANY|batch >n log2 n = 5 x <MANY|{batch} x >{n} x log2({n}) = {VECTOR}\n"
    "bytes = passes <MANY|batch >4 n dtype = {passes} x <MANY|{batch} x >4 x {n} x {dtype.B} B = {BYTES} B\n>"
    "<real|FLOPs = 2.5 <MANY|batch >n log2 n = 2.5 x <MANY|{batch} x >{n} x log2({n}) = {VECTOR}\n"
    "bytes = passes <MANY|batch >(n read + 2 (n/2 + 1) written) dtype = {BYTES} B\n>";

#define MEMORY_LINE(formula) "memory = " formula " = {BYTES} B read and written\n"
static const char all_reduce_text[] =
    "<!tree|sent = 2 (g - 1) / g bytes = {LINK} B per device, g = {devices}, bytes = {bytes}\n>"
    "<tree|sent = 2 bytes = {LINK} B per device, bytes = {bytes}\n>"
    "<!tree&!two_shot|steps = 2 (g - 1) = {STEPS} (ring)\n><tree|steps = 2 ceil(log2 g) = {STEPS} (tree), g = "
    "{devices}\n>"
    "<two_shot|steps = {STEPS} (two-shot)\n>"
    "FLOPs = (g - 1) / g bytes / dtype = {VECTOR} adds\n" MEMORY_LINE("2 bytes");
#define SENT "sent = (g - 1) / g bytes = {LINK} B per device, g = {devices}, bytes = {bytes}\nsteps = g - 1 = {STEPS}\n"
static const char all_gather_text[] = SENT MEMORY_LINE("(1 + 1/g) bytes");
static const char reduce_scatter_text[] =
    SENT "FLOPs = (g - 1) / g bytes / dtype = {VECTOR} adds\n" MEMORY_LINE("(1 + 1/g) bytes");
static const char all_to_all_text[] = SENT MEMORY_LINE("2 bytes");
static const char point_to_point_text[] = "sent = bytes = {LINK} B\nsteps = {STEPS}\nmemory = bytes = {BYTES} B read\n";
static const char custom_text[] = "FLOPs = {FLOPS}, as given (<vector|vector><!vector|matrix>, {dtype.t})\n"
                                  "bytes = {BYTES} B, as given\n<l3|L3 = {l3} B\n><l2|L2 = {l2} B\n><l1|L1 = {l1} "
                                  "B\n><link|link = {link} B in {steps} steps\n>";

/* ---------------------------------------------------------------- sources -- */

static const char lapack[] = "LAPACK Working Note 41, operation counts";
static const char moe[] = "expected distinct experts under uniform routing, experts (1 - (1 - top_k/experts)^tokens)";
static const char flash[] = "Vaswani et al. 2017; Dao et al. 2022 (FlashAttention) for what stays on chip";
static const char recurrences[] =
    "Dao and Gu 2024, arXiv:2405.21060; Yang et al. 2024, arXiv:2412.06464; Gu and Dao 2023";
static const char dumoulin[] = "Dumoulin and Visin 2016, arXiv:1603.07285";
static const char convention[] = "our count: docs/model.md, Vector FLOPs";
static const char mccalpin[] = "McCalpin, STREAM, www.cs.virginia.edu/stream/ref.html";
static const char williams[] = "Williams, Waterman and Patterson 2009, Roofline";
static const char fftw[] = "FFTW benchFFT, www.fftw.org/speed/method.html";
static const char nccl[] = "NCCL tests, doc/PERFORMANCE.md";

/* A row: kind, name, aliases and summary; parameters, functions and text of --explain; source; formulas, example. */
/* clang-format off */
#define KIND(kind_, name_, alias_, summary_, list_, cost_, check_, text_, source_, flops_, bytes_, example_)           \
    [ROOF_KIND_##kind_] = {{name_, alias_, summary_, list_, sizeof list_ / sizeof *list_, flops_, bytes_, source_,     \
                            example_}, cost_, check_, text_}

static const work_kind table[ROOF_KIND_COUNT] = {
    KIND(GEMM, "gemm", "matmul,linear", "C[m,n] = A[m,k] B[k,n]",
         gemm, work_gemm_cost, NULL, gemm_text, lapack,
         "2 batch m n k", "batch (m k a + k n b + m n c)", "m=8 n=14336 k=4096"),
    KIND(GEMV, "gemv", "matvec", "y[m] = A[m,n] x[n]",
         gemv, work_gemv_cost, NULL, gemv_text, lapack,
         "2 batch m n", "batch (m n a + n x + m y)", "m=4096 n=4096"),
    KIND(GROUPED_GEMM, "grouped-gemm", "experts,moe", "the experts of a mixture-of-experts layer",
         grouped_gemm, work_grouped_gemm_cost, work_grouped_gemm_check, grouped_gemm_text, moe,
         "2 tokens top_k n k matrices", "touched matrices (n k b + scales) + tokens top_k (k a + matrices n c)",
         "tokens=32 experts=8 top_k=2 n=14336 k=4096 matrices=2"),
    KIND(ATTENTION, "attention", "sdpa", "softmax(Q K') V",
         attention, work_attention_cost, work_attention_check, attention_text, flash,
         "2 batch heads pairs (qk_width + v_width)",
         "Q + visible K and V rows + O (+ append) (+ 4 passes of scores when unfused)",
         "heads=32 kv_heads=8 q_len=1 kv_len=4096 qk_width=128 causal=1"),
    KIND(RECURRENCE, "recurrence", "scan,ssm,linear-attention", "S = decay S + k' v, y = q S",
         recurrence, work_recurrence_cost, NULL, recurrence_text, recurrences,
         "(4 + 2 delta) batch heads tokens key_width value_width (+ pairs inside chunks)",
         "states read and written + q, k, v, y and decays of every token",
         "tokens=1024 heads=32 key_heads=16 key_width=128 value_width=128 delta=1"),
    KIND(CONV, "conv", "conv2d,conv1d,conv3d,convolution", "convolution in 1 to 3 dimensions",
         conv, work_conv_cost, work_conv_check, conv_text, dumoulin,
         "2 batch out (in / groups) kernel output",
         "batch in size x + in out kernel weight / groups + batch out output y",
         "in=3 out=64 h=224 w=224 kh=7 kw=7 stride=2 padding=3"),
    KIND(CONV_TRANSPOSED, "conv-transposed", "deconv,convtranspose", "transposed convolution in 1 to 3 dimensions",
         conv_transposed, work_conv_cost, work_conv_check, conv_transposed_text, dumoulin,
         "2 batch in (out / groups) kernel input",
         "batch in size x + in out kernel weight / groups + batch out output y",
         "in=64 out=32 h=28 w=28 kh=2 kw=2 stride=2"),
    KIND(LAYER_NORM, "layer-norm", "layernorm,ln", "rows normalised by mean and variance, scaled and shifted",
         norm, work_norm_cost, NULL, layer_norm_text, convention,
         "7 rows width (+ 1 with residual)", "2 rows width dtype (4 with residual) + 2 width weights",
         "rows=2048 width=4096"),
    KIND(RMS_NORM, "rms-norm", "rmsnorm", "rows normalised by root mean square, scaled",
         norm, work_norm_cost, NULL, rms_norm_text, convention,
         "4 rows width (+ 1 with residual)", "2 rows width dtype (4 with residual) + width weights",
         "rows=2048 width=4096"),
    KIND(SOFTMAX, "softmax", NULL, "exp(x - max) / sum of each row",
         row_wise, work_softmax_cost, NULL, softmax_text, convention,
         "5 rows width", "2 rows width dtype", "rows=2048 width=2048"),
    KIND(ELEMENTWISE, "elementwise", "pointwise,map", "outputs from inputs, element by element",
         elementwise, work_elementwise_cost, NULL, elementwise_text, williams,
         "n flops", "n (inputs + outputs) dtype", "n=1000000 inputs=2 outputs=1 flops=1"),
    KIND(REDUCTION, "reduction", "reduce,sum", "one value per row",
         row_wise, work_reduction_cost, NULL, reduction_text, lapack,
         "rows (width - 1)", "rows (width + 1) dtype", "rows=1 width=1000000"),
    KIND(EMBEDDING, "embedding", "gather,lookup", "rows of a table, by index",
         embedding, work_embedding_cost, NULL, embedding_text, williams,
         "0", "tokens width (table + dtype)", "tokens=2048 width=4096"),
    KIND(COPY, "copy", NULL, "a = b",
         stream, work_stream_cost, NULL, copy_text, mccalpin,
         "0", "2 n dtype (3 with write-allocate)", "n=100000000"),
    KIND(SCALE, "scale", NULL, "a = s b",
         stream, work_stream_cost, NULL, scale_text, mccalpin,
         "n", "2 n dtype (3 with write-allocate)", "n=100000000"),
    KIND(ADD, "add", NULL, "a = b + c",
         stream, work_stream_cost, NULL, add_text, mccalpin,
         "n", "3 n dtype (4 with write-allocate)", "n=100000000"),
    KIND(TRIAD, "triad", NULL, "a = b + s c",
         stream, work_stream_cost, NULL, triad_text, mccalpin,
         "2 n", "3 n dtype (4 with write-allocate)", "n=100000000 write_allocate=1"),
    KIND(DOT, "dot", NULL, "sum of x y",
         vectors, work_stream_cost, NULL, dot_text, lapack,
         "2 n", "2 n dtype", "n=100000000"),
    KIND(AXPY, "axpy", NULL, "y = a x + y",
         vectors, work_stream_cost, NULL, axpy_text, lapack,
         "2 n", "3 n dtype", "n=100000000"),
    KIND(SPMV, "spmv", "csr", "y = A x, A sparse in compressed rows",
         spmv, work_spmv_cost, NULL, spmv_text, williams,
         "2 nnz", "nnz (dtype + index) + (rows + 1) index + (rows + cols) dtype", "rows=1000000 nnz=7000000"),
    KIND(STENCIL, "stencil", NULL, "a weighted sum of neighbours at every grid point",
         stencil, work_stencil_cost, NULL, stencil_text, williams,
         "nx ny nz flops", "nx ny nz (inputs + 1) dtype (+ 1 with write-allocate)", "points=7 nx=512 ny=512 nz=512"),
    KIND(FFT, "fft", NULL, "fast Fourier transform",
         fft, work_fft_cost, NULL, fft_text, fftw,
         "5 batch n log2 n (2.5 real)", "4 passes batch n dtype", "n=1048576"),
    KIND(ALL_REDUCE, "all-reduce", NULL, "the sum of all devices' buffers, on every device",
         all_reduce, work_collective_cost, work_collective_check, all_reduce_text, nccl,
         "(g - 1) / g bytes / dtype", "link: 2 (g - 1) / g bytes in 2 (g - 1) steps; memory: 2 bytes",
         "devices=8 bytes=16777216"),
    KIND(ALL_GATHER, "all-gather", NULL, "the parts of all devices, on every device",
         gather, work_collective_cost, NULL, all_gather_text, nccl,
         "0", "link: (g - 1) / g bytes in g - 1 steps; memory: (1 + 1/g) bytes", "devices=8 bytes=16777216"),
    KIND(REDUCE_SCATTER, "reduce-scatter", NULL, "the sum of all devices' buffers, a part on each device",
         gather, work_collective_cost, NULL, reduce_scatter_text, nccl,
         "(g - 1) / g bytes / dtype", "link: (g - 1) / g bytes in g - 1 steps; memory: (1 + 1/g) bytes",
         "devices=8 bytes=16777216"),
    KIND(ALL_TO_ALL, "all-to-all", NULL, "each device sends a part to every other",
         gather, work_collective_cost, NULL, all_to_all_text, nccl,
         "0", "link: (g - 1) / g bytes in g - 1 steps; memory: 2 bytes", "devices=8 bytes=16777216"),
    KIND(POINT_TO_POINT, "point-to-point", "p2p,send", "one device sends to another",
         point_to_point, work_collective_cost, NULL, point_to_point_text, nccl,
         "0", "link: bytes in one step; memory: bytes", "bytes=16777216"),
    KIND(CUSTOM, "custom", NULL, "work given as plain counts",
         custom, work_custom_cost, NULL, custom_text, "you",
         "as given", "as given", "flops=1e12 bytes=1e9 dtype=bf16"),
};
/* clang-format on */

const work_kind *work_kind_of(roof_kind kind) {
    return kind >= 0 && kind < ROOF_KIND_COUNT ? &table[kind] : NULL;
}
