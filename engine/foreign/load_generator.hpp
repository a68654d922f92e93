/// Result files of load generators (vllm bench serve, genai-perf, AIPerf, inference-perf) as measured points of
/// `serving`.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/foreign/row_table.hpp"

namespace dfsweep::foreign {

/// What a generator measured and how it sent its requests; 0: not in the file.
struct GeneratorRun {
  std::string_view generator;  ///< "vllm bench serve"
  double prompt_tokens = 0.0;  ///< mean
  double output_tokens = 0.0;
  double users = 0.0;        ///< most requests at once
  double rate = 0.0;         ///< requests per second
  double requests = 0.0;     ///< that were sent
  double burstiness = 1.0;   ///< shape of gamma gaps between requests; 1: exponential gaps
  double first_token = 0.0;  ///< mean, seconds
  double token = 0.0;        ///< mean after the first, seconds
};

/// JSON (an object), or the table of genai-perf (CSV). Throws UserError with positions where the text is no result of
/// one of the generators, or lacks a time or a length.
[[nodiscard]] GeneratorRun read_generator_run(std::string text, const std::string& shown);

/// Whether a file is a result of a generator rather than a table of rows: JSON, or a table of metrics.
[[nodiscard]] bool is_generator_file(std::string_view text);

struct GeneratorFile {
  std::string shown;  ///< name in messages
  std::string id;     ///< of the row
  std::string text;
};

/// A point for each file. `settings`: parameters that all files share ("system", "dgx-h100"); they replace what the
/// files say. Throws UserError.
[[nodiscard]] MeasuredPoints points_of_generator_files(std::span<const GeneratorFile> files,
                                                       std::span<const std::pair<std::string, std::string>> settings,
                                                       const Catalogue& catalogue);

}  // namespace dfsweep::foreign
