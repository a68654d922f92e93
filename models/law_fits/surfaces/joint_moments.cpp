#include "models/law_fits/surfaces/joint_moments.hpp"

namespace dfsweep::law_fits {

JointMoments joint_moments(const RunMoments& m, LogPoint reference, const TrainingScale& scale) {
  JointMoments joint;
  joint.n = m.n;
  joint.reference = reference;
  joint.features = features_of(scale);
  if (!(m.n > 0.0)) return joint;
  const std::array<double, 5> q = {0.5 * m.uu, m.uv, 0.5 * m.vv, m.u, m.v};
  joint.qq = {{{0.25 * m.uuuu, 0.5 * m.uuuv, 0.25 * m.uuvv, 0.5 * m.uuu, 0.5 * m.uuv},
               {0.5 * m.uuuv, m.uuvv, 0.5 * m.uvvv, m.uuv, m.uvv},
               {0.25 * m.uuvv, 0.5 * m.uvvv, 0.25 * m.vvvv, 0.5 * m.uvv, 0.5 * m.vvv},
               {0.5 * m.uuu, m.uuv, 0.5 * m.uvv, m.uu, m.uv},
               {0.5 * m.uuv, m.uvv, 0.5 * m.vvv, m.uv, m.vv}}};
  joint.qs = {0.5 * m.suu, m.suv, 0.5 * m.svv, m.su, m.sv};
  joint.ss = m.ss - m.s * m.s / m.n;
  for (std::size_t i = 0; i < 5; ++i) {
    joint.qs[i] -= q[i] * m.s / m.n;
    for (std::size_t j = 0; j < 5; ++j) joint.qq[i][j] -= q[i] * q[j] / m.n;
  }
  return joint;
}

std::vector<JointMoments> joint_moments(const SelectedRuns& runs, std::span<const std::size_t> groups,
                                        std::size_t window) {
  std::vector<JointMoments> joint;
  joint.reserve(groups.size());
  for (const std::size_t g : groups) {
    const SelectedGroup& group = runs.groups[g];
    joint.push_back(joint_moments(group.moments[window], group.reference, group.scale));
  }
  return joint;
}

}  // namespace dfsweep::law_fits
