/// Flags of launch commands: what scripts and files of settings say.
#include "engine/foreign/launch_flags.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(launch_flags_test)

using namespace dfsweep;
using namespace dfsweep::foreign;

namespace {

std::string text_of(const std::vector<LaunchFlag>& flags) {
  std::string text;
  for (const LaunchFlag& flag : flags) {
    text += flag.key;
    for (const std::string& word : flag.words) text += " " + word;
    text += "; ";
  }
  return text;
}

}  // namespace

BOOST_AUTO_TEST_CASE(scripts_are_read_as_a_shell_does) {
  struct Case {
    const char* text;
    const char* flags;
    const char* why;
  };
  const Case cases[] = {
      {"torchrun --nnodes 4 pretrain.py --bf16 --lr 3e-4", "--nnodes 4 pretrain.py; --bf16; --lr 3e-4; ",
       "words belong to the flag before them"},
      {"a.py \\\n  --micro_batch_size=2 # --lr 1\n", "--micro-batch-size 2; ", "lines go on; comments do not count"},
      {"TP=8\nrun --tensor-model-parallel-size $TP", "TP 8; --tensor-model-parallel-size 8; ", "variables"},
      {"run --x ${PP:-4} --y \"${ALL[@]}\"", "--x 4; --y; ",
       "a default of a variable; arrays are read where they are set"},
      {"ARGS=(\n --a 1\n --b\n)", "ARGS ; --a 1; --b; ", "an array, a flag each line"},
      {"OPTIONS=\" --a 1 --b 2\"", "--a 1; --b 2; ", "flags in a text"},
      {"t.py model.x=[a,b] +train.y='3'", "model.x a b; train.y 3; ", "overrides, lists and quotes"},
      {"--training.local-batch-size 4", "training.local_batch_size 4; ", "paths have no dashes"},
      {"--x 1; --y 2 | tee log", "--x 1; --y 2; ", "commands end"},
      {"", "", "nothing"},
  };
  for (const Case& c : cases) BOOST_TEST_CONTEXT(c.why) BOOST_TEST(text_of(flags_of_script(c.text, "s")) == c.flags);
}

BOOST_AUTO_TEST_CASE(files_are_read_by_their_ending) {
  BOOST_TEST(text_of(flags_of_file("[training]\nlocal_batch_size = 4 # c\n[model]\nconverters = [\"float8\"]\n",
                                   "job.toml")) == "training.local_batch_size 4; model.converters float8; ");
  BOOST_TEST(text_of(flags_of_file("# c\nmodel:\n  seq_length: 4096  # c\n  recompute_modules: [mlp, moe]\nsteps: 10\n",
                                   "over.yaml")) ==
             "model.seq_length 4096; model.recompute_modules mlp moe; steps 10; ");
  const std::vector<LaunchFlag> flags = flags_of_file("a:\n  b: 1\n", "f.yml");
  BOOST_TEST(flags.front().at.line == 2u);
  BOOST_TEST(flags.front().at.column == 3u);
}

BOOST_AUTO_TEST_SUITE_END()
