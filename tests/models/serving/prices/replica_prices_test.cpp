/// Prices of steps from made tables, whose times are known multiples of closed forms.
#include "models/serving/prices/replica_prices.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <string>
#include <utility>
#include <vector>

#include "models/operators/table_checks.hpp"
#include "models/serving/step/priced_times.hpp"
#include "models/serving/step/times.hpp"

BOOST_AUTO_TEST_SUITE(replica_prices_test)

namespace tt = boost::test_tools;
using namespace dfsweep;
using namespace dfsweep::serving;
using operators::Family;
using operators::Keys;
using operators::OperatorTable;
using operators::OperatorTables;
using operators::TableSetting;

namespace {

const operators::TableStack made_stack{"made", "vllm", "", ""};
constexpr double slower = 1.5;  ///< measured over closed form

Architecture small_decoder() {
  Architecture a;
  a.layers = 10;
  a.hidden = 4096;
  a.heads = 32;
  a.key_value_heads = 8;
  a.head_dim = 128;
  a.ffn_hidden = 14336;
  a.ffn_matrices = 3;
  a.vocabulary = 128000;
  return a;
}

Replica replica_of(const Architecture& a, double tensor) {
  Replica r;
  r.model = served(a);
  r.accelerator.peak_16bit = Throughput{1e15};
  r.accelerator.memory_bandwidth = Bandwidth{3e12};
  r.network.inside = {Bandwidth{450e9}, Seconds{1e-6}};
  r.network.across = {Bandwidth{50e9}, Seconds{5e-6}};
  r.tensor = tensor;
  return r;
}

TableSetting setting_of_table(const OperatorTable& table) {
  const operators::TableDevice device{.peak_16bit = Throughput{1e15},
                                      .peak_8bit = {},
                                      .peak_4bit = {},
                                      .memory_bandwidth = Bandwidth{3e12},
                                      .link = Bandwidth{450e9},
                                      .network = Bandwidth{50e9}};
  return *setting_of(table, device);
}

bool is_same_table(const OperatorTable& a, const OperatorTable& b) {
  return a.family == b.family && a.engine == b.engine && a.format == b.format && a.cache == b.cache &&
         a.variant == b.variant;
}

/// Tables of the operations that `is_wanted` accepts, measured at many sizes as `slower` times the form that fits begin
/// with; second keys (columns, tokens of prompts) are `wider` times those of the operations.
template <class Wanted>
OperatorTables made_tables(const std::vector<StepOperation>& operations, const Wanted& is_wanted, double wider = 1.0) {
  std::vector<OperatorTable> tables;
  std::vector<TableSetting> settings;
  const auto add_row = [](OperatorTable& table, const TableSetting& setting, const Keys& keys) {
    for (std::size_t k = 0; k < info_of(table.family).keys.size(); ++k)
      table.keys.push_back(static_cast<float>(keys[k]));
    const Seconds form = form_time(table.family, keys, setting, start_of(table.family, setting));
    table.seconds.push_back(static_cast<float>(slower * form.value()));
  };
  for (const StepOperation& operation : operations) {
    if (!is_wanted(operation)) continue;
    OperatorTable table;
    table.family = operation.query.family;
    table.system = "made";
    table.engine = operation.is_of_library ? "nccl" : "vllm";
    table.version = "1";
    table.format = operation.query.formats.front();
    table.cache = operation.query.cache;
    table.variant = operation.query.variant;
    const auto found = std::find_if(tables.begin(), tables.end(),
                                    [&](const OperatorTable& other) { return is_same_table(other, table); });
    const auto place = static_cast<std::size_t>(found - tables.begin());
    if (found == tables.end()) {
      settings.push_back(setting_of_table(table));
      tables.push_back(std::move(table));
    }
    const double prompt = operation.part == StepPart::prompts ? 64.0 : 1.0;
    for (double tokens = 1; tokens <= 131072; tokens *= 2)
      for (double context = 0; context <= 65536; context = context > 0 ? 4 * context : 64) {
        Keys keys = keys_of(operation, {tokens, prompt, context});
        keys[1] *= wider;
        add_row(tables[place], settings[place], keys);
      }
  }
  return {std::move(tables), std::move(settings)};
}

bool has(const StepPrices& prices, std::initializer_list<StepPart> parts) {
  std::uint8_t expected = 0;
  for (const StepPart part : parts) expected = static_cast<std::uint8_t>(expected | 1U << static_cast<unsigned>(part));
  return prices.priced == expected;
}

}  // namespace

