/// Decoded values of every entry of the catalogue against the pinned ones: what a decoder makes of an entry changes
/// only on purpose. `DFSWEEP_PIN=FILE` in the environment writes the values of today to a file.
#include <boost/test/unit_test.hpp>
#include <cstdlib>
#include <fstream>
#include <map>
#include <string>

#include "engine/catalogue/catalogue.hpp"
#include "models/kernels/software_table.hpp"
#include "models/laws/law_entry.hpp"
#include "models/machine/hardware.hpp"
#include "models/machine/system.hpp"
#include "models/machine/topology.hpp"
#include "models/queueing/engine_entry.hpp"
#include "models/short_number.hpp"
#include "models/transformer/architecture.hpp"
#include "models/transformer/served_model.hpp"

BOOST_AUTO_TEST_SUITE(decoded_values_test)

using namespace dfsweep;

namespace {

/// "models/gpt3-1t layers" -> "128".
using Values = std::map<std::string, std::string>;

class Entries {
 public:
  Entries(const Catalogue& catalogue, Values& values) : catalogue_(catalogue), values_(values) {}

  /// Decodes every entry of a kind; put(name, number) keeps a value.
  template <class Decode>
  void each(const std::string& kind, Decode decode) {
    for (const std::string& name : catalogue_.names(kind)) {
      const Entry entry = catalogue_.load(kind, name).entry;
      decode(entry, [&](const std::string& field, double number) {
        char text[40];
        std::snprintf(text, sizeof text, "%.17g", number);
        values_[kind + "/" + name + " " + field] = text;
      });
    }
  }

