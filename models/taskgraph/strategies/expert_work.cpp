#include "models/taskgraph/strategies/expert_work.hpp"

#include <algorithm>

#include "models/taskgraph/work/measured_products.hpp"

namespace dfsweep::taskgraph {

ExpertWork expert_work(const Transformer& t, double tokens, double devices) {
  const double visits = tokens * t.experts_per_token;
  const double busy = std::min(t.experts, visits);
  const double rows = visits / busy;
  const double width = t.ffn_hidden / devices;
  const double shared_width = t.shared_ffn_hidden / devices;
  const double shared = t.shared_ffn_hidden > 0.0 ? 1.0 : 0.0;
  return {{1.0, tokens, t.hidden, t.experts},
          {t.up_products * busy, rows, t.hidden, width},
          {busy, rows, width, t.hidden},
          {shared * t.up_products, tokens, t.hidden, shared_width},
          {shared, tokens, shared_width, t.hidden},
          (tokens + visits) * t.hidden,
          Flop{2.0 * visits * t.hidden},
          (visits + tokens) * t.hidden};
}

Seconds expert_time(const ExpertWork& work, const DeviceRates& device) {
  const DeviceRates rates = without_tables(device);
  Seconds time = roofline_time(Flop{}, work.dispatched, rates) + roofline_time(work.combine, work.combined, rates);
  for (const Product& product : {work.router, work.up, work.down, work.shared_up, work.shared_down})
    time += product_time(product, rates);
  return time_without_table(time, device);
}

}  // namespace dfsweep::taskgraph
