/// What a point of `serving` says by itself: numbers, parts, steps, memory, Little's law, rates and capacity.
#pragma once

#include <cmath>
#include <string>

#include "models/serving/points/published.hpp"
#include "tests/support/property_tally.hpp"
#include "tests/support/serving_domain.hpp"

namespace dfsweep::testing::point_checks {

using serving::Metric;
using serving::Parameter;
using serving::Status;
using enum serving::Parameter;

inline constexpr double rounding = ServingPoints::rounding;
/// Tokens of more answers that ride on small chunks touch more experts in each, so that a larger batch may be slower by
/// a trace.
inline constexpr double trace = 1 + 5e-3;
/// The closed form of requests under load is solved to less than this.
inline constexpr double solved = 1 + 2e-4;
/// Answers of a burst decode beside the mean number of others in a steady state that there is not.
inline constexpr double burst_steps = 1 + 0.15;

inline const Metric times[] = {Metric::time_to_first_token, Metric::time_per_output_token, Metric::request_latency};
inline const Metric latencies[] = {Metric::request_latency};
inline const Metric rates[] = {Metric::request_rate,    Metric::token_rate,  Metric::token_rate_per_device,
                               Metric::prefill_rate,    Metric::decode_rate, Metric::token_rate_per_user,
                               Metric::speculative_rate};
inline const Metric served_rates[] = {Metric::request_rate, Metric::token_rate, Metric::token_rate_per_device};

inline bool is_close(double a, double b, double factor = rounding) {
  return std::abs(a - b) <= (factor - 1) * std::abs(b);
}

/// What requests of a point wait for.
enum class Kind { together, endless, queue, users, rate, share };

inline Kind kind_of(const ServingPoint& p) {
  if (p[batching].text == "static") return Kind::together;
  if (is_given(p.number(concurrency))) return Kind::users;
  if (is_given(p.number(arrival_rate))) return Kind::rate;
  if (p.number(load) < 1) return Kind::share;
  return is_given(p.number(requests)) ? Kind::queue : Kind::endless;
}
inline bool is_loaded(Kind kind) {
  return kind >= Kind::users;
}

/// Whether users send few requests each: all of them begin at once and end, so that there is hardly a steady state.
inline bool is_burst(const ServingPoint& p) {
  if (kind_of(p) != Kind::users) return false;
  const double users = p.number(concurrency);
  return (is_given(p.number(requests)) ? p.number(requests) / users : p.number(requests_per_user)) < 10;
}

/// Attention ranks of a replica.
inline double ranks_of(const ServingPoint& p) {
  if (is_given(p.number(decode_attention_data_parallel))) return p.number(decode_attention_data_parallel);
  if (is_given(p.number(attention_data_parallel))) return p.number(attention_data_parallel);
  const double cut =
      is_given(p.number(decode_tensor_parallel)) ? p.number(decode_tensor_parallel) : p.number(tensor_parallel);
  return p[attention_parallel].text == "data" ? cut : 1.0;
}

/// Replicas that write answers.
inline double replicas_of(const ServingPoint& p) {
  const auto or_one = [&](Parameter count) { return is_given(p.number(count)) ? p.number(count) : 1.0; };
  if (is_given(p.number(decode_replicas))) return p.number(decode_replicas);
  if (!is_given(p.number(device_count))) return or_one(replicas);
  return p.number(device_count) /
         (p.number(tensor_parallel) * or_one(attention_data_parallel) * p.number(pipeline_parallel));
}

/// Whether requests without end, or of a queue, wait for their turns at the fronts, so that what is faster lengthens
/// this wait.
inline bool waits_for_fronts(const ServingPoints& points, std::size_t i) {
  constexpr double serial = 3e-4;  // s, of all engines here
  const ServingPoint& p = points.point(i);
  if (kind_of(p) != Kind::endless && kind_of(p) != Kind::queue) return false;
  const bool is_separate = p[pools].text == "separate";
  const double fronts = !is_separate                           ? replicas_of(p)
                        : is_given(p.number(prefill_replicas)) ? p.number(prefill_replicas)
                                                               : 1.0;
  return points.metric(i, Metric::request_latency) <= points.metric(i, Metric::users) * serial / fronts * rounding;
}

/// What one point says, by itself.
class Alone {
 public:
  Alone(const ServingPoints& points, std::size_t i, PropertyTally& tally)
      : points_(points), i_(i), kind_(kind_of(points.point(i))), tally_(tally) {}

  void check() const {
    check_capacity();
    if (!is_given(metric(Metric::request_latency))) return;
    check_numbers();
    check_parts();
    check_steps();
    check_memory();
    check_little();
    check_rates();
  }

