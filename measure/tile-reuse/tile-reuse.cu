// tile-reuse: how often a matrix product asks global memory for the same value.
//
// C = A * B, n = 4096, float32. Untiled, each thread loads the row and the column of its own
// element of C: 2 n values for n multiply-adds. With a tile, a block copies a TILE x TILE piece
// of A and of B into shared memory once and each value there serves TILE threads, so threads
// load 2 n / TILE values an element. Last, each thread computes a patch of C in registers, and a
// block of TILE x TILE elements needs fewer threads. Loaded values follow from the code: 2 n^3 /
// TILE in all. Caches may answer many of them; that is why time does not fall as fast.
//
// Checks: inputs are whole numbers so small that every partial sum is exact in float32, so
// every variant must equal the host's product in every bit, whatever its order of addition.
//
// Build: nvcc -std=c++17 -O3 -arch=sm_90 -o tile-reuse tile-reuse.cu   (../run.py does it all)

#include "../measure.cuh"

#include <atomic>

constexpr int kN = 4096;
constexpr size_t kElements = size_t(kN) * kN;
constexpr int kLargest = 15;  // inputs are -15 to 15 without 0: |sum| <= 4096 * 225 < 2^24

// ---- kernels

// A block of SIDE x SIDE threads, an element each, no tile.
template <int SIDE>
__device__ __forceinline__ void untiled(const float* a, const float* b, float* c) {
  const int column = blockIdx.x * SIDE + threadIdx.x, row = blockIdx.y * SIDE + threadIdx.y;
  float sum = 0;
#pragma unroll 1
  for (int k0 = 0; k0 < kN; k0 += SIDE) {
#pragma unroll
    for (int k = k0; k < k0 + SIDE; ++k) sum += a[size_t(row) * kN + k] * b[size_t(k) * kN + column];
  }
  c[size_t(row) * kN + column] = sum;
}

// A block of TILE x TILE threads, an element each, operands by way of shared memory.
template <int TILE>
__device__ __forceinline__ void tiled(const float* a, const float* b, float* c) {
  __shared__ float tile_a[TILE][TILE], tile_b[TILE][TILE];
  const int x = threadIdx.x, y = threadIdx.y;
  const int column = blockIdx.x * TILE + x, row = blockIdx.y * TILE + y;
  float sum = 0;
#pragma unroll 1
  for (int k0 = 0; k0 < kN; k0 += TILE) {
    tile_a[y][x] = a[size_t(row) * kN + k0 + x];
    tile_b[y][x] = b[size_t(k0 + y) * kN + column];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < TILE; ++k) sum += tile_a[y][k] * tile_b[k][x];
    __syncthreads();
  }
  c[size_t(row) * kN + column] = sum;
}

// 16 x 16 threads compute TILE x TILE elements, a PATCH x PATCH patch each, DEPTH columns of A
// and rows of B at a time. A thread's elements lie 16 apart, so that neighbouring lanes read
// neighbouring words of shared memory.
template <int TILE, int DEPTH>
__device__ __forceinline__ void patched(const float* a, const float* b, float* c) {
  constexpr int kSide = 16, kPatch = TILE / kSide, kThreads = kSide * kSide;
  constexpr int kCopies = TILE * DEPTH / kThreads;
  __shared__ float tile_a[DEPTH][TILE + 1], tile_b[DEPTH][TILE];
  const int x = threadIdx.x, y = threadIdx.y, thread = y * kSide + x;
  float sum[kPatch][kPatch] = {};
#pragma unroll 1
  for (int k0 = 0; k0 < kN; k0 += DEPTH) {
#pragma unroll
    for (int s = 0; s < kCopies; ++s) {
      const int i = thread + s * kThreads, row = i / DEPTH, k = i % DEPTH;
      tile_a[k][row] = a[size_t(blockIdx.y * TILE + row) * kN + k0 + k];
    }
#pragma unroll
    for (int s = 0; s < kCopies; ++s) {
      const int i = thread + s * kThreads, k = i / TILE, column = i % TILE;
      tile_b[k][column] = b[size_t(k0 + k) * kN + blockIdx.x * TILE + column];
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < DEPTH; ++k) {
      float left[kPatch], right[kPatch];
#pragma unroll
      for (int i = 0; i < kPatch; ++i) {
        left[i] = tile_a[k][y + i * kSide];
        right[i] = tile_b[k][x + i * kSide];
      }
#pragma unroll
      for (int i = 0; i < kPatch; ++i)
#pragma unroll
        for (int j = 0; j < kPatch; ++j) sum[i][j] += left[i] * right[j];
    }
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < kPatch; ++i)
#pragma unroll
    for (int j = 0; j < kPatch; ++j)
      c[size_t(blockIdx.y * TILE + y + i * kSide) * kN + blockIdx.x * TILE + x + j * kSide] =
          sum[i][j];
}

#define KERNEL(NAME, THREADS, ...)                                                        \
  extern "C" __global__ void __launch_bounds__(THREADS)                                   \
      NAME(const float* a, const float* b, float* c) {                                    \
    __VA_ARGS__(a, b, c);                                                                 \
  }
KERNEL(product_untiled_8, 64, untiled<8>)
KERNEL(product_untiled_16, 256, untiled<16>)
KERNEL(product_untiled_32, 1024, untiled<32>)
KERNEL(product_tile_8, 64, tiled<8>)
KERNEL(product_tile_16, 256, tiled<16>)
KERNEL(product_tile_32, 1024, tiled<32>)
KERNEL(product_patch_64, 256, patched<64, 16>)
KERNEL(product_patch_128, 256, patched<128, 16>)

