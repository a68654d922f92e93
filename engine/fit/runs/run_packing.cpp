/// Findings as bytes.
#include "engine/fit/runs/run_packing.hpp"

#include <algorithm>

namespace dfsweep::fit {

void pack(Packer& packer, const RunFindings& findings) {
  packer.numbers<std::uint64_t>(findings.lines);
  packer.number<std::uint64_t>(findings.problems.size());
  for (const auto& [block, problem] : findings.problems) {
    packer.number(block);
    packer.text(problem.at.file);
    packer.number(problem.at.line);
    packer.number(problem.at.column);
    for (const std::string* text : {&problem.problem, &problem.reason, &problem.hint}) packer.text(*text);
  }
  packer.number<std::uint64_t>(findings.trailing_blanks.size());
  for (const auto& [block, line] : findings.trailing_blanks) {
    packer.number(block);
    packer.number(line);
  }
  packer.numbers<std::uint64_t>(findings.counts);
  for (const auto& named : findings.first_of_kind) {
    packer.number<std::uint64_t>(named.size());
    for (const DefectiveRun& run : named) {
      for (const std::uint32_t number : {run.place.file, run.place.block, run.place.line}) packer.number(number);
      packer.number(static_cast<std::uint8_t>(run.defect));
      packer.text(run.detail);
    }
  }
}

RunFindings unpack_findings(Unpacker& from) {
  RunFindings findings;
  findings.lines = from.numbers<std::uint64_t>();
  for (auto left = from.number<std::uint64_t>(); left > 0; --left) {
    const auto block = from.number<std::uint64_t>();
    Problem problem;
    problem.at.file = from.text();
    problem.at.line = from.number<std::uint32_t>();
    problem.at.column = from.number<std::uint32_t>();
    for (std::string* text : {&problem.problem, &problem.reason, &problem.hint}) *text = from.text();
    findings.problems.emplace_back(block, std::move(problem));
  }
  for (auto left = from.number<std::uint64_t>(); left > 0; --left) {
    const auto block = from.number<std::uint64_t>();
    findings.trailing_blanks.emplace_back(block, from.number<std::uint32_t>());
  }
  const std::vector<std::uint64_t> counts = from.numbers<std::uint64_t>();
  std::copy(counts.begin(), counts.end(), findings.counts.begin());
  for (auto& named : findings.first_of_kind)
    for (auto left = from.number<std::uint64_t>(); left > 0; --left) {
      DefectiveRun run;
      for (std::uint32_t* number : {&run.place.file, &run.place.block, &run.place.line})
        *number = from.number<std::uint32_t>();
      run.defect = static_cast<RunDefect>(from.number<std::uint8_t>());
      run.detail = from.text();
      named.push_back(std::move(run));
    }
  return findings;
}

}  // namespace dfsweep::fit
