/// Errors of the closed form: how far its means are from those of the simulation, by regions of deployments.
#pragma once

namespace dfsweep::queueing {

/// Sizes of relative errors of random deployments of a region.
struct ClosedFormError {
  double first_token = 0.0;       ///< median, of the mean time to first token
  double first_token_most = 0.0;  ///< what nine of ten stay within
  double token_time = 0.0;        ///< median, of the mean time per output token
  double token_time_most = 0.0;   ///< what nine of ten stay within
};

/// What decides the region of a deployment.
struct ErrorRegion {
  double attention_ranks = 1.0;  ///< of a replica
  double prompt_chunks = 1.0;    ///< tokens of a prompt over those of a chunk
  double output_tokens = 1.0;    ///< of an answer
  double load = 0.0;             ///< request rate over the highest rate; NaN for users
};

/// Errors of steady() for servers that read prompts and decode, by what a request finds: users, or a stream by its
/// share of the highest rate; one attention rank or several; prompts within a chunk or longer ones; long answers or
/// short ones, of up to 16 tokens, in which what is there when a prompt ends counts more.
/// Source: docs/models/queueing.md, errors; models.queueing.wide_errors_test holds them.
[[nodiscard]] const ClosedFormError& closed_form_error(const ErrorRegion& region);

}  // namespace dfsweep::queueing
