#include "engine/store/opening.hpp"

#include <algorithm>
#include <functional>

#include <fmt/core.h>

#include "engine/console/build_info.hpp"
#include "engine/console/foreign_run.hpp"
#include "engine/console/usage_error.hpp"
#include "engine/dataset/description.hpp"
#include "engine/store/expansion.hpp"
#include "engine/store/locks.hpp"
#include "engine/store/ownership.hpp"
#include "engine/store/published_file.hpp"
#include "engine/store/reservation.hpp"
#include "engine/store/room.hpp"
#include "engine/store/verification.hpp"
#include "models/expect.hpp"

namespace dfsweep::store {

namespace {

class Opening {
 public:
  Opening(FileSystem& files, const RunDirectory& directory, const Plan& plan, Part part, const Succession& succession)
      : files_(files),
        directory_(directory),
        part_(part),
        succession_(succession),
        image_(lay_out_dataset(describe_dataset(plan))),
        ours_(make_run_record(plan, image_)) {
    ours_.parts = part.count;
  }

  OpenedDirectory open() {
    check_plan();
    restore_former();
    const bool has_result = files_.exists(directory_.result()) && !is_succeeding_;
    bool has_partial = files_.exists(directory_.partial());
    if (has_result && !has_partial) {
      if (!files_.exists(directory_.damage())) {
        if (must_write_plan_) write_plan();
        return result(DirectoryState::published);
      }
      reject_other_build();
      take_back_result();
      notes_.push_back(fmt::format("{} is damaged and will be repaired", directory_.result().string()));
      has_partial = true;
    }
    reject_other_build();
    refuse_beside_other_parts();
    if (!has_partial) {
      expect_room_for_result();
      if (is_succeeding_) set_aside();
      remove_journals();  // the records describe blocks of a file that no longer exists
    }
    if (must_write_plan_ || is_newly_divided_) write_plan();
    has_partial ? repair_frame() : create_file();
    return result(DirectoryState::writable);
  }

 private:
  OpenedDirectory result(DirectoryState state) {
    remove_leftovers();
    return {state, ours_, std::move(notes_), reserved_};
  }

  /// Files that a power cut left before they got their names. No process writes them now: the caller holds the lock.
  void remove_leftovers() {
    for (std::filesystem::path path : {directory_.plan(), directory_.incomplete()}) {
      path += ".new";
      if (files_.exists(path)) remove_quietly(path);
    }
    for (const std::filesystem::path& path : {directory_.creating(), directory_.compressing()})
      if (files_.exists(path)) remove_quietly(path);
    const bool is_published = files_.exists(directory_.result()) && !files_.exists(directory_.partial());
    if (is_published && files_.exists(directory_.former())) remove_quietly(directory_.former());
  }

  /// A former result of this very sweep becomes its result again: the run that was to replace it ended before it wrote
  /// its own plan.
  void restore_former() {
    if (must_write_plan_ || theirs_ || files_.exists(directory_.result()) || files_.exists(directory_.partial()) ||
        !files_.exists(directory_.former()) || !has_published_frame(files_, directory_.former(), ours_))
      return;
    files_.rename(directory_.former(), directory_.result());
    files_.sync_directory(directory_.path);
  }

  void set_aside() {
    if (!files_.exists(directory_.result())) return;  // an earlier start of this run has done it
    files_.rename(directory_.result(), directory_.former());
    files_.sync_directory(directory_.path);
  }

  /// Whether plan.json belongs to a published result, in its place or set aside, that this run may replace.
  [[nodiscard]] bool may_succeed() const {
    return succession_.is_allowed && !files_.exists(directory_.partial()) && !files_.exists(directory_.damage()) &&
           (files_.exists(directory_.result()) || files_.exists(directory_.former()));
  }

