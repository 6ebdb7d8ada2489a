// The cases of an operator: which optional tensors are present, which flags are set; and what each name stands for in
// one.
//
// Within a case every condition on presence and flags is decided, and sizes and dtypes are unknowns. What holds in
// every case holds for every call.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "model/evaluate.h"
#include "model/operator.h"

namespace opwright::model {

/// For each optional tensor whether it is present, for each boolean argument whether it is true.
using Case = std::map<std::string, bool, std::less<>>;

/// All cases, the most ordinary ones (everything present, flags as by default) first. Beyond ten choices, those that
/// differ from the first one in at most two.
std::vector<Case> cases_of(const Operator& op);

/// "when probs is absent and drop_and_pad is true": what sets the case apart from the most ordinary one, of which it
/// says "when nothing is absent", or "in every call" if there is nothing optional.
std::string describe(const Operator& op, const Case& which);

/// What is known of unknowns: a dim `T`, an integer argument `k`, `restore_shape[0]`, `len(restore_shape)`, the rank
/// `rank(*B)` and sizes `B[0]` of a pack, the dtype of a type set or argument; or a whole pack or list by its name.
using Known = std::map<std::string, Value, std::less<>>;

/// The values of all dims and arguments in a case.
Values values_in(const Operator& op, const Case& which, const Known& known = {});

/// The dtype that a rule gives in a case.
std::variant<Undefined, DtypeValue> dtype_in(const Operator& op, const Case& which, const DtypeRule& rule,
                                             const Known& known = {});

/// Whether a result is present, given the values of a case.
std::variant<Undefined, bool> presence_in(const Result& result, const Values& values);

/// What a result looks like in a case with these values.
std::variant<Undefined, TensorValue> result_in(const Operator& op, const Case& which, const Result& result,
                                               const Values& values, const Known& known = {});

/// Adds what the operator's rules say outright of unknowns: `S == T * K` makes S known. Rules that `which` decides are
/// used as far as they then go: of `not f or S == T`, with f true, `S == T`.
Known with_rules(const Operator& op, const Case& which, Known known);

/// The first rule that does not hold in the case, if one surely does not.
const Rule* broken_rule(const Operator& op, const Values& values);

}  // namespace opwright::model
