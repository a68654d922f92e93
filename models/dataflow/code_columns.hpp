/// CodeColumns: the codes of every parameter of the dataflow model over the points of a block.
#pragma once

#include "models/code_columns.hpp"
#include "models/dataflow/point_model.hpp"

namespace dfsweep::dataflow {

using CodeColumns = dfsweep::CodeColumns<parameter_count>;

}  // namespace dfsweep::dataflow