 private:
  const Catalogue& catalogue_;
  Values& values_;
};

template <class Put>
void put_architecture(const Architecture& a, const Put& put) {
  put("architecture layers", a.layers);
  put("architecture hidden", a.hidden);
  put("architecture heads", a.heads);
  put("architecture key_value_heads", a.key_value_heads);
  put("architecture head_dim", a.head_dim);
  put("architecture ffn_hidden", a.ffn_hidden);
  put("architecture ffn_matrices", a.ffn_matrices);
  put("architecture vocabulary", a.vocabulary);
  put("architecture tied_embeddings", a.tied_embeddings ? 1 : 0);
  put("architecture window", a.window);
  put("architecture windowed_layers", a.windowed_layers);
  put("architecture prediction_layers", a.prediction_layers);
  put("architecture query_rank", a.latent.query_rank);
  put("architecture key_value_rank", a.latent.key_value_rank);
  put("architecture plain_dim", a.latent.plain_dim);
  put("architecture rotary_dim", a.latent.rotary_dim);
  put("architecture value_dim", a.latent.value_dim);
  put("architecture experts", a.experts.count);
  put("architecture experts_per_token", a.experts.per_token);
  put("architecture expert_ffn_hidden", a.experts.ffn_hidden);
  put("architecture shared_ffn_hidden", a.experts.shared_ffn_hidden);
  put("architecture dense_layers", a.experts.dense_layers);
}

template <class Put>
void put_served(const ServedModel& m, const Put& put) {
  put("served layers", m.layers);
  put("served hidden", m.hidden);
  put("served heads", m.heads);
  put("served head_dim", m.head_dim);
  put("served key_value_heads", m.key_value_heads);
  put("served ffn_hidden", m.ffn_hidden);
  put("served up_products", m.up_products);
  put("served vocabulary", m.vocabulary);
  put("served experts", m.experts);
}

template <class Put>
void put_device(const Device& d, const Put& put) {
  put("peak_flops", d.peak_flops.value());
  put("cores", d.cores);
  put("systolic_width", d.systolic_width);
  put("systolic_height", d.systolic_height);
  put("frequency", d.frequency.value());
  put("sram_capacity", d.sram_capacity.value());
  put("price", d.price.value());
  put("power", d.power.value());
}

template <class Put>
void put_system(const System& s, const Put& put) {
  const Accelerator& a = s.accelerator;
  const Network& n = s.network;
  put("peak_16bit", a.peak_16bit.value());
  put("peak_8bit", a.peak_8bit.value());
  put("peak_4bit", a.peak_4bit.value());
  for (const NumberFormat format : all_of<NumberFormat>)
    if (a.formats.has(format)) put("has " + std::string(number_format_names[index_of(format)]), 1);
  put("memory_bandwidth", a.memory_bandwidth.value());
  put("memory_capacity", a.memory_capacity.value());
  put("host_bandwidth", a.host_bandwidth.value());
  put("host_capacity", a.host_capacity.value());
  put("node", n.enclosures.node);
  put("pod", n.enclosures.pod);
  put("node_links", static_cast<double>(n.node_links));
  put("inside bandwidth", n.inside.bandwidth.value());
  put("inside latency", n.inside.latency.value());
  put("across bandwidth", n.across.bandwidth.value());
  put("across latency", n.across.latency.value());
  put("between_pods bandwidth", n.between_pods.bandwidth.value());
  put("between_pods latency", n.between_pods.latency.value());
  put("price", s.price.value());
  put("power", s.power.value());
}

/// The numbers of a stack that one estimator reads, by the names of their fields.
template <class Put>
void put_software(const Entry& entry, const Put& put) {
  for (const NamedNumber& n : training_numbers(entry)) put("training " + std::string(n.field), n.value);
  for (const NamedNumber& n : serving_numbers(entry)) put("serving " + std::string(n.field), n.value);
}

Values decoded_values() {
  const Catalogue catalogue({std::filesystem::path(DFSWEEP_SOURCE_DIR) / "sweeps" / "catalogue"});
  Values values;
  Entries entries(catalogue, values);
  entries.each("models", [](const Entry& entry, const auto& put) {
    if (entry.text_or("kind", "") != "transformer") return;
    put_architecture(decode_architecture(entry).value, put);
    put_served(decode_served_model(entry).value, put);
  });
  entries.each("devices", [](const Entry& entry, const auto& put) { put_device(decode_device(entry).value, put); });
  entries.each("memories", [](const Entry& entry, const auto& put) {
    const Memory m = decode_memory(entry).value;
    put("bandwidth", m.bandwidth.value());
    put("capacity", m.capacity.value());
    put("price_per_bandwidth", m.price_per_bandwidth.value());
    put("power_per_bandwidth", m.power_per_bandwidth.value());
  });
  entries.each("interconnects", [](const Entry& entry, const auto& put) {
    const Interconnect i = decode_interconnect(entry).value;
    put("bandwidth", i.bandwidth.value());
    put("latency", i.latency.value());
    put("link_price_per_bandwidth", i.link_price_per_bandwidth.value());
    put("switch_price_per_bandwidth", i.switch_price_per_bandwidth.value());
    put("link_power_per_bandwidth", i.link_power_per_bandwidth.value());
    put("switch_power_per_bandwidth", i.switch_power_per_bandwidth.value());
  });
  entries.each("topologies", [](const Entry& entry, const auto& put) {
    const Topology t = decode_topology(entry).value;
    for (std::size_t d = 0; d < t.count; ++d) put("dimension " + std::to_string(d), static_cast<double>(t.kinds[d]));
  });
  entries.each("systems", [](const Entry& entry, const auto& put) {
    if (entry.has_number("peak_flops")) put_system(decode_system(entry).value, put);
  });
  entries.each("software", [](const Entry& entry, const auto& put) { put_software(entry, put); });
  entries.each("engines", [](const Entry& entry, const auto& put) {
    const queueing::EngineEntry engine = queueing::decode_engine(entry).value;
    put("prompts", static_cast<double>(engine.rules.prompts));
    put("chunk_tokens", engine.rules.chunk_tokens);
    put("running_limit", engine.rules.running_limit);
    put("rank_wait_steps", engine.rules.rank_wait_steps);
    put("batch_wait_share", engine.rules.batch_wait_share);
    put("answers", static_cast<double>(engine.rules.answers));
    put("answer_share", engine.rules.answer_share);
    put("memory_base", static_cast<double>(engine.rules.memory_base));
    put("cache_share", engine.cache_share);
  });
  entries.each("laws", [](const Entry& entry, const auto& put) {
    const EntryLaw law = law_of(entry).value;
    for (const auto& [field, number] : fields_of(law)) put(field, number);
    for (const auto& [field, numbers] : lists_of(law))
      for (std::size_t i = 0; i < numbers.size(); ++i) put(field + "[" + std::to_string(i) + "]", numbers[i]);
  });
  return values;
}

}  // namespace

BOOST_AUTO_TEST_CASE(entries_decode_to_the_pinned_values) {
  const Values found = decoded_values();
  if (const char* file = std::getenv("DFSWEEP_PIN")) {
    std::ofstream out(file);
    for (const auto& [field, value] : found) out << field << '\t' << value << '\n';
  }
  std::ifstream pinned(std::string(DFSWEEP_GOLDEN_DIR) + "/catalogue/decoded_values.tsv");
  BOOST_REQUIRE(pinned.good());
  Values expected;
  for (std::string line; std::getline(pinned, line);)
    expected[line.substr(0, line.find('\t'))] = line.substr(line.find('\t') + 1);
  BOOST_TEST(expected.size() > 4000u);
  for (const auto& [field, value] : expected) {
    const auto here = found.find(field);
    BOOST_TEST((here != found.end()), field << " is gone");
    if (here != found.end()) BOOST_TEST(here->second == value, field << " is " << here->second << ", was " << value);
  }
  for (const auto& [field, value] : found) BOOST_TEST(expected.contains(field), field << " is not pinned");
}

BOOST_AUTO_TEST_SUITE_END()
