/// Words of the Calculon tool and ours: inputs of an execution, formats, choices.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace dfsweep::foreign {

/// How a value of an input is spelled in our point lists.
enum class InputKind : std::uint8_t { whole, flag, datatype, attention, recompute, tensor_comm, overlap, phase };

/// An input of an execution.
struct ExecutionInput {
  std::string_view theirs;  ///< column of their tables and field of their files
  std::string_view ours;    ///< parameter of the estimator `training`
  InputKind kind = InputKind::whole;
};

/// The 23 inputs in the tool's order.
[[nodiscard]] std::span<const ExecutionInput> execution_inputs();

/// The value in our spelling. Words that nothing knows become "other", which gives their rejection. Nothing if a whole
/// number or a flag is needed and the text is none.
[[nodiscard]] std::optional<std::string> our_value(InputKind kind, std::string_view theirs);

/// The precision of one of their formats; nothing if it is none.
[[nodiscard]] std::optional<std::string_view> precision_of(std::string_view datatype);

/// Name of a catalogue entry: theirs in small letters.
[[nodiscard]] std::string entry_name(std::string_view theirs);

}  // namespace dfsweep::foreign
