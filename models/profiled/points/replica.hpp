/// Replica: all data of a point of the estimator `profiled` except its batch, prepared once for all batches.
#pragma once

#include <array>
#include <memory>
#include <optional>

#include "models/absent.hpp"
#include "models/prepared/lazy_cells.hpp"
#include "models/prepared/lazy_table.hpp"
#include "models/prepared/subspace.hpp"
#include "models/profiled/points/batches.hpp"
#include "models/profiled/times/batch_time.hpp"
#include "models/profiled/times/memory_plan.hpp"

namespace dfsweep::profiled {

/// A layer on a device, with cached times per batch.
struct LayerRows {
  LayerModel model;
  LazyCells<TokenRow> tokens;             ///< [tokens of the batch]
  LazyCells<TimeCell> decode;             ///< [BatchAtPoint::decode_cell]
  LazyCells<TimeCell> prefill;            ///< [BatchAtPoint::prefill_cell]
  std::unique_ptr<const HeadModel> head;  ///< prepared where a replica includes it
  LazyCells<TimeCell> embedding;          ///< [tokens of the batch]
  LazyCells<LogitRow> logits;             ///< [requests of the batch]
};

struct NetworkRows {
  NetworkModel model;
  LazyCells<NetworkRow> tokens;  ///< [tokens of the batch]
};

/// Host processor overhead per batch.
class ProcessorModel {
 public:
  /// `profile`: one of the tables; null without a table.
  ProcessorModel(const ProfileTables& tables, const ProcessorProfile* profile, Statistic statistic,
                 PredictionMethod method);
  /// Overhead of a batch with `requests` requests; empty without a table.
  [[nodiscard]] std::optional<Prediction> time(double requests) const;

 private:
  std::vector<std::shared_ptr<const Curve>> curves_;
};

struct Replica {
  Status verdict =
      Status::ok;  ///< status independent of the batch: ok, invalid, or no_profile for a model with experts
  std::string_view reason;
  const LayerRows* layer = nullptr;
  const NetworkRows* network = nullptr;
  const ProcessorModel* processor = nullptr;  ///< null where it is not included
  ReplicaTerms terms;
  std::vector<ReplicaTerms> stage_terms;  ///< of each stage by itself; empty where the sweep simulates nothing
  MemoryPlan memory;
  Bytes usable_memory;     ///< NaN where unknown
  double max_batch = 0.0;  ///< NaN where unknown
  MemoryCheck check = MemoryCheck::batch;
};

/// Replicas of a sweep, built on first use and cached unless there are too many.
class Replicas {
 public:
  /// Pre: the arguments outlive the object. Throws InvalidValues where too many layers or networks are combined.
  Replicas(const SweepValues& values, const ProfiledValues& decoded, const Batches& batches,
           const ProfileTables& tables);

  /// The replica of point `i`; `own` is filled and returned where replicas are not cached.
  [[nodiscard]] const Replica& at(const PointColumns& points, const CodeColumns& codes, std::size_t i,
                                  Replica& own) const;
  /// Number of the replica, equal for points with the same replica.
  [[nodiscard]] std::uint64_t number(const PointColumns& points, std::size_t i) const {
    return replica_space_.index(points, i);
  }

 private:
  [[nodiscard]] Replica make(const PointColumns& points, const Codes& codes, std::size_t i) const;
  [[nodiscard]] ReplicaTerms terms_of(const Codes& codes, StageChoice choice, const Replica& replica) const;
  [[nodiscard]] HeadCost head_of(const Codes& codes) const;
  [[nodiscard]] LayerRows make_layer(const Codes& codes) const;
  [[nodiscard]] std::unique_ptr<const NetworkRows> make_network(const Codes& codes) const;
  [[nodiscard]] TableReading reading_of(const Codes& codes) const;
  [[nodiscard]] BatchReading batch_reading_of(const Codes& codes) const;
  [[nodiscard]] OperatorSource source_of(const Codes& codes, Operator op) const;
  [[nodiscard]] DeviceRates rates_of(const Codes& codes) const;
  [[nodiscard]] double number(const Codes& codes, Parameter p) const { return decoded_.numbers[p][codes[p]]; }
  [[nodiscard]] double number_or(const Codes& codes, Parameter p, double otherwise) const {
    const double value = number(codes, p);
    return is_given(value) ? value : otherwise;
  }

  const ProfiledValues& decoded_;
  const Batches& batches_;
  const ProfileTables& tables_;
  Subspace replica_space_;
  Subspace layer_space_;
  Subspace network_space_;
  Subspace processor_space_;
  LazyTable<Replica> replicas_;  ///< [replica space]; empty where there are too many
  LazyTable<LayerRows> layers_;
  LazyTable<std::unique_ptr<const NetworkRows>> networks_;
  LazyTable<ProcessorModel> processors_;
};

}  // namespace dfsweep::profiled
