// The complete artefacts of three operators, held against emit/golden. After a change that is meant, look at what
//
//     OPWRIGHT_UPDATE_GOLDEN=1 build/release/opwright_emit_test --gtest_filter='Golden.*'; git diff emit/golden
//
// makes of it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>

#include "emit/emit.h"
#include "model/testing.h"

namespace opwright::emit {
namespace {

namespace fs = std::filesystem;
const fs::path golden = "emit/golden";

// An optional tensor with its gradient; results like arguments; packs, and no gradient.
const std::set<std::string, std::less<>> chosen = {"npu_moe_token_unpermute", "npu_moe_token_unpermute_grad",
                                                   "npu_moe_gating_top_k_softmax"};

std::vector<Artefact> artefacts() {
  Diagnostics diagnostics;
  model::Library library = model::load(testing::repository_declarations(), diagnostics);
  EXPECT_EQ(diagnostics.error_count(), 0);
  std::erase_if(library.operators, [](const model::Operator& op) { return !chosen.contains(op.name); });
  return all(library);
}

TEST(Golden, ArtefactsAreAsReviewed) {
  const bool update = std::getenv("OPWRIGHT_UPDATE_GOLDEN") != nullptr;
  if (update) fs::remove_all(golden);
  std::set<fs::path> written;
  for (const Artefact& artefact : artefacts()) {
    const fs::path path = golden / artefact.path;
    written.insert(path);
    if (update) {
      fs::create_directories(path.parent_path());
      std::ofstream(path) << artefact.text;
    }
    EXPECT_EQ(testing::read_file(path), artefact.text) << path;
  }
  for (const auto& entry : fs::recursive_directory_iterator(golden)) {
    EXPECT_TRUE(entry.is_directory() || written.contains(entry.path())) << entry.path() << " is not emitted";
  }
}

TEST(Golden, LinesFitIntoTheColumns) {
  for (const Artefact& artefact : artefacts()) {
    if (!artefact.path.ends_with(".h") && !artefact.path.ends_with(".cpp")) continue;
    std::istringstream lines(artefact.text);
    for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 120u) << artefact.path << ": " << line;
  }
}

}  // namespace
}  // namespace opwright::emit
