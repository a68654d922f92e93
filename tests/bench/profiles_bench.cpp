/// Reading measured tables: prints how long bytes alone, columns and profiles take, and what Python needs for the same.
///
///     profiles_bench [FOLDER]        (default: the released tables)
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <limits>

#include "engine/parallel/threads.hpp"
#include "engine/profiles/profile_folder.hpp"
#include "engine/sweep/data_tables.hpp"
#include "io/checksum.hpp"
#include "io/toml.hpp"
#include "models/measured_tables/columns.hpp"

using namespace dfsweep;

namespace {

/// Seconds of the best round: of the processor, which other work on the machine does not change, and by the clock.
struct Cost {
  double processor = std::numeric_limits<double>::infinity();
  double elapsed = std::numeric_limits<double>::infinity();
};

Cost best_of(int rounds, const std::function<void()>& work) {
  Cost best;
  for (int round = 0; round < rounds; ++round) {
    const auto start = std::chrono::steady_clock::now();
    const std::clock_t ticks = std::clock();
    work();
    best.processor = std::min(best.processor, static_cast<double>(std::clock() - ticks) / CLOCKS_PER_SEC);
    best.elapsed =
        std::min(best.elapsed, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  return best;
}

std::vector<std::filesystem::path> table_files(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  const auto names = profile_file_names();
  for (const auto& item : std::filesystem::recursive_directory_iterator(folder))
    if (std::find(names.begin(), names.end(), item.path().filename().string()) != names.end())
      files.push_back(item.path());
  return files;
}

/// Processor seconds that a Python program prints for reading all of the files; NaN where it cannot.
double python_seconds(const std::filesystem::path& folder, const char* import, const char* read) {
  const std::string program = fmt::format(
      "PATH=/usr/bin:$PATH python3 -c \"import glob,time,{}\nt=time.process_time()\nfor f in "
      "glob.glob('{}/**/*.csv',recursive=True): {}\n"
      "print(time.process_time()-t)\" 2>/dev/null",
      import, folder.string(), read);
  FILE* pipe = popen(program.c_str(), "r");
  double seconds = std::numeric_limits<double>::quiet_NaN();
  if (pipe == nullptr || std::fscanf(pipe, "%lf", &seconds) != 1) seconds = std::numeric_limits<double>::quiet_NaN();
  if (pipe != nullptr) pclose(pipe);
  return seconds;
}

}  // namespace

int main(int argc, char** argv) {
  const std::filesystem::path folder = argc > 1 ? argv[1] : DFSWEEP_GOLDEN_DIR "/data/profiling";
  const std::vector<std::filesystem::path> files = table_files(folder);
  const DataPlace place{"profiles", folder};
  const Catalogue catalogue = catalogue_with({});
  const unsigned cores = allowed_cores();
  constexpr int rounds = 7;
  std::size_t bytes = 0;
  const Cost reading = best_of(rounds, [&] {
    bytes = 0;
    for (const auto& file : files) {
      const std::string text = read_text_file(file, file.string());
      static_cast<void>(xxh3_128_hex(std::as_bytes(std::span(text))));
      bytes += text.size();
    }
  });
  DataTables tables;
  const Cost one = best_of(rounds, [&] { tables = read_data_tables(place, profile_file_names(), 1); });
  const Cost all = best_of(rounds, [&] { tables = read_data_tables(place, profile_file_names(), cores); });
  const Cost profiles = best_of(rounds, [&] { static_cast<void>(read_profiles(tables.tables, "profiles")); });
  const Cost whole = best_of(rounds, [&] { static_cast<void>(read_profile_folder(folder, catalogue, cores)); });
  std::size_t cells = 0;
  for (const Table& table : tables.tables) cells += table.rows() * table.columns.size();
  fmt::print("{} tables, {:.1f} MB, {:.2f} million cells\n", files.size(), static_cast<double>(bytes) / 1e6,
             static_cast<double>(cells) / 1e6);
  fmt::print("{:<42} {:>11} {:>9} {:>9}\n", "", "processor", "ratio", "clock");
  const auto line = [&](const std::string& what, const Cost& cost) {
    fmt::print("{:<42} {:9.4f} s {:8.2f} x {:7.4f} s\n", what, cost.processor, cost.processor / reading.processor,
               cost.elapsed);
  };
  line("bytes read and hashed, 1 thread", reading);
  line("columns of numbers, 1 thread", one);
  line(fmt::format("columns of numbers, {} threads", cores), all);
  line("profiles found and checked, 1 thread", profiles);
  line(fmt::format("folder to checked profiles, {} threads", cores), whole);
  const auto python = [&](const char* what, double seconds) {
    fmt::print("{:<42} {:9.4f} s, {:.1f} times the processor time of folder to checked profiles\n", what, seconds,
               seconds / whole.processor);
  };
  python("Python csv module, cells left as texts", python_seconds(folder, "csv", "list(csv.reader(open(f)))"));
  python("pandas.read_csv", python_seconds(folder, "pandas", "pandas.read_csv(f)"));
  return 0;
}
