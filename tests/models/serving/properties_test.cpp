/// Properties of every point of `serving` that has an estimate: random points of the accepted domain and their
/// neighbours. DFSWEEP_LONG_TESTS=1 in the environment takes 30 times as many.
///
/// Requests under load, by the closed form: what a point says of itself holds as it does without waiting (Little's law,
/// parts, limits, capacity). Neighbours are compared to 3 %, and two comparisons in a hundred of a kind may miss that:
/// the form is solved for one mean request. A faster machine shortens the latency and raises the rate of users, who
/// then send sooner, so that first tokens or the times between tokens may take longer; at a given rate all times fall.
/// At a share of the highest rate, a faster machine gets more requests.
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstdlib>

#include "models/profiled/estimator.hpp"
#include "models/serving/estimator.hpp"
#include "tests/support/property_tally.hpp"
#include "tests/support/serving_domain.hpp"

BOOST_AUTO_TEST_SUITE(properties_test)

using namespace dfsweep;
using namespace dfsweep::serving;
using testing::PropertyTally;
using testing::RandomValues;
using testing::ServingCatalogue;
using testing::ServingPoint;
using testing::ServingPoints;

namespace {

using enum Parameter;

constexpr double rounding = ServingPoints::rounding;
/// Tokens of more answers that ride on small chunks touch more experts in each, so that a larger batch may be slower by
/// a trace.
constexpr double trace = 1 + 5e-3;
/// The closed form of requests under load is solved to less than this.
constexpr double solved = 1 + 2e-4;
/// Comparisons of the closed form with its neighbours: it joins the cases of a queue (a full chunk, a limit that binds,
/// a first wave) by rules of thumb, which leave seams of this size.
constexpr double seam = 1.03;

const Metric times[] = {Metric::time_to_first_token, Metric::time_per_output_token, Metric::request_latency};
const Metric latencies[] = {Metric::request_latency};
const Metric rates[] = {Metric::request_rate,    Metric::token_rate,  Metric::token_rate_per_device,
                        Metric::prefill_rate,    Metric::decode_rate, Metric::token_rate_per_user,
                        Metric::speculative_rate};
const Metric served_rates[] = {Metric::request_rate, Metric::token_rate, Metric::token_rate_per_device};

bool is_close(double a, double b, double factor = rounding) {
  return std::abs(a - b) <= (factor - 1) * std::abs(b);
}

/// What requests of a point wait for.
enum class Kind { together, endless, queue, users, rate, share };

Kind kind_of(const ServingPoint& p) {
  if (p[batching].text == "static") return Kind::together;
  if (is_given(p.number(concurrency))) return Kind::users;
  if (is_given(p.number(arrival_rate))) return Kind::rate;
  if (p.number(load) < 1) return Kind::share;
  return is_given(p.number(requests)) ? Kind::queue : Kind::endless;
}
bool is_loaded(Kind kind) {
  return kind >= Kind::users;
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
  [[nodiscard]] double replicas() const {
    if (is_given(number(decode_replicas))) return number(decode_replicas);
    if (!is_given(number(device_count))) return or_else(Parameter::replicas, 1.0);
    return number(device_count) /
           (number(tensor_parallel) * or_else(attention_data_parallel, 1.0) * number(pipeline_parallel));
  }
  /// Attention ranks of a replica.
  [[nodiscard]] double ranks() const {
    if (is_given(number(decode_attention_data_parallel))) return number(decode_attention_data_parallel);
    const bool has_old_ranks = points_.point(i_)[attention_parallel].text == "data";
    return or_else(attention_data_parallel, has_old_ranks ? number(tensor_parallel) : 1.0);
  }
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
    // Under load a first token reaches its client half a step late, and the last one does not.
    const double accepted = is_given(metric(Metric::acceptance_length)) ? metric(Metric::acceptance_length) : 1.0;
    const double steps = is_loaded(kind_) ? std::max(0.0, later - 0.5 * accepted) : later;
    tell("answers take their steps at least", steps * step <= later * next * solved, steps * step, later * next);
    const double decoded = later * metric(Metric::request_rate) * number(beams);
    tell("answers are decoded", decoded <= metric(Metric::decode_rate) * solved, decoded, metric(Metric::decode_rate));
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
    if (!is_given(most)) return;
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
    if (kind_ == Kind::rate) tell("what arrives is served", is_close(rate, number(arrival_rate), solved), rate);
    const bool is_limited =
        is_given(number(time_per_output_token_limit)) || is_given(number(time_to_first_token_limit));
    if (kind_ != Kind::share || is_limited) return;
    const double share = number(load) * metric(Metric::capacity);
    tell("a share of the highest rate", is_close(rate, share, 1 + 1e-3), rate, share);
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

/// Neighbours of a base point.
class Neighbours {
 public:
  Neighbours(ServingPoints& points, const ServingPoint& base)
      : points_(points), base_(base), kind_(kind_of(base)), b_(points.add(base)) {}

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
    for (const Metric m : metrics)
      points_.expect_less(why + of[index_of(kind_)], less, more, m, is_loaded(kind_) ? factor * seam : factor);
  }

  void add_faster(const char* why, Parameter p, double factor) {
    const std::size_t fast = with(p, number(p) * factor);
    if (kind_ == Kind::rate || !is_loaded(kind_) || !has_limit())
      points_.expect_runs(std::string("runs with ") + why, b_, fast);
    if (is_loaded(kind_)) {
      if (kind_ == Kind::rate) expect(why, fast, b_, times, solved);
      if (kind_ == Kind::users) expect(why, fast, b_, latencies, solved);
      expect(why, b_, fast, served_rates, solved);
      return;
    }
    if (has_batch() || !has_limit()) {
      expect(why, fast, b_, times);
      expect(why, b_, fast, rates);
    } else {
      expect(why, b_, fast, served_rates);  // of another batch
    }
  }
  void add_roomier(double factor) {
    const std::size_t roomy = with(dram_capacity, number(dram_capacity) * factor);
    if (has_batch() || !is_loaded(kind_) || !has_limit()) points_.expect_runs("runs with more memory", b_, roomy);
    points_.expect_less("more memory", b_, roomy, Metric::max_batch);
    expect("more memory", b_, roomy, served_rates, trace);
    if (!has_batch()) return;
    expect("memory changes no time", roomy, b_, times);
    expect("memory changes no time", b_, roomy, times);
  }

  void add_prompts() {
    for (const double prompt : {number(prompt_tokens) + 1, number(prompt_tokens) * 2}) {
      const std::size_t longer = with(prompt_tokens, prompt);
      if (has_batch() && (kind_ == Kind::rate || !is_loaded(kind_)))
        expect("longer prompts", b_, longer, times, solved);
      if (has_batch() && kind_ == Kind::users) expect("longer prompts", b_, longer, latencies, solved);
      if (has_batch()) points_.expect_less("longer prompts", b_, longer, Metric::memory_used);
      expect("longer prompts", longer, b_, served_rates, solved);
    }
  }
  void add_answers() {
    for (const double output : {number(output_tokens) + 1, number(output_tokens) * 2}) {
      const std::size_t longer = with(output_tokens, output);
      // A limit of the mean time of a token allows a larger batch where there are more tokens.
      const Metric request_rates[] = {Metric::request_rate};
      const Metric memories[] = {Metric::memory_used};
      if (has_batch() || !has_limit()) expect("longer answers", longer, b_, request_rates, solved);
      if (!has_batch()) continue;
      expect("longer answers", b_, longer, latencies, solved);
      expect("longer answers", b_, longer, memories);
    }
  }
  void add_batches() {
    if (!has_batch()) return;
    const Metric next[] = {Metric::time_per_output_token};
    for (const double more : {number(batch) + 1, number(batch) * 2}) {
      const std::size_t larger = with(batch, more);
      expect("a larger batch", b_, larger, next, solved);
      if (!is_loaded(kind_)) expect("a larger batch", b_, larger, times);  // others wait less for a place
      expect("a larger batch", b_, larger, served_rates, trace);
      points_.expect_less("a larger batch", b_, larger, Metric::memory_used);
      points_.expect_runs("runs with a smaller batch", larger, b_);
    }
  }
  /// More users, arrivals or load.
  void add_traffic() {
    if (!is_loaded(kind_)) return;
    const Parameter p = kind_ == Kind::users ? concurrency : kind_ == Kind::rate ? arrival_rate : load;
    for (const double factor : {1.5, 20.0}) {
      const double more = kind_ == Kind::users ? std::ceil(number(p) * factor) : number(p) * factor;
      if (kind_ == Kind::share && more >= 1) continue;
      const std::size_t busier = with(p, more);
      const Metric users_there[] = {Metric::users};
      expect("more traffic", b_, busier, latencies, solved);
      expect("more traffic", b_, busier, users_there, solved);
      expect("more traffic", b_, busier, served_rates, trace);
    }
  }

  void add_devices() {
    ServingPoint twice = base_;
    for (const Parameter p : {device_count, replicas, prefill_replicas, decode_replicas})
      if (is_given(number(p))) twice.set(p, number(p) * 2);
    if (!is_given(number(device_count)) && !is_given(number(replicas)) && !is_given(number(decode_replicas)))
      twice.set(replicas, 2);
    const std::size_t copies = points_.add(twice);
    expect("twice the replicas", copies, b_, served_rates, 2 * trace);
    if (!has_batch()) return;  // more memory for the same weights has room for more than twice the batch
    const Metric token_rates[] = {Metric::token_rate};
    expect("twice the replicas", b_, copies, token_rates, solved);
    if (is_loaded(kind_)) expect("twice the replicas", copies, b_, latencies, solved);
    if (!is_given(number(device_count)) || is_loaded(kind_)) return;
    // Leaving a node may be a gain where its links are the slower ones.
    if (number(link_bandwidth) < number(outer_link_bandwidth) || number(link_latency) > 5e-6) return;
    for (const Parameter degree : {tensor_parallel, pipeline_parallel}) {
      if (!base_.is_open(requests) || !base_.is_open(node_devices)) continue;
      ServingPoint point = base_;
      point.set(degree, number(degree) * 2).set(device_count, number(device_count) * 2);
      expect(degree == tensor_parallel ? "twice the tensor group" : "twice the stages", points_.add(point), b_,
             token_rates, 2);
    }
  }

  ServingPoints& points_;
  const ServingPoint& base_;
  Kind kind_;
  std::size_t b_;
};

/// One more of something that is there in numbers changes times by little.
void add_thresholds(ServingPoints& points, const ServingCatalogue& catalogue, const ServingPoint& base) {
  if (!is_given(base.number(batch))) return;
  const auto compare = [&](const char* why, const ServingPoint& before, const ServingPoint& after, double change) {
    const std::size_t a = points.add(before);
    const std::size_t b = points.add(after);
    const bool waits = is_loaded(kind_of(base));
    for (const Metric m : times) {
      points.expect_less(why + std::string(waits ? " (under load)" : ""), a, b, m, waits ? seam : 1 + change);
      points.expect_less(why + std::string(waits ? " (under load)" : ""), b, a, m, waits ? seam : 1 + change);
    }
  };
  const auto step = [&](const char* why, Parameter p, double at, double change) {
    compare(why, ServingPoint(base).set(p, at), ServingPoint(base).set(p, at + 1), change);
  };
  ServingPoint windowed = base;
  windowed.set(model, catalogue.windowed()).set(shared_prompt_tokens, 0.0);
  compare("the end of a window", ServingPoint(windowed).set(prompt_tokens, 1024),
          ServingPoint(windowed).set(prompt_tokens, 1025), 4e-3);
  ServingPoint experts = base;
  experts.set(model, catalogue.expert_counts()[0]);
  compare("one more expert", experts, ServingPoint(experts).set(model, catalogue.expert_counts()[1]), 4e-3);
  ServingPoint own = base;
  own.set(shared_prompt_tokens, 0.0);
  compare("a prompt longer than a chunk", ServingPoint(own).set(prompt_tokens, 8192),
          ServingPoint(own).set(prompt_tokens, 8193), 1e-3);
  const double chunk = std::ceil(base.number(prompt_tokens) * base.number(batch)) + 1000;
  for (const double at : {1000.0, chunk}) step("one more token of a chunk", chunk_tokens, at, 2e-3);
  if (base.is_open(concurrency)) step("one more sequence", batch, 1000, 1e-2);
  own.set(prompt_tokens, 8192);
  compare("one more shared token", ServingPoint(own).set(shared_prompt_tokens, 1000),
          ServingPoint(own).set(shared_prompt_tokens, 1001), 4e-3);
}

}  // namespace

