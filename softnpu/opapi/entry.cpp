#include "softnpu/opapi/entry.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <utility>

#include "kernels/element.h"
#include "runtime/error.h"
#include "softnpu/runtime/settings.h"
#include "softnpu/runtime/stream.h"
#include "softnpu/runtime/trace.h"

struct aclOpExecutor {
  const char* entry_point;
  opwright::softnpu::Call call;
  opwright::softnpu::Compute compute;
};

namespace opwright::softnpu {
namespace {

std::string sizes_text(std::span<const std::int64_t> sizes) {
  std::string text = "[";
  for (std::size_t i = 0; i < sizes.size(); ++i) text += (i ? ", " : "") + std::to_string(sizes[i]);
  return text + "]";
}

struct Failure {
  int code;
  std::string message;
};

/// Runs one phase and turns what it throws into a code and a message.
template <class Phase>
std::optional<Failure> failure_of(const char* entry_point, Phase&& phase) {
  try {
    phase();
    return std::nullopt;
  } catch (const Error& error) {
    return Failure{kInvalidParameter, error.what()};
  } catch (const std::bad_alloc&) {
    return Failure{kOutOfMemory, std::string(entry_point) + ": the host has no memory left"};
  } catch (const std::exception& error) {
    return Failure{kInternalError, std::string(entry_point) + ": " + error.what()};
  }
}

}  // namespace

Dtype dtype_of(int acl_dtype, std::string_view what) {
  switch (acl_dtype) {
    case kFloat32:
      return Dtype::float32;
    case kFloat16:
      return Dtype::float16;
    case kInt8:
      return Dtype::int8;
    case kInt32:
      return Dtype::int32;
    case kUint8:
      return Dtype::uint8;
    case kInt16:
      return Dtype::int16;
    case kInt64:
      return Dtype::int64;
    case kFloat64:
      return Dtype::float64;
    case kBool:
      return Dtype::bool_;
    case kComplex64:
      return Dtype::complex64;
    case kComplex128:
      return Dtype::complex128;
    case kBfloat16:
      return Dtype::bfloat16;
    default:
      throw Error(std::string(what) + " has the aclDataType " + std::to_string(acl_dtype) +
                  ", which the software NPU cannot compute with");
  }
}

template <class T>
std::span<const T> Call::copy(const T* values, std::size_t count) {
  if (count == 0) return {};
  auto* kept = static_cast<T*>(memory_.allocate(count * sizeof(T), alignof(T)));
  std::copy_n(values, count, kept);
  return {kept, count};
}

View Call::argument(const aclTensor* tensor, std::string_view op, std::string_view name) {
  if (!tensor) return {};
  const Dtype dtype = dtype_of(tensor->dtype, std::string(op) + ": " + std::string(name));
  const auto* storage = static_cast<const std::byte*>(tensor->storage);
  return {.data = storage ? storage + tensor->offset * size_of(dtype) : nullptr,
          .dtype = dtype,
          .sizes = copy(tensor->sizes.data(), tensor->sizes.size()),
          .strides = copy(tensor->strides.data(), tensor->strides.size()),
          .present = true};
}

MutableView Call::result(const aclTensor* tensor, std::string_view op, std::string_view name, Dtype dtype,
                         std::span<const std::int64_t> sizes) {
  const std::string what = std::string(op) + ": the result " + std::string(name);
  if (!tensor) throw Error(what + " has no memory to be written to");
  const View given = argument(tensor, op, name);
  const bool converts = given.dtype != dtype && is_floating_point(given.dtype) && is_floating_point(dtype);
  if (given.dtype != dtype && !converts)
    throw Error(what + " is " + std::string(opwright::name(dtype)) + ", got memory for " +
                std::string(opwright::name(given.dtype)));
  if (!std::ranges::equal(given.sizes, sizes))
    throw Error(what + " has the sizes " + sizes_text(sizes) + ", got memory for " + sizes_text(given.sizes));
  if (!given.is_contiguous()) throw Error(what + " must be contiguous");
  MutableView view = {.data = const_cast<void*>(given.data),
                      .dtype = given.dtype,
                      .sizes = given.sizes,
                      .strides = given.strides,
                      .present = true};
  if (converts) {
    const MutableView to = view;
    view.dtype = dtype;
    view.data = memory_.allocate(static_cast<std::size_t>(given.numel() * size_of(dtype)), alignof(double));
    conversions_.push_back({view, to});
  }
  return view;
}

void Call::store_results() const {
  for (const Conversion& conversion : conversions_) {
    visit_floating_point(conversion.from.dtype, [&]<class From>(From) {
      visit_floating_point(conversion.to.dtype, [&]<class To>(To) {
        const auto* from = conversion.from.as<From>();
        auto* to = conversion.to.as<To>();
        for (std::int64_t i = 0; i < conversion.from.numel(); ++i) to[i] = round_to<To>(widen(from[i]));
      });
    });
  }
}

std::optional<std::span<const std::int64_t>> Call::ints(const aclIntArray* array) {
  if (!array) return std::nullopt;
  return copy(array->values.data(), array->values.size());
}

std::string_view Call::text(const char* string) {
  if (!string) return {};
  const auto kept = copy(string, std::strlen(string));
  return {kept.data(), kept.size()};
}

int prepare(const char* entry_point, std::uint64_t* workspace_size, aclOpExecutor** executor,
            const std::function<Compute(Call&)>& plan) {
  if (!workspace_size || !executor)
    return report(kInvalidParameter, std::string(entry_point) + ": workspace_size and executor must not be null");
  trace(entry_point);
  *workspace_size = 0;
  *executor = nullptr;
  const auto failure = failure_of(entry_point, [&] {
    auto prepared = std::make_unique<aclOpExecutor>();
    prepared->entry_point = entry_point;
    prepared->compute = plan(prepared->call);
    *executor = prepared.release();
  });
  return failure ? report(failure->code, failure->message) : kSuccess;
}

int launch(aclOpExecutor* executor, aclrtStream stream) {
  if (!executor) return report(kInvalidParameter, "phase two was called without the executor of a phase one");
  const std::unique_ptr<aclOpExecutor> owned(executor);
  if (settings().dry) return kSuccess;
  const auto compute = [&] {
    owned->compute();
    owned->call.store_results();
  };
  if (auto failure = failure_of(owned->entry_point, compute))
    fail_stream(stream, failure->code, std::move(failure->message));
  return kSuccess;
}

}  // namespace opwright::softnpu
