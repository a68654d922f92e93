/// The released tables: all of them load, and hold what their documentation says.
#include "engine/profiles/profile_folder.hpp"

#include <boost/test/unit_test.hpp>
#include <sstream>

#include "engine/parallel/threads.hpp"

BOOST_AUTO_TEST_SUITE(profile_folder_test)

using namespace dfsweep;

namespace {

std::filesystem::path tables_folder() {
  return std::filesystem::path(DFSWEEP_GOLDEN_DIR) / "data" / "profiling";
}

const ProfileFolder& released() {
  static const ProfileFolder folder = read_profile_folder(tables_folder(), catalogue_with({}), allowed_cores());
  return folder;
}

std::size_t count(const LayerProfile* layer, Operator op, EmptyCell empty = EmptyCell::unmeasured) {
  return layer == nullptr ? 0 : layer->curve(op, Statistic::median, empty).size();
}

}  // namespace

BOOST_AUTO_TEST_CASE(all_tables_load) {
  std::size_t rows = 0;
  for (const Table& table : released().tables) rows += table.rows();
  BOOST_TEST(released().tables.size() == 46);
  BOOST_TEST(rows == 158582);
}

BOOST_AUTO_TEST_CASE(only_the_table_that_is_known_to_be_damaged_is_doubted) {
  std::istringstream lines(released().warnings);
  std::string line;
  std::size_t doubts = 0;
  for (; std::getline(lines, line); ++doubts)
    BOOST_TEST(line.find("a30/Qwen/Qwen-2-7B/mlp.csv:") != std::string::npos, line);
  BOOST_TEST(doubts == 3);  // empty cells of two projections; one of them is faster than the device in 76 rows
}

BOOST_AUTO_TEST_CASE(rows_are_as_documented) {
  const ProfileSet& set = released().profiles;
  const LayerProfile* llama = set.find_layer("a100", "meta-llama/Llama-2-7b-hf", 1);
  BOOST_TEST(count(llama, Operator::add) == 261);
  BOOST_TEST(llama->shape.vocabulary == 32768.0);
  // 52 of 261 cells are empty; the norm of phi-2 is one for both halves of a layer.
  BOOST_TEST(count(set.find_layer("a30", "Qwen/Qwen-2-7B", 1), Operator::attn_pre_proj) == 209);
  BOOST_TEST(count(set.find_layer("a100", "microsoft/phi-2", 1), Operator::post_attention_layernorm) == 0);
  // 14658 rows, of which 28 repeat another in every cell.
  const LayerProfile* code = set.find_layer("a100", "codellama/CodeLlama-34b-Instruct-hf", 2);
  BOOST_TEST(code->attention.rows.size() == 14658 - 28);
  BOOST_TEST(count(code, Operator::attn_kv_cache_save, EmptyCell::zero) == 14658 - 28);
  BOOST_TEST(count(code, Operator::attn_kv_cache_save) == 0);
  // Prefill and decode together are all rows.
  BOOST_TEST(code->surface(Operator::attn_prefill, Statistic::median, 16.0).size() +
                 code->surface(Operator::attn_decode, Statistic::median, 16.0).size() ==
             14658 - 28);
  BOOST_TEST(set.find_layer("h100", "qwen2_moe_example", 2) != nullptr);  // a folder of one level
  BOOST_TEST(set.find_network("a100_dgx", Operator::all_reduce, 16, 8) != nullptr);
  BOOST_TEST(set.find_network("a800_pairwise_nvlink", Operator::send_recv, 2, 2) == nullptr);
  BOOST_TEST(set.find_processor("a40", "meta-llama/Llama-2-70b-hf", 8) != nullptr);
}

BOOST_AUTO_TEST_SUITE_END()
