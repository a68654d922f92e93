#include "models/prepared/metric_facts.hpp"

#include "models/absent.hpp"
#include "models/expect.hpp"

namespace dfsweep {

std::vector<Fact> metric_facts(std::span<const MetricInfo> metrics, std::span<const double> values) {
  DFSWEEP_EXPECT(values.size() <= metrics.size());
  std::vector<Fact> facts;
  for (std::size_t m = 0; m < values.size(); ++m) {
    const MetricInfo& info = metrics[m];
    if (!is_given(values[m])) continue;
    if (info.type == MetricType::flags) {
      const auto flag = static_cast<std::size_t>(values[m]);
      facts.push_back({std::string(info.meaning), std::string(info.flags[flag]), ""});
    } else {
      facts.push_back({std::string(info.meaning), values[m], info.unit == "byte" ? "B" : std::string(info.unit)});
    }
  }
  return facts;
}

}  // namespace dfsweep
