#include "tests/support/profile_text.hpp"

#include <stdexcept>

#include "io/csv_table.hpp"

namespace dfsweep {

Table profile_table(std::string path, std::string text) {
  CsvReader reader(std::move(text), path);
  CsvTable read = read_csv_table(reader);
  if (!reader.problems().empty()) throw std::logic_error(to_string(reader.problems().front()));
  Table table{std::move(path), {}, std::move(read.lines)};
  for (CsvColumn& column : read.columns)
    table.columns.push_back({std::move(column.name), std::move(column.numbers), std::move(column.texts)});
  return table;
}

std::string small_layer_text() {
  // An up projection of 2 * 4096 * 1024 * 8192 operations in 0.4 ms is 172 TFLOP/s, about half of an A100.
  const std::string shape = "16,8,1024,4096,32000,True,";
  std::string text;
  for (const char* op : {"attn_pre_proj", "attn_post_proj", "mlp_act", "attn_rope", "input_layernorm",
                         "post_attention_layernorm", "add"})
    text += "time_stats." + std::string(op) + ".median,";
  return text +
         "time_stats.mlp_down_proj.median,time_stats.mlp_up_proj.median,time_stats.mlp_up_proj.max,"
         "n_head,n_kv_head,n_embd,n_expanded_embd,vocab_size,use_gated_mlp,num_tokens,num_tensor_parallel_workers\n"
         "0.15,0.08,0.05,0.05,0.02,0.02,0.02,0.25,0.4,0.5," +
         shape +
         "4096,1\n"
         "0.01,0.01,0.01,0.01,0.01,0.01,0.01,0.01,0.02,0.03," +
         shape +
         "8,1\n"
         "0.01,0.01,0.01,0.01,0.01,0.01,0.01,0.01,0.02,0.03," +
         shape +
         "8,1\n"
         "0.08,0.05,0.03,0.03,0.02,0.02,0.02,0.13,0.2,0.3," +
         shape + "4096,2\n";
}

std::string small_attention_text() {
  return "time_stats.attn_decode.median,time_stats.attn_prefill.median,n_embd,n_q_head,n_kv_head,block_size,"
         "num_tensor_parallel_workers,max_model_len,batch_size,prefill_chunk_size,kv_cache_size,is_prefill,"
         "attention_backend\n"
         "0.06,,1024,16,8,16,1,4096,8,0,512,False,AttentionBackend.FLASHINFER\n"
         ",0.05,1024,16,8,16,1,4096,1,128,256,True,AttentionBackend.FLASHINFER\n";
}

std::string small_network_text() {
  return ",time_stats.all_reduce.median,num_workers,size,collective,devices_per_node,max_devices_per_node\n"
         "0,0.02,2,2048,all_reduce,2,4\n1,0.02,2,2048,all_reduce,2,4\n"
         "2,0.5,4,1048576,all_reduce,4,4\n3,0.5,4,1048576,broadcast,4,4\n";
}

std::string small_processor_text() {
  return "schedule_median,schedule_mean,sampler_e2e_median,prepare_inputs_e2e_median,process_model_outputs_median,"
         "ray_comm_time_mean,model_name,batch_size,tensor_parallel_degree\n"
         "0.2,0.25,0.6,0.8,0.2,6.2,lab/small,8,2\n";
}

}  // namespace dfsweep