struct Case {
  const char *label, *name;
  void (*kernel)(const float*, const float*, float*);
  int tile;   // each loaded value serves so many multiply-adds
  int side;   // threads along one side of a block
  int patch;  // elements along one side of a thread's patch
};
static const Case kCases[] = {
    {"untiled-8", "product_untiled_8", product_untiled_8, 1, 8, 1},
    {"untiled-16", "product_untiled_16", product_untiled_16, 1, 16, 1},
    {"untiled-32", "product_untiled_32", product_untiled_32, 1, 32, 1},
    {"tile-8", "product_tile_8", product_tile_8, 8, 8, 1},
    {"tile-16", "product_tile_16", product_tile_16, 16, 16, 1},
    {"tile-32", "product_tile_32", product_tile_32, 32, 32, 1},
    {"tile-64-patch-4", "product_patch_64", product_patch_64, 64, 16, 4},
    {"tile-128-patch-8", "product_patch_128", product_patch_128, 128, 16, 8},
};

// ---- inputs and reference

static float small_whole(uint64_t seed, size_t i) {
  const int v = int(random_bits(seed, i) % (2 * kLargest)) - kLargest;
  return float(v < 0 ? v : v + 1);
}

// Rows of the product on the host. Exact in float, as all sums are whole and below 2^24.
static std::vector<float> reference(const std::vector<float>& a, const std::vector<float>& b) {
  std::vector<float> c(kElements, 0.0f);
  parallel(kN, [&](size_t begin, size_t end) {
    constexpr size_t kDepth = 256;  // rows of B that stay in cache over all rows of A
    for (size_t k0 = 0; k0 < kN; k0 += kDepth)
      for (size_t i = begin; i < end; ++i)
        for (size_t k = k0; k < k0 + kDepth; ++k) {
          const float factor = a[i * kN + k];
          const float* row = &b[k * kN];
          float* out = &c[i * kN];
          for (size_t j = 0; j < kN; ++j) out[j] += factor * row[j];
        }
  });
  return c;
}

struct Device {
  float *a, *b, *c;
  void launch(const Case& k) const {
    const int tile = k.side * k.patch;
    k.kernel<<<dim3(kN / tile, kN / tile), dim3(k.side, k.side)>>>(a, b, c);
    CHECK(cudaGetLastError());
  }
};

static long long wrong_elements(const Case& k, const Device& d, const std::vector<float>& want) {
  std::vector<float> got(kElements);
  CHECK(cudaMemset(d.c, 0xFF, kElements * 4));
  d.launch(k);
  CHECK(cudaMemcpy(got.data(), d.c, kElements * 4, cudaMemcpyDeviceToHost));
  std::atomic<long long> wrong{0};
  parallel(kElements, [&](size_t begin, size_t end) {
    long long part = 0;
    // 0 has two signs, and which one a sum of exact terms ends on is not at issue.
    for (size_t i = begin; i < end; ++i) part += !(got[i] == want[i]);
    wrong += part;
  });
  return wrong;
}

int main(int argc, char** argv) {
  const Options o = parse_options(argc, argv);
  std::vector<float> a(kElements), b(kElements);
  const uint64_t seed_a = mix(o.seed), seed_b = mix(o.seed + 1);
  parallel(kElements, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      a[i] = small_whole(seed_a, i);
      b[i] = small_whole(seed_b, i);
    }
  });
  Device d;
  for (float** x : {&d.a, &d.b, &d.c}) CHECK(cudaMalloc(x, kElements * 4));
  CHECK(cudaMemcpy(d.a, a.data(), kElements * 4, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(d.b, b.data(), kElements * 4, cudaMemcpyHostToDevice));
  if (o.once) {
    for (const Case& k : kCases) d.launch(k);
    CHECK(cudaDeviceSynchronize());
    return kDone;
  }

  const std::vector<float> want = reference(a, b);
  constexpr size_t kCount = sizeof kCases / sizeof kCases[0];
  constexpr int kRounds = 3;
  Timer timer(2, 9);
  long long wrong = 0;
  std::vector<long long> wrong_of;
  for (const Case& k : kCases) wrong += wrong_of.emplace_back(wrong_elements(k, d, want));
  std::vector<std::vector<double>> ms(kCount);
  for (int round = 0; round < kRounds; ++round)
    for (size_t k = 0; k < kCount; ++k) {
      const size_t i = round % 2 ? kCount - 1 - k : k;
      const auto times = timer([&](int) { d.launch(kCases[i]); });
      ms[i].insert(ms[i].end(), times.begin(), times.end());
    }
  std::vector<Object> rows;
  for (size_t i = 0; i < kCount; ++i) {
    cudaFuncAttributes f;
    CHECK(cudaFuncGetAttributes(&f, (const void*)kCases[i].kernel));
    rows.push_back(Object()
                       .text("label", kCases[i].label)
                       .text("kernel", kCases[i].name)
                       .count("tile", kCases[i].tile)
                       .count("threads", kCases[i].side * kCases[i].side)
                       .count("outputs_per_thread", kCases[i].patch * kCases[i].patch)
                       .count("shared_bytes", (long long)f.sharedSizeBytes)
                       .count("registers", f.numRegs)
                       .times(ms[i])
                       .count("wrong", wrong_of[i]));
  }
  return write_run(o,
                   Object()
                       .count("n", kN)
                       .count("repeats", timer.repeats() * kRounds)
                       .count("rounds", kRounds),
                   rows, wrong);
}
