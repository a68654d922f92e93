#include "tests/support/serving_rows.hpp"

#include <map>

#include "engine/sweep/read_sweep.hpp"
#include "models/serving/points/point_cursor.hpp"
#include "tests/support/measured_steps.hpp"

namespace dfsweep::testing {

namespace {

/// The line of each row in the point list, as the notes of the study say.
std::map<std::string, std::size_t, std::less<>> points_by_id(const std::filesystem::path& notes) {
  std::map<std::string, std::size_t, std::less<>> found;
  for (const MeasuredRow& note : measured_rows(notes))
    if (const auto point = note.number("point")) found.emplace(note.text("id"), static_cast<std::size_t>(*point) - 1);
  return found;
}

}  // namespace

ServingPoints::ServingPoints(const std::filesystem::path& sweeps, const std::string& name, const std::string& table)
    : spec_(read_sweep(sweeps / "studies" / (name + ".toml"), {})), decoded_(serving::decode_values(spec_.values)) {
  for (const std::vector<std::uint32_t>& codes : spec_.points->codes) columns_.emplace_back(codes);
  const auto points = points_by_id(sweeps / "studies" / (name + ".notes.csv"));
  const SweepValues::Parameter& systems = spec_.values[serving::Parameter::system];
  for (MeasuredRow& row : measured_rows(sweeps / "measured" / table)) {
    const auto found = points.find(row.text("id"));
    if (found == points.end()) continue;
    const PointColumns all(columns_, spec_.points->lines);
    const std::string system = systems.values[all.code(systems, found->second)].text;
    rows_.push_back({std::move(row), found->second, system});
  }
}

serving::Figures ServingPoints::figures(const ServingRow& row, const ServingSoftware& software,
                                        serving::Queueing queueing) {
  const serving::PointCodes codes(spec_.values, PointColumns(columns_, spec_.points->lines));
  const serving::PointValues v(decoded_.numbers, codes, row.point);
  decoded_.software[v.code(serving::Parameter::software)] = software;
  serving::Demand demand = serving::demand_of(v, nullptr);
  demand.queueing = queueing;
  const serving::Deployment deployment = serving::deployment_of(decoded_, v);
  return serving::PointCursor({}, nullptr).advance_to(deployment, demand, v);
}

}  // namespace dfsweep::testing