BOOST_AUTO_TEST_CASE(shapes_are_those_of_the_matrices_on_a_device) {
  const Architecture a = small_decoder();
  const std::vector<StepOperation> operations = step_operations(a, replica_of(a, 2));
  struct Row {
    const char* name;
    Keys keys;
    double count;
  };
  // Two devices: 16 of 32 heads, 4 of 8 key heads, half of each width; 20 all-reduces of 2 x 4096 bytes a token.
  const std::vector<Row> rows{
      {"queries, keys and values", {0, 128 * (16 + 2 * 4), 4096}, 10},
      {"attention output", {0, 4096, 128 * 16}, 10},
      {"attention of prompts", {0, 0, 0, 16, 4, 128, 0}, 10},
      {"attention", {0, 0, 0, 16, 4, 128, 0}, 10},
      {"gate and up", {0, 14336, 4096}, 10},
      {"down", {0, 4096, 7168}, 10},
      {"output layer", {0, 64000, 4096}, 1},
      {"all-reduce of the engine", {2, 0}, 20},
      {"all-reduce of the library", {2, 0}, 20},
  };
  BOOST_REQUIRE(operations.size() == rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    BOOST_TEST_CONTEXT(rows[i].name) {
      BOOST_TEST(operations[i].name == rows[i].name);
      BOOST_TEST(operations[i].keys == rows[i].keys, tt::per_element());
      BOOST_TEST(operations[i].count == rows[i].count);
    }
  }
  BOOST_TEST(operations.back().token_bytes == 8192.0);
}

BOOST_AUTO_TEST_CASE(a_part_is_priced_where_all_of_its_operations_have_tables) {
  const Architecture a = small_decoder();
  const Replica r = replica_of(a, 2);
  const std::vector<StepOperation> operations = step_operations(a, r);
  using enum StepPart;
  const auto prices_without = [&](std::string_view missing) {
    const OperatorTables tables =
        made_tables(operations, [&](const StepOperation& o) { return !o.name.starts_with(missing); });
    return step_prices(replica_prices(operations, tables, made_stack), tables, r);
  };
  BOOST_TEST(has(prices_without("none"), {attention_products, dense_products, output, prompts, decoding, exchanges}));
  BOOST_TEST(has(prices_without("attention of"), {attention_products, dense_products, output, decoding, exchanges}));
  BOOST_TEST(has(prices_without("all-reduce of the engine"),
                 {attention_products, dense_products, output, prompts, decoding, exchanges}));
  BOOST_TEST(has(prices_without("all-reduce"), {attention_products, dense_products, output, prompts, decoding}));
}

BOOST_AUTO_TEST_CASE(a_part_whose_rows_are_more_than_a_doubling_away_keeps_its_form) {
  const Architecture a = small_decoder();
  const Replica r = replica_of(a, 2);
  const std::vector<StepOperation> operations = step_operations(a, r);
  struct Case {
    double wider;
    bool is_near;
    const char* why;
  };
  for (const Case& c :
       {Case{1.0, true, "the shape itself"}, Case{1.9, true, "0.93 doublings"}, Case{0.52, true, "0.94 doublings"},
        Case{2.1, false, "1.07 doublings"}, Case{0.45, false, "1.15 doublings"}}) {
    BOOST_TEST_CONTEXT(c.why) {
      const OperatorTables tables = made_tables(
          operations, [](const StepOperation& o) { return o.part == StepPart::output; }, c.wider);
      const StepPrices prices = step_prices(replica_prices(operations, tables, made_stack), tables, r);
      BOOST_TEST(prices.has(StepPart::output) == c.is_near);
      BOOST_TEST(((prices.far >> static_cast<unsigned>(StepPart::output)) & 1U) == (c.is_near ? 0U : 1U));
    }
  }
}

