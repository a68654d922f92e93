#include "models/training/explain/layer_sections.hpp"

#include "models/kernels/attention_core.hpp"
#include "models/kernels/layer.hpp"

namespace dfsweep::training {

namespace {

Explanation titled(std::string title) {
  return {.title = std::move(title), .facts = {}, .table = {}, .sections = {}};
}

std::string sizes_of(const MatrixProduct& p) {
  const auto whole = [](double number) { return std::to_string(static_cast<long long>(number)); };
  std::string text = whole(p.rows) + " x " + whole(p.columns) + " x " + whole(p.depth);
  return p.count > 1 ? whole(p.count) + " of " + text : text;
}

/// One kind of layer, and how many layers of the model are of it.
Explanation kernels_of(const TrainingPoint& point, LayerKind kind, double layers) {
  const Architecture& a = point.architecture;
  const Execution& e = point.execution;
  const Throughput most = peak(point.accelerator, e.format);
  Explanation all =
      titled(kind == LayerKind::dense ? "a dense layer, one micro-batch" : "a layer with experts, one micro-batch");
  all.facts.push_back({"layers of this kind in the model", layers, ""});
  all.table.headings = {"kernel, forward", "rows x columns x depth", "FLOP", "time", "of the peak"};
  all.table.units = {"", "", "FLOP", "s", "1"};
  for (const MatrixProduct& product : LayerProducts(a, e, kind)) {
    const Seconds time = product_time(product, e.format, point.accelerator, point.software.matrix);
    all.table.rows.push_back({std::string(product.name), sizes_of(product), flop(product).value(), time.value(),
                              flop(product) / time / most});
  }
  const Flop scores = attention_core_flop(a, e);
  const LayerTimes times = layer_times(a, e, kind, point.accelerator, point.software);
  all.table.rows.push_back({std::string("attention scores"), std::string("-"), scores.value(),
                            times.forward.attention.value(), scores / times.forward.attention / most});
  const auto rest = [&](const char* name, Seconds time) {
    all.table.rows.push_back({std::string(name), std::string("-"), std::string("-"), time.value(), std::string("-")});
  };
  rest("norms, residuals, activations", times.forward.elementwise);
  rest("conversion to narrow formats", times.forward.cast);
  rest("forward pass", times.forward.total());
  rest("backward pass, gradients of activations", times.backward_input.total());
  rest("backward pass, gradients of weights", times.backward_weight.total());
  return all;
}

}  // namespace

Explanation layer_sections(const TrainingPoint& point) {
  const Architecture& a = point.architecture;
  Explanation all = titled("layers on one device");
  if (const double dense = dense_layers(a); dense > 0)
    all.sections.push_back(kernels_of(point, LayerKind::dense, dense));
  if (const double routed = expert_layers(a); routed > 0)
    all.sections.push_back(kernels_of(point, LayerKind::experts, routed));
  const VocabularyTimes output = vocabulary_times(a, point.execution, point.accelerator, point.software);
  all.facts = {{"output layer and loss, forward", output.forward.value(), "s"},
               {"output layer and loss, backward", output.backward.value(), "s"}};
  return all;
}

}  // namespace dfsweep::training
