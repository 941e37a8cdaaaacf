// day45: what supplies the memory requests that hide latency, warps or independent loads?
//
// c[i] = a[i] * b[i] over float arrays far larger than L2. Two levers are moved apart:
//   * resident warps per SM, capped by dynamic shared memory that the kernel never touches;
//   * independent loads that one thread issues before its first multiply, two an item.
// Every variant is checked bit for bit against the host on random data with a poisoned
// output, then timed in several rounds, each in another order.
//
// Build: nvcc -std=c++17 -O3 -arch=sm_90 -o day45 day45.cu   (../run.py does it all)

#include "../measure.cuh"

#include <atomic>
#include <numeric>

// ---- kernels

__device__ __forceinline__ float multiply(float x, float y) { return x * y; }
__device__ __forceinline__ float4 multiply(float4 x, float4 y) {
  return make_float4(x.x * y.x, x.y * y.y, x.z * y.z, x.w * y.w);
}

// One tile: ITEMS items a thread, BLOCK apart, so that each load is coalesced. The pointers
// are deliberately not __restrict__: no load may sink below a store and none of the next
// tile's loads may rise above this tile's stores, so 2 * ITEMS loads in flight is exact.
template <typename V, int BLOCK, int ITEMS>
__device__ __forceinline__ void tile(const V* a, const V* b, V* c, unsigned t) {
  const size_t base = size_t(t) * (BLOCK * ITEMS) + threadIdx.x;
  V x[ITEMS], y[ITEMS];
#pragma unroll
  for (int k = 0; k < ITEMS; ++k) {
    x[k] = a[base + k * BLOCK];
    y[k] = b[base + k * BLOCK];
  }
#pragma unroll
  for (int k = 0; k < ITEMS; ++k) c[base + k * BLOCK] = multiply(x[k], y[k]);
}

// "oneshot": a block for every tile. "loop": only as many blocks as are resident, each walking
// over tiles. The trailing arguments are the launch bounds. Sixteen float items and four float4
// items name a minimum of 4 blocks: without it the compiler may save registers by sinking loads
// below the first multiplies, and the variant would not be what its name says.
#define KERNELS(NAME, V, BLOCK, ITEMS, ...)                                                 \
  extern "C" __global__ void __launch_bounds__(__VA_ARGS__)                                 \
      mul_oneshot_##NAME(const V* a, const V* b, V* c, unsigned) {                          \
    tile<V, BLOCK, ITEMS>(a, b, c, blockIdx.x);                                             \
  }                                                                                         \
  extern "C" __global__ void __launch_bounds__(__VA_ARGS__)                                 \
      mul_loop_##NAME(const V* a, const V* b, V* c, unsigned tiles) {                       \
    _Pragma("unroll 1") for (unsigned t = blockIdx.x; t < tiles; t += gridDim.x)            \
        tile<V, BLOCK, ITEMS>(a, b, c, t);                                                  \
  }

KERNELS(f1_items1_t256, float, 256, 1, 256)
KERNELS(f1_items2_t256, float, 256, 2, 256)
KERNELS(f1_items4_t256, float, 256, 4, 256)
KERNELS(f1_items8_t256, float, 256, 8, 256)
KERNELS(f1_items16_t256, float, 256, 16, 256, 4)
KERNELS(f4_items1_t256, float4, 256, 1, 256)
KERNELS(f4_items2_t256, float4, 256, 2, 256)
KERNELS(f4_items4_t256, float4, 256, 4, 256, 4)
KERNELS(f1_items1_t512, float, 512, 1, 512)
KERNELS(f1_items4_t512, float, 512, 4, 512)
KERNELS(f1_items8_t512, float, 512, 8, 512)

// ---- variants

struct Shape {
  const char* name;
  const void *oneshot, *loop;
  int load_bytes, block, items;
};

