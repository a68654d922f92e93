/// Bench: making and asking the predictors of one replica, on one core, with generated tables of the published sizes.
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <vector>

#include "models/measured_tables/predictors/cross_validation.hpp"
#include "models/measured_tables/predictors/curve.hpp"
#include "models/measured_tables/predictors/forest.hpp"
#include "models/measured_tables/predictors/make_curve.hpp"
#include "models/measured_tables/predictors/surface.hpp"
#include "models/statistics/random.hpp"

namespace {

using namespace dfsweep;

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Measured time: rounded to 1 us, with noise of one per cent.
double measured(double seconds, std::uint64_t row) {
  const double noise = static_cast<double>(random_bits(1, row) >> 40) / static_cast<double>(1u << 24) - 0.5;
  return std::ceil(seconds * (1.0 + 0.02 * noise) * 1e6) * 1e-6;
}

/// Tables of one replica: ten operators over 259 numbers of tokens in tiles, one collective over 993, attention over a
/// grid of 128 batches by 79 contexts and over the 4206 prompts of such contexts and chunks that fit into 4096 tokens.
struct Replica {
  std::vector<CurvePoint> tokens, bytes;
  std::vector<DecodePoint> decode;
  std::vector<PrefillPoint> prefill;
};

Replica generate() {
  Replica replica;
  std::uint64_t row = 0;
  for (double t = 8; t <= 4096; t += t < 1024 ? 8 : t < 2048 ? 16 : 32)
    replica.tokens.push_back({t, measured(3e-5 + 2e-5 * std::ceil(t / 128), ++row)});
  for (double t = 0.125; t < 4096; t += 4.125) replica.bytes.push_back({t, measured(4e-5 + 5e-8 * t, ++row)});
  std::vector<double> contexts;
  for (double c = 32; c <= 4032; c += c < 1024 ? 32 : 64) contexts.push_back(c);
  for (double batch = 1; batch <= 128; ++batch)
    for (const double context : contexts)
      replica.decode.push_back(
          {batch, context, measured(8e-6 + 2e-9 * context * batch + 1e-5 * std::ceil(batch / 27), ++row)});
  contexts.insert(contexts.begin(), 0.0);
  for (const double context : contexts)
    for (double chunk = 64; context + chunk <= 4096; chunk += chunk < 128 ? 16 : chunk < 1024 ? 32 : 64)
      replica.prefill.push_back({context, chunk, measured(1e-5 + 6e-11 * chunk * (context + chunk / 2), ++row)});
  return replica;
}

struct Predictors {
  Curve tokens;
  DecodeSurface decode;
  PrefillSurface prefill;
};

/// All predictors of a replica; ten token operators.
Predictors make(const Replica& replica, PredictionMethod method) {
  const auto start = std::chrono::steady_clock::now();
  for (int op = 0; op < 9; ++op) static_cast<void>(make_curve(replica.tokens, method));
  Curve tokens = make_curve(replica.tokens, method);
  const double curves = seconds_since(start);
  static_cast<void>(make_curve(replica.bytes, method));
  const double network = seconds_since(start) - curves;
  DecodeSurface decode = make_decode_surface(replica.decode, method);
  const double with_decode = seconds_since(start) - curves - network;
  PrefillSurface prefill = make_prefill_surface(replica.prefill, method);
  const double all = seconds_since(start);
  std::printf("%s: 10 token operators %.3f s, all_reduce %.3f s, decode %.3f s, prefill %.3f s; replica %.3f s\n",
              method == PredictionMethod::forest ? "forest" : "fitted", curves, network, with_decode,
              all - curves - network - with_decode, all);
  return {std::move(tokens), std::move(decode), std::move(prefill)};
}

/// Keys all over the grid, in no order.
std::vector<std::uint32_t> keys(std::size_t count, std::uint32_t bound, std::uint64_t seed) {
  std::vector<std::uint32_t> drawn(count);
  for (std::size_t i = 0; i < count; ++i)
    drawn[i] = 1 + static_cast<std::uint32_t>(random_below(random_bits(seed, i), bound));
  return drawn;
}

/// Nanoseconds per call of ask(i), least of five passes.
template <class Ask>
double nanoseconds(std::size_t count, Ask ask) {
  double least = 1e300, sum = 0.0;
  for (int pass = 0; pass < 5; ++pass) {
    const auto start = std::chrono::steady_clock::now();
    for (std::size_t i = 0; i < count; ++i) sum += ask(i);
    least = std::min(least, seconds_since(start));
  }
  if (sum < 0.0) std::puts("");  // so that the calls are not left out
  return least / static_cast<double>(count) * 1e9;
}

void ask(const Predictors& predictors, const char* name) {
  constexpr std::size_t count = 1'000'000;
  const std::vector<std::uint32_t> tokens = keys(count, 4096, 2), batches = keys(count, 128, 3),
                                   contexts = keys(count, 4032, 4), chunks = keys(count, 2048, 5);
  const double curve = nanoseconds(count, [&](std::size_t i) { return predictors.tokens.seconds(tokens[i]); });
  const double decode =
      nanoseconds(count, [&](std::size_t i) { return predictors.decode.seconds(batches[i], contexts[i]); });
  const double prefill =
      nanoseconds(count, [&](std::size_t i) { return predictors.prefill.seconds(contexts[i], chunks[i]); });
  const double covered = nanoseconds(
      count, [&](std::size_t i) { return predictors.prefill.predict(contexts[i], chunks[i]).time.value(); });
  std::printf("%s, keys in no order: curve %.1f ns, decode %.1f ns, prefill %.1f ns, prefill with coverage %.1f ns\n",
              name, curve, decode, prefill, covered);
}

}  // namespace

int main() {
  const Replica replica = generate();
  const Predictors fitted = make(replica, PredictionMethod::fitted);
  const Predictors forest = make(replica, PredictionMethod::forest);
  ask(fitted, "fitted");
  ask(forest, "forest");

  std::vector<ForestSample> samples;
  for (const DecodePoint& p : replica.decode) samples.push_back({p.batch, p.context, p.seconds});
  const Forest trees = grow_forest(samples, ForestSettings{});
  const std::vector<std::uint32_t> batches = keys(2000, 128, 3), contexts = keys(2000, 4032, 4);
  const double walked =
      nanoseconds(batches.size(), [&](std::size_t i) { return trees.predict(batches[i], contexts[i]); });
  const double looked_up =
      nanoseconds(batches.size(), [&](std::size_t i) { return forest.decode.seconds(batches[i], contexts[i]); });
  std::printf("decode by walking 250 trees %.0f ns, by its table %.1f ns: %.0f times faster\n", walked, looked_up,
              walked / looked_up);

  const auto start = std::chrono::steady_clock::now();
  const ValidationErrors tokens = cross_validate(replica.tokens);
  const double curve_seconds = seconds_since(start);
  const ValidationErrors decode = validate_fold(replica.decode, 0);
  const double fold_seconds = seconds_since(start) - curve_seconds;
  std::printf(
      "cross-validation: token operator %.3f s (error %.2f %%, forest %.2f %%), one fold of decode %.3f s "
      "(%.2f %%, %.2f %%)\n",
      curve_seconds, 100 * fitted_error(tokens), 100 * forest_error(tokens), fold_seconds, 100 * fitted_error(decode),
      100 * forest_error(decode));
}
