import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import { BackendPool } from '../../../lib/backends/pool.ts'
import type { Json } from '../../../lib/base/json.ts'
import { PROFILES } from '../../../lib/config/profile.ts'
import { Inquiries, seenByAll } from '../../../lib/process/inquiries.ts'
import { backendConfig } from '../../support/backend-config.ts'
import { model } from '../../support/canonical.ts'
import { ManualClock } from '../../support/clock.ts'
import { eventually } from '../../support/gateway.ts'
import { silent } from '../../support/stores.ts'
import { closeStubs, stubServer } from '../../support/stub.ts'

describe('inquiries', () => {
  afterEach(closeStubs)

  it('warn once of a backend that does not serve its model, and ask again until it does', async () => {
    const lines: [string, string][] = []
    const log = {
      warn: (_: unknown, text: string) => lines.push(['warn', text]),
      info: (_: unknown, text: string) => lines.push(['info', text]),
    } as never
    const answer: { body: Json } = { body: { data: [{ id: 'Qwen/Qwen3-32B' }] } }
    const url = `${await stubServer({ 'GET /v1/models': answer })}/v1`
    const models = [model({}, { backends: [backendConfig({ url, model: 'nope' })] })]
    const inquiries = new Inquiries({ log, everyMs: 10 })
    try {
      inquiries.update(models)
      const problem = "does not serve 'nope'; it serves Qwen/Qwen3-32B"
      await eventually(() => inquiries.problem('m', url) === problem)
      expect(inquiries.problem('other', url)).equal(null)
      // A reload, or a further round, repeats nothing.
      inquiries.update(models)
      answer.body = { data: [{ id: 'nope' }] }
      await eventually(() => inquiries.problem('m', url) === null)
      expect(lines).deep.equal([
        ['warn', `a backend ${problem}`],
        ['info', 'a backend serves its model as configured'],
      ])
    } finally {
      inquiries.close()
    }
  })

  it('ask a server once for all of its models', async () => {
    let asked = 0
    const server = createServer((_req, res) => {
      asked++
      res.end(JSON.stringify({ data: [{ id: 'one', owned_by: 'vllm' }] }))
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
    const served = (id: string) => model({}, { id, backends: [backendConfig({ url, model: id })] })
    const inquiries = new Inquiries({ log: silent })
    try {
      inquiries.update(['one', 'two', 'three'].map(served))
      await eventually(() => inquiries.problem('three', url) !== null)
      expect(inquiries.problem('two', url)).equal("does not serve 'two'; it serves one")
      expect(inquiries.problem('one', url)).equal(null)
      expect(asked).equal(1)
    } finally {
      inquiries.close()
      server.closeAllConnections()
      server.close()
    }
  })
})

describe('a wrong engine', () => {
  afterEach(closeStubs)

  it('is replaced by that of the server, with the members that the profile sets, and once only', async () => {
    const answer: { body: Json } = { body: { data: [{ id: 'up', owned_by: 'sglang', max_model_len: 4096 }] } }
    const url = `${await stubServer({ 'GET /v1/models': answer })}/v1`
    const profile = { ...PROFILES.vllm, developer_role: true }
    const backend = backendConfig({ url, model: 'up', engine: 'vllm', profile })
    const configured = { ...model({}, { backends: [backend] }), max_model_len: 8192 }
    let calls = 0
    const inquiries = new Inquiries({ log: silent, everyMs: 10, onFacts: () => calls++ })
    try {
      expect(inquiries.corrected(configured)).equal(configured)
      inquiries.update([configured])
      await eventually(() => inquiries.problem('m', url) !== null)
      const corrected = inquiries.corrected(configured)
      expect(corrected.max_model_len).equal(4096)
      expect(corrected.backends[0]).deep.include({ engine: 'sglang' })
      expect(corrected.backends[0]!.profile).deep.equal({ ...PROFILES.sglang, developer_role: true })
      // A reload keeps what is known.
      inquiries.update([configured])
      expect(inquiries.corrected(configured).backends[0]).equal(corrected.backends[0])
      expect(calls).equal(1)
      answer.body = { data: [{ id: 'up', owned_by: 'vllm', max_model_len: 8192 }] }
      await eventually(() => inquiries.problem('m', url) === null)
      expect(inquiries.corrected(configured)).equal(configured)
    } finally {
      inquiries.close()
    }
  })
})

describe('the list of all backends', () => {
  const pool = new BackendPool([model({}, { backends: [backendConfig({ url: 'http://a/v1' })] })], new ManualClock(), {
    health: null,
  })
  const list = (own: string | null, ofSource: string | null) =>
    seenByAll(
      [pool.snapshot()],
      { problem: () => own },
      {
        problem: () => ofSource,
        empty: () => [{ model: 'm', source: 'file /t', zdr: false, problem: 'there is no such file' }],
      },
    )

  it('shows the problems of a backend and of its discovery, and sources without backends', () => {
    expect(list(null, null).map(({ address, problem }) => [address, problem])).deep.equal([
      ['http://a/v1', null],
      ['file /t', 'there is no such file'],
    ])
    expect(list('answers 401', null)[0]!.problem).equal('answers 401')
    expect(list('answers 401', 'dns A x: SERVFAIL')[0]!.problem).equal('answers 401; dns A x: SERVFAIL')
  })
})
