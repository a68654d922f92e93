#include "models/queueing/steady/closed_form_error.hpp"

#include <array>
#include <cmath>
#include <cstddef>

namespace dfsweep::queueing {

namespace {

/// Of one kind of demand: [several ranks][longer prompts].
using ByServers = std::array<std::array<ClosedFormError, 2>, 2>;

constexpr ByServers of_users = {
    {{{{0.03, 0.25, 0.01, 0.11}, {0.06, 0.46, 0.02, 0.28}}}, {{{0.05, 0.30, 0.01, 0.17}, {0.07, 0.35, 0.06, 0.45}}}}};
constexpr ByServers of_light_streams = {
    {{{{0.02, 0.24, 0.01, 0.09}, {0.04, 0.18, 0.04, 0.40}}}, {{{0.03, 0.22, 0.01, 0.22}, {0.03, 0.15, 0.04, 0.44}}}}};
constexpr ByServers of_busy_streams = {
    {{{{0.07, 0.48, 0.01, 0.21}, {0.13, 0.54, 0.06, 0.45}}}, {{{0.08, 0.49, 0.05, 0.59}, {0.10, 0.51, 0.11, 0.86}}}}};
constexpr ByServers of_full_streams = {
    {{{{0.18, 1.09, 0.03, 0.29}, {0.26, 0.89, 0.10, 0.55}}}, {{{0.18, 0.96, 0.07, 0.53}, {0.30, 0.99, 0.13, 0.89}}}}};

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
