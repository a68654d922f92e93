#include "models/taskgraph/strategies/tensor_pipeline.hpp"

#include <cmath>

namespace dfsweep::taskgraph {

namespace {

bool divides(double part, double whole) {
  return std::fmod(whole, part) == 0.0;
}

}  // namespace

Obstacle pipeline_obstacle(const Setting& s) {
  if (const Obstacle obstacle = model_obstacle(s); obstacle != Obstacle::none) return obstacle;
  if (!divides(s.micro_batches, s.batch.sequences)) return Obstacle::micro_batches;
  if (s.convention->shards_heads && !divides(s.tensor_parallel, s.model.heads)) return Obstacle::heads;
  if (s.convention->shards_heads && !divides(s.tensor_parallel, s.model.ffn_hidden)) return Obstacle::ffn_hidden;
  if (s.model.shared_ffn_hidden > 0.0 && !divides(s.tensor_parallel, s.model.shared_ffn_hidden))
    return Obstacle::ffn_hidden;
  return s.pipeline_parallel > s.model.layers ? Obstacle::stages : Obstacle::none;
}

PipelineStages pipeline_stages(const Setting& s) {
  const Batch batch = micro_batch_of(s);
  const Convention& c = *s.convention;
  PipelineStages p;
  p.stages = s.pipeline_parallel;
  p.layer = attention_times(c.attention(s.model, batch, s.tensor_parallel, s.device.word), s, s.device) +
            ffn_times(c.ffn(s.model, batch, s.tensor_parallel, s.device.word), s, s.device);
  p.fewest_layers = std::floor(s.model.layers / s.pipeline_parallel);
  p.longer = s.model.layers - p.fewest_layers * s.pipeline_parallel;
  const Bytes sent = batch.tokens() * s.model.hidden * s.device.word;
  p.link = only(Part::communication, transfer_time(sent, 1.0, s.outer_link));
  return p;
}

StepEstimate tensor_pipeline(const Setting& s) {
  StepEstimate estimate;
  estimate.devices = s.tensor_parallel * s.pipeline_parallel;
  estimate.obstacle = pipeline_obstacle(s);
  if (estimate.obstacle == Obstacle::none && is_given(s.device_count) && s.device_count != estimate.devices)
    estimate.obstacle = Obstacle::device_count;
  if (estimate.obstacle != Obstacle::none) return estimate;
  const PipelineStages p = pipeline_stages(s);
  Stations stations;
  stations.add(p.stage(0.0), s.tensor_parallel, p.longer);
  stations.add(p.stage(p.stages), s.tensor_parallel, p.stages - p.longer);
  stations.add(p.link, 0.0, p.stages - 1.0);
  estimate.times = stations.makespan(s.micro_batches, 1.0);
  estimate.step = estimate.times.total();
  estimate.critical_path = stations.sum().total();
  estimate.busy = stations.busy(s.micro_batches, 1.0, estimate.step);
  return estimate;
}

}  // namespace dfsweep::taskgraph
