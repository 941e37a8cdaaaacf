// What every measuring program shares: options, checked calls, random inputs that host and
// device agree on, timing by events, and the JSON that a run leaves behind.

#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>
#include <random>
#include <sstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

// Exit codes, so that the runner can say what went wrong.
enum Exit { kDone = 0, kCudaFailed = 1, kUsage = 2, kNotWritten = 3, kWrongResult = 4 };

#define CHECK(call)                                                                       \
  do {                                                                                    \
    cudaError_t error_ = (call);                                                          \
    if (error_ != cudaSuccess) {                                                          \
      std::fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call,                  \
                   cudaGetErrorString(error_));                                           \
      std::exit(kCudaFailed);                                                             \
    }                                                                                     \
  } while (0)

// ---- options

struct Options {
  std::string json;    // where the run is written; nowhere when empty
  std::string build;   // the command that built this program
  std::string driver;  // as the driver's own tool names it
  std::string sha256;  // of this program's source
  uint64_t seed = 0;
  bool once = false;  // launch every row's kernel once, in row order, for a profiler
};

inline Options parse_options(int argc, char** argv) {
  Options o;
  o.seed = (uint64_t(std::random_device{}()) << 32) | std::random_device{}();
  for (int i = 1; i < argc; ++i) {
    const std::string name = argv[i];
    if (name == "--once") {
      o.once = true;
      continue;
    }
    if (i + 1 >= argc) {
      std::fprintf(stderr, "%s is unknown or needs a value\n", name.c_str());
      std::exit(kUsage);
    }
    const std::string value = argv[++i];
    if (name == "--json") o.json = value;
    else if (name == "--build") o.build = value;
    else if (name == "--driver") o.driver = value;
    else if (name == "--sha256") o.sha256 = value;
    else if (name == "--seed") o.seed = std::strtoull(value.c_str(), nullptr, 0);
    else {
      std::fprintf(stderr, "unknown option %s\n", name.c_str());
      std::exit(kUsage);
    }
  }
  return o;
}

// ---- inputs

__host__ __device__ inline uint64_t mix(uint64_t z) {
  z += 0x9E3779B97F4A7C15ull;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
  return z ^ (z >> 31);
}

// The 32 bits of input number `index`: the same on host and device.
__host__ __device__ inline uint32_t random_bits(uint64_t seed, uint64_t index) {
  return uint32_t(mix(seed ^ (index * 0xD1342543DE82EF95ull)) >> 32);
}

// The bits of a float of random sign and mantissa in 0.5 <= |x| < 2: never zero, and neither a
// product nor a sum of a few of them is subnormal or infinite.
__host__ __device__ inline uint32_t random_float_bits(uint64_t seed, uint64_t index) {
  const uint32_t h = random_bits(seed, index);
  return (h & 0x807FFFFFu) | ((h & 0x00800000u) ? 0x3F800000u : 0x3F000000u);
}

inline float random_float(uint64_t seed, uint64_t index) {
  const uint32_t bits = random_float_bits(seed, index);
  float f;
  std::memcpy(&f, &bits, 4);
  return f;
}

inline bool same_bits(float x, float y) { return std::memcmp(&x, &y, 4) == 0; }

// Calls f(begin, end) over 0..n in parts, one a core.
template <typename F>
void parallel(size_t n, F f) {
  const unsigned parts = std::max(1u, std::thread::hardware_concurrency());
  std::vector<std::thread> pool;
  for (unsigned k = 0; k < parts; ++k)
    pool.emplace_back([=, &f] { f(n * k / parts, n * (k + 1) / parts); });
  for (auto& thread : pool) thread.join();
}

// ---- timing

inline double median(std::vector<double> v) {
  std::sort(v.begin(), v.end());
  const size_t n = v.size();
  return n % 2 ? v[n / 2] : 0.5 * (v[n / 2 - 1] + v[n / 2]);
}

// Times single launches with a pair of events each, after untimed ones.
class Timer {
 public:
  Timer(int warmups, int repeats) : warmups_(warmups), events_(2 * repeats) {
    for (auto& e : events_) CHECK(cudaEventCreate(&e));
  }
  int repeats() const { return int(events_.size() / 2); }
  int warmups() const { return warmups_; }

