import { expect } from 'chai'
import { cacheTokensOf } from '../../../lib/routing/cache-tokens.ts'

describe('cacheTokensOf', () => {
  it('reads the metrics of vLLM, one series for each of its engines', () => {
    const series = (engine: number) =>
      `vllm:cache_config_info{block_size="16",cache_dtype="auto",engine="${engine}",num_gpu_blocks="26000",num_gpu_blocks_override="None"} 1.0\n`
    const page = `# HELP vllm:cache_config_info Information\n# TYPE vllm:cache_config_info gauge\n${series(0)}${series(1)}vllm:other 3\n`
    expect(cacheTokensOf(page)).equal(2 * 416_000)
  })

  it('reads the metrics of SGLang', () => {
    expect(
      cacheTokensOf('# TYPE sglang:max_total_num_tokens gauge\nsglang:max_total_num_tokens{model_name="m"} 430000.0'),
    ).equal(430_000)
    expect(cacheTokensOf('sglang:max_total_num_tokens_other 5\n')).equal(undefined)
  })

  it('reads the slots of llama-server', () => {
    expect(cacheTokensOf('[{"id":0,"n_ctx":4096},{"id":1,"n_ctx":4096},7]')).equal(8192)
  })

  it('takes nothing from other pages', () => {
    for (const page of ['', '[', '[]', '{"a":1}', '<html>', 'vllm:cache_config_info{num_gpu_blocks="None"} 1\n'])
      expect(cacheTokensOf(page)).equal(undefined)
  })
})
