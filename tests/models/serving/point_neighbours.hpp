/// Neighbours of a point of `serving`, and what is expected of them: more memory, bandwidth or devices, longer prompts
/// and answers, more traffic.
///
/// What is not expected, and why:
///
/// * Under load, prefill_rate, decode_rate and speculative_rate of two machines are of batches of other sizes, which
///   say nothing; neither do both parts of a latency of users, who send sooner where answers end sooner: only their sum
///   falls. `load` is a share of another rate on another machine, so that times may be longer.
/// * Where not one request fits the memory, the figures under load are those of one, or of a user for each replica: no
///   figure is compared with those of a point that fits, and of others only the latency.
/// * Requests without end that take turns at the fronts wait longer for them where the rest is faster: only their
///   latency falls.
/// * Where attention ranks wait for one another's prompts, they do so for some decode steps, and until each has enough
///   tokens: longer prompts and answers let more of them be read together.
/// * With several turns, more users keep fewer conversations in the cache, whose tokens are read again: no rate has to
///   grow with them.
/// * Where a chunk is smaller than the sequences that may decode, it leaves one token for prompts, and a crowd is
///   served at their pace: no rate has to grow with the users.
/// * Of answers of up to 16 tokens the closed form knows the latency better than its two parts, which are not compared
///   where traffic or memory change.
/// * Rates of users who send few requests each (`burst`) are those of one crowd that comes at once and leaves.
#pragma once

#include <cmath>
#include <string>

#include "tests/models/serving/point_checks.hpp"

namespace dfsweep::testing::point_checks {

/// Decoding sequences take tokens of the chunk that prompts lack, so that more of them may serve less: users, whose
/// number is given, more than a stream.
inline constexpr double crowded = 1 + 0.3;
inline constexpr double crowded_stream = 1 + 0.15;
inline constexpr double crowded_small_chunk = 2;
/// The highest rate of several ranks, whose prompts take several chunks each, is known to some per cent.
inline constexpr double several_ranks = 1 + 3e-2;
/// Of answers of two or three steps, and of many beams, a step takes longer than a chunk of prompts; steps without
/// answers in between read more than the closed form counts. Of a burst, those who wait for a place come later.
inline constexpr double crowded_by_steps = 1 + 0.4;
/// The first token of an answer is of another form than the later ones, whose steps read prompts too.
inline constexpr double first_answers = 1 + 0.3;
/// Longer prompts of users fill chunks that were not full.
inline constexpr double longer_prompts = 1 + 2e-2;
/// Who comes in the first wave is not held up by the prompts of later requests; how many come in it depends on what is
/// compared.
inline constexpr double burst = 3;
inline constexpr double burst_machine = 1 + 4e-2;
inline constexpr double burst_small_chunk = 1 + 0.3;

/// Neighbours of a base point.
class Neighbours {
 public:
  Neighbours(ServingPoints& points, const ServingPoint& base)
      : points_(points),
        base_(base),
        kind_(kind_of(base)),
        ranks_(ranks_of(base)),
        is_burst_(is_burst(base)),
        b_(points.add(base)) {}

  void add() {
    for (const double factor : {1.01, 2.0, 25.0, 1000.0}) {
      add_faster("faster memory", dram_bandwidth, factor);
      add_faster("a higher peak", peak_flops, factor);
      add_faster("faster links", link_bandwidth, factor);
      add_faster("faster outer links", outer_link_bandwidth, factor);
      add_roomier(factor);
    }
    add_prompts();
    add_answers();
    add_batches();
    add_traffic();
    add_devices();
  }

 private:
  [[nodiscard]] double number(Parameter p) const { return base_.number(p); }
  [[nodiscard]] bool has_batch() const { return is_given(number(batch)); }
  [[nodiscard]] bool has_limit() const {
    return is_given(number(time_per_output_token_limit)) || is_given(number(time_to_first_token_limit));
  }
  std::size_t with(Parameter p, double value) { return points_.add(ServingPoint(base_).set(p, value)); }
  template <std::size_t n>
  void expect(const std::string& why, std::size_t less, std::size_t more, const Metric (&metrics)[n],
              double factor = 1) {
    const char* const of[] = {"", "", "", " (users)", " (rate)", " (share)"};
    for (const Metric m : metrics) points_.expect_less(why + of[index_of(kind_)], less, more, m, factor);
  }

