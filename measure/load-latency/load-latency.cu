// load-latency: how long one load takes when nothing hides it.
//
// One thread follows a chain of pointers, so each load's address is the value of the load
// before it and exactly one load is in flight. The chain visits every 128-byte line of a
// buffer once, in random order, and then starts again. The size of the buffer decides which
// level answers: it stays in L1, in L2, or in neither. Loads are plain ones, which may hit L1, or
// `ld.global.cg`, which go past it. One more chain, over words, lies in shared memory.
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
  Line end;  // the address of the next line; in shared memory, the number of the next word
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
  *result = {reinterpret_cast<Line>(p), t1 - t0, t2 - t1};
}

extern "C" __global__ void chase_any(const Line* start, int warm, int hops, Result* result) {
  chase<true>(start, warm, hops, result);
}
extern "C" __global__ void chase_past_l1(const Line* start, int warm, int hops, Result* result) {
  chase<false>(start, warm, hops, result);
}

constexpr unsigned kSharedWords = 4096;  // 16 KiB

__device__ __forceinline__ unsigned follow_shared(unsigned p, int hops) {
#pragma unroll 1
  for (int i = 0; i < hops; ++i) asm volatile("ld.shared.u32 %0, [%0];" : "+r"(p)::"memory");
  return p;
}

// `next` holds the byte offset of each word's successor; in shared memory that is an address.
extern "C" __global__ void chase_shared(const uint4* next, unsigned start, int warm, int hops,
                                        Result* result) {
  __shared__ uint4 chain[kSharedWords / 4];
  const long long t0 = clock64();
  const unsigned base = unsigned(__cvta_generic_to_shared(chain));
  for (unsigned i = 0; i < kSharedWords / 4; ++i) {
    const uint4 n = next[i];
    chain[i] = make_uint4(base + n.x, base + n.y, base + n.z, base + n.w);
  }
  __syncthreads();
  unsigned p = follow_shared(base + start * 4, warm);
  const long long t1 = clock64();
  p = follow_shared(p, hops);
  const long long t2 = clock64();
  *result = {(p - base) / 4, t1 - t0, t2 - t1};
}

__global__ void write_chain(Line* line, const unsigned* order, unsigned lines) {
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < lines; i += gridDim.x * blockDim.x)
    line[size_t(order[i]) * kWordsPerLine] =
        reinterpret_cast<Line>(line + size_t(order[i + 1 < lines ? i + 1 : 0]) * kWordsPerLine);
}

enum Path { kShared, kAny, kPastL1 };
static const char* const kKernelNames[] = {"chase_shared", "chase_any", "chase_past_l1"};

struct Case {
  const char* label;  // names the level that is meant to answer; the profiler confirms it
  size_t kib;
  Path path;
};

static const Case kCases[] = {
    {"shared-16k", 16, kShared},
    {"l1-16k", 16, kAny},
    {"l1-64k", 64, kAny},
    {"l1-128k", 128, kAny},
    {"between-256k", 256, kAny},
    {"between-512k", 512, kAny},
    {"l2-64k", 64, kPastL1},
    {"l2-1m", 1 << 10, kPastL1},
    {"l2-4m", 4 << 10, kPastL1},
    {"l2-8m", 8 << 10, kPastL1},
    {"l2-16m", 16 << 10, kPastL1},
    {"between-24m", 24 << 10, kPastL1},
    {"between-32m", 32 << 10, kPastL1},
    {"between-48m", 48 << 10, kPastL1},
    {"between-64m", 64 << 10, kPastL1},
    {"between-128m", 128 << 10, kPastL1},
    {"memory-256m", 256 << 10, kPastL1},
    {"memory-1g", 1 << 20, kPastL1},
    {"memory-4g", 4 << 20, kPastL1},
};

// Launches one kernel between two events. Milliseconds.
template <typename Launch>
float timed(Launch launch) {
  cudaEvent_t begin, end;
  float ms;
  CHECK(cudaEventCreate(&begin));
  CHECK(cudaEventCreate(&end));
  CHECK(cudaEventRecord(begin));
  launch();
  CHECK(cudaGetLastError());
  CHECK(cudaEventRecord(end));
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaEventElapsedTime(&ms, begin, end));
  CHECK(cudaEventDestroy(begin));
  CHECK(cudaEventDestroy(end));
  return ms;
}

static std::vector<unsigned> random_order(size_t n, uint64_t seed) {
  std::vector<unsigned> order(n);
  std::iota(order.begin(), order.end(), 0u);
  std::shuffle(order.begin(), order.end(), std::mt19937_64(seed));
  return order;
}

// A chain through a buffer, and where the walk along it stands.
class Chain {
 public:
  Chain(const Case& c, uint64_t seed)
      : path_(c.path),
        length_(c.path == kShared ? kSharedWords : c.kib * 1024 / kLineBytes),
        order_(random_order(length_, seed + c.kib)) {
    CHECK(cudaMalloc(&result_, sizeof(Result)));
    if (path_ == kShared) write_offsets();
    else write_lines();
    empty_l2();
  }
  ~Chain() {
    cudaFree(buffer_);
    cudaFree(result_);
  }
  Chain(const Chain&) = delete;

