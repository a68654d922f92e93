/// Maps exceptions to messages and exit statuses.
#include "engine/console/error_report.hpp"

#include <new>
#include <system_error>

#include "engine/console/foreign_run.hpp"
#include "engine/console/usage_error.hpp"
#include "io/dataset_contents.hpp"
#include "io/diagnostic.hpp"
#include "io/file_system.hpp"
#include "io/terminal.hpp"
#include "models/expect.hpp"

namespace dfsweep {
namespace {

ErrorReport line(ExitStatus status, const std::string& text) {
  return {status, "dfsweep: " + printable_lines(text) + '\n'};
}

}  // namespace

ErrorReport report_of(const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const UserError& found) {
    ErrorReport report{ExitStatus::invalid_input, {}};
    for (const Problem& problem : found.problems) report.text += to_string(problem) + '\n';
    return report;
  } catch (const UsageError& found) {
    return line(ExitStatus::usage, found.what());
  } catch (const ForeignRun& found) {
    return line(ExitStatus::foreign_run, found.what());
  } catch (const NotReady& found) {
    return line(ExitStatus::stopped, found.what());
  } catch (const BadDataset& found) {
    return line(ExitStatus::foreign_run, found.what());
  } catch (const IoError& found) {
    return line(ExitStatus::input_output, found.what());
  } catch (const std::bad_alloc&) {
    return line(ExitStatus::internal_error, "out of memory");
  } catch (const LogicError& found) {
    return line(ExitStatus::internal_error, std::string("internal error: ") + found.what());
  } catch (const std::system_error& found) {
    const bool is_refused_thread = found.code() == std::errc::resource_unavailable_try_again;
    return line(ExitStatus::internal_error,
                is_refused_thread
                    ? std::string("cannot start a thread (too little memory, or a limit of processes): ") + found.what()
                    : found.what());
  } catch (const std::exception& found) {
    return line(ExitStatus::internal_error, found.what());
  } catch (...) {
    return line(ExitStatus::internal_error, "internal error: an exception of unknown type");
  }
}

}  // namespace dfsweep