  void add_faster(const char* why, Parameter p, double factor) {
    const std::size_t fast = with(p, number(p) * factor);
    const bool trades = kind_ == Kind::users || kind_ == Kind::share;
    if (!trades || !has_limit()) points_.expect_runs(std::string("runs with ") + why, b_, fast);
    if (is_loaded(kind_)) {
      add_faster_under_load(why, fast);
      return;
    }
    if (has_batch() || !has_limit()) {
      expect(why, fast, b_, times);
      expect(why, b_, fast, rates);
    } else {
      expect(why, b_, fast, served_rates);  // of another batch
    }
  }
  /// A batch of another size decodes and reads, so that prefill_rate and decode_rate say nothing. Users who have their
  /// answers sooner send sooner, so that first tokens may wait for more answers, or answers for more prompts: only the
  /// sum is less. A share of a higher rate is more work.
  void add_faster_under_load(const char* why, std::size_t fast) {
    expect(why, b_, fast, served_rates, of_machine());
    if (kind_ == Kind::rate && !has_short_answers()) expect(why, fast, b_, times, solved);
    if (kind_ == Kind::rate && has_short_answers()) expect(why, fast, b_, latencies, solved);
    if (kind_ == Kind::users) expect(why, fast, b_, latencies, of_machine());
  }
  [[nodiscard]] double of_machine() const {
    if (is_burst_) return has_small_chunk() ? burst_small_chunk : burst_machine;
    return ranks_ > 1 && kind_ != Kind::rate ? several_ranks : solved;
  }
  /// Answers of few tokens, of which what is read and decoded while one is there differs from the mean moment.
  [[nodiscard]] bool has_short_answers() const { return number(output_tokens) <= 16; }
  /// Of answers of few steps, or of many beams.
  [[nodiscard]] bool has_long_steps() const {
    const double step = base_[speculation].text == "none" ? 1.0 : number(draft_window) + 1;
    return number(output_tokens) <= 3 * step || number(beams) > 1;
  }
  /// More places, more memory or more traffic: rates grow, but for `crowded`.
  [[nodiscard]] double of_crowd() const {
    if (!is_loaded(kind_)) return trace;
    if (has_small_chunk()) return crowded_small_chunk;
    if (kind_ != Kind::users) return crowded_stream;
    return is_burst_ || has_long_steps() ? crowded_by_steps : crowded;
  }
  [[nodiscard]] bool has_small_chunk() const { return is_loaded(kind_) && number(chunk_tokens) < 256; }
  void add_roomier(double factor) {
    const std::size_t roomy = with(dram_capacity, number(dram_capacity) * factor);
    if (has_batch() || !is_loaded(kind_) || !has_limit()) points_.expect_runs("runs with more memory", b_, roomy);
    points_.expect_less("more memory", b_, roomy, Metric::max_batch);
    expect("more memory", b_, roomy, served_rates, of_crowd());
    if (!has_batch()) return;
    expect("memory changes no time", roomy, b_, times);
    expect("memory changes no time", b_, roomy, times);
  }

