/// The loop over events: clients and servers meet here.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "models/queueing/simulation/clients.hpp"
#include "models/queueing/simulation/scheduler.hpp"
#include "models/queueing/simulation/servers.hpp"

namespace dfsweep::queueing {

/// Servers with their scheduler, and the replicas that wait for their next block.
template <Steps S>
class Pool {
 public:
  Pool(const Deployment& deployment, Stage stage, const RequestFeed& feed, const S& steps, Clients& clients)
      : scheduler_(deployment, stage, feed.largest_output(), feed.shared_tokens(), clients.requests(),
                   clients.sessions()),
        servers_(scheduler_, deployment.replicas, steps),
        is_due_(deployment.replicas) {}

  [[nodiscard]] Scheduler& scheduler() { return scheduler_; }
  [[nodiscard]] Servers<S>& servers() { return servers_; }
  void receive(ActiveRequest& request, std::uint32_t slot, double now) {
    request.rank = scheduler_.route(request.session);
    scheduler_.receive(slot);
    const std::uint32_t replica = scheduler_.replica_of(request.rank);
    if (servers_.running(replica)) {
      servers_.shorten(slot, replica, now);
    } else {
      make_due(replica);
    }
  }
  /// The outcome of the block that ends next. Its replica is due.
  const StepOutcome& finish_next() {
    const std::uint32_t replica = servers_.next_replica();
    outcome_.first_tokens.clear();
    outcome_.finished.clear();
    servers_.finish(replica, outcome_);
    make_due(replica);
    return outcome_;
  }
  void begin_due(double now) {
    for (const std::uint32_t replica : due_) {
      servers_.begin(replica, now);
      is_due_[replica] = 0;
    }
    due_.clear();
  }

 private:
  void make_due(std::uint32_t replica) {
    if (is_due_[replica] != 0) return;
    is_due_[replica] = 1;
    due_.push_back(replica);
  }

  Scheduler scheduler_;
  Servers<S> servers_;
  StepOutcome outcome_;
  std::vector<std::uint32_t> due_;
  std::vector<std::uint8_t> is_due_;
};

/// What the servers of answers add to the summary of the clients.
template <Steps S>
[[nodiscard]] SimulatedLoad with_servers(SimulatedLoad load, const Deployment& deployment, Pool<S>& pool) {
  const ServerTotals& totals = pool.servers().totals();
  load.preemptions = pool.scheduler().preemptions();
  load.reused_tokens = pool.scheduler().reused_tokens();
  load.steps = totals.steps;
  if (load.makespan <= 0.0) return load;
  const double replica_time = load.makespan * deployment.replicas;
  const double rank_time = replica_time * deployment.attention_ranks;
  load.running = totals.sequence_time / rank_time;
  load.cache_use = totals.token_time / rank_time / deployment.cache_tokens;
  load.busy = totals.busy_time / replica_time;
  return load;
}

/// Replicas that read prompts and decode answers.
template <Steps S>
class SharedLoop {
 public:
  SharedLoop(const Deployment& deployment, RequestFeed& feed, const S& steps)
      : deployment_(deployment),
        clients_(feed, deployment.client, deployment.replicas),
        pool_(deployment, Stage::both, feed, steps, clients_) {}

  template <class Sink>
  [[nodiscard]] SimulatedLoad run(Sink& sink) {
    EventQueue& events = clients_.events();
    while (true) {
      const double now = std::min(events.next_time(), pool_.servers().next_end());
      if (now == std::numeric_limits<double>::infinity()) break;
      // What happens at one time is seen by the steps that begin then.
      while (true) {
        if (events.next_time() <= now) {
          handle(events.take());
        } else if (pool_.servers().next_end() <= now) {
          finish_block(now, sink);
        } else {
          break;
        }
      }
      pool_.begin_due(now);
    }
    return with_servers(clients_.tallies().summary(), deployment_, pool_);
  }

 private:
  void handle(const Event& event) {
    switch (event.kind) {
      case EventKind::open:
        return clients_.open(event.subject, event.time);
      case EventKind::send:
        return clients_.send(event.subject, event.time);
      case EventKind::receive:
        return receive(event.subject, event.time);
      case EventKind::reload:
        return pool_.receive(clients_.requests()[event.subject], event.subject, event.time);
      case EventKind::hand_over:
        return;
    }
  }

  void receive(std::uint32_t slot, double now) {
    ActiveRequest& request = clients_.requests()[slot];
    if (!pool_.scheduler().fits_alone(slot)) {
      clients_.tallies().refuse();
      pool_.scheduler().forget(request.session);
      clients_.go_on(slot, now);
      return;
    }
    const double reload = deployment_.host.per_token.value() * request.carried;
    if (clients_.sessions()[request.session].kept == KeptIn::host && reload > 0.0) {
      clients_.events().add(now + reload, EventKind::reload, slot);
      return;
    }
    pool_.receive(request, slot, now);
  }

