#include "softnpu/runtime/unsupported.h"

#include <cxxabi.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <set>
#include <stdexcept>
#include <string>

namespace opwright::softnpu {
namespace {

std::string message_for(const std::string& function) { return "the software NPU has no " + function; }

void print_once(const std::string& message) {
  static std::mutex mutex;
  static std::set<std::string> printed;
  const std::lock_guard lock(mutex);
  if (printed.insert(message).second) std::fprintf(stderr, "opwright: %s\n", message.c_str());
}

std::string demangled(const char* name) {
  const std::unique_ptr<char, decltype(&std::free)> text(abi::__cxa_demangle(name, nullptr, nullptr, nullptr),
                                                         &std::free);
  return text ? text.get() : name;
}

}  // namespace

int unsupported(const char* function) {
  const std::string message = message_for(function);
  print_once(message);
  return report(kNotSupported, message);
}

void throw_unsupported(const char* mangled) {
  const std::string message = message_for(demangled(mangled));
  print_once(message);
  throw std::runtime_error(message);
}

}  // namespace opwright::softnpu