 private:
  [[nodiscard]] double metric(Metric m) const { return points_.metric(i_, m); }
  [[nodiscard]] double number(Parameter p) const { return points_.point(i_).number(p); }
  [[nodiscard]] bool runs() const { return has(Status::ok); }
  [[nodiscard]] bool has(Status status) const { return points_.status(i_) == index_of(status); }
  [[nodiscard]] double or_else(Parameter p, double otherwise) const {
    return is_given(number(p)) ? number(p) : otherwise;
  }
  [[nodiscard]] double replicas() const { return replicas_of(points_.point(i_)); }
  [[nodiscard]] double ranks() const { return ranks_of(points_.point(i_)); }
  /// Requests of a replica that can be there at once; infinite without end.
  [[nodiscard]] double there() const {
    const double users = std::min(or_else(concurrency, INFINITY), or_else(requests, INFINITY)) / replicas();
    return is_given(number(concurrency)) ? std::max(1.0, users) : users;
  }
  void tell(const char* property, bool holds, double found = absent, double wanted = absent) const {
    tally_.check(property, holds,
                 [&] { return fmt::format("{} against {} with{}", found, wanted, points_.point(i_).text()); });
  }

  void check_numbers() const {
    for (const Metric m : all_of<Metric>)
      if (is_given(metric(m)))
        tell("metrics are finite and not negative", std::isfinite(metric(m)) && metric(m) >= 0, metric(m));
    for (const Metric m : times) tell("times are positive", metric(m) > 0, metric(m));
    for (const Metric m : served_rates) tell("rates are positive", metric(m) > 0, metric(m));
    tell("no more than the peak", metric(Metric::model_flops_utilization) <= rounding,
         metric(Metric::model_flops_utilization));
  }

  void check_parts() const {
    const double output = number(output_tokens);
    const double next = metric(Metric::time_per_output_token);
    const double first = metric(Metric::time_to_first_token);
    tell("a request is its first token and the others",
         is_close(metric(Metric::request_latency), first + (output - 1) * next));
    tell("tokens of requests", is_close(metric(Metric::token_rate), output * metric(Metric::request_rate)));
    tell("a user's tokens", is_close(metric(Metric::token_rate_per_user), 1 / next));
    if (is_given(number(device_count)))
      tell("tokens of devices",
           is_close(metric(Metric::token_rate_per_device) * number(device_count), metric(Metric::token_rate)));
    if (is_given(metric(Metric::waiting_time)))
      tell("who waits has no first token", metric(Metric::waiting_time) <= first * rounding,
           metric(Metric::waiting_time), first);
    const double limit = number(time_per_output_token_limit);
    // Under load a limit of the times between tokens does not bind an answer of one token.
    const bool has_next = output > 1 || !is_loaded(kind_);
    if (is_given(limit) && runs() && has_next)
      tell("the limit of a token's time", next <= limit * rounding, next, limit);
    const double first_limit = number(time_to_first_token_limit);
    if (is_given(first_limit) && runs())
      tell("the limit of a first token", first <= first_limit * rounding, first, first_limit);
  }

  void check_steps() const {
    const double later = number(output_tokens) - 1;
    const double running = metric(Metric::running_batch);
    const double sequences = replicas() * std::max(1.0, running) * number(beams);
    const double step = sequences / metric(Metric::decode_rate);
    const double next = metric(Metric::time_per_output_token);
    const double together = is_burst(points_.point(i_)) ? burst_steps : trace;
    // Under load a first token reaches its client a step late, and the last one does not.
    const double accepted = is_given(metric(Metric::acceptance_length)) ? metric(Metric::acceptance_length) : 1.0;
    const double steps = is_loaded(kind_) ? std::max(0.0, later - accepted) : later;
    tell("answers take their steps at least", steps * step <= later * next * together, steps * step, later * next);
    const double decoded = later * metric(Metric::request_rate) * number(beams);
    tell("answers are decoded", decoded <= metric(Metric::decode_rate) * together, decoded,
         metric(Metric::decode_rate));
    tell("no more run than there are users", running <= there() * solved, running, there());
    if (!has(Status::out_of_memory))
      // An attention rank holds one sequence at least.
      tell("no more run than the batch", !(running > std::max(number(batch), ranks()) * rounding), running,
           number(batch));
    if (is_given(metric(Metric::cache_use)))
      tell("no more cache than there is", metric(Metric::cache_use) <= solved, metric(Metric::cache_use));
  }

