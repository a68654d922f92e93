/// Families: one row of tables for each, and the functions from keys to shapes.
#include "models/operators/family.hpp"

#include <algorithm>
#include <cmath>

#include "models/operators/attention_forms.hpp"
#include "models/operators/exchange_form.hpp"
#include "models/operators/expert_form.hpp"
#include "models/operators/product_form.hpp"
#include "models/operators/smooth_sum.hpp"

namespace dfsweep::operators {

namespace {

using enum KeyInfo::Part;
using enum KeyInfo::Range;

constexpr std::array product_keys{KeyInfo{"m"}, KeyInfo{"n", shape}, KeyInfo{"k", shape}};
constexpr std::array prompt_keys{KeyInfo{"requests"},
                                 KeyInfo{"tokens", size, positive, 2.0},
                                 KeyInfo{"context", size, from_zero},
                                 KeyInfo{"heads", shape},
                                 KeyInfo{"key_value_heads", shape, positive, 0.5},
                                 KeyInfo{"head_size", shape},
                                 KeyInfo{"window", shape, from_zero}};
constexpr std::array decode_keys{KeyInfo{"requests"},
                                 KeyInfo{"tokens"},
                                 KeyInfo{"context", size, from_zero},
                                 KeyInfo{"heads", shape},
                                 KeyInfo{"key_value_heads", shape},
                                 KeyInfo{"head_size", shape},
                                 KeyInfo{"window", shape, from_zero}};
constexpr std::array latent_keys{KeyInfo{"requests"}, KeyInfo{"tokens"}, KeyInfo{"context", size, from_zero},
                                 KeyInfo{"heads", shape}};
constexpr std::array latent_product_keys{KeyInfo{"tokens"}, KeyInfo{"heads", shape}};
constexpr std::array expert_keys{KeyInfo{"tokens"},
                                 KeyInfo{"hidden", shape},
                                 KeyInfo{"inner", shape},
                                 KeyInfo{"experts_per_token", shape},
                                 KeyInfo{"experts", shape},
                                 KeyInfo{"tensor_parallel", shape},
                                 KeyInfo{"expert_parallel", shape},
                                 KeyInfo{"unevenness", shape, from_zero}};
constexpr std::array quantisation_keys{KeyInfo{"m"}, KeyInfo{"k", shape}};
constexpr std::array exchange_keys{KeyInfo{"devices", shape}, KeyInfo{"bytes"}};
constexpr std::array token_exchange_keys{KeyInfo{"nodes", shape},   KeyInfo{"tokens"},
                                         KeyInfo{"hidden", shape},  KeyInfo{"experts_per_token", shape},
                                         KeyInfo{"experts", shape}, KeyInfo{"multiprocessors", shape, from_zero}};
constexpr std::array nvlink_exchange_keys{KeyInfo{"devices", shape}, KeyInfo{"tokens"}, KeyInfo{"hidden", shape},
                                          KeyInfo{"experts_per_token", shape}, KeyInfo{"experts", shape}};

/// A stream of numbers with a launch: quantisation, and products of single heads.
struct StreamNumbers {
  double launch = 4e-6;
  double memory_share = 0.6;
  double share = 0.4;
};

template <class N, double N::*... Members>
struct Packed {
  static N from(const Numbers& numbers) {
    N unpacked;
    std::size_t i = 0;
    ((unpacked.*Members = numbers[i++]), ...);
    return unpacked;
  }
  static Numbers to(const N& unpacked) {
    Numbers numbers{};
    std::size_t i = 0;
    ((numbers[i++] = unpacked.*Members), ...);
    return numbers;
  }
};

using P = ProductNumbers;
using PackedProducts = Packed<P, &P::share, &P::half_rows, &P::memory_share, &P::launch, &P::walk, &P::split,
                              &P::exposed, &P::written, &P::cast, &P::cast_row>;
constexpr std::array<std::string_view, 10> product_numbers{"share", "half_rows", "memory_share", "launch", "walk",
                                                           "split", "exposed",   "written",      "cast",   "cast_row"};
using A = PromptNumbers;
using PackedPrompts = Packed<A, &A::share, &A::width, &A::narrow, &A::half, &A::corner, &A::edge, &A::block_share,
                             &A::memory_share, &A::cached, &A::warm, &A::launch>;
constexpr std::array<std::string_view, 11> prompt_numbers{
    "share", "width", "narrow", "half", "corner", "edge", "block_share", "memory_share", "cached", "warm", "launch"};
using D = DecodeNumbers;
using PackedDecoding = Packed<D, &D::memory_share, &D::warm, &D::loss, &D::limit, &D::share, &D::launch, &D::walk,
                              &D::chunk, &D::per_head, &D::per_group>;
constexpr std::array<std::string_view, 10> decode_numbers{"memory_share", "warm", "loss",  "limit",    "share",
                                                          "launch",       "walk", "chunk", "per_head", "per_group"};
using L = LatentNumbers;
using PackedLatent = Packed<L, &L::share, &L::half, &L::memory_share, &L::launch, &L::walk, &L::chunk, &L::projected>;
constexpr std::array<std::string_view, 7> latent_number_names{"share", "half",  "memory_share", "launch",
                                                              "walk",  "chunk", "projected"};
using X = ExpertNumbers;
using PackedExperts =
    Packed<X, &X::share, &X::half_rows, &X::memory_share, &X::launch, &X::moved, &X::gathered, &X::uneven>;
constexpr std::array<std::string_view, 7> expert_numbers{"share", "half_rows", "memory_share", "launch",
                                                         "moved", "gathered",  "uneven"};
using S = StreamNumbers;
using PackedStream = Packed<S, &S::launch, &S::memory_share, &S::share>;
constexpr std::array<std::string_view, 3> stream_numbers{"launch", "memory_share", "share"};
using E = ExchangeNumbers;
using PackedExchange =
    Packed<E, &E::launch, &E::hop, &E::one_share, &E::two_share, &E::first, &E::change, &E::own, &E::filling>;
constexpr std::array<std::string_view, 8> exchange_numbers{"launch", "hop",    "one_share", "two_share",
                                                           "first",  "change", "own",       "filling"};
using T = TokenExchangeNumbers;
using PackedTokenExchange = Packed<T, &T::launch, &T::beyond, &T::link_share, &T::network_share>;
constexpr std::array<std::string_view, 4> token_exchange_numbers{"launch", "beyond", "link_share", "network_share"};

constexpr std::array<FamilyInfo, family_count> families{{
    {"products", product_keys, product_numbers},
    {"prompts", prompt_keys, prompt_numbers},
    {"decoding", decode_keys, decode_numbers},
    {"latent prompts", latent_keys, latent_number_names},
    {"latent decoding", latent_keys, latent_number_names},
    {"latent products", latent_product_keys, stream_numbers},
    {"experts", expert_keys, expert_numbers},
    {"quantisation", quantisation_keys, stream_numbers},
    {"library exchanges", exchange_keys, exchange_numbers},
    {"own all-reduces", exchange_keys, exchange_numbers},
    {"token exchanges", token_exchange_keys, token_exchange_numbers},
    {"NVLink exchanges", nvlink_exchange_keys, token_exchange_numbers},
}};

ProductShape product_shape(const Keys& x, const TableSetting& t) {
  return {x[0], x[1], x[2], t.activation_bytes, t.weight_bytes};
}

AttentionShape attention_shape(const Keys& x, const TableSetting& t) {
  return {x[0], x[1], x[2], x[3], x[4], x[5], x[6], t.weight_bytes};
}

LatentShape latent_shape(const Keys& x, const TableSetting& t) {
  return {x[0], x[1], x[2], x[3], t.weight_bytes};
}

ExpertShape expert_shape(const Keys& x, const TableSetting& t) {
  return {x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7], t.products, t.activation_bytes, t.weight_bytes};
}

ExchangeShape exchange_shape(const Keys& x, const TableSetting& t) {
  return {x[0], x[1], t.passes};
}

/// DeepEP: a token goes once to every device that has one of its experts.
TokenExchangeShape token_exchange_shape(const Keys& x, const TableSetting& t) {
  return {x[0] * t.node_devices, t.node_devices, x[1], x[2], x[3], t.activation_bytes, 1.0};
}

TokenExchangeShape nvlink_exchange_shape(const Keys& x, const TableSetting& t) {
  return {x[0], x[0], x[1], x[2], x[3], t.activation_bytes, 1.0};
}

/// Products of `heads` matrices of 128 x 512 numbers with the rows of each head.
OperatorWork latent_product_work(const Keys& x, const TableSetting& t) {
  constexpr double inner = 128.0;
  constexpr double latent = 512.0;
  return {Flop{2.0 * x[0] * x[1] * inner * latent},
          Bytes{x[1] * (t.weight_bytes * inner * latent + x[0] * (t.activation_bytes * inner + 2.0 * latent))}};
}

/// Rows of 16 bits are read, and one byte a number is written.
OperatorWork quantisation_work(const Keys& x) {
  return {Flop{}, Bytes{3.0 * x[0] * x[1]}};
}

/// launch + sqrt((flop / (peak share))^2 + (bytes / (bandwidth memory_share))^2)
Seconds stream_time(const OperatorWork& work, const DeviceRates& rates, const StreamNumbers& numbers) {
  const double compute = work.flop.value() / (rates.peak.value() * numbers.share);
  const double traffic = work.bytes.value() / (rates.bandwidth.value() * numbers.memory_share);
  return Seconds{numbers.launch + overlapped(compute, traffic)};
}

/// Bytes that a device sends through its links.
Bytes sent_bytes(const TokenExchangeShape& s) {
  const double inside = s.devices > 1.0 ? (s.node_devices - 1.0) / (s.devices - 1.0) : 0.0;
  return Bytes{s.tokens * s.hidden * s.number_bytes * sent_copies(s) * inside};
}

ExchangeNumbers library_numbers(const TableSetting& t) {
  if (t.passes > 1.0) return t.protocols > 1.0 ? nccl_all_reduce() : ExchangeNumbers{};
  return t.protocols > 1.0 ? nccl_gather() : nccl_all_to_all();
}

bool is_exchange(Family family) {
  return family >= Family::library_exchanges;
}

}  // namespace

