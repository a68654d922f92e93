/// CodeColumns: the codes of every parameter of the dataflow model over the points of a block.
#pragma once

#include "models/dataflow/points/point_model.hpp"
#include "models/prepared/code_columns.hpp"

namespace dfsweep::dataflow {

using CodeColumns = dfsweep::CodeColumns<Parameter>;

}  // namespace dfsweep::dataflow
