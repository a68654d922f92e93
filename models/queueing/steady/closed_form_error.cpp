#include "models/queueing/steady/closed_form_error.hpp"

#include <array>
#include <cmath>
#include <cstddef>

namespace dfsweep::queueing {

namespace {

/// Of one kind of demand: [several ranks][longer prompts].
using ByServers = std::array<std::array<ClosedFormError, 2>, 2>;

constexpr ByServers of_users = {
    {{{{0.04, 0.23, 0.01, 0.11}, {0.07, 0.59, 0.03, 0.50}}}, {{{0.05, 0.25, 0.01, 0.22}, {0.09, 0.39, 0.06, 0.46}}}}};
constexpr ByServers of_light_streams = {
    {{{{0.02, 0.22, 0.01, 0.06}, {0.04, 0.25, 0.05, 0.48}}}, {{{0.02, 0.21, 0.01, 0.24}, {0.05, 0.25, 0.06, 0.61}}}}};
constexpr ByServers of_busy_streams = {
    {{{{0.08, 0.58, 0.02, 0.25}, {0.15, 0.49, 0.12, 0.80}}}, {{{0.09, 0.64, 0.06, 0.65}, {0.13, 0.84, 0.13, 1.00}}}}};
constexpr ByServers of_full_streams = {
    {{{{0.21, 0.99, 0.04, 0.40}, {0.34, 0.92, 0.18, 0.85}}}, {{{0.28, 1.00, 0.10, 0.74}, {0.52, 1.00, 0.23, 1.14}}}}};

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
