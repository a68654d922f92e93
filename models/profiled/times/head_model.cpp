/// Curves of the head and their replacements.
#include "models/profiled/times/head_model.hpp"

#include <algorithm>
#include <cmath>

#include "models/measured_tables/rows.hpp"
#include "models/profiled/times/stand_in_error.hpp"

namespace dfsweep::profiled {

namespace {

constexpr std::size_t emb = 0;  // index into head_operators
constexpr std::size_t lm_head = 1;
static_assert(head_operators[emb] == Operator::emb && head_operators[lm_head] == Operator::lm_head);

}  // namespace

void HeadModel::prepare() const {
  work_.finish([this](std::size_t i) {
    if (own_ != nullptr) curves_[i] = tables_.head_curve(*own_, head_operators[i], reading_.statistic, reading_.method);
  });
}

std::optional<Prediction> HeadModel::embedding(double tokens) const {
  if (std::optional<Prediction> known = measured(emb, tokens)) return known;
  return streamed(2.0 * layer_.layer().model.hidden * tokens);
}

std::optional<Prediction> HeadModel::output(double requests) const {
  if (std::optional<Prediction> known = measured(lm_head, requests)) return known;
  const ServedModel& model = layer_.layer().model;
  if (model.vocabulary == 0.0) return Prediction{};
  const std::optional<Prediction> up = layer_.token(layer_index(Operator::mlp_up_proj), requests);
  if (!up) return std::nullopt;
  return standing_in(*up, model.vocabulary / (model.up_products * model.ffn_hidden), Operator::lm_head);
}

std::optional<Prediction> HeadModel::sampling(double requests) const {
  return streamed(layer_.layer().model.vocabulary * requests);
}

std::vector<RowOrigin> HeadModel::embedding_rows(double tokens) const {
  if (curves_[emb]) return measured_rows(emb, tokens);
  return layer_rows(Operator::mlp_act, streamed_tokens(2.0 * layer_.layer().model.hidden * tokens));
}

std::vector<RowOrigin> HeadModel::output_rows(double requests) const {
  if (curves_[lm_head]) return measured_rows(lm_head, requests);
  return layer_rows(Operator::mlp_up_proj, requests);
}

std::vector<RowOrigin> HeadModel::sampling_rows(double requests) const {
  return layer_rows(Operator::mlp_act, streamed_tokens(layer_.layer().model.vocabulary * requests));
}

std::optional<Prediction> HeadModel::measured(std::size_t i, double tokens) const {
  if (!curves_[i]) return std::nullopt;
  return curves_[i]->predict(whole_tokens(rounded_up(tokens, layer_.reading().token_granularity)));
}

std::vector<RowOrigin> HeadModel::measured_rows(std::size_t i, double tokens) const {
  return rows_near(own_->curve(head_operators[i], reading_.statistic, EmptyCell::unmeasured),
                   rounded_up(tokens, layer_.reading().token_granularity));
}

/// Number of tokens for which mlp_act moves the same amount of data.
double HeadModel::streamed_tokens(double numbers) const {
  const LayerSplit& split = layer_.layer();
  return std::ceil(numbers / ((split.model.up_products + 1.0) * split.model.ffn_hidden / split.tensor_parallel));
}

std::optional<Prediction> HeadModel::streamed(double numbers) const {
  if (numbers == 0.0) return Prediction{};
  const std::optional<Prediction> act = layer_.token(layer_index(Operator::mlp_act), streamed_tokens(numbers));
  if (!act) return std::nullopt;
  return standing_in(*act, 1.0, Operator::emb);
}

std::vector<RowOrigin> HeadModel::layer_rows(Operator op, double tokens) const {
  return layer_.rows(layer_index(op), uniform_batch({tokens, 1.0, 0.0}, {0.0, 0.0, 0.0}));
}

}  // namespace dfsweep::profiled
