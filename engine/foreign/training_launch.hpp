/// Launches of training: an execution as the flags of a program that trains.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "engine/foreign/launch_quantities.hpp"
#include "models/entry.hpp"

namespace dfsweep::foreign {

/// A parameter of an execution that a launch has to say.
struct ExecutionValue {
  std::string parameter;
  std::string value;
  std::string otherwise;  ///< the value where a launch does not say it; empty: it depends on others
};

struct TrainingLaunch {
  std::string program;             ///< the command without flags
  std::vector<std::string> flags;  ///< each with its value
  LaunchValues rest;               ///< parameters that the flags do not say
  std::vector<std::string> lacks;  ///< sentences on what the program has not
};

/// `trainer`: an entry of "trainers". `value_of`: as of quantity_of(). `execution`: what the launch has to say; what
/// its flags say otherwise, or not at all, becomes `rest`. `model`: fields of the model that make it another one; those
/// that the flags do not say become a lack.
[[nodiscard]] TrainingLaunch launch_of_execution(const Entry& trainer, const ParameterText& value_of,
                                                 std::span<const ExecutionValue> execution, const LaunchValues& model);

/// Lines for a shell; the rest is a comment that values_of_comment() reads.
[[nodiscard]] std::string launch_text(const TrainingLaunch& launch);

/// The values in a comment of launch_text(); empty without one.
[[nodiscard]] LaunchValues values_of_comment(std::string_view text);

}  // namespace dfsweep::foreign
