#include "models/machine/group_place.hpp"

#include <algorithm>
#include <cmath>

namespace dfsweep {

namespace {

double ranks_inside(double ranks, double stride, double devices) {
  const double most = std::min(ranks, std::max(1.0, std::floor(devices / stride)));
  double divisor = most;
  while (std::fmod(ranks, divisor) != 0.0) divisor -= 1;
  const double emptiest = std::floor(ranks / std::ceil(ranks / most));
  return 2 * divisor < emptiest ? emptiest : divisor;
}

}  // namespace

GroupPlace place(double ranks, double stride, const Enclosures& enclosures) {
  const double in_node = ranks_inside(ranks, stride, enclosures.node);
  const double in_pod = enclosures.pod > 0 ? ranks_inside(ranks, stride, enclosures.pod) : ranks;
  return {ranks, in_node, std::max(in_node, in_pod), stride};
}

}  // namespace dfsweep