  void check_memory() const {
    const double used = metric(Metric::memory_used);
    tell("weights and cache are in the memory",
         metric(Metric::weight_memory) + metric(Metric::cache_memory) <= used * rounding);
    tell("what runs fits", !runs() || used <= number(dram_capacity) * rounding, used, number(dram_capacity));
    tell("a shortfall is above one", runs() || metric(Metric::shortfall) * rounding >= 1, metric(Metric::shortfall));
    const double most = metric(Metric::max_batch);
    // Replicas that read prompts may be short of memory where those that write answers are not.
    if (!is_given(most) || points_.point(i_)[pools].text == "separate") return;
    const bool is_full = has(Status::out_of_memory);
    if (is_given(metric(Metric::best_batch))) {
      // Engines may keep room for the largest answer, and prompts carry former turns.
      const bool needs_more = number(turns) > 1 || number(output_spread) > 0;
      tell("a batch is chosen where one request fits", is_full == (most < 1) || (is_full && needs_more));
      if (runs()) tell("the best batch fits", metric(Metric::best_batch) <= most);
    } else {
      const double at_once = std::min(number(batch), there());
      if (at_once <= most) tell("a batch that fits", !is_full, at_once, most);
      if (number(cache_share) == 1 && at_once >= most + 1) tell("a batch that does not fit", is_full, at_once, most);
    }
  }

  /// Users = rate x (latency + think), whoever waits; without waiting they are the batch. A queue that ends is no
  /// steady state.
  void check_little() const {
    if (kind_ == Kind::queue || (kind_ == Kind::together && is_given(number(requests)))) return;
    const double think = is_loaded(kind_) ? number(think_time) : 0.0;
    const double inside = metric(Metric::request_rate) * (metric(Metric::request_latency) + think);
    const double users = metric(Metric::users);
    tell("Little's law", is_close(inside, users), inside, users);
    if (!is_loaded(kind_))
      tell("the batch is in the system", is_close(users, replicas() * metric(Metric::running_batch)));
    if (kind_ != Kind::users || has(Status::out_of_memory)) return;
    const double sent = std::min(number(concurrency), or_else(requests, INFINITY));
    tell("no more users than there are", users <= sent * solved, users, sent);
    if (!is_given(number(requests)) && number(requests_per_user) >= 1e9)
      tell("users who go on are all there", is_close(users, sent, solved), users, sent);
  }

  /// What arrives is served, where it is no more than can be.
  void check_rates() const {
    if (has(Status::out_of_memory)) return;
    const double rate = metric(Metric::request_rate);
    check_highest_rate(rate);
    if (kind_ == Kind::rate) tell("what arrives is served", is_close(rate, number(arrival_rate), solved), rate);
    const bool is_limited =
        is_given(number(time_per_output_token_limit)) || is_given(number(time_to_first_token_limit));
    if (kind_ != Kind::share || is_limited) return;
    const double share = number(load) * metric(Metric::capacity);
    tell("a share of the highest rate", is_close(rate, share, 1 + 1e-3), rate, share);
  }

  /// Requests without end are served no faster than the highest rate of a stream, whose closed form is another one. It
  /// does not take prompts as equally long and read in full chunks, which few tokens of prompts or answers do not fill;
  /// and ranks or stages wait for one another, and sequences take the chunk that prompts need.
  void check_highest_rate(double rate) const {
    constexpr double other_form = 1 + 0.5;
    const double capacity = metric(Metric::capacity);
    const double sequences = metric(Metric::running_batch) * number(beams);
    const double chunk = or_else(chunk_tokens, 8192.0);
    const bool is_limited =
        is_given(number(time_per_output_token_limit)) || is_given(number(time_to_first_token_limit));
    if (kind_ != Kind::endless || !runs() || !is_given(capacity) || is_limited) return;
    if (number(prompt_tokens) < 256 || number(output_tokens) <= 16 || number(prompt_spread) > 0) return;
    if (ranks() > 1 || number(pipeline_parallel) > 1 || number(beams) > 1 || number(turns) > 1 ||
        2 * sequences * speculated() > chunk)
      return;
    tell("no more than the highest rate", rate <= capacity * other_form, rate, capacity);
  }
  /// Tokens of a sequence in a step.
  [[nodiscard]] double speculated() const {
    if (points_.point(i_)[speculation].text == "none") return 1.0;
    return is_given(number(verified_tokens)) ? number(verified_tokens) : std::exp2(number(draft_window));
  }

  /// An open stream breaks a limit, or is too much, where it is more than the capacity.
  void check_capacity() const {
    const double capacity = metric(Metric::capacity);
    if (kind_ != Kind::rate || !is_given(capacity)) return;
    const double rate = number(arrival_rate);
    if (runs())
      tell("what runs is within the capacity", rate <= capacity * (1 + 1e-3), rate, capacity);
    else
      tell("what does not run is beyond the capacity", rate >= capacity / (1 + 1e-3), rate, capacity);
  }

  const ServingPoints& points_;
  std::size_t i_;
  Kind kind_;
  PropertyTally& tally_;
};

}  // namespace dfsweep::testing::point_checks
