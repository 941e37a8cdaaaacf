// coalescing: what a warp's load costs when its lanes are not neighbours.
//
// Every variant loads the same number of floats, each once. Lane after lane they lie `stride`
// floats apart, so a warp's 32 floats touch more and more 32-byte sectors: 4 at stride 1, one
// for each lane from stride 8 on. A thread issues 8 independent loads and adds them up in a
// fixed order, so that what is written is an eighth of what is loaded.
//
// Checks: every sum equals the host's, bit for bit, over poisoned output.
//
// Build: nvcc -std=c++17 -O3 -arch=sm_90 -o coalescing coalescing.cu   (../run.py does it all)

#include "../measure.cuh"

#include <atomic>

constexpr int kBlock = 256;
constexpr int kLoads = 8;
constexpr size_t kValues = size_t(1) << 26;  // floats loaded by one launch
constexpr int kMaxStride = 32;
constexpr size_t kFloats = kValues * kMaxStride;  // the array: 8 GiB
constexpr size_t kSums = kValues / kLoads;

// Load k of a thread is item block * 2048 + k * 256 + thread; item i is float i * STRIDE.
template <int STRIDE>
__device__ __forceinline__ void sum_strided(const float* x, float* sums) {
  const size_t first = size_t(blockIdx.x) * (kBlock * kLoads) + threadIdx.x;
  float v[kLoads];
#pragma unroll
  for (int k = 0; k < kLoads; ++k) v[k] = x[(first + k * kBlock) * STRIDE];
  float sum = v[0];
#pragma unroll
  for (int k = 1; k < kLoads; ++k) sum = __fadd_rn(sum, v[k]);
  sums[size_t(blockIdx.x) * kBlock + threadIdx.x] = sum;
}

#define KERNEL(STRIDE)                                                                    \
  extern "C" __global__ void __launch_bounds__(kBlock)                                    \
      strided_##STRIDE(const float* x, float* sums) {                                     \
    sum_strided<STRIDE>(x, sums);                                                         \
  }
KERNEL(1)
KERNEL(2)
KERNEL(4)
KERNEL(8)
KERNEL(16)
KERNEL(32)

struct Case {
  int stride;
  void (*kernel)(const float*, float*);
};
static const Case kCases[] = {{1, strided_1}, {2, strided_2},   {4, strided_4},
                              {8, strided_8}, {16, strided_16}, {32, strided_32}};

__global__ void fill(float* x, size_t n, uint64_t seed) {
  const size_t step = size_t(gridDim.x) * blockDim.x;
  for (size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += step)
    x[i] = __uint_as_float(random_float_bits(seed, i));
}

static void launch(const Case& c, const float* x, float* sums, size_t slice) {
  // Launch after launch moves on, so that no launch finds its floats in L2.
  const size_t floats = kValues * c.stride;
  c.kernel<<<kSums / kBlock, kBlock>>>(x + slice % (kFloats / floats) * floats, sums);
  CHECK(cudaGetLastError());
}

static long long wrong_sums(const Case& c, const float* x, float* sums, uint64_t seed) {
  const size_t slice = 1;
  CHECK(cudaMemset(sums, 0xFF, kSums * 4));
  launch(c, x, sums, slice);
  std::vector<float> got(kSums);
  CHECK(cudaMemcpy(got.data(), sums, kSums * 4, cudaMemcpyDeviceToHost));
  const size_t floats = kValues * c.stride, offset = slice % (kFloats / floats) * floats;
  std::atomic<long long> wrong{0};
  parallel(kSums, [&](size_t begin, size_t end) {
    long long part = 0;
    for (size_t i = begin; i < end; ++i) {
      const size_t first = i / kBlock * (kBlock * kLoads) + i % kBlock;
      float sum = random_float(seed, offset + first * c.stride);
      for (int k = 1; k < kLoads; ++k)
        sum += random_float(seed, offset + (first + k * kBlock) * c.stride);
      part += !same_bits(sum, got[i]);
    }
    wrong += part;
  });
  return wrong;
}

int main(int argc, char** argv) {
  const Options o = parse_options(argc, argv);
  float *x, *sums;
  CHECK(cudaMalloc(&x, kFloats * 4));
  CHECK(cudaMalloc(&sums, kSums * 4));
  fill<<<4096, 256>>>(x, kFloats, o.seed);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  if (o.once) {
    for (const Case& c : kCases) launch(c, x, sums, 0);
    CHECK(cudaDeviceSynchronize());
    return kDone;
  }

  constexpr int kRounds = 3;
  Timer timer(5, 51);
  long long wrong = 0;
  std::vector<long long> wrong_of;
  for (const Case& c : kCases) {
    wrong_of.push_back(wrong_sums(c, x, sums, o.seed));
    wrong += wrong_of.back();
  }
  constexpr size_t kCount = sizeof kCases / sizeof kCases[0];
  std::vector<std::vector<double>> ms(kCount);
  for (int round = 0; round < kRounds; ++round)
    for (size_t k = 0; k < kCount; ++k) {
      const size_t i = round % 2 ? kCount - 1 - k : k;
      const auto times = timer([&](int n) { launch(kCases[i], x, sums, size_t(n)); });
      ms[i].insert(ms[i].end(), times.begin(), times.end());
    }
  std::vector<Object> rows;
  for (size_t i = 0; i < kCount; ++i)
    rows.push_back(Object()
                       .text("label", "stride-" + std::to_string(kCases[i].stride))
                       .text("kernel", "strided_" + std::to_string(kCases[i].stride))
                       .count("stride", kCases[i].stride)
                       .times(ms[i])
                       .count("wrong", wrong_of[i]));
  return write_run(o,
                   Object()
                       .count("values", (long long)kValues)
                       .count("sums", (long long)kSums)
                       .count("loads_per_thread", kLoads)
                       .count("repeats", timer.repeats() * kRounds)
                       .count("rounds", kRounds),
                   rows, wrong);
}