  template <class Sink>
  void finish_block(double now, Sink& sink) {
    const std::uint32_t replica = pool_.servers().next_replica();
    const StepOutcome& outcome = pool_.finish_next();
    if (!outcome.first_tokens.empty()) {
      const double lag = deployment_.rules.lag_steps;
      const double late = lag > 0.0 ? lag * pool_.servers().decode_time(replica) : 0.0;
      for (const std::uint32_t slot : outcome.first_tokens) clients_.first_token(slot, now, late);
    }
    for (const std::uint32_t slot : outcome.finished) {
      RequestRecord record = clients_.finish(slot, now);
      record.replica = replica;
      record.rank -= replica * deployment_.attention_ranks;
      const std::uint32_t session = clients_.requests()[slot].session;
      if (clients_.go_on(slot, record.finished)) pool_.scheduler().keep(session);
      sink(record);
    }
  }

  const Deployment& deployment_;
  Clients clients_;
  Pool<S> pool_;
};

/// Prompt workers as a deployment: no limit but the chunk.
[[nodiscard]] inline Deployment prompt_workers(const Pools& pools) {
  Deployment workers;
  workers.replicas = pools.prompt_replicas;
  workers.attention_ranks = pools.prompt_ranks;
  workers.rules.chunk_tokens = pools.prompt_chunk_tokens;
  workers.rules.running_limit = std::numeric_limits<double>::infinity();
  return workers;
}

/// Prompts and answers on servers of their own.
template <Steps P, Steps D>
class PoolsLoop {
 public:
  PoolsLoop(const Pools& pools, RequestFeed& feed, const P& prompt_steps, const D& decode_steps)
      : pools_(pools),
        workers_(prompt_workers(pools)),
        clients_(feed, pools.decode.client, pools.prompt_replicas),
        prompts_(workers_, Stage::prompts, feed, prompt_steps, clients_),
        answers_(pools.decode, Stage::answers, feed, decode_steps, clients_) {}

  template <class Sink>
  [[nodiscard]] SimulatedLoad run(Sink& sink) {
    EventQueue& events = clients_.events();
    while (true) {
      const double now = std::min({events.next_time(), prompts_.servers().next_end(), answers_.servers().next_end()});
      if (now == std::numeric_limits<double>::infinity()) break;
      while (true) {
        if (events.next_time() <= now) {
          handle(events.take());
        } else if (prompts_.servers().next_end() <= now) {
          hand_over(now);
        } else if (answers_.servers().next_end() <= now) {
          finish_block(now, sink);
        } else {
          break;
        }
      }
      prompts_.begin_due(now);
      answers_.begin_due(now);
    }
    return with_servers(clients_.tallies().summary(), pools_.decode, answers_);
  }

 private:
  void handle(const Event& event) {
    const std::uint32_t subject = event.subject;
    switch (event.kind) {
      case EventKind::open:
        return clients_.open(subject, event.time);
      case EventKind::send:
        return clients_.send(subject, event.time);
      case EventKind::receive:
      case EventKind::reload:
        if (answers_.scheduler().fits_alone(subject)) {
          return prompts_.receive(clients_.requests()[subject], subject, event.time);
        }
        clients_.tallies().refuse();
        clients_.go_on(subject, event.time);
        return;
      case EventKind::hand_over:
        return answers_.receive(clients_.requests()[subject], subject, event.time);
    }
  }

  void hand_over(double now) {
    const double fixed = pools_.decode.client.handover.value();
    const double per_token = pools_.handover_per_token.value();
    for (const std::uint32_t slot : prompts_.finish_next().finished) {
      const double arrives = now + fixed + per_token * clients_.requests()[slot].to_read();
      clients_.events().add(arrives, EventKind::hand_over, slot);
    }
  }

  template <class Sink>
  void finish_block(double now, Sink& sink) {
    const std::uint32_t replica = answers_.servers().next_replica();
    const StepOutcome& outcome = answers_.finish_next();
    if (!outcome.first_tokens.empty()) {
      const double lag = pools_.decode.rules.lag_steps;
      const double late = lag > 0.0 ? lag * answers_.servers().decode_time(replica) : 0.0;
      for (const std::uint32_t slot : outcome.first_tokens) clients_.first_token(slot, now, late);
    }
    for (const std::uint32_t slot : outcome.finished) {
      RequestRecord record = clients_.finish(slot, now);
      record.replica = replica;
      record.rank -= replica * pools_.decode.attention_ranks;
      clients_.go_on(slot, record.finished);
      sink(record);
    }
  }

  const Pools& pools_;
  Deployment workers_;
  Clients clients_;
  Pool<P> prompts_;
  Pool<D> answers_;
};

}  // namespace dfsweep::queueing