  /// Compares plan.json with this plan; throws if it belongs to another run.
  void check_plan() {
    if (!files_.exists(directory_.plan())) {
      must_write_plan_ = true;
      if (!files_.exists(directory_.result()) && !files_.exists(directory_.partial())) return;
      if (!is_file_of_ours())
        throw ForeignRun(
            fmt::format("{} has no plan.json, and its result is damaged or of another sweep. Choose "
                        "another --out, or --fresh to discard it",
                        directory_.path.string()));
      notes_.push_back(directory_.plan().string() + " was missing and is restored");
      return;
    }
    const std::vector<std::byte> bytes = read_file(files_, directory_.plan(), max_plan_bytes);
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    if (text == to_plan_json(ours_)) return;
    if (is_plan(text)) {
      theirs_ = read_plan_json(text, directory_.plan());
      if (theirs_->fingerprint != ours_.fingerprint) {
        if (!may_succeed()) refuse_other_plan();
        is_succeeding_ = must_write_plan_ = true;
        theirs_.reset();
        return;
      }
      agree_on_parts();
      return;
    }
    expect_restorable(text);
    notes_.push_back(directory_.plan().string() + " was damaged and is restored");
    must_write_plan_ = true;
  }

  void agree_on_parts() {
    if (part_.count > 1 && theirs_->parts > 1 && part_.count != theirs_->parts)
      throw UsageError(fmt::format(
          "--part {}/{}: {} is divided into {} parts, which would leave blocks out. Use --part i/{}; or run "
          "without --part, which evaluates all that is missing",
          part_.index + 1, part_.count, directory_.path.string(), theirs_->parts, theirs_->parts));
    is_newly_divided_ = part_.count > theirs_->parts;
    ours_.parts = std::max(part_.count, theirs_->parts);
  }

  void refuse_beside_other_parts() {
    const std::string own_count = fmt::format("-of-{}.lock", part_.count);
    const std::string working =
        working_part(files_, directory_, [&](const std::string& lock) { return !lock.ends_with(own_count); });
    if (working.empty()) return;
    throw NotReady(
        fmt::format("{} is being evaluated by {}, which divides it into another number of parts. Wait for "
                    "it, or use the same --part i/n",
                    directory_.path.string(), working));
  }

  /// Whether this is a sound plan of dfsweep. Throws ForeignRun for a plan of another format.
  [[nodiscard]] bool is_plan(std::string_view text) {
    try {
      static_cast<void>(read_plan_json(text, directory_.plan()));
      return true;
    } catch (const DamagedPlan&) {
      return false;
    }
  }

  /// A damaged plan.json is written again where the result has the frame of this plan, or where no result can be lost.
  void expect_restorable(std::string_view text) {
    const bool has_result = files_.exists(directory_.result()) || files_.exists(directory_.partial());
    if (has_result ? is_file_of_ours() : is_run_of_ours(files_, directory_, text)) return;
    throw ForeignRun(
        has_result
            ? fmt::format("{} is damaged, and its result is damaged or of another sweep. Choose another --out, or "
                          "--fresh to discard it",
                          directory_.plan().string())
            : not_ours(directory_));
  }

  /// Whether there is a result file with the frame of this plan.
  [[nodiscard]] bool is_file_of_ours() {
    const bool is_partial = files_.exists(directory_.partial());
    const std::filesystem::path path = is_partial ? directory_.partial() : directory_.result();
    if (!files_.exists(path)) return false;
    return is_partial ? has_planned_frame(*files_.open(path, OpenFor::reading), ours_)
                      : has_published_frame(files_, path, ours_);
  }

  [[noreturn]] void refuse_other_plan() const {
    std::string why;
    if (theirs_->program_version != ours_.program_version)
      why = fmt::format("it was started by dfsweep {}, this is {}", theirs_->program_version, ours_.program_version);
    const std::string changes = difference(theirs_->sweep, ours_.sweep);
    if (why.empty()) why = changes.empty() ? "its inputs or its estimator changed" : "the sweep changed";
    std::string notes;
    if (!succession_.obstacle.empty()) notes += fmt::format("Its rows are not taken: {}.\n", succession_.obstacle);
    if (files_.exists(directory_.former()))
      notes += fmt::format("The result that it takes rows from is {}.\n", directory_.former().string());
    throw ForeignRun(fmt::format("{} holds another run ({}).\n{}{}Choose another --out, or --fresh to discard it",
                                 directory_.path.string(), why, changes, notes));
  }

