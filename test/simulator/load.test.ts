import { expect } from 'chai'
import { cacheUse, metricsPage } from '../../simulator/load.ts'
import { eventually } from '../support/gateway.ts'
import { at, chat, closeSimulators, simulatorWith } from '../support/simulator.ts'

const LOAD = {
  running: 1,
  waiting: 0,
  maxRunning: Number.POSITIVE_INFINITY,
  usedTokens: 17,
  blocks: 8,
  promptTokens: 0,
  cachedTokens: 0,
  completionTokens: 0,
}

describe('simulator/load', () => {
  afterEach(closeSimulators)

  it('counts complete blocks of the KV cache', () => {
    expect(cacheUse(LOAD, 16)).equal(0.25)
    expect(cacheUse({ ...LOAD, usedTokens: 1000 }, 16)).equal(1)
    expect(cacheUse({ ...LOAD, blocks: 0 }, 16)).equal(0)
  })

  it('writes samples with common and with own labels', () => {
    expect(metricsPage([['a_total', 2, { x: '1' }]], { m: 'n' })).equal(
      '# TYPE a_total counter\na_total{m="n",x="1"} 2\n',
    )
    expect(metricsPage([['b', 0.5]], {})).equal('# TYPE b gauge\nb 0.5\n')
  })

  for (const engine of ['vllm', 'sglang', 'llama.cpp'] as const) {
    it(`reports running and waiting requests as ${engine} does`, async () => {
      const { get, post, simulator } = await simulatorWith({
        engine,
        max_concurrency: 2,
        tokens_per_second: 1,
        cache_blocks: 64,
      })
      const leaving = new AbortController()
      const stream = chat('Hello', { stream: true })
      const pending = [1, 2, 3].map(() =>
        post('/v1/chat/completions', stream, { signal: leaving.signal }).catch(() => null),
      )
      await eventually(() => simulator.stats.inFlight === 2 && simulator.stats.waiting === 1)
      const { text } = await get('/metrics')
      const value = (name: string) => Number(new RegExp(`^${name}(?:\\{.*\\})? (.*)$`, 'm').exec(text)?.[1])
      if (engine === 'vllm') {
        expect([value('vllm:num_requests_running'), value('vllm:num_requests_waiting')]).deep.equal([2, 1])
        expect(value('vllm:kv_cache_usage_perc')).within(0.01, 0.99)
        expect(text).match(/vllm:cache_config_info\{.*block_size="16",num_gpu_blocks="64"\} 1/)
        expect((await get('/load')).json).deep.equal({ server_load: 3 })
        expect((await get('/server_info')).status).equal(200)
      } else if (engine === 'sglang') {
        expect([value('sglang:num_running_reqs'), value('sglang:num_queue_reqs')]).deep.equal([2, 1])
        expect(value('sglang:max_total_num_tokens')).equal(1024)
        const { json } = await get('/v1/loads')
        expect(at(json, 'loads', 0)).include({ dp_rank: 0, num_running_reqs: 2, num_waiting_reqs: 1 })
        expect(at(json, 'loads', 0)).include({ max_total_num_tokens: 1024, max_running_requests: 2 })
        expect(at((await get('/get_load')).json, 0)).include({ num_reqs: 3, num_waiting_reqs: 1 })
        for (const path of ['/model_info', '/get_model_info', '/server_info', '/get_server_info'])
          expect((await get(path)).json.model_path, path).equal('simulated')
        expect((await get('/health_generate')).status).equal(200)
      } else {
        expect([value('llamacpp:requests_processing'), value('llamacpp:requests_deferred')]).deep.equal([2, 1])
        const slots = (await get('/slots')).json
        expect(slots).lengthOf(2)
        expect(at(slots, 0)).include({ id: 0, n_ctx: 32_768, is_processing: true })
        expect((await get('/health')).json).deep.equal({ status: 'ok' })
      }
      leaving.abort()
      await Promise.all(pending)
      await eventually(() => simulator.stats.inFlight === 0)
      const after = (await get('/metrics')).text
      expect(after).match(/(?:num_requests_running|num_running_reqs|requests_processing)(?:\{.*\})? 0$/m)
    })
  }
})
