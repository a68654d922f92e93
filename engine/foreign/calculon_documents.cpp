/// Models, systems and executions of the Calculon tool as catalogue entries and points.
#include "engine/foreign/calculon_files.hpp"

#include <fmt/format.h>

#include <array>

#include "engine/foreign/calculon_words.hpp"
#include "engine/foreign/document_reader.hpp"
#include "io/number_format.hpp"

namespace dfsweep::foreign {

namespace {

struct ModelField {
  std::string_view theirs;
  std::string_view ours;
};
constexpr std::array<ModelField, 6> model_fields{{{"hidden", "hidden"},
                                                  {"attn_heads", "heads"},
                                                  {"attn_size", "head_dim"},
                                                  {"feedforward", "ffn_hidden"},
                                                  {"num_blocks", "layers"},
                                                  {"seq_size", "sequence_length"}}};
constexpr std::string_view operations[] = {"p2p", "reduce_scatter", "all_gather", "all_reduce"};
constexpr double giga = 1e9;
constexpr double mega = 1e6;

void throw_if_any(std::vector<Problem> problems) {
  if (!problems.empty()) throw UserError(std::move(problems));
}

std::string head_of(const std::string& name, const std::string& shown) {
  return fmt::format("name = {}\ndescription = {}\n", toml_quoted(name), toml_quoted("imported from " + shown));
}

/// Writes the lines of an entry.
class SystemWriter {
 public:
  SystemWriter(std::string head, const std::string& shown, std::vector<Problem>& problems)
      : text_(std::move(head)), source_(fmt::format("source = {}\n", toml_quoted(shown))), problems_(&problems) {}

  void engines(DocumentReader system, std::string_view kind) {
    const DocumentReader formats = system.table(kind);
    for (const DocumentMember& member : formats.members().members) {
      const auto precision = precision_of(member.key);
      if (!precision) {
        problems_->push_back({member.at, fmt::format("unknown format '{}'", member.key),
                              "formats: float8, float16, bfloat16, float32", ""});
        continue;
      }
      if (member.value.table() == nullptr) {
        problems_->push_back({member.value.at, fmt::format("'{}.{}' is {}", kind, member.key, member.value.type_name()),
                              "an object with the peak and efficiencies of a format is needed", ""});
        continue;
      }
      DocumentReader engine(*member.value.table(), member.value.at, fmt::format("{}.{}", kind, member.key), *problems_);
      text_ += fmt::format("\n[[engine]]\nkind = \"{}\"\nprecision = \"{}\"\npeak_flops = \"{} TFLOP/s\"\n", kind,
                           *precision, shortest(engine.number("tflops")));
      curve(engine, "gflops_efficiency", "efficiency_flops", giga);
      text_ += source_;
    }
  }

  void memory(DocumentReader tier) {
    text_ += fmt::format("\n[[memory]]\ncapacity = \"{} GiB\"\nbandwidth = \"{} GB/s\"\n", shortest(tier.number("GiB")),
                         shortest(tier.number("GBps")));
    curve(tier, "MB_efficiency", "efficiency_bytes", mega);
    text_ += source_;
  }

  void network(DocumentReader tier) {
    text_ += fmt::format("\n[[network]]\nbandwidth = \"{} GB/s\"\nefficiency = {}\nsize = {}\nlatency = \"{} s\"\n",
                         shortest(tier.number("bandwidth")), shortest(tier.number("efficiency")),
                         shortest(tier.number("size")), shortest(tier.number("latency")));
    text_ += fmt::format("must_be_filled = {}\nprocessor_usage = {}\n", tier.boolean("must_be_filled"),
                         shortest(tier.number_or("processor_usage", 0.0)));
    DocumentReader volumes = tier.table("ops");
    for (const std::string_view operation : operations) volume(volumes, operation);
    text_ += source_;
  }

  [[nodiscard]] std::string take() { return std::move(text_); }

 private:
  /// Writes a list of pairs of size and efficiency.
  void curve(DocumentReader& owner, std::string_view field, std::string_view sizes_name, double unit) {
    std::string sizes;
    std::string efficiencies;
    for (const Node& step : owner.list(field)) {
      const std::array<double, 2> pair = pair_of(step, field);
      sizes += (sizes.empty() ? "" : ", ") + shortest(pair[0] * unit);
      efficiencies += (efficiencies.empty() ? "" : ", ") + shortest(pair[1]);
    }
    text_ += fmt::format("{} = [{}]\nefficiency = [{}]\n", sizes_name, sizes, efficiencies);
  }

