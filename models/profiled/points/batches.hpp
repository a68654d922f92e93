/// Batches: the batches of a sweep, and the cell numbers for caching results that depend only on the batch.
#pragma once

#include <optional>
#include <vector>

#include "models/prepared/code_columns.hpp"
#include "models/profiled/points/decoded_values.hpp"

namespace dfsweep::profiled {

using CodeColumns = dfsweep::CodeColumns<Parameter>;
using Codes = CodeColumns::Codes;

/// The batch of a point.
struct BatchAtPoint {
  BatchPart decode;
  BatchPart prefill;
  std::uint64_t decode_cell = 0;   ///< cell number of the decoding requests
  std::uint64_t prefill_cell = 0;  ///< cell number of the prompts
  bool is_given_once = true;       ///< not empty, and not given both by `requests` and by other parameters
  [[nodiscard]] double tokens() const { return decode.tokens + prefill.tokens; }
};

/// Batches are given by `requests` or by the parameters of uniform batches. Each of the two has separate cells, so
/// their numbers add instead of multiplying.
class Batches {
 public:
  /// Pre: `decoded` outlives the object.
  Batches(const SweepValues& values, const ProfiledValues& decoded);

  [[nodiscard]] std::uint64_t decode_cells() const { return decode_cells_; }
  [[nodiscard]] std::uint64_t prefill_cells() const { return prefill_cells_; }
  /// Maximum number of tokens over all batches of the sweep.
  [[nodiscard]] double most_tokens() const { return most_tokens_; }
  [[nodiscard]] double most_requests() const { return most_requests_; }

  /// `code(parameter)`: code of a parameter at the point.
  template <class CodeOf>
  [[nodiscard]] BatchAtPoint at(const CodeOf& code) const {
    const std::uint32_t list = code(Parameter::batch_requests);
    const double decoding = number(Parameter::decode_batch, code);
    const double prompts = number(Parameter::prefill_batch, code);
    const double chunk = number(Parameter::prefill_chunk, code);
    const bool is_uniform = decoding > 0.0 || (prompts > 0.0 && chunk > 0.0);
    if (is_listed_[list]) return listed(list, code(Parameter::block_size), is_uniform);
    const double page = number(Parameter::block_size, code);
    const std::uint64_t decode_cell =
        lists_ + std::uint64_t{code(Parameter::decode_batch)} * decode_contexts_ + code(Parameter::decode_context);
    const std::uint64_t prefill_cell =
        lists_ +
        (std::uint64_t{code(Parameter::prefill_batch)} * prefill_chunks_ + code(Parameter::prefill_chunk)) *
            prefill_contexts_ +
        code(Parameter::prefill_context);
    // Constructed in place, because copying parts just after writing them would stall on store-to-load forwarding.
    return {uniform_part(decoding, 1.0, number(Parameter::decode_context, code), page),
            uniform_part(prompts, chunk, number(Parameter::prefill_context, code), page), decode_cell, prefill_cell,
            is_uniform};
  }
  /// The requests of the batch at a point.
  template <class CodeOf>
  [[nodiscard]] RequestBatch batch(const CodeOf& code) const {
    if (const std::optional<RequestBatch>& list = decoded_.batches[code(Parameter::batch_requests)]) return *list;
    return uniform_batch({number(Parameter::decode_batch, code), 1.0, number(Parameter::decode_context, code)},
                         {number(Parameter::prefill_batch, code), number(Parameter::prefill_chunk, code),
                          number(Parameter::prefill_context, code)});
  }

 private:
  struct Parts {
    BatchPart decode;
    BatchPart prefill;
  };
  template <class CodeOf>
  [[nodiscard]] double number(Parameter p, const CodeOf& code) const {
    return decoded_.numbers[p][code(p)];
  }
  [[nodiscard]] BatchAtPoint listed(std::uint32_t list, std::uint32_t page, bool is_uniform) const {
    const Parts& parts = listed_parts_[list * pages_ + page];
    const bool is_empty = parts.decode.tokens + parts.prefill.tokens == 0.0;
    return {parts.decode, parts.prefill, list, list, !is_uniform && !is_empty};
  }
  [[nodiscard]] static BatchPart uniform_part(double count, double tokens, double context, double page) {
    if (!(count * tokens > 0.0)) return {};
    return {count, count * tokens, count * std::ceil((context + tokens) / page) * page};
  }

  const ProfiledValues& decoded_;
  std::uint64_t lists_ = 0;
  std::uint64_t decode_contexts_ = 0;
  std::uint64_t prefill_chunks_ = 0;
  std::uint64_t prefill_contexts_ = 0;
  std::uint64_t pages_ = 0;
  std::uint64_t decode_cells_ = 0;
  std::uint64_t prefill_cells_ = 0;
  double most_tokens_ = 0.0;
  double most_requests_ = 0.0;
  std::vector<std::uint8_t> is_listed_;  ///< [code of requests]
  std::vector<Parts> listed_parts_;      ///< [code of requests][code of block_size]
};

}  // namespace dfsweep::profiled
