// Calls of the interface in tests, looked up by name as torch_npu does.
#pragma once

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <string>

namespace opwright::softnpu {

template <class Result, class... Arguments>
Result call(const char* function, Arguments... arguments) {
  auto* pointer = reinterpret_cast<Result (*)(Arguments...)>(dlsym(RTLD_DEFAULT, function));
  EXPECT_NE(pointer, nullptr) << "no function " << function;
  return pointer(arguments...);
}

inline std::string recent_message() {
  const char* message = call<const char*>("aclGetRecentErrMsg");
  return message ? message : "";
}

}  // namespace opwright::softnpu
