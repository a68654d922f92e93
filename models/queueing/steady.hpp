/// The closed form of a deployment under load: means without a simulation. Source: docs/models/queueing.md
#pragma once

#include <cstdint>
#include <limits>

#include "models/queueing/deployment.hpp"
#include "models/queueing/step_load.hpp"
#include "models/queueing/workload.hpp"

namespace dfsweep::queueing {

/// The mean request of a workload, computed once for many points.
struct MeanRequest {
  double prompt = 1.0;             ///< tokens of a prompt with what it carries from former turns
  double read = 1.0;               ///< of these, tokens that are read where the former turns are cached
  double reread = 1.0;             ///< the same where they are not
  double output = 1.0;             ///< tokens of an answer
  double largest_output = 1.0;     ///< tokens of the longest answer
  double variation_squared = 0.0;  ///< of the tokens that an answer holds a place for
  double shared = 0.0;             ///< tokens that every rank keeps once
  Seconds think;
  double first_share = 0.1;  ///< of the requests of closed users: those of the first wave, 1 / requests per user
  double arrival_variation_squared = 1.0;  ///< of the gaps of an open stream
  bool operator==(const MeanRequest&) const = default;
};
[[nodiscard]] MeanRequest mean_request(const Workload& workload);

/// What drives a deployment.
enum class DemandKind {
  users,  ///< closed: users of the whole deployment
  rate,   ///< open: requests per second of the whole deployment
  share,  ///< open: share of the highest rate
};
struct Demand {
  DemandKind kind = DemandKind::users;
  double value = 1.0;
};

enum class SteadyStatus : std::uint8_t {
  ok,
  saturated,  ///< the rate reaches what the deployment can do; only `highest_rate` is valid
  no_room,    ///< not one request fits the cache; nothing is valid
};

/// Means over all requests, first wave included. users = request_rate (latency + think) exactly.
struct SteadyLoad {
  SteadyStatus status = SteadyStatus::ok;
  Seconds first_token;        ///< time to first token
  Seconds token_time;         ///< time per output token after the first
  Seconds latency;            ///< first_token + (output - 1) token_time
  Seconds waiting_time;       ///< from arrival at the engine to the first step that handles the request
  double request_rate = 0.0;  ///< 1/s of the deployment
  double highest_rate = std::numeric_limits<double>::quiet_NaN();  ///< 1/s; open demands only
  double users = 0.0;                                              ///< in the deployment or thinking
  double running = 0.0;       ///< sequences that decode on a rank, while users are there
  double cache_use = 0.0;     ///< share of the cache of a rank that running sequences hold
  double prompt_share = 0.0;  ///< share of the time that prompts take
};

/// Means of a deployment whose ranks share prompts and answers.
template <Steps S>
[[nodiscard]] SteadyLoad steady(const Deployment& deployment, const MeanRequest& request, const Demand& demand,
                                const S& steps);

/// Means of pools apart.
template <Steps P, Steps D>
[[nodiscard]] SteadyLoad steady(const Pools& pools, const MeanRequest& request, const Demand& demand,
                                const P& prompt_steps, const D& decode_steps);

/// Limits on means; infinite where there is no limit.
struct Limits {
  Seconds first_token{std::numeric_limits<double>::infinity()};
  Seconds token_time{std::numeric_limits<double>::infinity()};
  bool operator==(const Limits&) const = default;
};

/// Highest arrival rate, in requests per second of the deployment, whose means keep the limits; 0 where not even a lone
/// request keeps them or nothing fits.
template <Steps S>
[[nodiscard]] double capacity(const Deployment& deployment, const MeanRequest& request, const Limits& limits,
                              const S& steps);
template <Steps P, Steps D>
[[nodiscard]] double capacity(const Pools& pools, const MeanRequest& request, const Limits& limits,
                              const P& prompt_steps, const D& decode_steps);

}  // namespace dfsweep::queueing
