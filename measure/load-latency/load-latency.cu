// load-latency: how long one load takes when nothing hides it.
//
// One thread follows a chain of pointers, so each load's address is the value of the load
// before it and exactly one load is in flight. The chain visits every 128-byte line of a
// buffer once, in random order, and then starts again. The size of the buffer decides which
// level answers: it stays in L1, in L2, or in neither. Loads are plain ones, which may hit L1, or
// `ld.global.cg`, which go past it.
//
// Checks: the thread must end on the line where the chain says it ends.
//
// Build: nvcc -std=c++17 -O3 -arch=sm_90 -o load-latency load-latency.cu   (../run.py does it all)

#include "../measure.cuh"

#include <numeric>

constexpr size_t kLineBytes = 128;

// The first word of a line holds the address of the next line: nothing is computed between loads.
using Line = unsigned long long;
constexpr size_t kWordsPerLine = kLineBytes / sizeof(Line);

struct Result {
  const Line* end;
  long long warm_cycles, timed_cycles;
};

template <bool L1>
__device__ __forceinline__ const Line* follow(const Line* p) {
  Line next;
  if (L1)
    asm volatile("ld.global.u64 %0, [%1];" : "=l"(next) : "l"(p));
  else
    asm volatile("ld.global.cg.u64 %0, [%1];" : "=l"(next) : "l"(p));
  return reinterpret_cast<const Line*>(next);
}

// L1 does not outlive a launch, so the lap that fills it is in the kernel, before the clock.
// The clock may be read while the last load of a loop is on its way: one in 2^19 or more.
template <bool L1>
__device__ __forceinline__ void chase(const Line* p, int warm, int hops, Result* result) {
  const long long t0 = clock64();
#pragma unroll 1
  for (int i = 0; i < warm; ++i) p = follow<L1>(p);
  const long long t1 = clock64();
#pragma unroll 1
  for (int i = 0; i < hops; ++i) p = follow<L1>(p);
  const long long t2 = clock64();
  *result = {p, t1 - t0, t2 - t1};
}

extern "C" __global__ void chase_any(const Line* start, int warm, int hops, Result* result) {
  chase<true>(start, warm, hops, result);
}
extern "C" __global__ void chase_past_l1(const Line* start, int warm, int hops, Result* result) {
  chase<false>(start, warm, hops, result);
}

__global__ void write_chain(Line* line, const unsigned* order, unsigned lines) {
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < lines; i += gridDim.x * blockDim.x)
    line[size_t(order[i]) * kWordsPerLine] =
        reinterpret_cast<Line>(line + size_t(order[i + 1 < lines ? i + 1 : 0]) * kWordsPerLine);
}

struct Case {
  const char* label;  // names the level that is meant to answer; the profiler confirms it
  size_t kib;
  bool l1;
};

static const Case kCases[] = {
    {"l1-16k", 16, true},           {"l1-64k", 64, true},
    {"l1-128k", 128, true},         {"between-256k", 256, true},
    {"between-512k", 512, true},    {"l2-64k", 64, false},
    {"l2-1m", 1 << 10, false},      {"l2-4m", 4 << 10, false},
    {"l2-8m", 8 << 10, false},      {"l2-16m", 16 << 10, false},
    {"between-32m", 32 << 10, false},  {"between-48m", 48 << 10, false},
    {"between-64m", 64 << 10, false},  {"between-128m", 128 << 10, false},
    {"memory-256m", 256 << 10, false}, {"memory-1g", 1 << 20, false},
    {"memory-4g", 4 << 20, false},
};

