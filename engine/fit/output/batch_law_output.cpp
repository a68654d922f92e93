#include "engine/fit/output/batch_law_output.hpp"

#include <fmt/format.h>

#include <cmath>

#include "engine/tables/rendering.hpp"
#include "engine/tables/table.hpp"
#include "io/number_format.hpp"
#include "io/toml.hpp"
#include "models/whole_run/batch_law_entry.hpp"

namespace dfsweep::fit {

using namespace law_fits;
using whole_run::BatchLaw;
using whole_run::Estimated;

namespace {

/// "518964 (507000 to 530000)", "at least 5600" where there is no upper end.
std::string number_text(const Estimated& number) {
  if (!is_given(number.value)) return "unknown";
  if (!std::isfinite(number.interval.high)) return fmt::format("not identified, at least {:.3g}", number.interval.low);
  return fmt::format("{:.4g} ({:.4g} to {:.4g})", number.value, number.interval.low, number.interval.high);
}

/// Null where the number is unknown or infinite.
Json finite_json(double value) {
  if (!std::isfinite(value)) return {};
  return value;
}

Json number_json(const Estimated& number) {
  return JsonObject{{"value", finite_json(number.value)},
                    {"low", finite_json(number.interval.low)},
                    {"high", finite_json(number.interval.high)}};
}

std::string description_of(const FittedBatchLaw& law) {
  const std::string factor = is_given(law.fit.law.four_bits.value)
                                 ? fmt::format(", {:.3g} times that in 4 bits", law.fit.law.four_bits.value)
                                 : "";
  const std::string critical = std::isfinite(law.fit.law.critical_batch.value)
                                   ? fmt::format(" (1 + B / {:.3g})", law.fit.law.critical_batch.value)
                                   : "";
  return fmt::format("sequences to the target: {:.4g}{}{}", law.fit.law.samples.value, critical, factor);
}

std::string title_of(const FittedBatchLaw& law) {
  return law.set.model.empty() ? "runs" : law.set.model;
}

}  // namespace

FittedBatchLaw fitted_batch_law(BatchRunSet set) {
  FittedBatchLaw law{std::move(set), {}, {}};
  law.fit = fit_batch_law(law.set.runs);
  law.fit.law.target_loss = law.set.target_loss;
  law.fit.law.sequence_length = law.set.sequence_length;
  if (law.fit.defect == BatchFitDefect::none && law.set.systems.size() > 1)
    law.left_out = left_out_systems(law.set.runs);
  const TargetRun& last = law.set.runs.back();
  law.fit.law.evaluations.first = last.evaluations.first;
  law.fit.law.evaluations.interval = last.evaluations.interval;
  return law;
}

std::vector<std::string> remarks_of(const FittedBatchLaw& law) {
  if (law.fit.defect == BatchFitDefect::no_success) return {"no run reached the target: nothing can be fitted"};
  std::vector<std::string> remarks;
  if (law.fit.law.batches.low == law.fit.law.batches.high)
    remarks.push_back("all runs have one batch: the critical batch is not identified");
  else if (!law.fit.critical_is_identified())
    remarks.push_back(fmt::format("the critical batch is not identified: batches up to {:g} may as well cost nothing",
                                  law.fit.law.batches.high));
  if (!is_given(law.fit.law.four_bits.value))
    remarks.push_back("the runs do not compare 4 bits with 8 or 16: what 4 bits cost is unknown");
  if (!law.fit.spread_is_seen)
    remarks.push_back("equal runs end at the same evaluation: the spread between seeds is the prior's");
  if (law.fit.dispersion > 2.0)
    remarks.push_back(
        fmt::format("runs of one configuration deviate together: variances are {:.1f} times as large as of "
                    "independent runs, and so are those of the intervals",
                    law.fit.dispersion));
  return remarks;
}

std::string batch_law_text(std::span<const FittedBatchLaw> laws, const Terminal& terminal) {
  std::string text;
  for (const FittedBatchLaw& each : laws) {
    const BatchLaw& law = each.fit.law;
    text += fmt::format("{}{}: {} runs of {} configurations on {} systems\n", text.empty() ? "" : "\n", title_of(each),
                        each.set.runs.size(), each.fit.configurations, each.set.systems.size());
    if (each.fit.defect == BatchFitDefect::none) {
      text += "  sequences to the target E0 (1 + B / Bc) q\n";
      text += fmt::format("  E0, small batch          {}\n", number_text(law.samples));
      text += fmt::format("  Bc, critical batch       {}\n", number_text(law.critical_batch));
      text += fmt::format("  q, 4 bits over 8         {}\n", number_text(law.four_bits));
      text += fmt::format("  s, spread between seeds  {}\n", number_text(law.spread));
      text += fmt::format("  batches                  {:g} to {:g}\n", law.batches.low, law.batches.high);
      if (!each.left_out.empty())
        text += fmt::format(
            "  systems left out: mean error {:.1f} % of samples at the evaluation that reaches the target\n",
            100.0 * mean_error(each.left_out));
    }
    for (const std::string& remark : remarks_of(each)) text += wrapped("  " + remark, terminal, 4);
  }
  return text;
}

Json batch_law_json(std::span<const FittedBatchLaw> laws) {
  JsonArray all;
  for (const FittedBatchLaw& each : laws) {
    const BatchLaw& law = each.fit.law;
    JsonArray remarks;
    for (const std::string& remark : remarks_of(each)) remarks.emplace_back(remark);
    JsonArray left_out;
    for (const LeftOutConfiguration& one : each.left_out)
      left_out.push_back(JsonObject{{"system", each.set.systems[one.system]},
                                    {"global_batch", one.batch},
                                    {"four_bits", one.format == MatrixFormat::bits4},
                                    {"runs", std::uint64_t{one.runs}},
                                    {"predicted", finite_json(one.predicted)},
                                    {"observed", one.observed}});
    all.push_back(JsonObject{{"model", each.set.model},
                             {"runs", std::uint64_t{each.set.runs.size()}},
                             {"fitted", each.fit.defect == BatchFitDefect::none},
                             {"samples", number_json(law.samples)},
                             {"critical_batch", number_json(law.critical_batch)},
                             {"critical_batch_identified", each.fit.critical_is_identified()},
                             {"format_factor_4bit", number_json(law.four_bits)},
                             {"spread", number_json(law.spread)},
                             {"dispersion", each.fit.dispersion},
                             {"left_out_error", finite_json(mean_error(each.left_out))},
                             {"left_out", std::move(left_out)},
                             {"remarks", std::move(remarks)}});
  }
  return JsonObject{{"batch_laws", std::move(all)}};
}

std::string batch_law_toml(const FittedBatchLaw& law, const std::string& name, const std::string& source) {
  std::string text = fmt::format("name = {}\ndescription = {}\nsource = {}\n", toml_quoted(name),
                                 toml_quoted(description_of(law)), toml_quoted(source));
  for (const std::string& remark : remarks_of(law)) text += fmt::format("# {}\n", remark);
  text += "\n";
  const whole_run::BatchLawFields fields = whole_run::fields_of(law.fit.law);
  for (const auto& [field, value] : fields.numbers) text += fmt::format("{} = {}\n", field, shortest(value));
  for (const auto& [field, values] : fields.lists) {
    std::string list;
    for (const double value : values) list += (list.empty() ? "" : ", ") + shortest(value);
    text += fmt::format("{} = [{}]\n", field, list);
  }
  return text;
}

}  // namespace dfsweep::fit
