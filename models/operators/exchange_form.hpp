/// The closed form E: exchanges among devices of one node by library, and exchanges of tokens between experts.
///
/// Fitted to measured tables: docs/measured-operators.md.
#pragma once

#include "models/units.hpp"

namespace dfsweep::operators {

/// An exchange of a buffer of `bytes` among `devices` devices that are joined by links.
struct ExchangeShape {
  double devices = 2.0;
  double bytes = 1.0;   ///< of the whole buffer, as nccl-tests count
  double passes = 2.0;  ///< over the buffer: 2 for an all-reduce, 1 for a gather, a scatter or an all-to-all
};

struct ExchangeNumbers {
  double launch = 5.1e-6;   ///< s
  double hop = 4.9e-6;      ///< s for each doubling of the devices
  double one_share = 0.5;   ///< of the link, where every device reads all others at once
  double two_share = 0.91;  ///< of the link, in passes over parts of the buffer
  double first = 1e-6;      ///< s before passes begin, for buffers larger than change link
  double change = 0.0;      ///< s: a library changes its protocol at buffers of the size change link
  double own = 0.52;        ///< passes over its own part that a device copies to itself; at most `passes`
  double filling = 13e-6;   ///< s: sizes below this time do not fill the links
};

/// launch + hop log2(p) + (one^-4 + two^-4)^(-1/4) with
///
///     one = (p-1) S / (one_share link) for an all-reduce, (p-1)/p S / (one_share link) else
///     two = first / (1 + (change link / S)^4) + v + sqrt(v filling),   v = (passes S (p-1)/p + own S/p) / (two_share
///     link)
///
/// 0 for one device. Continuous in S; never faster with more bytes or devices, never slower with a faster link.
/// Pre: devices >= 1, link > 0.
/// Source: docs/measured-operators.md, closed forms.
[[nodiscard]] Seconds exchange_time(const ExchangeShape& shape, Bandwidth link, const ExchangeNumbers& numbers);

/// Numbers of NCCL and of an engine's own all-reduce, fitted to all shown systems.
[[nodiscard]] ExchangeNumbers nccl_all_reduce();
[[nodiscard]] ExchangeNumbers nccl_gather();
[[nodiscard]] ExchangeNumbers nccl_all_to_all();
[[nodiscard]] ExchangeNumbers own_all_reduce();

/// An exchange of routed tokens between the devices that hold the experts.
struct TokenExchangeShape {
  double devices = 8.0;
  double node_devices = 8.0;  ///< of them in one node
  double tokens = 1.0;        ///< of one device
  double hidden = 7168.0;
  double experts_per_token = 8.0;
  double number_bytes = 2.0;
  double copies = 1.0;  ///< of a token to one device at most: 1, or experts_per_token where every expert gets its own
};

struct TokenExchangeNumbers {
  double launch = 12e-6;        ///< s
  double beyond = 10e-6;        ///< s more where nodes take part
  double link_share = 0.5;      ///< of a link
  double network_share = 0.99;  ///< of the network of a device
};

/// Devices other than its own that a token is sent to: (r - 1) (1 - (1 - 1/r)^k), or k (r - 1)/r copies.
[[nodiscard]] double sent_copies(const TokenExchangeShape& shape);

/// launch + inside / (link_share link) + [nodes > 1] (beyond + outside / (network_share network)), where the bytes
/// tokens hidden number_bytes sent_copies go inside and outside the node in proportion to the devices there.
/// Pre: devices >= node_devices >= 1, link > 0, network > 0 where nodes take part.
[[nodiscard]] Seconds token_exchange_time(const TokenExchangeShape& shape, Bandwidth link, Bandwidth network,
                                          const TokenExchangeNumbers& numbers);

}  // namespace dfsweep::operators