  /// Rows of two builds are never mixed in one file, because they may differ in the last bit.
  void reject_other_build() const {
    if (!theirs_ || theirs_->build == ours_.build) {
      if (theirs_ && (theirs_->frame != ours_.frame || theirs_->cut != ours_.cut))
        throw ForeignRun(
            fmt::format("{} was laid out differently by the same build. Choose another --out, or --fresh to discard it",
                        directory_.path.string()));
      return;
    }
    throw ForeignRun(
        fmt::format("{} was started by another build of dfsweep.\n{}Choose another --out, or --fresh to discard it",
                    directory_.path.string(), difference(theirs_->build, ours_.build)));
  }

  void remove_journals() {
    for (const std::string& name : files_.list(directory_.journals()))
      if (name.ends_with(".journal")) files_.remove(directory_.journals() / name);
    files_.sync_directory(directory_.journals());
  }

  void write_plan() const {
    const std::string text = to_plan_json(ours_);
    replace_file(files_, directory_.plan(), std::as_bytes(std::span(text)));
  }

  /// Nothing is written, not even the plan, where the result cannot be.
  void expect_room_for_result() {
    expect_room(files_, directory_.creating(), ours_.file_size);
    const std::string note =
        room_note(room_needed(ours_.file_size, ours_.compression_level), files_.free_space(directory_.path));
    if (!note.empty()) notes_.push_back("the result " + note);
  }

  /// A published result becomes the file of an unfinished run. A compressed one stays until it is replaced.
  void take_back_result() {
    if (ours_.compression_level)
      return create_file([&](File& file) { expand_result(files_, directory_, ours_, file); });
    files_.rename(directory_.result(), directory_.partial());
    files_.sync_directory(directory_.path);
  }

  /// `fill` may write rows.
  void create_file(const std::function<void(File&)>& fill = {}) {
    try {
      {
        const std::unique_ptr<File> file = files_.open(directory_.creating(), OpenFor::creating);
        file->truncate(ours_.file_size);
        reserve(directory_.creating());
        write_frame(*file, image_);
        if (fill) fill(*file);
        file->sync_data();
      }
      files_.rename(directory_.creating(), directory_.partial());
    } catch (const IoError&) {
      remove_quietly(directory_.creating());
      throw;
    }
    files_.sync_directory(directory_.path);
  }

  void reserve(const std::filesystem::path& path) {
    const Reservation reserved = reserve_for(files_, path, ours_.file_size, reservation_patience);
    reserved_ = reserved.end;
    if (reserved.support == Reserved::unsupported)
      notes_.push_back(
          fmt::format("the file system of {} cannot reserve space: a full disk will be detected only during the run",
                      directory_.path.string()));
  }

  void remove_quietly(const std::filesystem::path& path) {
    try {
      files_.remove(path);
    } catch (const IoError&) {  // report the original error
    }
  }

  /// The frame follows from the plan, so a damaged frame is written again.
  void repair_frame() {
    const std::unique_ptr<File> file = files_.open(directory_.partial(), OpenFor::writing);
    file->write_at(0, std::vector<std::byte>(seal_bytes));  // clear the space of the seal, in case it is damaged
    if (has_planned_frame(*file, ours_)) return;
    const std::uint64_t size = file->size();
    notes_.push_back(directory_.partial().string() + " was damaged outside its columns and is restored");
    if (size != ours_.file_size) {
      file->truncate(ours_.file_size);
      reserve(directory_.partial());
    }
    write_frame(*file, image_);
    file->sync_data();
  }

  FileSystem& files_;
  const RunDirectory& directory_;
  Part part_;
  const Succession& succession_;
  DatasetImage image_;
  RunRecord ours_;
  std::optional<RunRecord> theirs_;  ///< set if plan.json differs from ours
  bool must_write_plan_ = false;
  bool is_succeeding_ = false;     ///< the published result of another sweep gives way to this run
  bool is_newly_divided_ = false;  ///< this is the first part of a run that was whole before
  std::vector<std::string> notes_;
  std::uint64_t reserved_ = 0;
};

}  // namespace

OpenedDirectory open_directory(FileSystem& files, const RunDirectory& directory, const Plan& plan, Part part,
                               const Succession& succession) {
  return Opening(files, directory, plan, part, succession).open();
}

}  // namespace dfsweep::store
