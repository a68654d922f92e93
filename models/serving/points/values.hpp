/// Values of the swept parameters as the formulas need them, by code.
#pragma once

#include <optional>
#include <vector>

#include "models/evidence.hpp"
#include "models/kernels/serving_software.hpp"
#include "models/machine/hardware.hpp"
#include "models/machine/system.hpp"
#include "models/operators/operator_tables.hpp"
#include "models/prepared/code_columns.hpp"
#include "models/prepared/point_numbers.hpp"
#include "models/queueing/engine_entry.hpp"
#include "models/serving/points/published.hpp"
#include "models/transformer/architecture.hpp"
#include "models/trust.hpp"

namespace dfsweep::serving {

using PointCodes = CodeColumns<Parameter>;
/// The values of one point by parameter.
using PointValues = PointNumbers<Parameter>;

struct DecodedValues {
  std::vector<Architecture> models;                 ///< [code of model]
  std::vector<std::optional<Architecture>> drafts;  ///< [code of draft_model]
  std::vector<std::optional<System>> systems;       ///< [code of system]; nothing: not given
  std::vector<std::optional<Device>> devices;       ///< likewise
  std::vector<std::optional<Memory>> memories;
  std::vector<std::optional<Interconnect>> interconnects;
  std::vector<std::optional<Trust>> trusts;  ///< [code of software]
  EvidenceTable evidence;
  MeasuredModels measured_models;
  std::vector<std::optional<ServingSoftware>> software;       ///< [code of software]; nothing: that of all stacks
  std::vector<std::optional<queueing::EngineEntry>> engines;  ///< [code of engine]; nothing: not given
  std::vector<std::optional<queueing::EngineEntry>> software_engines;  ///< [code of software]; nothing: it names none
  std::vector<std::string> table_systems;          ///< [code of system] its name in measured operators; "": none
  std::vector<std::string> engine_names;           ///< [code of engine]; "": not given
  std::vector<std::string> software_engine_names;  ///< [code of software]; "": it names none
  std::vector<std::optional<operators::TableStack>> table_stacks;  ///< [code of operator_tables]; nothing: not given
  DecodedNumbers<Parameter> numbers;                               ///< NaN for "best" too

  /// The engine of a point: the given one, or the one that its software names. Without one, the cache has its share of
  /// the memory that weights and buffers leave.
  [[nodiscard]] queueing::EngineEntry engine_of(const PointValues& v) const {
    if (const auto& given = engines[v.code(Parameter::engine)]) return *given;
    if (const auto& named = software_engines[v.code(Parameter::software)]) return *named;
    queueing::EngineEntry none;
    none.rules.running_limit = 2048.0;
    none.rules.memory_base = queueing::MemoryBase::free;
    none.cache_share = absent;
    return none;
  }
};

/// Whether measured tables are given.
[[nodiscard]] bool has_profiles(const SweepValues& values);
/// The measured operators; null where none are given.
[[nodiscard]] const operators::OperatorTables* operators_of(const SweepValues& values);

/// Throws InvalidValues.
[[nodiscard]] DecodedValues decode_values(const SweepValues& values);
[[nodiscard]] std::vector<ValueProblem> problems_of_values(const SweepValues& values);

/// The requests of a trace; null where none is given.
[[nodiscard]] const StreamedRows* trace_of(const SweepValues& values);

}  // namespace dfsweep::serving