  /// Writes scalar and offset of an operation; p2p may omit both.
  void volume(DocumentReader& owner, std::string_view operation) {
    const NodeList& pair = owner.list(operation);
    const bool has_offset = pair.size() == 2;
    const std::optional<double> scalar = pair.empty() ? std::nullopt : number_in(pair[0]);
    const std::optional<double> offset = has_offset ? number_in(pair[1]) : 0.0;
    if (!pair.empty() && (!scalar || !offset || pair.size() > 2))
      problems_->push_back({pair[0].at, fmt::format("'{}' is not a pair of numbers", operation),
                            "a scalar and an offset are needed", ""});
    text_ += fmt::format("{} = [{}, {}]\n", operation, shortest(scalar.value_or(1.0)), shortest(offset.value_or(0.0)));
  }

  std::array<double, 2> pair_of(const Node& value, std::string_view field) {
    const NodeList* pair = value.array();
    if (pair != nullptr && pair->size() == 2)
      if (const auto from = number_in((*pair)[0]), efficiency = number_in((*pair)[1]); from && efficiency)
        return {*from, *efficiency};
    problems_->push_back(
        {value.at, fmt::format("an element of '{}' is not a pair of numbers", field), "a size and an efficiency", ""});
    return {0.0, 1.0};
  }

  std::string text_;
  std::string source_;
  std::vector<Problem>* problems_;
};

}  // namespace

DocumentKind kind_of(const Document& document, const std::string& shown) {
  if (document.find("num_procs") != nullptr) return DocumentKind::execution;
  if (document.find("networks") != nullptr) return DocumentKind::system;
  if (document.find("hidden") != nullptr) return DocumentKind::model;
  throw UserError({{{shown, 1, 1},
                    "not a file of Calculon",
                    "a model has 'hidden', a system 'networks', an execution 'num_procs'",
                    ""}});
}

std::string model_entry(const Document& document, const std::string& name, const std::string& shown) {
  std::vector<Problem> problems;
  DocumentReader reader(document, {shown, 1, 1}, "", problems);
  std::string text = head_of(name, shown) + "kind = \"transformer\"\n\n";
  for (const ModelField& field : model_fields)
    text += fmt::format("{} = {{ value = {}, source = {} }}\n", field.ours, shortest(reader.number(field.theirs)),
                        toml_quoted(shown));
  throw_if_any(std::move(problems));
  return text;
}

std::string system_entry(const Document& document, const std::string& name, const std::string& shown) {
  std::vector<Problem> problems;
  DocumentReader reader(document, {shown, 1, 1}, "", problems);
  SystemWriter writer(
      head_of(name, shown) + fmt::format("processing = {}\n", toml_quoted(reader.text("processing_mode"))), shown,
      problems);
  writer.engines(reader, "matrix");
  writer.engines(reader, "vector");
  writer.memory(reader.table("mem1"));
  writer.memory(reader.table("mem2"));
  const NodeList& networks = reader.list("networks");
  for (std::size_t i = 0; i < networks.size(); ++i) {
    if (networks[i].table() != nullptr)
      writer.network({*networks[i].table(), networks[i].at, fmt::format("networks[{}]", i), problems});
    else
      reader.complain(networks[i].at, fmt::format("'networks[{}]' is {}", i, networks[i].type_name()),
                      "an object is needed");
  }
  throw_if_any(std::move(problems));
  return writer.take();
}

std::vector<std::string> execution_values(const Document& document, const std::string& shown) {
  std::vector<Problem> problems;
  std::vector<std::string> values;
  for (const ExecutionInput& input : execution_inputs()) {
    const Node* value = document.find(input.theirs);
    if (value == nullptr) {
      problems.push_back({{shown, 1, 1}, fmt::format("'{}' is missing", input.theirs), "an execution needs it", ""});
      continue;
    }
    const std::optional<std::string> theirs = scalar_text(*value);
    const std::optional<std::string> ours = theirs ? our_value(input.kind, *theirs) : std::nullopt;
    if (!ours)
      problems.push_back({value->at, fmt::format("'{}' is {}", input.theirs, value->type_name()),
                          input.kind == InputKind::whole ? "a whole number is needed" : "true or false is needed", ""});
    values.push_back(ours.value_or(""));
  }
  throw_if_any(std::move(problems));
  return values;
}

}  // namespace dfsweep::foreign
