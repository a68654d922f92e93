/// The forms of exchanges, term by term.
#include "models/operators/exchange_form.hpp"

#include <cmath>

#include "models/operators/smooth_sum.hpp"

namespace dfsweep::operators {

Seconds exchange_time(const ExchangeShape& shape, Bandwidth link, const ExchangeNumbers& numbers) {
  const double p = shape.devices;
  if (p <= 1.0) return Seconds{};
  const double others = (p - 1.0) / p;
  const double read = shape.passes > 1.0 ? (p - 1.0) * shape.bytes : others * shape.bytes;
  const double one = read / (numbers.one_share * link.value());
  const double passed = (shape.passes * others + numbers.own / p) * shape.bytes / (numbers.two_share * link.value());
  const double change = numbers.change * link.value() / shape.bytes;
  const double first = numbers.first / (1.0 + change * change * change * change);
  const double two = first + passed + std::sqrt(passed * numbers.filling);
  return Seconds{numbers.launch + numbers.hop * std::log2(p) + faster_way(one, two)};
}

ExchangeNumbers nccl_all_reduce() {
  return {.first = 8e-6, .change = 5e-6};
}

ExchangeNumbers nccl_gather() {
  return {.launch = 6.2e-6, .hop = 2.7e-6, .two_share = 0.78, .first = 8e-6, .change = 5e-6, .own = 0.5};
}

ExchangeNumbers nccl_all_to_all() {
  return {.launch = 6.2e-6, .hop = 2.7e-6, .two_share = 0.78, .own = 0.5};
}

ExchangeNumbers own_all_reduce() {
  return {.launch = 4.6e-6, .hop = 0.1e-6, .one_share = 0.51, .two_share = 1.08, .own = 1.6, .filling = 25e-6};
}

double sent_copies(const TokenExchangeShape& s) {
  const double r = s.devices;
  if (r <= 1.0) return 0.0;
  if (s.copies > 1.0) return s.copies * (r - 1.0) / r;
  return (r - 1.0) * (1.0 - std::pow(1.0 - 1.0 / r, s.experts_per_token));
}

Seconds token_exchange_time(const TokenExchangeShape& shape, Bandwidth link, Bandwidth network,
                            const TokenExchangeNumbers& numbers) {
  if (shape.devices <= 1.0) return Seconds{numbers.launch};
  const double bytes = shape.tokens * shape.hidden * shape.number_bytes * sent_copies(shape);
  const double outside = (shape.devices - shape.node_devices) / (shape.devices - 1.0);
  double time = numbers.launch + bytes * (1.0 - outside) / (numbers.link_share * link.value());
  if (shape.devices > shape.node_devices)
    time += numbers.beyond + bytes * outside / (numbers.network_share * network.value());
  return Seconds{time};
}

}  // namespace dfsweep::operators
