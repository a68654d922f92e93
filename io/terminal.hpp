/// Terminal output: detection of terminals, their width and colours, and tables that fit into them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dfsweep {

/// The option --color.
enum class ColourChoice : std::uint8_t { automatic, always, never };

/// Properties of an output stream.
struct Terminal {
  std::size_t width = 0;  ///< columns; 0: unlimited, because it is not a terminal
  bool is_terminal = false;
  bool colour = false;
  bool rewrites_lines = false;  ///< a progress line can be overwritten: a terminal that is not dumb
};

/// Looks up an environment variable; empty if it is not set.
using Environment = std::function<std::optional<std::string>(std::string_view name)>;
[[nodiscard]] Environment process_environment();

/// The rules, in order of precedence: the command line; NO_COLOR set and not empty: no colour; CLICOLOR_FORCE or
/// FORCE_COLOR set and not "" or "0": colour, also into a file; TERM=dumb, CLICOLOR=0 or not a terminal: no colour.
/// `columns` is the width that the terminal reports; if that is 0, the variable COLUMNS is used, else 80.
enum class StreamKind : std::uint8_t { terminal, other };
[[nodiscard]] Terminal decide_terminal(StreamKind kind, std::size_t columns, ColourChoice choice,
                                       const Environment& environment);

/// The terminal of a file descriptor of this process (1: results, 2: messages).
[[nodiscard]] Terminal terminal_of(int descriptor, ColourChoice choice = ColourChoice::automatic);

enum class Tone : std::uint8_t { plain, bold, faint, green, yellow, red };

/// `text` in that tone if the terminal shows colour, else unchanged.
[[nodiscard]] std::string toned(const Terminal& terminal, Tone tone, std::string_view text);

/// Text without control characters, characters that are invisible or turn the direction of a line, and invalid UTF-8:
/// each byte of them becomes \x and two digits, as in "\x1b".
[[nodiscard]] std::string printable(std::string_view text);
/// The same, but keeps line feeds.
[[nodiscard]] std::string printable_lines(std::string_view text);

/// Columns that printable UTF-8 text occupies, counted in code points.
[[nodiscard]] std::size_t shown_width(std::string_view text);

enum class Align : std::uint8_t { left, right };

/// A column of a table. Pre: all columns of a table have the same number of cells.
struct TextColumn {
  std::string heading;
  std::string unit = {};  ///< second line of the heading; empty: none
  Align align = Align::left;
  std::vector<std::string> cells = {};
  int weight = 0;             ///< if the table is too wide, columns of the least weight are dropped first
  std::size_t narrowest = 0;  ///< before a column is dropped, cells wrap to lines of at least this width; 0: never
};

/// A table as text.
struct RenderedTable {
  std::string text;                   ///< lines ending in newline, without trailing spaces
  std::vector<std::string> left_out;  ///< headings of the columns that were dropped to fit the width
};

/// Renders with two spaces between columns and `indent` spaces before every line. If the terminal is too narrow, cells
/// of the widest columns wrap (see `narrowest`); if that is not enough, columns of the least weight are dropped, the
/// last of equal ones first. At least one column is kept.
[[nodiscard]] RenderedTable render_table(const std::vector<TextColumn>& columns, const Terminal& terminal,
                                         std::size_t indent = 0);

/// The same table, followed by a line that names the dropped columns.
[[nodiscard]] std::string table_with_note(const std::vector<TextColumn>& columns, const Terminal& terminal,
                                          std::size_t indent = 0);

/// Wraps `text` at spaces to lines of at most `width` columns; longer words are split. Pre: `text` is printable, width
/// >= 1.
[[nodiscard]] std::vector<std::string> broken_into_lines(std::string_view text, std::size_t width);

/// Wraps `text` to the width of the terminal. Every line ends in newline; all but the first are indented.
[[nodiscard]] std::string wrapped(std::string_view text, const Terminal& terminal, std::size_t indent);

}  // namespace dfsweep
