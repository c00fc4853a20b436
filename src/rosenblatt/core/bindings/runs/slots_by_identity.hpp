// The feature slots of names that are Python strings.
#pragma once

#include <nanobind/nanobind.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace rosenblatt {

// Slots by the identity of a name object. A string object that is used again (literals, column names) is found without
// reading its text; other strings are found by content. The owner keeps the objects alive.
class SlotsByIdentity {
   public:
    static constexpr std::size_t kAbsent = static_cast<std::size_t>(-1);

    std::size_t find(const PyObject* name) const {
        if (table_.empty()) return kAbsent;
        for (std::size_t k = place(name);; k = (k + 1) & (table_.size() - 1)) {
            if (table_[k].name == name) return table_[k].slot;
            if (!table_[k].name) return kAbsent;
        }
    }

    void add(const PyObject* name, std::size_t slot) {
        if (2 * (count_ + 1) > table_.size()) {
            std::vector<Place> old(std::max<std::size_t>(64, 2 * table_.size()));
            old.swap(table_);
            for (const Place& entry : old)
                if (entry.name) put(entry);
        }
        put({name, slot});
        ++count_;
    }

   private:
    struct Place {
        const PyObject* name = nullptr;
        std::size_t slot = 0;
    };

    std::size_t place(const PyObject* name) const {
        const auto address = reinterpret_cast<std::uintptr_t>(name);
        return static_cast<std::size_t>((address >> 4) * 0x9E3779B97F4A7C15u >> 20) & (table_.size() - 1);
    }

    void put(const Place& entry) {
        std::size_t k = place(entry.name);
        while (table_[k].name) k = (k + 1) & (table_.size() - 1);
        table_[k] = entry;
    }

    std::vector<Place> table_;
    std::size_t count_ = 0;
};

}  // namespace rosenblatt
