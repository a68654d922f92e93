/// The terminal: whether a stream is one, how wide, whether to colour, and tables that fit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dfsweep {

/// What the command line says about colour.
enum class ColourChoice : std::uint8_t { automatic, always, never };

/// What a stream is and allows.
struct Terminal {
  std::size_t width = 0;  ///< columns; 0: unlimited, because it is not a terminal
  bool is_terminal = false;
  bool colour = false;
  bool rewrites_lines = false;  ///< a progress line may be drawn over: a terminal that is not dumb
};

/// Looks up an environment variable; empty where it is not set.
using Environment = std::function<std::optional<std::string>(std::string_view name)>;
[[nodiscard]] Environment process_environment();

/// The rules, in order of precedence: the command line; NO_COLOR set and not empty: no colour; CLICOLOR_FORCE or
/// FORCE_COLOR set and not "" or "0": colour, also into a file; TERM=dumb, CLICOLOR=0 or not a terminal: no colour.
/// `columns` is the width the terminal reports, 0 where it does not know; COLUMNS stands in for it, then 80.
enum class StreamKind : std::uint8_t { terminal, other };
[[nodiscard]] Terminal decide_terminal(StreamKind kind, std::size_t columns, ColourChoice choice,
                                       const Environment& environment);

/// The terminal behind a file descriptor of this process (1: results, 2: the rest).
[[nodiscard]] Terminal terminal_of(int descriptor, ColourChoice choice = ColourChoice::automatic);

enum class Tone : std::uint8_t { plain, bold, faint, green, yellow, red };

/// `text` in that tone where the terminal shows colour, else as it is.
[[nodiscard]] std::string toned(const Terminal& terminal, Tone tone, std::string_view text);

/// Text without control characters and without invalid UTF-8: each such byte becomes \x and two digits, as in "\x1b".
[[nodiscard]] std::string printable(std::string_view text);
/// The same of lines: line feeds stay.
[[nodiscard]] std::string printable_lines(std::string_view text);

/// Columns that printable UTF-8 text occupies, counted in code points.
[[nodiscard]] std::size_t shown_width(std::string_view text);

enum class Align : std::uint8_t { left, right };

/// A column of a table; all columns of a table have equally many cells.
struct TextColumn {
  std::string heading;
  std::string unit = {};  ///< second line of the heading; empty: none
  Align align = Align::left;
  std::vector<std::string> cells = {};
  int weight = 0;             ///< where the width does not suffice, the lightest columns go first
  std::size_t narrowest = 0;  ///< before any goes, cells are broken into lines this wide at least; 0: never
};

/// A table as text and what did not fit.
struct RenderedTable {
  std::string text;                   ///< lines ending in newline, without trailing blanks
  std::vector<std::string> left_out;  ///< headings of the columns that were dropped to fit the width
};

/// Renders with two blanks between columns and `indent` before every line. Where the terminal is too narrow the cells
/// of the widest columns that allow it are broken into several lines; if that does not suffice the lightest columns are
/// dropped, of equals the last, but never the last one left.
[[nodiscard]] RenderedTable render_table(const std::vector<TextColumn>& columns, const Terminal& terminal,
                                         std::size_t indent = 0);

/// The text of that table, and below it which columns were dropped.
[[nodiscard]] std::string table_with_note(const std::vector<TextColumn>& columns, const Terminal& terminal,
                                          std::size_t indent = 0);

/// `text` broken at blanks into lines of at most `width` columns; longer words are broken anywhere. Pre: printable,
/// width >= 1.
[[nodiscard]] std::vector<std::string> broken_into_lines(std::string_view text, std::size_t width);

/// `text` in lines of at most the terminal's width, each ending in newline, the second and later ones indented.
[[nodiscard]] std::string wrapped(std::string_view text, const Terminal& terminal, std::size_t indent);

}  // namespace dfsweep
