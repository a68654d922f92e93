#include "engine/run/time_left.hpp"

#include <limits>

namespace dfsweep {
namespace {

constexpr double samples_kept = 400.0;  // over the whole run so far
constexpr double first_share = 0.1;

}  // namespace

void TimeLeft::note(double seconds, std::uint64_t points) {
  latest_ = {seconds, points};
  if (samples_.empty() || seconds - samples_.back().seconds >= seconds / samples_kept) samples_.push_back(latest_);
  const double uncounted = first_share * static_cast<double>(points);
  while (samples_.size() > 1 && static_cast<double>(samples_[1].points) <= uncounted) samples_.pop_front();
}

double TimeLeft::of(std::uint64_t left) const {
  Sample from;  // the start of the run, unless there is a usable sample
  if (!samples_.empty() && samples_.front().points < latest_.points && samples_.front().seconds < latest_.seconds)
    from = samples_.front();
  const double points = static_cast<double>(latest_.points - from.points);
  if (points == 0.0) return std::numeric_limits<double>::infinity();
  return static_cast<double>(left) * (latest_.seconds - from.seconds) / points;
}

}  // namespace dfsweep
