#include "models/serving/points/demand.hpp"

#include <algorithm>
#include <array>

#include "models/cost/ownership_columns.hpp"
#include "models/queueing/steps_of_answer.hpp"

namespace dfsweep::serving {

namespace {

using enum Parameter;

constexpr auto own_parameters = std::to_array<Parameter>({device_count,
                                                          phase,
                                                          prompt_tokens,
                                                          output_tokens,
                                                          requests,
                                                          speculation,
                                                          draft_window,
                                                          acceptance,
                                                          acceptance_rule,
                                                          verified_tokens,
                                                          device_hour_price,
                                                          batching,
                                                          batch_limit,
                                                          time_per_output_token_limit,
                                                          shared_prompt_tokens,
                                                          beams,
                                                          queueing,
                                                          arrivals,
                                                          arrival_variation,
                                                          requests_per_user,
                                                          think_time,
                                                          length_distribution,
                                                          prompt_spread,
                                                          output_spread,
                                                          turns,
                                                          replicas,
                                                          prefill_replicas,
                                                          decode_replicas,
                                                          time_to_first_token_limit,
                                                          limit_quantile});
constexpr auto of_neighbours = published::joined(own_parameters, cost::places_of<Parameter, cost::OwnershipParameter>);
constexpr std::array of_sizes{batch, concurrency, arrival_rate, load};
constexpr auto of_demands = published::joined(of_neighbours, of_sizes);

constexpr std::size_t burst = 3;  ///< place of the choice of `arrivals`
/// Requests of an open stream that are simulated where the sweep does not say.
constexpr double simulated_requests = 1000;

SpeculationDemand speculation_of(const PointValues& v) {
  const double window = v.number(draft_window);
  SpeculationDemand d;
  d.form = v.choice<Speculation>(speculation);
  d.window = window;
  d.verified_tokens = v.number_or(verified_tokens, d.form == Speculation::tree ? tree_tokens(window) : window + 1);
  d.accepted = accepted_tokens(d.form, v.choice<AcceptanceRule>(acceptance_rule), v.number(acceptance), window);
  return d;
}

/// What is given decides, in this order; problems_of_arrivals refuses what contradicts it.
Traffic traffic_of(const PointValues& v, const Demand& d) {
  if (d.users > 0) return Traffic::users;
  if (is_given(v.number(arrival_rate))) return Traffic::rate;
  if (d.load < 1) return Traffic::share;
  return d.requests > 0 ? Traffic::queue : Traffic::endless;
}

queueing::LengthDistribution lengths_of(const PointValues& v, double mean, double spread) {
  using queueing::LengthLaw;
  constexpr LengthLaw laws[] = {LengthLaw::uniform, LengthLaw::log_normal, LengthLaw::zipf};
  queueing::LengthDistribution lengths;
  lengths.mean = mean;
  lengths.spread = spread;
  lengths.law = spread > 0 ? laws[v.choice<std::size_t>(length_distribution)] : LengthLaw::constant;
  return lengths;
}

queueing::Arrivals arrivals_of(const PointValues& v, const Demand& d, double rate) {
  using queueing::ArrivalLaw;
  constexpr ArrivalLaw laws[] = {ArrivalLaw::poisson, ArrivalLaw::gamma, ArrivalLaw::uniform, ArrivalLaw::burst};
  queueing::Arrivals a;
  a.law = d.traffic == Traffic::users ? ArrivalLaw::closed : laws[v.choice<std::size_t>(arrivals)];
  a.users = d.users;
  a.requests_per_user =
      d.users > 0 && d.requests > 0 ? std::max(1.0, d.requests / d.users) : v.number(requests_per_user);
  a.rate = Frequency{rate};
  a.variation = v.number(arrival_variation);
  a.requests = static_cast<std::uint64_t>(d.requests > 0 ? d.requests : simulated_requests);
  if (d.traffic == Traffic::queue) a.law = ArrivalLaw::burst;
  return a;
}

/// Tokens that an answer gains in a decode step on average. The last step of an answer may yield more than it lacks.
double tokens_of_a_step(const Demand& d) {
  if (d.speculation.form == Speculation::none) return 1.0;
  const double steps =
      queueing::steps_of_answer(d.mean.output, d.mean.output_variation_squared, d.speculation.accepted);
  return d.phase == Phase::request && steps > 0.0 ? (d.mean.output - 1.0) / steps : d.speculation.accepted;
}

}  // namespace

Demand demand_of(const PointValues& v, const StreamedRows* trace) {
  Demand d;
  Request& r = d.request;
  r.prompt = trace != nullptr ? trace->means()[1] : v.number(prompt_tokens);
  // At least one token of every prompt is computed: it gives the first token of the answer.
  r.shared = std::min(v.number(shared_prompt_tokens), r.prompt - 1);
  r.output = trace != nullptr ? trace->means()[2] : v.number(output_tokens);
  r.beams = v.number(beams);
  d.tokens = {.shared = r.shared, .prompt = r.prompt - r.shared, .output = r.output, .beams = r.beams};
  d.devices = v.number(device_count);
  d.replicas = v.number(replicas);
  d.prefill_replicas = v.number(prefill_replicas);
  d.decode_replicas = v.number(decode_replicas);
  d.batch = v.number_or(batch, 0.0);
  d.requests = v.number_or(requests, 0.0);
  d.users = v.number_or(concurrency, 0.0);
  if (d.users > 0 && d.requests > 0) d.users = std::min(d.users, d.requests);  // others have nothing to send
  d.arrival_rate = v.number_or(arrival_rate, 0.0);
  d.batch_limit = v.number_or(batch_limit, 0.0);
  d.step_limit = v.number(time_per_output_token_limit);
  d.load = v.number(load);
  d.device_hour_price = v.number(device_hour_price);
  d.ownership = cost::ownership_choices<Parameter>([&](Parameter p) { return v.number(p); });
  d.queueing = v.choice<Queueing>(Parameter::queueing);
  d.batching = v.choice<Batching>(batching);
  d.phase = v.choice<Phase>(phase);
  d.speculation = speculation_of(v);
  const bool speculates = d.speculation.form != Speculation::none;
  r.step_tokens = speculates ? d.speculation.verified_tokens : v.number_or(verified_tokens, 1.0);
  d.traffic = trace != nullptr ? Traffic::trace : traffic_of(v, d);
  const auto spacing = v.choice<std::size_t>(arrivals);
  d.is_bursty = d.traffic == Traffic::rate && spacing == burst;
  if (is_given(d.step_limit)) d.limits.token_time = Seconds{d.step_limit};
  if (const double limit = v.number(time_to_first_token_limit); is_given(limit)) d.limits.first_token = Seconds{limit};
  d.limit_quantile = v.number(limit_quantile);
  d.mean = queueing::mean_request(workload_of(v, d, std::max(d.arrival_rate, 1.0)));
  d.tokens.prompt = d.mean.prompt - r.shared;  // with the former turns of a conversation
  r.accepted = tokens_of_a_step(d);
  return d;
}

queueing::Workload workload_of(const PointValues& v, const Demand& demand, double rate) {
  queueing::Workload w;
  w.prompt = lengths_of(v, demand.request.prompt, v.number(prompt_spread));
  w.output = lengths_of(v, demand.request.output, v.number(output_spread));
  w.arrivals = arrivals_of(v, demand, rate);
  w.think = Seconds{v.number(think_time)};
  w.turns = static_cast<std::uint32_t>(v.number(turns));
  w.shared_prompt_tokens = demand.request.shared;
  w.seed = static_cast<std::uint64_t>(v.number(seed));
  return w;
}

std::span<const Parameter> demand_parameters() {
  return of_demands;
}

double neighbour_size(const PointValues& v, const Demand& demand) {
  // Users, a rate and a share decide the traffic in this order. Of each point, no more is read than that takes.
  const double size = v.number_or(batch, 0.0);
  if (demand.traffic != Traffic::endless && size != demand.batch) return absent;
  const double users = v.number(concurrency);
  if (demand.traffic == Traffic::users) return users > 0 ? users : absent;
  if (users > 0) return absent;
  const double rate = v.number(arrival_rate);
  if (demand.traffic == Traffic::rate) return rate;
  if (is_given(rate)) return absent;
  const double share = v.number(load);
  if (demand.traffic == Traffic::share) return share < 1 ? share : absent;
  return share < 1 || !(size > 0) ? absent : size;
}

Parameter parameter_of_size(const Demand& demand) {
  switch (demand.traffic) {
    case Traffic::users:
      return concurrency;
    case Traffic::rate:
      return arrival_rate;
    case Traffic::share:
      return load;
    default:
      return batch;
  }
}

std::optional<Parameter> only_varied_size(const SweepValues& values) {
  const auto varies = [&](Parameter p) { return values[p].values.size() > 1; };
  if (std::count_if(of_sizes.begin(), of_sizes.end(), varies) != 1) return std::nullopt;
  return *std::find_if(of_sizes.begin(), of_sizes.end(), varies);
}

std::span<const Parameter> parameters_of_neighbours() {
  return of_neighbours;
}

}  // namespace dfsweep::serving