#define SHAPE(NAME, BYTES, BLOCK, ITEMS) \
  {#NAME, (const void*)mul_oneshot_##NAME, (const void*)mul_loop_##NAME, BYTES, BLOCK, ITEMS}
static const Shape kShapes[] = {
    SHAPE(f1_items1_t256, 4, 256, 1),   SHAPE(f1_items2_t256, 4, 256, 2),
    SHAPE(f1_items4_t256, 4, 256, 4),   SHAPE(f1_items8_t256, 4, 256, 8),
    SHAPE(f1_items16_t256, 4, 256, 16), SHAPE(f4_items1_t256, 16, 256, 1),
    SHAPE(f4_items2_t256, 16, 256, 2),  SHAPE(f4_items4_t256, 16, 256, 4),
    SHAPE(f1_items1_t512, 4, 512, 1),   SHAPE(f1_items4_t512, 4, 512, 4),
    SHAPE(f1_items8_t512, 4, 512, 8),
};

constexpr size_t kFloats = size_t(1) << 28;       // 1 GiB an array
constexpr size_t kSmallFloats = size_t(1) << 24;  // the T4's size, over rotating slices

struct Variant {
  const Shape* shape;
  bool loop, smallest_l1;
  size_t floats;  // in one launch
  const void* kernel;
  std::string label = {}, name = {}, family = {};
  int shared_bytes = 0, blocks = 0, registers = 0, local_bytes = 0;
  unsigned tiles = 0, grid = 0;
  long long wrong = 0;
  std::vector<double> ms = {};
  std::vector<double> round_medians = {};
};

// The smallest request, rounded up to 1 KiB, at which one more block no longer fits.
static int shared_that_caps(const cudaDeviceProp& p, int blocks) {
  const int reserved = int(p.reservedSharedMemPerBlock);
  return (int(p.sharedMemPerMultiprocessor) / (blocks + 1) - reserved) / 1024 * 1024 + 1024;
}

class Variants {
 public:
  Variants() {
    CHECK(cudaGetDeviceProperties(&p_, 0));
    for (bool smallest_l1 : {false, true})
      for (bool loop : {false, true})
        for (const Shape& s : kShapes)
          for (int want = full(s); want >= 1; --want) {
            if (s.block == 512 && (loop || (want != 4 && want != 1))) continue;
            if (smallest_l1 && (want & (want - 1)) != 0) continue;
            add(s, loop, smallest_l1, kFloats, want);
          }
    for (int want : {8, 4, 2, 1})
      for (int shape : {0, 2}) add(kShapes[shape], false, false, kSmallFloats, want);
  }
  std::vector<Variant> list;

 private:
  int full(const Shape& s) const { return p_.maxThreadsPerMultiProcessor / s.block; }

  void add(const Shape& s, bool loop, bool smallest_l1, size_t floats, int want) {
    Variant v{&s, loop, smallest_l1, floats, loop ? s.loop : s.oneshot};
    v.name = std::string(loop ? "mul_loop_" : "mul_oneshot_") + s.name;
    v.family = floats == kSmallFloats ? "t4size" : loop ? "loop" : "oneshot";
    v.shared_bytes = want == full(s) ? 0 : shared_that_caps(p_, want);
    CHECK(cudaFuncSetAttribute(v.kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               v.shared_bytes));
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&v.blocks, v.kernel, s.block,
                                                        v.shared_bytes));
    cudaFuncAttributes f;
    CHECK(cudaFuncGetAttributes(&f, v.kernel));
    v.registers = f.numRegs;
    v.local_bytes = int(f.localSizeBytes);
    v.tiles = unsigned(floats / (size_t(s.load_bytes / 4) * s.block * s.items));
    v.grid = loop ? std::min(v.tiles, unsigned(v.blocks * p_.multiProcessorCount)) : v.tiles;
    v.label = (s.items == 1 ? "tlp1" : "ilp" + std::to_string(s.items)) +
              (s.load_bytes == 16 ? "v4" : "");
    if (v.blocks != full(s)) v.label += "-b" + std::to_string(v.blocks);
    if (s.block != 256) v.label += "-t" + std::to_string(s.block);
    // Registers can cap residency below what was asked for; one row is kept for that cap.
    if (want != full(s) && v.blocks != want) return;
    for (const Variant& w : list)
      if (w.family == v.family && w.label == v.label && w.smallest_l1 == smallest_l1) return;
    list.push_back(std::move(v));
  }

  cudaDeviceProp p_;
};

// ---- running them

struct Arrays {
  float *a, *b, *c;                 // on the device
  float *host_a, *host_b, *host_c;  // pinned

