#include "models/measured_tables/predictors/curve.hpp"

#include <cstddef>
#include <utility>

#include "models/expect.hpp"

namespace dfsweep {

Curve::Curve(std::vector<double> seconds, std::vector<Coverage> coverage, const CurveTail& tail,
             const std::array<double, 4>& relative_error)
    : seconds_(std::move(seconds)), coverage_(std::move(coverage)), tail_(tail), relative_error_(relative_error) {
  DFSWEEP_EXPECT(!seconds_.empty());
  DFSWEEP_EXPECT(coverage_.size() == seconds_.size());
}

double Curve::seconds(std::uint32_t tokens) const {
  if (tokens < seconds_.size()) return seconds_[tokens];
  const auto beyond = static_cast<double>(tokens - (seconds_.size() - 1));
  return tail_.seconds + tail_.seconds_per_token * beyond;
}

Coverage Curve::coverage(std::uint32_t tokens) const {
  return tokens < coverage_.size() ? coverage_[tokens] : Coverage::extrapolated;
}

Prediction Curve::predict(std::uint32_t tokens) const {
  const Coverage rests_on = coverage(tokens);
  return {Seconds{seconds(tokens)}, rests_on, relative_error(rests_on)};
}

void Curve::predict(std::span<const std::uint32_t> tokens, std::span<double> seconds_out,
                    std::span<Coverage> coverage_out) const {
  DFSWEEP_EXPECT(seconds_out.size() == tokens.size());
  DFSWEEP_EXPECT(coverage_out.size() == tokens.size());
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    seconds_out[i] = seconds(tokens[i]);
    coverage_out[i] = coverage(tokens[i]);
  }
}

double Curve::relative_error(Coverage coverage) const {
  return relative_error_[static_cast<std::size_t>(coverage)];
}

}  // namespace dfsweep
