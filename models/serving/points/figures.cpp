#include "models/serving/points/figures.hpp"

namespace dfsweep::serving {

namespace {

constexpr double seconds_per_hour = 3600.0;

}  // namespace

void write_speculation(Figures& figures, const SpeculationFigures& window, double sequences) {
  const double rate = sequences * window.tokens / (window.draft + window.verification);
  figures[Metric::acceptance_length] = window.tokens;
  figures[Metric::draft_time] = window.draft;
  figures[Metric::verification_time] = window.verification;
  figures[Metric::speculative_rate] = rate;
  figures[Metric::speedup] = rate / figures[Metric::decode_rate];
}

void write_costs(Figures& figures, double devices, double price, double power, double device_hour_price) {
  const double token_rate = figures[Metric::token_rate];
  figures[Metric::token_rate_per_device] = token_rate / devices;
  figures[Metric::system_cost] = price;
  figures[Metric::system_power] = power;
  figures[Metric::energy_per_token] = power / token_rate;
  figures[Metric::cost_per_million_tokens] = devices * device_hour_price / seconds_per_hour / token_rate * 1e6;
}

}  // namespace dfsweep::serving
