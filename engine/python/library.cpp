/// The functions of libdfsweep_engine.so, which the Python package calls: C types only, so that they serve every
/// Python.
///
/// Texts that functions return belong to the evaluation, or to the thread until its next call.
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "engine/console/build_info.hpp"
#include "engine/console/error_report.hpp"
#include "engine/python/point_evaluation.hpp"
#include "engine/sweep/kept_data.hpp"
#include "io/json.hpp"

namespace dfsweep {
namespace {

/// A parameter of the points, as GivenPoints::Column. `codes` is null where all points have the first value; `texts`,
/// and each of them, may be null for no text.
struct GivenColumn {
  const char* name;
  const double* numbers;
  const char* const* texts;
  const std::uint32_t* codes;
  std::uint64_t values;
};

GivenPoints points_of(const GivenColumn* columns, std::size_t count, std::uint64_t points) {
  GivenPoints result{.columns = {}, .count = points};
  for (std::size_t c = 0; c < count; ++c) {
    const GivenColumn& given = columns[c];
    GivenPoints::Column column{.name = given.name,
                               .numbers = {given.numbers, static_cast<std::size_t>(given.values)},
                               .texts = std::vector<std::string_view>(static_cast<std::size_t>(given.values)),
                               .codes = {}};
    for (std::size_t v = 0; given.texts != nullptr && v < column.texts.size(); ++v)
      if (given.texts[v] != nullptr) column.texts[v] = given.texts[v];
    if (given.codes != nullptr) column.codes = {given.codes, static_cast<std::size_t>(points)};
    result.columns.push_back(std::move(column));
  }
  return result;
}

JsonArray problems_json(const std::vector<Problem>& problems) {
  JsonArray array;
  for (const Problem& problem : problems)
    array.emplace_back(JsonObject{{"file", problem.at.file},
                                  {"line", problem.at.line},
                                  {"column", problem.at.column},
                                  {"problem", problem.problem},
                                  {"reason", problem.reason},
                                  {"hint", problem.hint}});
  return array;
}

/// An exception as JSON: its problems where it is the user's, else a text.
std::string error_json(const std::exception_ptr& error) {
  const ErrorReport report = report_of(error);
  JsonArray problems;
  try {
    std::rethrow_exception(error);
  } catch (const UserError& found) {
    problems = problems_json(found.problems);
  } catch (...) {
    problems.clear();
  }
  return to_text(JsonObject{{"status", static_cast<std::uint64_t>(report.status)},
                            {"text", report.text},
                            {"problems", std::move(problems)}},
                 JsonStyle::one_line);
}

/// As attributes of results spell it, without the code that reads results.
std::string_view spelled(Better better) {
  return better == Better::lower ? "lower" : better == Better::higher ? "higher" : "neither";
}

std::string description_json(const PointEvaluation& evaluation) {
  const SweepSpec& spec = evaluation.spec();
  JsonArray metrics;
  for (const MetricIndex m : spec.metrics) {
    const MetricInfo& info = spec.estimator->metrics()[m];
    metrics.emplace_back(JsonObject{{"name", info.name},
                                    {"unit", info.unit},
                                    {"better", spelled(info.better)},
                                    {"meaning", info.meaning},
                                    {"names", JsonArray(info.flags.begin(), info.flags.end())}});
  }
  JsonArray statuses;
  for (const StatusInfo& info : spec.estimator->statuses())
    statuses.emplace_back(JsonObject{{"name", info.name}, {"meaning", info.meaning}});
  JsonObject units;
  for (const ParameterInfo& info : spec.estimator->parameters()) units.emplace_back(info.name, info.unit);
  return to_text(JsonObject{{"metrics", std::move(metrics)},
                            {"statuses", std::move(statuses)},
                            {"units", std::move(units)},
                            {"warnings", evaluation.warnings()}},
                 JsonStyle::one_line);
}

/// The last answer of this thread.
const char* kept(std::string text) {
  thread_local std::string answer;
  answer = std::move(text);
  return answer.c_str();
}

}  // namespace
}  // namespace dfsweep

#define DFSWEEP_EXPORT extern "C" __attribute__((visibility("default")))

using dfsweep::KeptData;
using dfsweep::PointEvaluation;

/// Version and commit: "0.2.0 1a2b3c4".
DFSWEEP_EXPORT const char* dfsweep_version() {
  return dfsweep::kept(std::string(dfsweep::program_version()) + ' ' + std::string(dfsweep::program_commit()));
}

/// Keeps data for preparations: measured tables and what is fitted to them are read and fitted once. Null where there
/// is no memory for it.
DFSWEEP_EXPORT KeptData* dfsweep_keep_data() {
  return new (std::nothrow) KeptData();
}

