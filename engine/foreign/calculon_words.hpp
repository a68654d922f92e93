/// Mapping of Calculon names to parameters: inputs of an execution, number formats, choices.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace dfsweep::foreign {

/// How a value of an input is converted for point lists.
enum class InputKind : std::uint8_t { whole, flag, datatype, attention, recompute, tensor_comm, overlap, phase };

/// An input of an execution.
struct ExecutionInput {
  std::string_view theirs;  ///< name in Calculon tables and files
  std::string_view ours;    ///< parameter of the estimator `training`
  InputKind kind = InputKind::whole;
};

/// The 23 inputs in the order of Calculon.
[[nodiscard]] std::span<const ExecutionInput> execution_inputs();

/// The value for a point list. Unknown words become "other", which the estimator rejects. Nothing if the input needs a
/// whole number or a flag and the text is something else.
[[nodiscard]] std::optional<std::string> our_value(InputKind kind, std::string_view theirs);

/// The precision of a Calculon datatype; nothing if it is unknown.
[[nodiscard]] std::optional<std::string_view> precision_of(std::string_view datatype);

/// Name of a catalogue entry: the Calculon name in lower case.
[[nodiscard]] std::string entry_name(std::string_view theirs);

}  // namespace dfsweep::foreign
