/// import huggingface: sizes, names and existing entries that it refuses.
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/program.hpp"
#include "tests/support/small_result.hpp"

namespace dfsweep {

namespace {

struct ImportFolder {
  ScratchFile scratch{"config.json"};
  std::filesystem::path folder = scratch.path().parent_path();
  void write(const std::string& name, const std::string& text) const { std::ofstream(folder / name) << text; }
  [[nodiscard]] std::string text(const std::string& name) const {
    std::ifstream file(folder / name);
    return std::string(std::istreambuf_iterator<char>(file), {});
  }
  [[nodiscard]] ProgramResult dfsweep(const std::vector<std::string>& arguments) const {
    return run_program(DFSWEEP_PROGRAM, arguments, {.folder = folder.string()});
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(import_huggingface_test, ImportFolder)

namespace {

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// The config.json of a small model with some fields replaced: ("hidden_size", "-4096").
std::string config_with(const std::vector<std::pair<std::string, std::string>>& replaced) {
  std::map<std::string, std::string> fields = {{"model_type", "\"mixtral\""}, {"hidden_size", "64"},
                                               {"num_attention_heads", "4"},  {"num_key_value_heads", "2"},
                                               {"intermediate_size", "224"},  {"num_hidden_layers", "4"},
                                               {"vocab_size", "1000"},        {"max_position_embeddings", "512"},
                                               {"num_local_experts", "8"},    {"num_experts_per_tok", "2"}};
  for (const auto& [name, value] : replaced) fields[name] = value;
  std::string text;
  for (const auto& [name, value] : fields) text += (text.empty() ? "{\"" : ", \"") + name + "\": " + value;
  return text + "}";
}

}  // namespace

BOOST_AUTO_TEST_CASE(sizes_that_no_model_has_are_refused_with_the_field_of_the_file) {
  const char* const sizes[] = {"hidden_size",       "num_attention_heads", "num_key_value_heads", "intermediate_size",
                               "num_hidden_layers", "num_local_experts",   "num_experts_per_tok"};
  const char* const values[] = {"-4096", "1e30", "1.5", "-1", "2000000000", "1e-9", "\"64\"", "[64]"};
  write("config.json", config_with({}));
  BOOST_TEST(dfsweep({"import", "huggingface", "config.json", "--model", "m", "-o", "sound"}).status == 0);
  for (const char* size : sizes)
    for (const char* value : values) BOOST_TEST_CONTEXT(size << " = " << value) {
        write("config.json", config_with({{size, value}}));
        const ProgramResult result = dfsweep({"import", "huggingface", "config.json", "--model", "m", "-o", "mine"});
        BOOST_TEST(result.status == 3);
        BOOST_TEST(contains(result.err, size), result.err);
      }
  const std::pair<std::pair<const char*, const char*>, const char*> others[] = {
      {{"hidden_size", "0"}, "from hidden_size"},
      {{"num_attention_heads", "0"}, "from num_attention_heads"},
      {{"num_key_value_heads", "3"}, "'key_value_heads' is 3, and 'heads' is 4, from num_key_value_heads"},
      {{"num_key_value_heads", "8"}, "'key_value_heads' is above 'heads', from num_key_value_heads"},
      {{"num_attention_heads", "24"}, "computed from other fields"},  // 64 over 24 is no width
      {{"num_experts_per_tok", "9"}, "'experts_per_token' is above 'experts', from num_experts_per_tok"},
      {{"first_k_dense_replace", "5"}, "'dense_layers' is above 'layers', from first_k_dense_replace"},
  };
  for (const auto& [field, problem] : others) {
    write("config.json", config_with({field}));
    const ProgramResult result = dfsweep({"import", "huggingface", "config.json", "--model", "m", "-o", "mine"});
    BOOST_TEST(result.status == 3);
    BOOST_TEST(contains(result.err, problem), result.err);
  }
  BOOST_TEST(!std::filesystem::exists(folder / "mine"));
}

// Of 50 layers every sixth has no window: 8, whatever 50/6 is. A list of the layers says it itself.
BOOST_AUTO_TEST_CASE(windows_are_of_whole_layers) {
  struct Case {
    const char* why;
    const char* type;
    const char* layers;
    std::pair<std::string, std::string> more;
    const char* share;  ///< "": no window
  };
  const Case cases[] = {
      {"8 of 50 have none", "gemma3_text", "50", {"rope_theta", "1e6"}, "0.84"},
      {"10 of 50 have none", "gemma3_text", "50", {"sliding_window_pattern", "5"}, "0.8"},
      {"the list decides", "gemma3_text", "4", {"layer_types", R"(["sliding_attention", "full_attention"])"}, "0.5"},
      {"no layer of the list", "gemma3_text", "4", {"layer_types", R"(["full_attention"])"}, ""},
      {"the first of 5 has one", "gemma2", "5", {"rope_theta", "1e6"}, "0.6"},
      {"all", "mistral", "5", {"rope_theta", "1e6"}, "1"},
      {"switched off", "mistral", "5", {"use_sliding_window", "false"}, ""},
  };
  for (const Case& c : cases) {
    write("config.json", config_with({{"model_type", '"' + std::string(c.type) + '"'},
                                      {"num_hidden_layers", c.layers},
                                      {"num_local_experts", "0"},
                                      {"sliding_window", "128"},
                                      c.more}));
    const ProgramResult imported =
        dfsweep({"import", "huggingface", "config.json", "--model", "windowed", "-o", ".", "--force"});
    BOOST_TEST(imported.status == 0, imported.err);
    const std::string entry = text("models/windowed.toml");
    const std::string wanted = std::string("windowed_layers = { value = ") + c.share + ",";
    BOOST_TEST(contains(entry, *c.share == '\0' ? "layers = " : wanted), c.why << ": " << entry);
    BOOST_TEST(contains(entry, "window = ") == (*c.share != '\0'), c.why);
  }
}

BOOST_AUTO_TEST_CASE(names_of_entries_are_no_paths) {
  const std::string long_name(201, 'a');
  const std::string names[] = {"..",       "../../evil", "/tmp/evil", ".hidden", "a/b",  "a\nb",  "a\x1b[31m",
                               "a\u202Eb", "-o",         "a b",       long_name, "a\\b", "\u00B5"};
  write("config.json", config_with({}));
  for (const std::string& name : names) {
    const ProgramResult result = dfsweep({"import", "huggingface", "config.json", "--model=" + name, "-o", "mine"});
    BOOST_TEST(result.status == 3, name);
    BOOST_TEST(contains(result.err, "is not a name for an entry"), result.err);
    BOOST_TEST(!contains(result.err, "\x1b"));
    BOOST_TEST(!contains(result.err, "\u202E"));
  }
  for (const char* name : {"\"..\"", "\"a/..\"", "\"a\\u0007b\"", "\"a\\u202eb\""}) {
    write("config.json", config_with({{"_name_or_path", name}}));
    BOOST_TEST(dfsweep({"import", "huggingface", "config.json", "-o", "mine"}).status == 3, name);
  }
  BOOST_TEST(!std::filesystem::exists(folder / "mine"));
  BOOST_TEST(!std::filesystem::exists(folder / "evil.toml"));
}

// DeepSeek-V2-Lite has no narrow queries and says so with null.
BOOST_AUTO_TEST_CASE(null_is_not_given) {
  const std::vector<std::pair<std::string, std::string>> latent = {
      {"model_type", "\"deepseek_v2\""}, {"kv_lora_rank", "12"}, {"qk_nope_head_dim", "16"},
      {"qk_rope_head_dim", "8"},         {"v_head_dim", "16"},   {"num_key_value_heads", "4"},
      {"n_routed_experts", "8"}};
  for (const char* const rank : {"null", "24"}) {
    std::vector<std::pair<std::string, std::string>> fields = latent;
    fields.insert(fields.end(), {{"q_lora_rank", rank},
                                 {"sliding_window", "null"},
                                 {"head_dim", "null"},
                                 {"n_shared_experts", "null"},
                                 {"tie_word_embeddings", "null"}});
    write("config.json", config_with(fields));
    const ProgramResult result =
        dfsweep({"import", "huggingface", "config.json", "--model", "lite", "-o", "mine", "--force"});
    BOOST_TEST(result.status == 0, result.err);
    const std::string entry = text("mine/models/lite.toml");
    BOOST_TEST(contains(entry, "key_value_rank = { value = 12,"), entry);
    BOOST_TEST(contains(entry, "query_rank = { value = 24,") == (rank == std::string("24")), entry);
  }
  write("config.json", config_with({{"hidden_size", "null"}}));
  const ProgramResult missing = dfsweep({"import", "huggingface", "config.json", "--model", "lite", "-o", "mine"});
  BOOST_TEST(missing.status == 3);
  BOOST_TEST(contains(missing.err, "'hidden_size' is missing"), missing.err);
}

BOOST_AUTO_TEST_CASE(problems_are_placed_at_the_field_of_the_file) {
  write("config.json",
        "{\"model_type\": \"llama\", \"hidden_size\": 64, \"num_attention_heads\": 32,\n"
        " \"num_key_value_heads\": 3, \"intermediate_size\": 224, \"num_hidden_layers\": 2, "
        "\"vocab_size\": 100}");
  const ProgramResult result = dfsweep({"import", "huggingface", "config.json", "--model", "m", "-o", "mine"});
  BOOST_TEST(result.status == 3);
  BOOST_TEST(
      result.err ==
      "config.json:2:25: 'key_value_heads' is 3, and 'heads' is 32, from num_key_value_heads (each key-value head "
      "serves the same number of heads).\n");
}

BOOST_AUTO_TEST_CASE(names_are_taken_from_files_and_folders) {
  struct Case {
    const char* file;
    const char* path_or_name;  ///< "": the file has none
    const char* name;          ///< empty: none can be made
    const char* note;          ///< "": none
  };
  const Case cases[] = {
      {"Meta-Llama 3.1 (8B)/config.json", "", "meta-llama-3.1-8b", "after its folder"},
      {"Small_2/deeper/../config.json", "", "small_2", "after its folder"},
      {"any/Qwen3.json", "", "qwen3", "after its file"},
      {"any/config.json", "org/Said", "said", ""},
      {"\u00b5/config.json", "", "", ""},
      {"---/config.json", "", "", ""},
  };
  for (const Case& c : cases) BOOST_TEST_CONTEXT(c.file) {
      std::filesystem::create_directories((folder / c.file).parent_path().parent_path() / "deeper");
      std::filesystem::create_directories((folder / c.file).parent_path());
      write(c.file, config_with({{"_name_or_path", '"' + std::string(c.path_or_name) + '"'}}));
      const ProgramResult result = dfsweep({"import", "huggingface", c.file, "-o", "mine"});
      BOOST_TEST(result.status == (*c.name == '\0' ? 2 : 0), result.err);
      if (*c.name == '\0') {
        BOOST_TEST(contains(result.err, "has no _name_or_path. Name the entry with --model NAME"), result.err);
        continue;
      }
      BOOST_TEST(contains(result.err, std::string("mine/models/") + c.name + ".toml\n"), result.err);
      BOOST_TEST(contains(result.err, std::string("The entry is named '") + c.name + "' ") == (*c.note != '\0'));
      BOOST_TEST(contains(result.err, c.note), result.err);
      BOOST_TEST(contains(text(std::string("mine/models/") + c.name + ".toml"), c.name));
    }
}

BOOST_AUTO_TEST_CASE(entries_are_overwritten_only_by_force) {
  const std::vector<std::string> import = {"import", "huggingface", "config.json", "--model", "m", "-o", "mine"};
  write("config.json", config_with({}));
  BOOST_TEST(dfsweep(import).status == 0);
  BOOST_TEST(dfsweep(import).status == 0);  // the same text again
  const std::string before = text("mine/models/m.toml");
  write("config.json", config_with({{"num_hidden_layers", "5"}}));
  const ProgramResult refused = dfsweep(import);
  BOOST_TEST(refused.status == 2);
  BOOST_TEST(contains(refused.err, "mine/models/m.toml exists with another text. --force overwrites it"), refused.err);
  BOOST_TEST(text("mine/models/m.toml") == before);
  std::vector<std::string> forced = import;
  forced.emplace_back("--force");
  BOOST_TEST(dfsweep(forced).status == 0);
  BOOST_TEST(contains(text("mine/models/m.toml"), "\nlayers = { value = 5, "));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace dfsweep
