/// Fits to measured kernels, as tables on the terminal and as JSON.
#include "engine/commands/calibrate_output.hpp"

#include <fmt/format.h>

#include <cmath>

#include "engine/tables/rendering.hpp"
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
    case KernelVerdict::fitted:
      return "fitted";
    case KernelVerdict::undetermined:
      return "undetermined: unchanged";
    case KernelVerdict::contradicted:
      break;
  }
  return "contradicted: unchanged";
}

std::string_view word_of(KernelVerdict verdict) {
  constexpr std::string_view words[] = {"fitted", "undetermined", "contradicted"};
  return words[static_cast<std::size_t>(verdict)];
}

std::string both(const calibration::ErrorSummary& e) {
  return percent_of_error(e.median) + ", " + percent_of_error(e.percentile90);
}

std::string class_errors(const KernelFit& fit, const Terminal& terminal) {
  const auto flush_right = [](std::string heading) {
    return ColumnLook{.heading = std::move(heading), .align = Align::right};
  };
  TableOf<KernelClassFit> table(fit.classes);
  table
      .show({"kernels", 2},
            [](const KernelClassFit& c) {
              return std::string(name_of(c.kind)) + (c.counts_square ? ", masked half computed" : "");
            })
      .show({"tables"}, &KernelClassFit::tables)
      .show({"kernels"}, &KernelClassFit::kernels)
      .show(flush_right("before"), along(&KernelClassFit::before, both))
      .show(flush_right("after"), along(&KernelClassFit::after, both))
      .show(flush_right("left out"),
            [](const KernelClassFit& c) { return c.left_out ? both(*c.left_out) : std::string("one group"); });
  return render_table(text_columns(table.take()), terminal, 2).text;
}

DataTable numbers_table(std::vector<KernelNumber> numbers) {
  const NumberText three_decimals = [](double value) { return fmt::format("{:.3f}", value); };
  TableOf<KernelNumber> table(std::move(numbers));
  table.add({"name"}, &KernelNumber::field, {"number", 2})
      .add({"before"}, &KernelNumber::before, {"before", 0, short_number})
      .add({"after"}, &KernelNumber::after)
      .show({"kernels say", 0, short_number},
            [](const KernelNumber& n) {
              return n.verdict == KernelVerdict::undetermined ? std::nullopt : std::optional(n.after);
            })
      .add({"displacement"}, &KernelNumber::displacement)
      .add({"spread"}, &KernelNumber::spread, {"spread", 0, three_decimals})
      .add({"verdict"}, along(&KernelNumber::verdict, word_of))
      .show({"", 1}, [](const KernelNumber& n) {
        return verdict_text(n.verdict) + (n.kept_by.empty() ? "" : ", but not to " + listed(n.kept_by));
      });
  return table.take();
}

std::string kernel_numbers(const KernelFit& fit, const Terminal& terminal) {
  std::vector<KernelNumber> numbers;
  for (const KernelClassFit& c : fit.classes) numbers.insert(numbers.end(), c.numbers.begin(), c.numbers.end());
  return render_table(text_columns(numbers_table(std::move(numbers))), terminal, 2).text;
}

JsonArray numbers_json(const std::vector<KernelNumber>& numbers) {
  const DataTable table = numbers_table(numbers);
  JsonArray all;
  for (std::size_t n = 0; n < numbers.size(); ++n) {
    JsonObject number = row_json(table, n);
    number.emplace_back("kept_by", JsonArray(numbers[n].kept_by.begin(), numbers[n].kept_by.end()));
    all.emplace_back(std::move(number));
  }
  return all;
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
      JsonObject one{{"class", name_of(c.kind)},
                     {"tables", c.tables},
                     {"kernels", c.kernels},
                     {"groups", c.groups},
                     {"masked_half_computed", c.counts_square},
                     {"before", pair_of(c.before)},
                     {"after", pair_of(c.after)},
                     {"left_out", c.left_out ? Json(pair_of(*c.left_out)) : Json(nullptr)},
                     {"numbers", numbers_json(c.numbers)}};
      if (c.latency) one.emplace_back("latency", *c.latency);
      classes.emplace_back(std::move(one));
    }
    all.emplace_back(JsonObject{{"system", fit.system}, {"tables", fit.files.size()}, {"classes", std::move(classes)}});
  }
  return all;
}

}  // namespace dfsweep
