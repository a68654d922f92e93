"""One decoder for each kind of entry: who may name its fields, and who may read entries without declared fields."""
import re

# Fields of a kind -> the file, or the folder, that decodes them.
DECODERS = {
    "DeviceField": "models/machine/hardware.cpp",
    "MemoryField": "models/machine/hardware.cpp",
    "InterconnectField": "models/machine/hardware.cpp",
    "TopologyField": "models/machine/topology.cpp",
    "NetworkField": "models/profiled/points/decoded_values.cpp",
    "WorkloadField": "models/dataflow/workload/",
    "CalculonSystemField": "models/calculon/points/",
    "EngineField": "models/queueing/engine_entry.cpp",
    "LawField": "models/laws/law_entry.cpp",
    "BatchLawField": "models/whole_run/batch_law_entry.cpp",
    "MappingField": "models/dataflow/workload/",
    "TaskGraphField": "models/taskgraph/strategies/given_graph.cpp",
    "transformer_fields": "models/transformer/entry.cpp",
    "system_fields": "models/machine/system.cpp",
}
# What decodes by tables, and the tables' own readers.
READERS = ("models/field_reader", "models/entry_table.hpp", "models/declared_fields.hpp", "models/trust.hpp",
           "models/transformer/entry.cpp", "models/machine/system.cpp", "models/kernels/software_table.cpp")
RAW = re.compile(r'\bentry(?:\.|->)(?:number_or|has_number|text_or)\("')


def decoder_problems(files):
    """`files`: name -> lines, for the sources of models."""
    for name, lines in files.items():
        if not name.startswith("models/") or name.startswith(READERS):
            continue
        for number, line in enumerate(lines, 1):
            for fields, decoder in DECODERS.items():
                if re.search(rf"\b(FieldsOf<{fields}>|decode_numbers<\w+>\(\w+, (\w+::)?{fields}\b)", line) and \
                        not name.startswith(decoder):
                    yield f"{name}:{number}: a second decoder of what {decoder} decodes"
            if re.search(r"\bFieldReader\b", line):
                yield f"{name}:{number}: FieldReader reads fields that no table declares; use FieldsOf or FieldRow"
            if RAW.search(line):
                yield f"{name}:{number}: reads a field of an entry that no table declares"
