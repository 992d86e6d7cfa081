import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import { Backend } from '../../../lib/backends/backend.ts'
import { CacheReader } from '../../../lib/routing/cache-reader.ts'
import { backendConfig, backendWith } from '../../support/backend-config.ts'
import { ManualClock } from '../../support/clock.ts'
import { eventually } from '../../support/gateway.ts'

describe('CacheReader', () => {
  let server: http.Server
  let page: { status: number; body: string }
  const asked: string[] = []
  const told: number[] = []
  let reader: CacheReader

  const backendAt = (members = {}) => {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
    return new Backend('m', { ...backendConfig(), ...members, url }, new ManualClock())
  }

  beforeEach(async () => {
    asked.length = told.length = 0
    page = { status: 200, body: 'sglang:max_total_num_tokens 1000\n' }
    server = http.createServer((req, res) => {
      asked.push(`${req.url} ${req.headers.authorization ?? ''}`)
      res.writeHead(page.status).end(page.body)
    })
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    reader = new CacheReader((_backend, tokens) => told.push(tokens))
  })

  afterEach(() => {
    reader.close()
    server.close()
    server.closeAllConnections()
  })

  it('reads at the first successful check, and then after every dozen', async () => {
    const backend = backendAt({ api_key: 'secret' })
    reader.healthy(backend)
    await eventually(() => told.length === 1, 'told once')
    expect(asked).deep.equal(['/metrics Bearer secret'])
    for (let i = 0; i < 12; i++) reader.healthy(backend)
    expect(asked.length).equal(1)
    reader.healthy(backend)
    await eventually(() => told.length === 2, 'told again')
  })

  it('reports nothing for an error, or a page without a size', async () => {
    for (const wrong of [
      { status: 404, body: 'sglang:max_total_num_tokens 1000\n' },
      { status: 200, body: 'nothing' },
    ]) {
      page = wrong
      const before = asked.length
      reader.healthy(backendAt())
      await eventually(() => asked.length > before, 'asked')
    }
    page = { status: 200, body: 'sglang:max_total_num_tokens 7\n' }
    reader.healthy(backendAt())
    await eventually(() => told.length > 0, 'told')
    expect(told).deep.equal([7])
  })

  it('sends nothing if the size is configured, or the profile has no path', () => {
    const set = { routing: { prefill_tokens_per_second: undefined, decode_step_ms: undefined, cache_tokens: 5 } }
    for (const backend of [backendAt(set), backendAt({ profile: backendWith({ cache_path: null }).profile })])
      reader.healthy(backend)
    reader.close()
    expect(asked).deep.equal([])
  })

  describe('a page', () => {
    /** The size that is read from a page; undefined: none. Each page is followed by one that has a size. */
    async function tokensIn(body: string): Promise<number | undefined> {
      for (const next of [body, 'sglang:max_total_num_tokens 1\n']) {
        page = { status: 200, body: next }
        const before = asked.length
        reader.healthy(backendAt())
        await eventually(() => asked.length > before, 'asked')
      }
      await eventually(() => told.includes(1), 'the size of the last page')
      return told.find(tokens => tokens !== 1)
    }

    it('may have the metrics of vLLM, one series for each of its engines', async () => {
      const series = (engine: number) =>
        `vllm:cache_config_info{block_size="16",cache_dtype="auto",engine="${engine}",num_gpu_blocks="26000",num_gpu_blocks_override="None"} 1.0\n`
      const metrics = `# HELP vllm:cache_config_info Information\n# TYPE vllm:cache_config_info gauge\n${series(0)}${series(1)}vllm:other 3\n`
      expect(await tokensIn(metrics)).equal(2 * 416_000)
    })

    it('may have the metrics of SGLang', async () => {
      const metrics =
        '# TYPE sglang:max_total_num_tokens gauge\nsglang:max_total_num_tokens{model_name="m"} 430000.0\nsglang:max_total_num_tokens_other 5\n'
      expect(await tokensIn(metrics)).equal(430_000)
    })

    it('may have the metrics of SGLang, one series for each scheduler of a replica, which share its size', async () => {
      const series = (replica: string, tp: number, pp: number, tokens: number) =>
        `sglang:max_total_num_tokens{${replica}engine_type="unified",pp_rank="${pp}",tp_rank="${tp}"} ${tokens}\n`
      const shared = [series('', 0, 0, 1000), series('', 1, 0, 1000), series('', 0, 1, 1000)]
      expect(await tokensIn(shared.join(''))).equal(1000)
      const replicas = [0, 1].flatMap(dp => [0, 1].map(tp => series(`dp_rank="${dp}",`, tp, 0, 2000 + dp)))
      told.length = 0
      expect(await tokensIn(replicas.join(''))).equal(4001)
    })

    it('may be the list of slots of llama-server', async () => {
      expect(await tokensIn('[{"id":0,"n_ctx":4096},{"id":1,"n_ctx":4096},7]')).equal(8192)
    })

    for (const body of [
      '',
      '[',
      '[]',
      '{"a":1}',
      '<html>',
      'vllm:cache_config_info{num_gpu_blocks="None"} 1\n',
      'sglang:max_total_num_tokens_other 5\n',
    ]) {
      it(`may have no size: ${body.trim()}`, async () => {
        expect(await tokensIn(body)).equal(undefined)
      })
    }
  })
})
