#include "models/training/communication/placement.hpp"

namespace dfsweep::training {

Placement place(const Parallelism& p, const Enclosures& enclosures) {
  const double replicas = p.tensor * p.context * p.data;
  return {
      .tensor = place(p.tensor, 1, enclosures),
      .context = place(p.context, p.tensor, enclosures),
      .data_context = place(p.data * p.context, p.tensor, enclosures),
      .expert = place(p.expert, p.expert_tensor, enclosures),
      .expert_tensor = place(p.expert_tensor, 1, enclosures),
      .expert_data = place(expert_replicas(p), expert_ranks(p), enclosures),
      .pipeline = place(p.pipeline, replicas, enclosures),
  };
}

}  // namespace dfsweep::training