DFSWEEP_EXPORT void dfsweep_discard_data(KeptData* kept) {
  delete kept;
}

/// How often data was read.
DFSWEEP_EXPORT std::uint64_t dfsweep_data_reads(const KeptData* kept) {
  return kept->reads();
}

/// Reads and prepares points. `kept`: null where data is to be read anew; `text`: a sweep file without parameters;
/// `catalogues`: folders, null at the end. Returns JSON: metrics, statuses, units of parameters and warnings, with
/// `*evaluation` set; or an error, with `*evaluation` null.
DFSWEEP_EXPORT const char* dfsweep_prepare(KeptData* kept, const char* text, const char* const* catalogues,
                                           const dfsweep::GivenColumn* columns, std::size_t column_count,
                                           std::uint64_t points, PointEvaluation** evaluation) {
  *evaluation = nullptr;
  try {
    const dfsweep::GivenPoints given = dfsweep::points_of(columns, column_count, points);
    dfsweep::SweepReading reading;
    for (; *catalogues != nullptr; ++catalogues) reading.catalogues.emplace_back(*catalogues);
    reading.points = &given;
    reading.kept_data = kept;
    auto made = std::make_unique<PointEvaluation>(text, reading);
    const char* const answer = dfsweep::kept(dfsweep::description_json(*made));
    *evaluation = made.release();
    return answer;
  } catch (...) {
    return dfsweep::kept(dfsweep::error_json(std::current_exception()));
  }
}

/// Evaluates all points: PointEvaluation::evaluate with a column for each metric of the description. Returns null, or
/// an error as JSON.
DFSWEEP_EXPORT const char* dfsweep_evaluate(PointEvaluation* evaluation, unsigned threads, std::uint8_t* status,
                                            double* const* metrics) {
  try {
    const std::size_t count = evaluation->count();
    evaluation->evaluate(threads, {status, count}, {metrics, evaluation->spec().metrics.size()});
    return nullptr;
  } catch (...) {
    return dfsweep::kept(dfsweep::error_json(std::current_exception()));
  }
}

/// Estimates one point in place of those that were listed: `values` has, for each given column, the index of its value.
/// Values have to be those of listed points: point i has value i of each column, or its last one. Returns null, or an
/// error as JSON.
DFSWEEP_EXPORT const char* dfsweep_evaluate_at(PointEvaluation* evaluation, const std::uint32_t* values,
                                               std::size_t columns, std::uint8_t* status, double* metrics) {
  try {
    evaluation->evaluate_at({values, columns}, *status, {metrics, evaluation->spec().metrics.size()});
    return nullptr;
  } catch (...) {
    return dfsweep::kept(dfsweep::error_json(std::current_exception()));
  }
}

/// Whether the files that were read, and those that would replace them, are as they were.
DFSWEEP_EXPORT bool dfsweep_is_current(const PointEvaluation* evaluation) {
  try {
    return evaluation->is_current();
  } catch (...) {
    return false;
  }
}

/// Ends dfsweep_evaluate of another thread early.
DFSWEEP_EXPORT void dfsweep_stop(PointEvaluation* evaluation) {
  evaluation->stop();
}

/// How many points are evaluated.
DFSWEEP_EXPORT std::uint64_t dfsweep_done(const PointEvaluation* evaluation) {
  return evaluation->done();
}

/// Why a point has no estimate; empty where it has one.
DFSWEEP_EXPORT const char* dfsweep_reason(const PointEvaluation* evaluation, std::uint64_t point) {
  try {
    return dfsweep::kept(evaluation->reason(point));
  } catch (const std::exception& error) {
    return dfsweep::kept(error.what());
  }
}

/// The same of a point with these values.
DFSWEEP_EXPORT const char* dfsweep_reason_at(const PointEvaluation* evaluation, const std::uint32_t* values,
                                             std::size_t columns) {
  try {
    return dfsweep::kept(evaluation->reason_at({values, columns}));
  } catch (const std::exception& error) {
    return dfsweep::kept(error.what());
  }
}

/// Messages of points that failed, one per line.
DFSWEEP_EXPORT const char* dfsweep_failures(const PointEvaluation* evaluation) {
  std::string text;
  for (const dfsweep::Failure& failure : evaluation->failures().entries())
    text += std::to_string(failure.count) + " points failed: " + failure.message + '\n';
  return dfsweep::kept(std::move(text));
}

DFSWEEP_EXPORT void dfsweep_close(PointEvaluation* evaluation) {
  delete evaluation;
}