  size_t length() const { return length_; }
  long long wrong() const { return wrong_; }

  // One launch that goes on where the last one ended.
  Result run(int warm, int hops, float* ms) {
    CHECK(cudaMemset(result_, 0xFF, sizeof(Result)));
    *ms = timed([&] { launch(warm, hops); });
    Result r;
    CHECK(cudaMemcpy(&r, result_, sizeof r, cudaMemcpyDeviceToHost));
    position_ = (position_ + size_t(warm) + size_t(hops)) % length_;
    wrong_ += r.end != place(position_);
    return r;
  }

 private:
  void launch(int warm, int hops) const {
    if (path_ == kShared) {
      chase_shared<<<1, 1>>>(static_cast<const uint4*>(buffer_), order_[position_], warm, hops,
                             result_);
      return;
    }
    const auto kernel = path_ == kAny ? chase_any : chase_past_l1;
    CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout,
                               int(cudaSharedmemCarveoutMaxL1)));
    kernel<<<1, 1>>>(reinterpret_cast<const Line*>(place(position_)), warm, hops, result_);
  }

  // What a walk that stands at this position has in hand: see Result::end.
  Line place(size_t position) const {
    if (path_ == kShared) return order_[position];
    return reinterpret_cast<Line>(static_cast<const Line*>(buffer_) +
                                  size_t(order_[position]) * kWordsPerLine);
  }

  void write_offsets() {
    std::vector<unsigned> next(length_);
    for (size_t i = 0; i < length_; ++i) next[order_[i]] = order_[(i + 1) % length_] * 4;
    CHECK(cudaMalloc(&buffer_, length_ * 4));
    CHECK(cudaMemcpy(buffer_, next.data(), length_ * 4, cudaMemcpyHostToDevice));
  }

  void write_lines() {
    unsigned* order;
    CHECK(cudaMalloc(&buffer_, length_ * kLineBytes));
    CHECK(cudaMalloc(&order, length_ * 4));
    CHECK(cudaMemcpy(order, order_.data(), length_ * 4, cudaMemcpyHostToDevice));
    write_chain<<<1024, 256>>>(static_cast<Line*>(buffer_), order, unsigned(length_));
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(order));
  }

  // Writing the chain left part of it in L2; only a walk may bring lines there.
  static void empty_l2() {
    constexpr size_t kBytes = size_t(512) << 20;
    void* scratch;
    CHECK(cudaMalloc(&scratch, kBytes));
    CHECK(cudaMemset(scratch, 0, kBytes));
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(scratch));
  }

  Path path_;
  size_t length_, position_ = 0;
  std::vector<unsigned> order_;
  void* buffer_ = nullptr;
  Result* result_ = nullptr;
  long long wrong_ = 0;
};

// An idle card runs slowly for its first moments of work.
static void bring_clocks_up(uint64_t seed) {
  Chain chain(kCases[0], seed);
  float ms;
  for (int i = 0; i < 40; ++i) chain.run(0, 1 << 20, &ms);
}

static Object measure(const Case& c, Chain& chain, int repeats, int warm, int hops) {
  std::vector<double> cycles, ns;
  for (int i = 0; i < repeats; ++i) {
    float ms;
    const Result r = chain.run(warm, hops, &ms);
    // The launch's time by events, shared out by the cycles of its two parts.
    const double ns_per_cycle = ms * 1e6 / double(r.warm_cycles + r.timed_cycles);
    cycles.push_back(double(r.timed_cycles) / hops);
    ns.push_back(double(r.timed_cycles) / hops * ns_per_cycle);
  }
  const auto ends = std::minmax_element(cycles.begin(), cycles.end());
  return Object()
      .text("label", c.label)
      .text("kernel", kKernelNames[c.path])
      .count("footprint_kib", (long long)c.kib)
      .count("length", (long long)chain.length())
      .count("warm", warm)
      .count("hops", hops)
      .real("cycles", median(cycles))
      .real("cycles_min", *ends.first)
      .real("cycles_max", *ends.second)
      .real("ns", median(ns))
      .count("wrong", chain.wrong());
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
    const int warm = chain.length() <= (1 << 20) ? int(chain.length()) : 1 << 17;
    const int hops = c.kib <= (16 << 10) ? 1 << 20 : 1 << 19;
    float ms;
    chain.run(warm, hops, &ms);  // untimed; all there is to do for a profiler
    if (o.once) continue;
    rows.push_back(measure(c, chain, kRepeats, warm, hops));
    wrong += chain.wrong();
  }
  if (o.once) return kDone;
  return write_run(o, Object().count("repeats", kRepeats).count("line_bytes", kLineBytes), rows,
                   wrong);
}