const FamilyInfo& info_of(Family family) {
  return families[static_cast<std::size_t>(family)];
}

Numbers start_of(Family family, const TableSetting& setting) {
  switch (family) {
    case Family::products:
      return PackedProducts::to(setting.quantised > 0.0 ? P{.cast = 1.0, .cast_row = 300.0} : P{});
    case Family::prompts:
      return PackedPrompts::to({});
    case Family::decoding:
      return PackedDecoding::to({});
    case Family::latent_prompts:
    case Family::latent_decoding:
      return PackedLatent::to({});
    case Family::latent_products:
    case Family::quantisation:
      return PackedStream::to({});
    case Family::experts:
      return PackedExperts::to({});
    case Family::library_exchanges:
      return PackedExchange::to(library_numbers(setting));
    case Family::own_all_reduces:
      return PackedExchange::to(own_all_reduce());
    case Family::token_exchanges:
    case Family::nvlink_exchanges:
      return PackedTokenExchange::to({});
  }
  return {};
}

Seconds form_time(Family family, const Keys& x, const TableSetting& t, const Numbers& numbers) {
  switch (family) {
    case Family::products:
      return product_time(product_shape(x, t), t.rates, PackedProducts::from(numbers));
    case Family::prompts:
      return prompt_time(attention_shape(x, t), t.rates, PackedPrompts::from(numbers));
    case Family::decoding:
      return decode_time(attention_shape(x, t), t.rates, PackedDecoding::from(numbers));
    case Family::latent_prompts:
    case Family::latent_decoding:
      return latent_time(work_of(family, x, t), latent_shape(x, t), t.rates, PackedLatent::from(numbers));
    case Family::latent_products:
    case Family::quantisation:
      return stream_time(work_of(family, x, t), t.rates, PackedStream::from(numbers));
    case Family::experts:
      return expert_time(expert_shape(x, t), t.rates, PackedExperts::from(numbers));
    case Family::library_exchanges:
    case Family::own_all_reduces:
      return exchange_time(exchange_shape(x, t), t.link, PackedExchange::from(numbers));
    case Family::token_exchanges:
      return token_exchange_time(token_exchange_shape(x, t), t.link, t.network, PackedTokenExchange::from(numbers));
    case Family::nvlink_exchanges:
      return token_exchange_time(nvlink_exchange_shape(x, t), t.link, t.network, PackedTokenExchange::from(numbers));
  }
  return {};
}

