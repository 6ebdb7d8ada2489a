#include "kernels/parallel.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

namespace opwright {
namespace {

/// How often each of n items is covered.
std::vector<int> coverage(std::int64_t n, std::int64_t grain) {
  std::vector<std::atomic<int>> counts(static_cast<std::size_t>(n));
  parallel_for(n, grain, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) ++counts[static_cast<std::size_t>(i)];
  });
  return {counts.begin(), counts.end()};
}

TEST(ParallelFor, CoversEveryItemOnce) {
  for (const std::int64_t n : {0, 1, 2, 7, 100, 10007}) {
    for (const std::int64_t grain : {0, 1, 3, 1000, 100000}) {
      EXPECT_EQ(coverage(n, grain), std::vector<int>(static_cast<std::size_t>(n), 1)) << n << ' ' << grain;
    }
  }
}

TEST(ParallelFor, PiecesHoldTheGrain) {
  std::mutex mutex;
  std::vector<std::int64_t> sizes;
  parallel_for(1000, 90, [&](std::int64_t begin, std::int64_t end) {
    const std::lock_guard lock(mutex);
    sizes.push_back(end - begin);
  });
  int small = 0;
  for (const auto size : sizes) small += size < 90 ? 1 : 0;
  EXPECT_LE(small, 1);  // what is left at the end
}

TEST(ParallelFor, RethrowsAfterAllPiecesHaveEnded) {
  for (int repeat = 0; repeat < 100; ++repeat) {
    std::atomic<int> ended = 0;
    try {
      parallel_for(64, 1, [&](std::int64_t begin, std::int64_t end) {
        ended += static_cast<int>(end - begin);
        if (begin == 0) throw std::runtime_error("piece 0");
      });
      ADD_FAILURE();
    } catch (const std::runtime_error& error) {
      EXPECT_STREQ(error.what(), "piece 0");
    }
    EXPECT_EQ(ended, 64);
  }
  EXPECT_EQ(coverage(100, 1), std::vector<int>(100, 1));  // and the pool works on
}

TEST(ParallelFor, RunsInsideItself) {
  std::atomic<int> count = 0;
  parallel_for(16, 1, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      parallel_for(10, 1, [&](std::int64_t first, std::int64_t last) { count += static_cast<int>(last - first); });
    }
  });
  EXPECT_EQ(count, 160);
}

TEST(ParallelFor, ServesSeveralThreadsAtOnce) {
  std::vector<std::thread> callers;
  for (int caller = 0; caller < 4; ++caller) {
    callers.emplace_back([] {
      for (int repeat = 0; repeat < 200; ++repeat) ASSERT_EQ(coverage(50, 1), std::vector<int>(50, 1));
    });
  }
  for (auto& caller : callers) caller.join();
}

TEST(ParallelFor, WorksInAChildProcess) {
  EXPECT_EQ(coverage(100, 1), std::vector<int>(100, 1));  // the pool exists
  const pid_t child = fork();
  if (child == 0) {
    alarm(20);  // a deadlock ends the child
    _exit(coverage(1000, 1) == std::vector<int>(1000, 1) ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

TEST(ParallelFor, IsCarriedOutByTheHost) {
  static int calls;
  calls = 0;
  set_parallel_for([](std::int64_t n, std::int64_t, const std::function<void(std::int64_t, std::int64_t)>& body) {
    ++calls;
    body(0, n);
  });
  EXPECT_EQ(coverage(10, 1), std::vector<int>(10, 1));
  set_parallel_for(nullptr);
  EXPECT_EQ(coverage(10, 1), std::vector<int>(10, 1));
  EXPECT_EQ(calls, 1);
}

}  // namespace
}  // namespace opwright
