#include "models/queueing/steady/closed_form_error.hpp"

#include <array>
#include <cmath>
#include <cstddef>

namespace dfsweep::queueing {

namespace {

/// Of one kind of demand: [several ranks][longer prompts].
using ByServers = std::array<std::array<ClosedFormError, 2>, 2>;

constexpr ByServers of_users = {
    {{{{0.03, 0.21, 0.01, 0.08}, {0.06, 0.56, 0.02, 0.20}}}, {{{0.04, 0.21, 0.01, 0.12}, {0.06, 0.35, 0.03, 0.32}}}}};
constexpr ByServers of_light_streams = {
    {{{{0.02, 0.24, 0.01, 0.05}, {0.03, 0.19, 0.03, 0.32}}}, {{{0.02, 0.22, 0.01, 0.13}, {0.03, 0.15, 0.04, 0.36}}}}};
constexpr ByServers of_busy_streams = {
    {{{{0.06, 0.58, 0.01, 0.15}, {0.10, 0.39, 0.06, 0.49}}}, {{{0.07, 0.43, 0.04, 0.44}, {0.09, 0.47, 0.11, 0.80}}}}};
constexpr ByServers of_full_streams = {
    {{{{0.19, 1.34, 0.02, 0.26}, {0.27, 0.93, 0.07, 0.47}}}, {{{0.18, 0.98, 0.05, 0.43}, {0.27, 0.99, 0.13, 0.88}}}}};

/// The same of answers of up to `short_tokens`.
constexpr double short_tokens = 16.0;
constexpr ByServers of_short_users = {
    {{{{0.05, 0.34, 0.10, 0.65}, {0.05, 0.39, 0.18, 0.62}}}, {{{0.08, 0.37, 0.12, 0.84}, {0.10, 0.42, 0.17, 0.97}}}}};
constexpr ByServers of_short_light_streams = {
    {{{{0.04, 0.28, 0.10, 0.58}, {0.07, 0.29, 0.30, 2.10}}}, {{{0.05, 0.32, 0.13, 0.83}, {0.06, 0.23, 0.29, 0.90}}}}};
constexpr ByServers of_short_busy_streams = {
    {{{{0.13, 0.49, 0.23, 0.86}, {0.18, 0.46, 0.35, 0.96}}}, {{{0.11, 0.60, 0.20, 0.97}, {0.17, 0.54, 0.19, 0.89}}}}};
constexpr ByServers of_short_full_streams = {
    {{{{0.27, 0.84, 0.27, 0.84}, {0.31, 0.85, 0.23, 0.87}}}, {{{0.21, 0.96, 0.16, 0.83}, {0.52, 1.53, 0.18, 0.91}}}}};

/// [users, light, busy and full streams]
constexpr std::array<ByServers, 4> of_long = {of_users, of_light_streams, of_busy_streams, of_full_streams};
constexpr std::array<ByServers, 4> of_short = {of_short_users, of_short_light_streams, of_short_busy_streams,
                                               of_short_full_streams};

std::size_t demand_of(double load) {
  constexpr double light = 0.5;
  constexpr double busy = 0.8;
  if (std::isnan(load)) return 0;
  if (load < light) return 1;
  return load < busy ? 2 : 3;
}

}  // namespace

const ClosedFormError& closed_form_error(const ErrorRegion& region) {
  const std::size_t several = region.attention_ranks > 1 ? 1 : 0;
  const std::size_t longer = region.prompt_chunks > 1 ? 1 : 0;
  return (region.output_tokens > short_tokens ? of_long : of_short)[demand_of(region.load)][several][longer];
}

}  // namespace dfsweep::queueing