BOOST_AUTO_TEST_CASE(without_tables_nothing_is_priced) {
  const Architecture a = small_decoder();
  const Replica r = replica_of(a, 2);
  const std::vector<StepOperation> operations = step_operations(a, r);
  const OperatorTables none({}, {});
  BOOST_TEST(has(step_prices(replica_prices(operations, none, made_stack), none, r), {}));
}

BOOST_AUTO_TEST_CASE(the_output_layer_takes_its_measured_time) {
  const Architecture a = small_decoder();
  const Replica r = replica_of(a, 2);
  const std::vector<StepOperation> operations = step_operations(a, r);
  const OperatorTables tables =
      made_tables(operations, [](const StepOperation& o) { return o.part == StepPart::output; });
  const StepPrices prices = step_prices(replica_prices(operations, tables, made_stack), tables, r);
  const TableSetting& setting = tables.setting(0);
  for (const double tokens : {1.0, 4.0, 64.0, 4096.0}) {
    const Seconds form =
        form_time(Family::products, {tokens, 64000, 4096}, setting, start_of(Family::products, setting));
    BOOST_TEST(priced_output(prices, tokens).value() == slower * form.value(), tt::tolerance(1e-3));
  }
  BOOST_TEST(priced_output(prices, 0.25).value() == 0.25 * priced_output(prices, 1.0).value(), tt::tolerance(1e-9));
}

BOOST_AUTO_TEST_CASE(another_memory_bandwidth_changes_times_as_the_form_says) {
  const Architecture a = small_decoder();
  Replica r = replica_of(a, 1);
  const std::vector<StepOperation> operations = step_operations(a, r);
  const OperatorTables tables =
      made_tables(operations, [](const StepOperation& o) { return o.part == StepPart::decoding; });
  const ReplicaPrices predicted = replica_prices(operations, tables, made_stack);
  const double before = step_prices(predicted, tables, r).decoding->seconds.at({256, 32768});
  r.accelerator.memory_bandwidth = Bandwidth{6e12};
  const double after = step_prices(predicted, tables, r).decoding->seconds.at({256, 32768});
  BOOST_TEST(after == before / 2, tt::tolerance(0.02));  // 256 x 32768 tokens: reading is nearly all
}

BOOST_AUTO_TEST_CASE(times_of_a_step_never_fall_with_more_work) {
  const Architecture a = small_decoder();
  const Replica r = replica_of(a, 2);
  const std::vector<StepOperation> operations = step_operations(a, r);
  const OperatorTables tables = made_tables(operations, [](const StepOperation&) { return true; });
  const StepPrices prices = step_prices(replica_prices(operations, tables, made_stack), tables, r);
  const Costs costs = costs_of(r, &prices);
  Seconds last;
  for (double sequences = 0.5; sequences < 4000; sequences *= 1.3) {
    const Seconds time = decode_time(costs, {.sequences = sequences, .context = 1000, .step_tokens = 1});
    BOOST_TEST(time.value() >= last.value(), "a step of " << sequences << " sequences");
    last = time;
  }
  const PricedTime priced = decode_priced_time(costs, {.sequences = 64, .context = 1000, .step_tokens = 1});
  const Seconds all = decode_time(costs, {.sequences = 64, .context = 1000, .step_tokens = 1});
  BOOST_TEST(priced.time.value() > 0.5 * (all - costs.host).value());
  BOOST_TEST(priced.time.value() < all.value());
}

BOOST_AUTO_TEST_SUITE_END()
