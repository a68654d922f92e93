#include "engine/commands/kernel_text.hpp"

#include <fmt/format.h>

#include <cmath>

#include "io/number_format.hpp"
#include "io/suggestion.hpp"
#include "models/short_number.hpp"

namespace dfsweep {

namespace {

std::string percent_of_error(double error) {
  return fmt::format("{:.1f} %", 100 * error);
}

std::string verdict_text(KernelVerdict verdict) {
  switch (verdict) {
    case KernelVerdict::told:
      return "told";
    case KernelVerdict::not_told:
      return "not told: stays";
    case KernelVerdict::contradicted:
      break;
  }
  return "contradicted: stays";
}

std::string class_errors(const KernelFit& fit, const Terminal& terminal) {
  std::vector<TextColumn> columns{
      {.heading = "kernels", .weight = 2},           {.heading = "tables", .align = Align::right},
      {.heading = "kernels", .align = Align::right}, {.heading = "before", .align = Align::right},
      {.heading = "after", .align = Align::right},   {.heading = "left out", .align = Align::right}};
  const auto both = [](const calibration::ErrorSummary& e) {
    return percent_of_error(e.median) + ", " + percent_of_error(e.percentile90);
  };
  for (const KernelClassFit& c : fit.classes) {
    columns[0].cells.push_back(std::string(name_of(c.kind)) + (c.counts_square ? ", masked half computed" : ""));
    columns[1].cells.push_back(std::to_string(c.tables));
    columns[2].cells.push_back(std::to_string(c.kernels));
    columns[3].cells.push_back(both(c.before));
    columns[4].cells.push_back(both(c.after));
    columns[5].cells.push_back(c.left_out ? both(*c.left_out) : "one group");
  }
  return render_table(columns, terminal, 2).text;
}

std::string kernel_numbers(const KernelFit& fit, const Terminal& terminal) {
  std::vector<TextColumn> columns{{.heading = "number", .weight = 2},
                                  {.heading = "before", .align = Align::right},
                                  {.heading = "kernels say", .align = Align::right},
                                  {.heading = "spread", .align = Align::right},
                                  {.heading = "", .weight = 1}};
  for (const KernelClassFit& c : fit.classes)
    for (const KernelNumber& number : c.numbers) {
      columns[0].cells.push_back(number.field);
      columns[1].cells.push_back(short_number(number.before));
      columns[2].cells.push_back(number.verdict == KernelVerdict::not_told ? "" : short_number(number.after));
      columns[3].cells.push_back(fmt::format("{:.3f}", number.spread));
      const std::string keepers = number.kept_by.empty() ? "" : ", but not to " + listed(number.kept_by);
      columns[4].cells.push_back(verdict_text(number.verdict) + keepers);
    }
  return render_table(columns, terminal, 2).text;
}

std::string_view word_of(KernelVerdict verdict) {
  constexpr std::string_view words[] = {"told", "not_told", "contradicted"};
  return words[static_cast<std::size_t>(verdict)];
}

JsonArray pair_of(const calibration::ErrorSummary& e) {
  return JsonArray{e.median, e.percentile90};
}

}  // namespace

std::string kernel_text(std::span<const KernelFit> kernels, const Terminal& terminal) {
  std::string text;
  for (const KernelFit& fit : kernels) {
    text += fmt::format("{}: {} (errors: median and 90th percentile)\n\n",
                        toned(terminal, Tone::bold, "kernels of " + fit.system),
                        counted(fit.files.size(), "operator table"));
    text += class_errors(fit, terminal) + "\n" + kernel_numbers(fit, terminal);
    for (const KernelClassFit& c : fit.classes)
      if (c.latency)
        text += fmt::format("\n  {}: a step takes {:.1f} us; latencies belong to systems and stay\n", name_of(c.kind),
                            1e6 * *c.latency);
    text += "\n";
  }
  return text;
}

JsonArray kernel_json(std::span<const KernelFit> kernels) {
  JsonArray all;
  for (const KernelFit& fit : kernels) {
    JsonArray classes;
    for (const KernelClassFit& c : fit.classes) {
      JsonArray numbers;
      for (const KernelNumber& n : c.numbers)
        numbers.emplace_back(JsonObject{{"name", n.field},
                                        {"before", n.before},
                                        {"after", n.after},
                                        {"displacement", n.displacement},
                                        {"spread", n.spread},
                                        {"verdict", word_of(n.verdict)},
                                        {"kept_by", JsonArray(n.kept_by.begin(), n.kept_by.end())}});
      JsonObject one{{"class", name_of(c.kind)},
                     {"tables", c.tables},
                     {"kernels", c.kernels},
                     {"groups", c.groups},
                     {"masked_half_computed", c.counts_square},
                     {"before", pair_of(c.before)},
                     {"after", pair_of(c.after)},
                     {"left_out", c.left_out ? Json(pair_of(*c.left_out)) : Json(nullptr)},
                     {"numbers", std::move(numbers)}};
      if (c.latency) one.emplace_back("latency", *c.latency);
      classes.emplace_back(std::move(one));
    }
    all.emplace_back(JsonObject{{"system", fit.system}, {"tables", fit.files.size()}, {"classes", std::move(classes)}});
  }
  return all;
}

}  // namespace dfsweep