  [[nodiscard]] double of_prompts() const {
    if (kind_ == Kind::share && has_small_chunk()) return crowded_stream;
    if (kind_ != Kind::users) return ranks_ > 1 ? longer_prompts : solved;
    if (is_burst_) return burst;
    return has_small_chunk() ? longer_prompts * longer_prompts : longer_prompts;
  }
  [[nodiscard]] double of_answers() const {
    if (!is_loaded(kind_)) return rounding;
    if (is_burst_) return burst;
    return has_long_steps() ? first_answers : solved;
  }
  /// Whether attention ranks wait until each has prompts.
  [[nodiscard]] bool has_waiting_ranks() const {
    return is_loaded(kind_) && ranks_ > 1 && base_[engine].text == "whole";
  }
  void add_prompts() {
    if (has_waiting_ranks()) return;
    for (const double prompt : {number(prompt_tokens) + 1, number(prompt_tokens) * 2}) {
      const std::size_t longer = with(prompt_tokens, prompt);
      if (has_batch() && (!is_loaded(kind_) || kind_ == Kind::rate))
        // Where ranks wait for others, longer prompts end the wait sooner.
        expect("longer prompts", b_, longer, times, base_[engine].text == "whole" ? longer_prompts : of_prompts());
      if (has_batch() && kind_ == Kind::users) expect("longer prompts", b_, longer, latencies, of_prompts());
      if (has_batch()) points_.expect_less("longer prompts", b_, longer, Metric::memory_used);
      expect("longer prompts", longer, b_, served_rates, of_prompts());
    }
  }
  void add_answers() {
    if (has_waiting_ranks()) return;
    for (const double output : {number(output_tokens) + 1, number(output_tokens) * 2}) {
      const std::size_t longer = with(output_tokens, output);
      // A limit of the mean time of a token allows a larger batch where there are more tokens.
      const Metric request_rates[] = {Metric::request_rate};
      const Metric memories[] = {Metric::memory_used};
      if (has_batch() || !has_limit()) expect("longer answers", longer, b_, request_rates, of_answers());
      if (!has_batch()) continue;
      if (kind_ != Kind::share) expect("longer answers", b_, longer, latencies, of_answers());
      expect("longer answers", b_, longer, memories);
    }
  }
  void add_batches() {
    if (!has_batch()) return;
    const Metric next[] = {Metric::time_per_output_token};
    for (const double more : {number(batch) + 1, number(batch) * 2}) {
      const std::size_t larger = with(batch, more);
      if (kind_ != Kind::share && !is_burst_)
        expect("a larger batch", b_, larger, next, is_loaded(kind_) ? of_crowd() : rounding);
      if (!is_loaded(kind_)) expect("a larger batch", b_, larger, times);  // others wait less for a place
      expect("a larger batch", b_, larger, served_rates, of_crowd());
      points_.expect_less("a larger batch", b_, larger, Metric::memory_used);
      // Under load others wait longer for a place where fewer run.
      if (!is_loaded(kind_)) points_.expect_runs("runs with a smaller batch", larger, b_);
    }
  }
  /// More users, arrivals or load.
  void add_traffic() {
    if (kind_ == Kind::users && has_small_chunk()) return;
    if (!is_loaded(kind_) || !base_.is_open(requests) || number(turns) > 1) return;
    const Parameter p = kind_ == Kind::users ? concurrency : kind_ == Kind::rate ? arrival_rate : load;
    for (const double factor : {1.5, 20.0}) {
      const double more = kind_ == Kind::users ? std::ceil(number(p) * factor) : number(p) * factor;
      if (kind_ == Kind::share && more >= 1) continue;
      const std::size_t busier = with(p, more);
      const Metric users_inside[] = {Metric::users};
      const Metric states[] = {Metric::waiting_time, Metric::running_batch};
      // Beams of answers of two or three tokens take longer than the prompts, which wait beside them for each chunk.
      if (number(beams) <= 1 || number(output_tokens) > 3) expect("more traffic", b_, busier, served_rates, of_crowd());
      expect("more traffic", b_, busier, users_inside, is_burst_ ? burst_machine : solved);
      if (is_burst_) continue;
      if (base_[engine].text == "whole") continue;  // where its ranks wait for prompts, more of these come sooner
      expect("more traffic", b_, busier, latencies, of_crowd());
      if (has_short_answers()) continue;
      expect("more traffic", b_, busier, times, of_crowd());
      expect("more traffic", b_, busier, states, crowded_by_steps * crowded_by_steps);
    }
  }

  void add_devices() {
    ServingPoint twice = base_;
    for (const Parameter p : {device_count, replicas, prefill_replicas, decode_replicas})
      if (is_given(number(p))) twice.set(p, number(p) * 2);
    if (!is_given(number(device_count)) && !is_given(number(replicas)) && !is_given(number(decode_replicas)))
      twice.set(replicas, 2);
    const std::size_t copies = points_.add(twice);
    // Fewer users of a replica: more of their conversations are kept.
    if (number(turns) > 1 || (kind_ == Kind::users && has_small_chunk())) return;
    expect("twice the replicas", copies, b_, served_rates, 2 * of_crowd());
    if (!has_batch()) return;  // more memory for the same weights has room for more than twice the batch
    const Metric token_rates[] = {Metric::token_rate};
    expect("twice the replicas", b_, copies, token_rates, of_crowd());
    if (is_loaded(kind_)) expect("twice the replicas", copies, b_, latencies, of_crowd());
    if (!is_given(number(device_count)) || kind_ == Kind::rate) return;
    // Leaving a node may be a gain where its links are the slower ones; three ranks leave a part of a node free, which
    // twice as many devices may fill.
    if (number(link_bandwidth) < number(outer_link_bandwidth) || number(link_latency) > 5e-6 || ranks_ == 3) return;
    for (const Parameter degree : {tensor_parallel, pipeline_parallel}) {
      if (!base_.is_open(requests) || !base_.is_open(node_devices) || base_[attention_parallel].text == "data")
        continue;
      ServingPoint point = base_;
      point.set(degree, number(degree) * 2).set(device_count, number(device_count) * 2);
      expect(degree == tensor_parallel ? "twice the tensor group" : "twice the stages", points_.add(point), b_,
             token_rates, 2 * of_crowd());
    }
  }

  ServingPoints& points_;
  const ServingPoint& base_;
  Kind kind_;
  double ranks_;  ///< attention ranks of a replica
  bool is_burst_;
  std::size_t b_;
};

}  // namespace dfsweep::testing::point_checks
