/// Reading a sweep back: entries are cut out of the stored catalogue text and proven by their checksums.
#include "engine/stored_sweep.hpp"

#include <span>
#include <string_view>

#include "io/checksum.hpp"

namespace dfsweep {
namespace {

std::vector<InputFile> listed_inputs(std::string_view text) {
  std::vector<InputFile> inputs;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    const std::size_t blank = line.find(' ');
    if (blank == std::string_view::npos) continue;
    inputs.push_back({std::string(line.substr(blank + 1)), std::string(line.substr(0, blank)), {}});
  }
  return inputs;
}

bool has_checksum(std::string_view text, const InputFile& input) {
  return xxh3_128_hex(std::as_bytes(std::span(text))) == input.checksum;
}

/// The text of `input` at the start of `catalogue`, which then holds what follows: "# name", the text, a line feed. A
/// text may itself hold such lines, so the shortest candidate with the right checksum is taken.
std::string cut_entry(std::string_view& catalogue, const InputFile& input) {
  const std::string heading = "# " + input.name + "\n";
  if (!catalogue.starts_with(heading)) return {};  // stored by checksum only
  const std::string_view rest = catalogue.substr(heading.size());
  for (std::size_t end = rest.find('\n'); end != std::string_view::npos; end = rest.find('\n', end + 1)) {
    const bool ends_here = end + 1 == rest.size() || rest.substr(end + 1).starts_with("# ");
    if (!ends_here || !has_checksum(rest.substr(0, end), input)) continue;
    catalogue = rest.substr(end + 1);
    return std::string(rest.substr(0, end));
  }
  throw BadDataset("the catalogue entry '" + input.name + "' stored in the file does not have its checksum");
}

}  // namespace

SweepSpec stored_sweep(const DatasetReader& file) {
  SweepReading reading;
  reading.stored_inputs = listed_inputs(file.provenance("inputs"));
  const std::string catalogue = file.provenance("catalogue");
  std::string_view rest = catalogue;
  for (InputFile& input : reading.stored_inputs) input.text = cut_entry(rest, input);
  return read_sweep_text(file.provenance("sweep"), file.file().string() + " (stored sweep)", ".", reading);
}

}  // namespace dfsweep
