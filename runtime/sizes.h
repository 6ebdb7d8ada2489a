// The sizes of a tensor that does not exist yet, without touching the heap for ordinary ranks.
#pragma once

#include <array>
#include <cstddef>
#include <initializer_list>
#include <span>
#include <vector>

namespace opwright {

/// A short list of sizes, `Int` being std::int64_t or a symbolic integer. Up to six live inside the object.
template <class Int>
class Sizes {
 public:
  Sizes() = default;
  Sizes(std::initializer_list<Int> items) { append(std::span<const Int>(items.begin(), items.size())); }
  explicit Sizes(std::span<const Int> items) { append(items); }

  void push_back(Int item) {
    if (count_ < inside_.size()) {
      inside_[count_] = std::move(item);
    } else {
      if (count_ == inside_.size()) outside_.assign(inside_.begin(), inside_.end());
      outside_.push_back(std::move(item));
    }
    ++count_;
  }
  void append(std::span<const Int> items) {
    for (const Int& item : items) push_back(item);
  }

  std::size_t size() const { return count_; }
  const Int* data() const { return count_ <= inside_.size() ? inside_.data() : outside_.data(); }
  const Int& operator[](std::size_t i) const { return data()[i]; }
  Int& operator[](std::size_t i) { return const_cast<Int&>(data()[i]); }
  const Int* begin() const { return data(); }
  const Int* end() const { return data() + count_; }
  operator std::span<const Int>() const { return {data(), count_}; }

 private:
  std::array<Int, 6> inside_{};
  std::vector<Int> outside_;  // all items, once there are more than fit inside
  std::size_t count_ = 0;
};

}  // namespace opwright
