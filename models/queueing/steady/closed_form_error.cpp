#include "models/queueing/steady/closed_form_error.hpp"

#include <array>
#include <cmath>
#include <cstddef>

namespace dfsweep::queueing {

namespace {

/// Of one kind of demand: [several ranks][longer prompts].
using ByServers = std::array<std::array<ClosedFormError, 2>, 2>;

constexpr ByServers of_users = {
    {{{{0.03, 0.25, 0.01, 0.14}, {0.09, 0.72, 0.04, 0.65}}}, {{{0.06, 0.28, 0.01, 0.25}, {0.11, 0.58, 0.10, 0.72}}}}};
constexpr ByServers of_light_streams = {
    {{{{0.02, 0.25, 0.01, 0.10}, {0.05, 0.39, 0.04, 0.43}}}, {{{0.03, 0.26, 0.01, 0.46}, {0.04, 0.31, 0.09, 0.74}}}}};
constexpr ByServers of_busy_streams = {
    {{{{0.08, 0.62, 0.02, 0.30}, {0.16, 0.72, 0.10, 0.69}}}, {{{0.09, 0.93, 0.06, 0.70}, {0.24, 1.00, 0.30, 1.27}}}}};
constexpr ByServers of_full_streams = {
    {{{{0.21, 1.00, 0.03, 0.44}, {0.36, 0.99, 0.18, 0.76}}}, {{{0.29, 1.00, 0.13, 0.80}, {0.96, 1.00, 0.37, 0.96}}}}};

const ByServers& of_demand(double load) {
  constexpr double light = 0.5;
  constexpr double busy = 0.8;
  if (std::isnan(load)) return of_users;
  if (load < light) return of_light_streams;
  return load < busy ? of_busy_streams : of_full_streams;
}

}  // namespace

const ClosedFormError& closed_form_error(const ErrorRegion& region) {
  const std::size_t several = region.attention_ranks > 1 ? 1 : 0;
  const std::size_t longer = region.prompt_chunks > 1 ? 1 : 0;
  return of_demand(region.load)[several][longer];
}

}  // namespace dfsweep::queueing