OperatorWork work_of(Family family, const Keys& x, const TableSetting& t) {
  switch (family) {
    case Family::products:
      return product_work(product_shape(x, t));
    case Family::prompts:
    case Family::decoding:
      return attention_work(attention_shape(x, t));
    case Family::latent_prompts:
      return latent_prompt_work(latent_shape(x, t));
    case Family::latent_decoding:
      return latent_decode_work(latent_shape(x, t));
    case Family::latent_products:
      return latent_product_work(x, t);
    case Family::experts:
      return expert_work(expert_shape(x, t));
    case Family::quantisation:
      return quantisation_work(x);
    case Family::library_exchanges:
    case Family::own_all_reduces:
      return {Flop{}, Bytes{x[1] * (x[0] - 1.0) / x[0]}};
    case Family::token_exchanges:
      return {Flop{}, sent_bytes(token_exchange_shape(x, t))};
    case Family::nvlink_exchanges:
      return {Flop{}, sent_bytes(nvlink_exchange_shape(x, t))};
  }
  return {};
}

Seconds least_time(Family family, const Keys& keys, const TableSetting& setting) {
  const OperatorWork work = work_of(family, keys, setting);
  if (is_exchange(family)) return work.bytes / setting.link;
  return std::max(work.flop / setting.rates.peak, work.bytes / setting.rates.bandwidth);
}

}  // namespace dfsweep::operators
