#include "kernels/parallel.h"

#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>

namespace opwright {
namespace {

using Body = std::function<void(std::int64_t, std::int64_t)>;

/// True while this thread runs a piece: a parallel_for inside runs on this thread alone.
thread_local bool inside_piece = false;

/// One parallel_for: threads take pieces until none is left.
class Job {
 public:
  Job(std::int64_t n, std::int64_t piece, const Body& body) : n_(n), piece_(piece), body_(body) {}

  void take_pieces() {
    inside_piece = true;
    for (std::int64_t begin; (begin = next_.fetch_add(piece_)) < n_;) {
      try {
        body_(begin, std::min(n_, begin + piece_));
      } catch (...) {
        const std::lock_guard lock(mutex_);
        if (!exception_) exception_ = std::current_exception();
      }
    }
    inside_piece = false;
  }

  void rethrow() const {
    if (exception_) std::rethrow_exception(exception_);
  }

 private:
  const std::int64_t n_, piece_;
  const Body& body_;
  std::atomic<std::int64_t> next_ = 0;
  std::mutex mutex_;
  std::exception_ptr exception_;
};

/// A few threads that sleep until there is a job. Never destroyed: its threads may outlive everything else, and a child
/// process, which has none of them, simply makes a new one.
class Pool {
 public:
  Pool() {
    const unsigned wanted = std::max(1u, std::thread::hardware_concurrency()) - 1;
    try {
      for (; helpers_ < wanted; ++helpers_) std::thread([this] { help(); }).detach();
    } catch (const std::system_error&) {
      // The system gives no more threads; those that there are, and the calling one, do the work.
    }
  }

  int threads() const { return static_cast<int>(helpers_) + 1; }

  /// Runs the job to its end, or returns false because another job is running.
  bool run(Job& job) {
    const std::unique_lock only(running_, std::try_to_lock);
    if (!only) return false;
    {
      const std::lock_guard lock(mutex_);
      job_ = &job;
      ++round_;
    }
    wake_.notify_all();
    job.take_pieces();
    std::unique_lock lock(mutex_);
    job_ = nullptr;
    idle_.wait(lock, [this] { return busy_ == 0; });
    return true;
  }

 private:
  void help() {
    std::uint64_t seen = 0;
    std::unique_lock lock(mutex_);
    for (;;) {
      wake_.wait(lock, [&] { return job_ != nullptr && round_ != seen; });
      seen = round_;
      Job& job = *job_;
      ++busy_;
      lock.unlock();
      job.take_pieces();
      lock.lock();
      if (--busy_ == 0) idle_.notify_one();
    }
  }

  std::mutex running_;  // held for the whole of a job
  std::mutex mutex_;    // guards what follows
  std::condition_variable wake_, idle_;
  Job* job_ = nullptr;
  std::uint64_t round_ = 0;
  int busy_ = 0;
  unsigned helpers_ = 0;
};

std::mutex making;  // guards the_pool, and is never held by a thread that a fork leaves behind
Pool* the_pool = nullptr;

Pool& pool() {
  const std::lock_guard lock(making);
  if (the_pool == nullptr) {
    static const int once = pthread_atfork([] { making.lock(); }, [] { making.unlock(); },
                                           [] {
                                             the_pool = nullptr;
                                             making.unlock();
                                           });
    static_cast<void>(once);
    the_pool = new Pool;
  }
  return *the_pool;
}

void pool_parallel_for(std::int64_t n, std::int64_t grain, const Body& body) {
  grain = std::max<std::int64_t>(1, grain);
  if (n <= grain || inside_piece) return body(0, n);
  // A few pieces a thread, so that a thread that the system held up does not hold up the rest.
  const std::int64_t pieces = 4 * static_cast<std::int64_t>(pool().threads());
  Job job(n, std::max(grain, (n + pieces - 1) / pieces), body);
  if (!pool().run(job)) return body(0, n);
  job.rethrow();
}

std::atomic<ParallelFor> implementation = pool_parallel_for;

}  // namespace

void parallel_for(std::int64_t n, std::int64_t grain, const Body& body) {
  if (n > 0) implementation.load()(n, grain, body);
}

void set_parallel_for(ParallelFor chosen) { implementation = chosen != nullptr ? chosen : pool_parallel_for; }

}  // namespace opwright
