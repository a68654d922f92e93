/// Surveys of blocks, merged in file order.
#include "engine/fit/runs/run_survey.hpp"

#include "engine/fit/runs/run_packing.hpp"
#include "engine/parallel/threads.hpp"

namespace dfsweep::fit {

using namespace law_fits;

namespace {

RunSurvey survey_of(const RunBlock& block) {
  RunSurvey survey;
  std::uint32_t group = 0;
  for (std::size_t i = 0; i < block.size(); ++i) {
    if (!is_of_group_before(block, i)) group = survey.add(key_of(block, i, survey.recipes), block.flops_per_token[i]);
    survey.minima[group].add(block.learning_rate[i], block.batch_tokens[i], block.loss[i]);
  }
  return survey;
}

void pack(Packer& packer, const RunSurvey& survey) {
  packer.number<std::uint64_t>(survey.recipes.size());
  for (const Recipe& recipe : survey.recipes) {
    packer.text(recipe.name);
    packer.number(static_cast<std::uint8_t>(recipe.family));
  }
  pack_plain<GroupKey>(packer, survey.index.entries());
  pack_plain<GroupMinimum>(packer, survey.minima);
  packer.numbers<double>(survey.flops_per_token);
}

RunSurvey unpack_survey(Unpacker& unpacker) {
  RunSurvey survey;
  for (auto left = unpacker.number<std::uint64_t>(); left > 0; --left) {
    std::string name = unpacker.text();
    survey.recipes.push_back({std::move(name), static_cast<RunFamily>(unpacker.number<std::uint8_t>())});
  }
  for (const GroupKey& key : unpack_plain<GroupKey>(unpacker)) survey.index.find_or_add(key);
  survey.minima = unpack_plain<GroupMinimum>(unpacker);
  survey.flops_per_token = unpacker.numbers<double>();
  return survey;
}

}  // namespace

SurveyedRuns survey_runs(const RunInput& input, unsigned threads, Communicator& communicator) {
  RunSurvey own;
  RunFindings findings;
  const std::uint64_t blocks = input.block_count();
  const std::uint64_t first = blocks * communicator.rank() / communicator.size();
  const std::uint64_t last = blocks * (communicator.rank() + 1) / communicator.size();
  input.read(first, last, threads, [&](std::uint64_t number, std::span<RunBlock> wave) {
    std::vector<RunSurvey> surveys(wave.size());
    parallel_for(wave.size(), threads, [&](std::size_t i) { surveys[i] = survey_of(wave[i]); });
    for (std::size_t i = 0; i < wave.size(); ++i) {
      findings.add(wave[i], number + i);
      own.merge(surveys[i]);
    }
  });
  Packer packed;
  pack(packed, own);
  pack(packed, findings);
  const auto all = communicator.gather(packed.take());
  Packer merged;
  if (communicator.rank() == 0) {
    RunSurvey sum;
    RunFindings found;
    for (const std::vector<std::byte>& bytes : all) {
      Unpacker from(bytes);
      sum.merge(unpack_survey(from));
      found.merge(unpack_findings(from));
    }
    pack(merged, sum);
    pack(merged, found);
  }
  const std::vector<std::byte> bytes = communicator.broadcast(merged.take());
  Unpacker from(bytes);
  SurveyedRuns result;
  result.survey = unpack_survey(from);
  result.findings = unpack_findings(from);
  return result;
}

}  // namespace dfsweep::fit