// A lone prompt reads all experts, few tokens of answers read few of them: a prompt gains more by bandwidth than the
// rest of a short request.
BOOST_AUTO_TEST_CASE(faster_memory_shortens_short_answers) {
  const ServingCatalogue catalogue;
  ServingPoints points;
  for (const double bandwidth : {1e11, 1.2e12, 2.5e12, 3e13})
    points.add(catalogue.latent_experts_on_two_stages().set(dram_bandwidth, bandwidth));
  points.estimate(*make_serving_estimator(profiled::make_step_times));
  for (std::size_t i = 1; i < points.size(); ++i)
    for (const Metric m : times)
      BOOST_TEST(points.metric(i, m) < points.metric(i - 1, m), "bandwidth " << i << ", metric " << index_of(m));
}

BOOST_AUTO_TEST_CASE(serving_has_the_properties_of_serving) {
  const bool is_long = std::getenv("DFSWEEP_LONG_TESTS") != nullptr;
  const ServingCatalogue catalogue;
  const std::unique_ptr<Estimator> estimator = make_serving_estimator(profiled::make_step_times);
  PropertyTally tally;
  RandomValues random(41);
  std::size_t count = 0;
  for (int round = 0; round < (is_long ? 600 : 20); ++round) {
    ServingPoints points;
    for (int i = 0; i < 100; ++i) {
      const ServingPoint base = catalogue.random_point(random);
      Neighbours(points, base).add();
      add_thresholds(points, catalogue, base);
    }
    points.estimate(*estimator);
    // Where not one request fits, the figures under load are those of one.
    const auto is_full = [&](std::size_t i) { return points.status(i) == index_of(Status::out_of_memory); };
    points.compare(tally, [&](std::size_t less, std::size_t more, Metric) {
      return is_full(less) == is_full(more) || !is_loaded(kind_of(points.point(less)));
    });
    for (std::size_t i = 0; i < points.size(); ++i) Alone(points, i, tally).check();
    count += points.size();
  }
  for (const auto& [property, found] : tally.counts()) {
    const bool compares_under_load = property.find(" (") != std::string::npos;
    const long most = compares_under_load ? found.tried / 50 : 0;
    BOOST_TEST(found.failed <= most,
               property << ": " << found.failed << " of " << found.tried << ", as " << found.first);
  }
  BOOST_TEST(tally.counts().size() >= 60u);
}

BOOST_AUTO_TEST_SUITE_END()
