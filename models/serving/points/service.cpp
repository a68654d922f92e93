#include "models/serving/points/service.hpp"

namespace dfsweep::serving {

Service static_service(const OperatingPoint& o, const InFlight& flight, Seconds first) {
  Service s;
  s.batch = o.batch;
  s.prefill = flight.prefill;
  s.step = s.output_token = flight.step;
  s.first_token = first;
  s.latency = first + (o.request.output - 1) * s.step;
  s.request_rate = o.replicas * o.batch / s.latency.value();
  s.users = o.replicas * o.batch;
  return s;
}

}  // namespace dfsweep::serving
