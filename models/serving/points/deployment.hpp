/// Deployment: what the parameters of model, machine, degrees and engine decide, whatever the requests are.
#pragma once

#include <memory>
#include <optional>

#include "models/cost/bill.hpp"
#include "models/queueing/deployment.hpp"
#include "models/serving/batching/capacity.hpp"
#include "models/serving/points/replica.hpp"
#include "models/serving/step/step_model.hpp"
#include "models/serving/step/step_watts.hpp"

namespace dfsweep::serving {

/// A replica that only reads prompts and hands their caches over.
struct PromptPool {
  StepModel steps;
  Capacity capacity;
  double devices = 1.0;  ///< of a replica
  double ranks = 1.0;    ///< of attention, of a replica
  Seconds handover_per_token;
};

struct Deployment {
  StepModel steps;                    ///< of the replicas that write answers, with speculation
  std::optional<PromptPool> prefill;  ///< where prompts are read by other replicas
  Costs costs;                        ///< of the target
  Capacity capacity;                  ///< of target and draft
  queueing::EngineRules rules;
  queueing::ClientTimes client;
  queueing::HostCache host;
  double devices = 1.0;            ///< of a replica
  double ranks = 1.0;              ///< of attention, of a replica
  cost::Bill bill;                 ///< of a device with its share of the rest
  DecodeTraffic traffic;           ///< of a device that writes answers
  double expected_error = absent;  ///< of times, where the software was calibrated
  double expected_memory_error = absent;
  std::shared_ptr<const PoolPrices> prices;  ///< that the costs point to; null without measured operators
  std::optional<NumberFormat> products;  ///< format of matrix products; nothing: the chip has none for the precision
  Evidence evidence = Evidence::not_measured;
  Status status = Status::ok;
};

/// The parameters that a deployment is made of.
[[nodiscard]] std::span<const Parameter> deployment_parameters();

/// `prices`: null without measured operators.
[[nodiscard]] Deployment deployment_of(const DecodedValues& values, const PointValues& v,
                                       std::shared_ptr<const PoolPrices> prices = nullptr);

}  // namespace dfsweep::serving