class Chain {
 public:
  Chain(const Case& c, uint64_t seed) : lines_(c.kib * 1024 / kLineBytes), order_(lines_) {
    std::iota(order_.begin(), order_.end(), 0u);
    std::shuffle(order_.begin(), order_.end(), std::mt19937_64(seed + c.kib));
    unsigned* order;
    CHECK(cudaMalloc(&line_, lines_ * kLineBytes));
    CHECK(cudaMalloc(&order, lines_ * 4));
    CHECK(cudaMalloc(&result_, sizeof(Result)));
    CHECK(cudaMemcpy(order, order_.data(), lines_ * 4, cudaMemcpyHostToDevice));
    write_chain<<<1024, 256>>>(line_, order, unsigned(lines_));
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(order));
    empty_l2();
  }
  ~Chain() {
    cudaFree(line_);
    cudaFree(result_);
  }
  Chain(const Chain&) = delete;

  size_t lines() const { return lines_; }

  // One launch that goes on where the last one ended.
  Result run(const Case& c, int warm, int hops, float* ms) {
    cudaEvent_t begin, end;
    CHECK(cudaEventCreate(&begin));
    CHECK(cudaEventCreate(&end));
    CHECK(cudaMemset(result_, 0xFF, sizeof(Result)));
    const auto kernel = c.l1 ? chase_any : chase_past_l1;
    CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout,
                               int(cudaSharedmemCarveoutMaxL1)));
    CHECK(cudaEventRecord(begin));
    kernel<<<1, 1>>>(address(position_), warm, hops, result_);
    CHECK(cudaGetLastError());
    CHECK(cudaEventRecord(end));
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaEventElapsedTime(ms, begin, end));
    CHECK(cudaEventDestroy(begin));
    CHECK(cudaEventDestroy(end));
    Result r;
    CHECK(cudaMemcpy(&r, result_, sizeof r, cudaMemcpyDeviceToHost));
    position_ = (position_ + size_t(warm) + size_t(hops)) % lines_;
    wrong += r.end != address(position_);
    return r;
  }
  long long wrong = 0;

 private:
  // Writing the chain left part of it in L2; only a walk may bring lines there.
  static void empty_l2() {
    constexpr size_t kBytes = size_t(512) << 20;
    void* scratch;
    CHECK(cudaMalloc(&scratch, kBytes));
    CHECK(cudaMemset(scratch, 0, kBytes));
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(scratch));
  }

  const Line* address(size_t position) const {
    return line_ + size_t(order_[position]) * kWordsPerLine;
  }
  size_t lines_, position_ = 0;
  std::vector<unsigned> order_;
  Line* line_;
  Result* result_;
};

// An idle card runs slowly for its first moments of work.
static void bring_clocks_up(uint64_t seed) {
  Chain chain(kCases[0], seed);
  float ms;
  for (int i = 0; i < 40; ++i) chain.run(kCases[0], 0, 1 << 20, &ms);
}

int main(int argc, char** argv) {
  const Options o = parse_options(argc, argv);
  constexpr int kRepeats = 7;
  std::vector<Object> rows;
  long long wrong = 0;
  if (!o.once) bring_clocks_up(o.seed);
  for (const Case& c : kCases) {
    Chain chain(c, o.seed);
    // A whole lap warms what can be kept. Where it cannot, no line comes round again before
    // more lines than L2 holds have passed.
    const int warm = chain.lines() <= (1 << 20) ? int(chain.lines()) : 1 << 17;
    const int hops = c.kib <= (16 << 10) ? 1 << 20 : 1 << 19;
    float ms;
    if (o.once) {
      chain.run(c, warm, hops, &ms);
      continue;
    }
    chain.run(c, warm, hops, &ms);
    std::vector<double> cycles, ns;
    for (int i = 0; i < kRepeats; ++i) {
      const Result r = chain.run(c, warm, hops, &ms);
      // The launch's time by events, shared out by the cycles of its two parts.
      const double ns_per_cycle = ms * 1e6 / double(r.warm_cycles + r.timed_cycles);
      cycles.push_back(double(r.timed_cycles) / hops);
      ns.push_back(double(r.timed_cycles) / hops * ns_per_cycle);
    }
    wrong += chain.wrong;
    const auto ends = std::minmax_element(cycles.begin(), cycles.end());
    rows.push_back(Object()
                       .text("label", c.label)
                       .text("kernel", c.l1 ? "chase_any" : "chase_past_l1")
                       .count("footprint_kib", (long long)c.kib)
                       .count("lines", (long long)chain.lines())
                       .count("warm", warm)
                       .count("hops", hops)
                       .real("cycles", median(cycles))
                       .real("cycles_min", *ends.first)
                       .real("cycles_max", *ends.second)
                       .real("ns", median(ns))
                       .count("wrong", chain.wrong));
  }
  if (o.once) return kDone;
  return write_run(o, Object().count("repeats", kRepeats).count("line_bytes", kLineBytes), rows,
                   wrong);
}