  // go(k) launches number k, counted through warm-ups and repeats. Milliseconds, in order.
  template <typename Go>
  std::vector<double> operator()(Go go) {
    for (int i = 0; i < warmups_; ++i) go(i);
    for (int i = 0; i < repeats(); ++i) {
      CHECK(cudaEventRecord(events_[2 * i]));
      go(warmups_ + i);
      CHECK(cudaEventRecord(events_[2 * i + 1]));
    }
    CHECK(cudaDeviceSynchronize());
    std::vector<double> ms;
    for (int i = 0; i < repeats(); ++i) {
      float t;
      CHECK(cudaEventElapsedTime(&t, events_[2 * i], events_[2 * i + 1]));
      ms.push_back(t);
    }
    return ms;
  }

 private:
  int warmups_;
  std::vector<cudaEvent_t> events_;
};

// ---- the run's JSON

inline std::string quote(const std::string& text) {
  std::string out = "\"";
  for (char ch : text) {
    if (ch == '"' || ch == '\\') out += '\\';
    if (static_cast<unsigned char>(ch) >= 32) out += ch;
  }
  return out + '"';
}

// One JSON object, its keys in the order they were added.
class Object {
 public:
  Object& text(const char* key, const std::string& value) { return raw(key, quote(value)); }
  Object& count(const char* key, long long value) { return raw(key, std::to_string(value)); }
  Object& real(const char* key, double value) {
    std::ostringstream s;
    s.precision(9);
    s << value;
    return raw(key, s.str());
  }
  Object& raw(const char* key, const std::string& json) {
    body_ += (body_.empty() ? "" : ", ") + quote(key) + ": " + json;
    return *this;
  }
  Object& times(const std::vector<double>& ms) {
    const auto ends = std::minmax_element(ms.begin(), ms.end());
    return real("ms_min", *ends.first).real("ms_median", median(ms)).real("ms_max", *ends.second);
  }
  std::string str() const { return "{" + body_ + "}"; }

 private:
  std::string body_;
};

inline std::string today() {
  char text[16];
  const std::time_t now = std::time(nullptr);
  std::strftime(text, sizeof text, "%Y-%m-%d", std::gmtime(&now));
  return text;
}

inline Object provenance(const Options& o) {
  cudaDeviceProp p;
  CHECK(cudaGetDeviceProperties(&p, 0));
  int sm_khz = 0, memory_khz = 0, bus_bits = 0;
  CHECK(cudaDeviceGetAttribute(&sm_khz, cudaDevAttrClockRate, 0));
  CHECK(cudaDeviceGetAttribute(&memory_khz, cudaDevAttrMemoryClockRate, 0));
  CHECK(cudaDeviceGetAttribute(&bus_bits, cudaDevAttrGlobalMemoryBusWidth, 0));
  const auto dotted = [](std::initializer_list<int> parts) {
    std::string s;
    for (int part : parts) s += (s.empty() ? "" : ".") + std::to_string(part);
    return s;
  };
  return Object()
      .text("device", p.name)
      .text("compute_capability", dotted({p.major, p.minor}))
      .text("driver", o.driver)
      .text("nvcc", "V" + dotted({__CUDACC_VER_MAJOR__, __CUDACC_VER_MINOR__,
                                  __CUDACC_VER_BUILD__}))
      .text("host_compiler", __VERSION__)
      .text("build", o.build)
      .text("captured", today())
      .text("program_sha256", o.sha256)
      .text("seed", std::to_string(o.seed))
      .count("sms", p.multiProcessorCount)
      .count("max_warps", p.maxThreadsPerMultiProcessor / 32)
      .count("l2_bytes", p.l2CacheSize)
      .count("sm_clock_khz", sm_khz)
      .count("memory_clock_khz", memory_khz)
      .count("memory_bus_bits", bus_bits);
}

// Writes the run; the exit code of the program.
inline int write_run(const Options& o, const Object& settings, const std::vector<Object>& rows,
                     long long wrong) {
  std::ostringstream out;
  out << "{\n\"provenance\": " << provenance(o).str() << ",\n\"settings\": " << settings.str()
      << ",\n\"wrong\": " << wrong << ",\n\"rows\": [";
  for (size_t i = 0; i < rows.size(); ++i) out << (i ? ",\n" : "\n") << rows[i].str();
  out << "\n]\n}\n";
  if (!o.json.empty()) {
    std::ofstream file(o.json);
    file << out.str();
    if (!file.flush()) return kNotWritten;
  }
  if (wrong != 0) std::fprintf(stderr, "%lld wrong results\n", wrong);
  return wrong == 0 ? kDone : kWrongResult;
}
