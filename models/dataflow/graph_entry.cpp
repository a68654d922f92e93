/// Decoding of user graphs.
#include "models/dataflow/graph_entry.hpp"

#include <map>

namespace dfsweep {

namespace {

constexpr std::size_t most_kernels = 10'000;

Kernel decode_kernel(const Entry& part, std::vector<std::string>& problems) {
  Kernel kernel;
  kernel.name = part.text_or("name", part.name);
  const auto complain = [&](const std::string& what) { problems.push_back("kernel '" + kernel.name + "' " + what); };
  const std::string type = part.text_or("type", "matrix");
  if (type != "matrix" && type != "elementwise") complain("has the unknown type '" + type + "'");
  kernel.type = type == "elementwise" ? KernelType::elementwise : KernelType::matrix;
  kernel.outer = part.number_or("outer", 1.0);
  kernel.m = part.number_or("m", 1.0);
  kernel.k = part.number_or("k", 1.0);
  kernel.n = part.number_or("n", 1.0);
  kernel.weight_words = part.number_or("weight_words", 0.0);
  kernel.gradient_words = part.number_or("gradient_words", 0.0);
  kernel.memory_words = part.number_or("memory_words", 0.0);
  kernel.exchange_words = part.number_or("exchange_words", 0.0);
  const std::string tiling = part.text_or("tiling", "none");
  if (tiling == "n")
    kernel.tiling = Tiling::n;
  else if (tiling == "k")
    kernel.tiling = Tiling::k;
  else if (tiling != "none")
    complain("has the unknown tiling '" + tiling + "'");
  const std::string pass = part.text_or("pass", "forward");
  if (pass == "backward")
    kernel.pass = Pass::backward;
  else if (pass != "forward")
    complain("has the unknown pass '" + pass + "'");
  return kernel;
}

}  // namespace

void decode_graph(const Entry& entry, DecodedWorkload& decoded) {
  std::vector<std::string>& problems = decoded.problems;
  Workload& w = decoded.workload;
  const auto kernels = entry.parts.find("kernel");
  if (kernels == entry.parts.end() || kernels->second.empty()) {
    problems.push_back("needs at least one [[kernel]]");
    return;
  }
  if (kernels->second.size() > most_kernels) {
    problems.push_back("has more than 10000 kernels");
    return;
  }
  std::map<std::string, std::size_t, std::less<>> index;
  for (const Entry& part : kernels->second) {
    Kernel kernel = decode_kernel(part, problems);
    index.emplace(kernel.name, w.graph.kernels.size());
    w.graph.kernels.push_back(std::move(kernel));
  }
  if (const auto edges = entry.parts.find("edge"); edges != entry.parts.end())
    for (const Entry& part : edges->second) {
      const auto from = index.find(part.text_or("from", ""));
      const auto to = index.find(part.text_or("to", ""));
      if (from == index.end() || to == index.end())
        problems.push_back("has an edge from '" + part.text_or("from", "") + "' to '" + part.text_or("to", "") +
                           "', which are not both kernels");
      else
        w.graph.edges.push_back({from->second, to->second});
    }
  w.layers = entry.number_or("layers", 1.0);
  if (!(w.layers >= 1.0)) problems.push_back("needs 'layers' >= 1");
  w.boundary_words = entry.number_or("boundary_words", 0.0);
  if (!(w.boundary_words >= 0.0)) problems.push_back("needs 'boundary_words' >= 0");
}

}  // namespace dfsweep