  explicit Arrays(uint64_t seed) {
    for (float** x : {&a, &b, &c}) CHECK(cudaMalloc(x, kFloats * 4));
    for (float** x : {&host_a, &host_b, &host_c}) CHECK(cudaMallocHost(x, kFloats * 4));
    const uint64_t seed_a = mix(seed), seed_b = mix(seed + 1);
    parallel(kFloats, [&](size_t begin, size_t end) {
      for (size_t i = begin; i < end; ++i) {
        host_a[i] = random_float(seed_a, i);
        host_b[i] = random_float(seed_b, i);
      }
    });
    CHECK(cudaMemcpy(a, host_a, kFloats * 4, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(b, host_b, kFloats * 4, cudaMemcpyHostToDevice));
  }
};

static void prepare(const Variant& v) {
  CHECK(cudaFuncSetAttribute(v.kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             v.shared_bytes));
  CHECK(cudaFuncSetAttribute(v.kernel, cudaFuncAttributePreferredSharedMemoryCarveout,
                             v.smallest_l1 ? int(cudaSharedmemCarveoutMaxShared)
                                           : int(cudaSharedmemCarveoutDefault)));
}

static void launch(const Variant& v, const Arrays& x, size_t slice) {
  const size_t offset = (slice * v.floats) % kFloats;
  const float *a = x.a + offset, *b = x.b + offset;
  float* c = x.c + offset;
  unsigned tiles = v.tiles;
  void* arguments[] = {&a, &b, &c, &tiles};
  CHECK(cudaLaunchKernel(v.kernel, dim3(v.grid), dim3(v.shape->block), arguments, v.shared_bytes,
                         nullptr));
  CHECK(cudaGetLastError());
}

// Elements of the whole output that differ from the host's product in any bit.
static long long wrong_elements(const Variant& v, const Arrays& x) {
  prepare(v);
  CHECK(cudaMemset(x.c, 0xFF, kFloats * 4));  // NaN everywhere; no product here is NaN
  for (size_t slice = 0; slice < kFloats / v.floats; ++slice) launch(v, x, slice);
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaMemcpy(x.host_c, x.c, kFloats * 4, cudaMemcpyDeviceToHost));
  std::atomic<long long> wrong{0};
  parallel(kFloats, [&](size_t begin, size_t end) {
    long long part = 0;
    for (size_t i = begin; i < end; ++i)
      part += !same_bits(x.host_a[i] * x.host_b[i], x.host_c[i]);
    wrong += part;
  });
  return wrong;
}

static void time_all(std::vector<Variant>& list, const Arrays& x, Timer& timer, int rounds,
                     uint64_t seed) {
  std::vector<size_t> order(list.size());
  std::iota(order.begin(), order.end(), size_t(0));
  for (int round = 0; round < rounds; ++round) {
    if (round == 1) std::reverse(order.begin(), order.end());
    if (round >= 2) std::shuffle(order.begin(), order.end(), std::mt19937_64(seed + round));
    for (size_t i : order) {
      prepare(list[i]);
      const auto ms = timer([&](int k) { launch(list[i], x, size_t(k)); });
      list[i].ms.insert(list[i].ms.end(), ms.begin(), ms.end());
      list[i].round_medians.push_back(median(ms));
    }
  }
}

static Object row(const Variant& v) {
  const int warps = v.blocks * v.shape->block / 32;
  const auto ends = std::minmax_element(v.round_medians.begin(), v.round_medians.end());
  return Object()
      .text("family", v.family)
      .text("label", v.label)
      .text("l1", v.smallest_l1 ? "smallest" : "driver")
      .text("kernel", v.name)
      .count("items", v.shape->items)
      .count("load_bytes", v.shape->load_bytes)
      .count("block", v.shape->block)
      .count("blocks_per_sm", v.blocks)
      .count("resident_warps", warps)
      .count("loads_per_thread", 2 * v.shape->items)
      .count("loads_in_flight", warps * 2 * v.shape->items)
      .count("shared_bytes", v.shared_bytes)
      .count("registers", v.registers)
      .count("local_bytes", v.local_bytes)
      .count("bytes", (long long)(v.floats * 12))
      .times(v.ms)
      .real("round_spread", *ends.second / *ends.first - 1)
      .count("wrong", v.wrong);
}

int main(int argc, char** argv) {
  const Options o = parse_options(argc, argv);
  Variants variants;
  auto& list = variants.list;
  const Arrays x(o.seed);
  if (o.once) {  // only what the capture shows
    for (const Variant& v : list) {
      if (v.family != "oneshot" || v.smallest_l1) continue;
      prepare(v);
      launch(v, x, 0);
      CHECK(cudaDeviceSynchronize());
    }
    return kDone;
  }

  long long wrong = 0;
  for (Variant& v : list) wrong += v.wrong = wrong_elements(v, x);

  constexpr int kRounds = 3;
  Timer timer(5, 51);
  const double copy_ms = median(timer([&](int) {
    CHECK(cudaMemcpyAsync(x.c, x.a, kFloats * 4, cudaMemcpyDeviceToDevice, nullptr));
  }));
  time_all(list, x, timer, kRounds, o.seed);

  std::vector<Object> rows;
  for (const Variant& v : list) rows.push_back(row(v));
  const Object settings = Object()
                              .count("floats", (long long)kFloats)
                              .count("warmups", timer.warmups())
                              .count("repeats", timer.repeats() * kRounds)
                              .count("rounds", kRounds)
                              .real("copy_gbps", kFloats * 8 / copy_ms / 1e6);
  return write_run(o, settings, rows, wrong);
}
