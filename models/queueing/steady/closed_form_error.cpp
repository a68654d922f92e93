#include "models/queueing/steady/closed_form_error.hpp"

#include <array>
#include <cmath>
#include <cstddef>

namespace dfsweep::queueing {

namespace {

/// Of one kind of demand: [several ranks][longer prompts].
using ByServers = std::array<std::array<ClosedFormError, 2>, 2>;

constexpr ByServers of_users = {
    {{{{0.04, 0.25, 0.01, 0.13}, {0.08, 0.65, 0.03, 0.62}}}, {{{0.06, 0.29, 0.01, 0.22}, {0.09, 0.47, 0.07, 0.64}}}}};
constexpr ByServers of_light_streams = {
    {{{{0.02, 0.22, 0.01, 0.09}, {0.04, 0.29, 0.03, 0.44}}}, {{{0.03, 0.29, 0.02, 0.30}, {0.04, 0.35, 0.05, 0.68}}}}};
constexpr ByServers of_busy_streams = {
    {{{{0.07, 0.54, 0.02, 0.24}, {0.15, 0.76, 0.11, 0.74}}}, {{{0.09, 0.78, 0.07, 0.79}, {0.13, 0.99, 0.19, 0.95}}}}};
constexpr ByServers of_full_streams = {
    {{{{0.18, 0.99, 0.03, 0.33}, {0.34, 0.95, 0.17, 0.82}}}, {{{0.28, 1.00, 0.11, 0.69}, {0.69, 1.00, 0.34, 1.29}}}}};

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
