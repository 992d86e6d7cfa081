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

  it('reads at the first good check, and then after every dozen', async () => {
    const backend = backendAt({ api_key: 'secret' })
    reader.healthy(backend)
    await eventually(() => told.length === 1, 'told once')
    expect(asked).deep.equal(['/metrics Bearer secret'])
    for (let i = 0; i < 12; i++) reader.healthy(backend)
    expect(asked.length).equal(1)
    reader.healthy(backend)
    await eventually(() => told.length === 2, 'told again')
  })

  it('tells nothing where there is no such page, or an error, or no number', async () => {
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

  it('asks nothing where the size is set, or the profile has no such path', () => {
    const set = { routing: { prefill_tokens_per_second: undefined, decode_step_ms: undefined, cache_tokens: 5 } }
    for (const backend of [backendAt(set), backendAt({ profile: backendWith({ cache_path: null }).profile })])
      reader.healthy(backend)
    reader.close()
    expect(asked).deep.equal([])
  })
})
