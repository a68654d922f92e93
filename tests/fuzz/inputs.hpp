/// Inputs of other programs and of broken disks: what reads them, and what a refusal must say.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

#include "engine/catalogue/catalogue.hpp"
#include "engine/console/foreign_run.hpp"
#include "engine/foreign/calculon_files.hpp"
#include "engine/foreign/huggingface_config.hpp"
#include "engine/foreign/load_generator.hpp"
#include "engine/foreign/measured_rows.hpp"
#include "engine/store/run_directory.hpp"
#include "io/diagnostic.hpp"
#include "io/journal.hpp"
#include "io/json.hpp"
#include "io/json_document.hpp"
#include "io/toml.hpp"
#include "tests/support/bytes_in_memory.hpp"

namespace dfsweep::fuzzed {

/// A reader that accepts what it must not, or refuses without saying where.
class Defect : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

/// `import huggingface`: the entry is TOML.
inline void read_huggingface(const std::string& text) {
  const Document document = parse_json_document(text, "input", JsonNulls::dropped);
  static_cast<void>(foreign::huggingface_name(document));
  const std::string entry = foreign::huggingface_entry(document, "mine", "input");
  try {
    static_cast<void>(parse_toml(entry, "entry"));
  } catch (const UserError& error) {
    throw Defect("the entry is not TOML: " + to_string(error.problems.front()));
  }
}

/// `import calculon`: documents, tables of models and systems, and tables of executions.
inline void read_calculon(const std::string& text) {
  if (!text.starts_with('{')) {
    if (text.find("tensor_par") != std::string::npos) return static_cast<void>(foreign::points_of_rows(text, "input"));
    const auto [kind, documents] = foreign::documents_of_table(text, "input");
    for (const foreign::NamedDocument& named : documents)
      static_cast<void>(kind == foreign::TableKind::models
                            ? foreign::model_entry(named.document, named.name, "input")
                            : foreign::system_entry(named.document, named.name, "input"));
    return;
  }
  const Document document = parse_json_document(text, "input", JsonNulls::dropped);
  switch (foreign::kind_of(document, "input")) {
    case foreign::DocumentKind::model:
      return static_cast<void>(foreign::model_entry(document, "mine", "input"));
    case foreign::DocumentKind::system:
      return static_cast<void>(foreign::system_entry(document, "mine", "input"));
    case foreign::DocumentKind::execution:
      return static_cast<void>(foreign::execution_values(document, "input"));
  }
}

/// `import measured`, and the rows of `calibrate`.
inline void read_measured(const std::string& text) {
  static const Catalogue catalogue = catalogue_with({});
  if (foreign::is_generator_file(text)) {
    const foreign::GeneratorFile file{"input", "mine", text};
    if (foreign::points_of_generator_files({&file, 1}, {}, catalogue).expressed != 1) throw Defect("no point");
    return;
  }
  const auto measured = foreign::points_of_measured_rows(text, "input", catalogue);
  if (measured.expressed > measured.rows) throw Defect("more rows are points than there are rows");
}

/// plan.json, as it is and with its checksum made right, so that what comes after the checksum is read, too.
inline void read_plan(const std::string& text) {
  std::string shown = text;
  try {
    JsonObject members = parse_json(text).object();
    std::erase_if(members, [](const auto& member) { return member.first == "checksum"; });
    members.emplace_back("checksum", xxh3_128_hex(to_text(Json(members))));
    shown = to_text(Json(members));
  } catch (const JsonError&) {  // read as it is
  }
  const store::RunRecord record = store::read_plan_json(shown, "input");
  static_cast<void>(record.plan_checksum());
  if (record.filled_columns() > record.places.size()) throw Defect("more columns are filled than there are");
}

/// A journal, in pieces of a few bytes: each record that is found is one that was written, byte by byte.
inline void read_journal(const std::string& text) {
  const auto bytes = std::as_bytes(std::span(text));
  const std::size_t piece_bytes = 1 + bytes.size() % 100;
  std::uint64_t found = 0;
  const auto check = [&](const JournalRecord& record, std::uint64_t at) {
    const std::vector<std::byte> again = encode_record(record);
    const std::size_t header = again.size() - record.payload.size() - sizeof(Checksum);
    if (!std::equal(again.begin(), again.end(), bytes.begin() + static_cast<std::ptrdiff_t>(at - header)))
      throw Defect("a record is not what is in the journal");
    found += again.size();
  };
  const std::uint64_t skipped = scan_journal(BytesInMemory({bytes.begin(), bytes.end()}), check, piece_bytes);
  if (found + skipped != bytes.size()) throw Defect("bytes of the journal are lost");
}

struct Reader {
  const char* name;
  void (*read)(const std::string& text);
};
inline constexpr Reader readers[] = {{"huggingface", read_huggingface},
                                     {"calculon", read_calculon},
                                     {"measured", read_measured},
                                     {"plan", read_plan},
                                     {"journal", read_journal}};

/// Whether the text is accepted. Throws Defect if a refusal does not say where and why; everything else that a reader
/// throws is a defect, too.
inline bool accepts(const Reader& reader, const std::string& text) {
  try {
    reader.read(text);
    return true;
  } catch (const UserError& error) {
    if (error.problems.empty()) throw Defect("a refusal without a problem");
    for (const Problem& problem : error.problems)
      if (problem.at.line < 1 || problem.problem.empty() || to_string(problem).find('\n') != std::string::npos)
        throw Defect("a refusal does not say where and why: " + to_string(problem));
  } catch (const ForeignRun&) {
  }
  return false;
}

}  // namespace dfsweep::fuzzed
