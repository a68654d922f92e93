#include "models/evidence.hpp"

#include <algorithm>

namespace dfsweep {

namespace {

bool lists(const Entry* entry, std::string_view field, std::string_view name) {
  if (entry == nullptr) return false;
  const auto found = entry->text_lists.find(field);
  return found != entry->text_lists.end() &&
         std::find(found->second.begin(), found->second.end(), name) != found->second.end();
}

Evidence evidence_of(const Entry* system, const Entry* software, std::string_view estimator) {
  if (system == nullptr) return Evidence::not_measured;
  if (lists(software, measured_on_field, system->name)) return Evidence::stack_measured;
  return lists(system, measured_for_field, estimator) ? Evidence::accelerator_measured : Evidence::not_measured;
}

}  // namespace

MeasuredModels::MeasuredModels(const SweepValues::Parameter& models, const SweepValues::Parameter& software)
    : software_count_(software.values.size()) {
  const auto says_nothing = [](const Entry* stack) {
    return stack == nullptr || !stack->text_lists.contains(measured_models_field);
  };
  for (const ParameterValue& model : models.values)
    for (const ParameterValue& stack : software.values) {
      const bool is_listed = model.entry != nullptr && lists(stack.entry, measured_models_field, model.entry->name);
      table_.push_back(is_listed || says_nothing(stack.entry) ? 1 : 0);
    }
}

EvidenceTable::EvidenceTable(const SweepValues::Parameter& systems, const SweepValues::Parameter& software,
                             std::string_view estimator)
    : software_count_(software.values.size()) {
  for (const ParameterValue& system : systems.values)
    for (const ParameterValue& stack : software.values)
      table_.push_back(evidence_of(system.entry, stack.entry, estimator));
}

}  // namespace dfsweep
