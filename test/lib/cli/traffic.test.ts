import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import { startTraffic } from '../../../lib/cli/traffic.ts'
import { eventually, KEY, testGateway } from '../../support/gateway.ts'
import { closeSimulators, simulatorWith } from '../../support/simulator.ts'

describe('startTraffic', () => {
  let server: Server
  let url = ''
  let closed = 0
  const seen: { path: string; key: string; body: Record<string, unknown>; text: string }[] = []

  before(async () => {
    server = createServer(async (req, res) => {
      let text = ''
      for await (const piece of req) text += piece
      seen.push({
        path: req.url ?? '',
        key: req.headers.authorization ?? '',
        body: JSON.parse(text) as Record<string, unknown>,
        text,
      })
      res.on('close', () => {
        if (!res.writableFinished) closed++
      })
      res.flushHeaders()
      // Long enough that a client which leaves does so before the end.
      if (text.includes('tokens=200')) {
        const timer = setInterval(() => res.write('data: {}\n\n'), 1)
        res.on('close', () => clearInterval(timer))
      } else res.end('data: {}\n\n')
    }).listen(0, '127.0.0.1')
    await new Promise(resolve => server.once('listening', resolve))
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  after(() => {
    server.closeAllConnections()
    server.close()
  })

  it('sends all kinds of requests, with every key, and clients that leave; then ends', async () => {
    const secrets = ['service_a', 'service_b', 'service_c']
    const traffic = startTraffic({ url, secrets, models: ['demo', 'demo-plain'], everyMs: 1 })
    const kinds = {
      stream: () => seen.some(({ body }) => body.stream === true),
      whole: () => seen.some(({ body }) => body.stream === undefined),
      messages: () => seen.some(({ path }) => path === '/v1/messages'),
      responses: () => seen.some(({ path }) => path === '/v1/responses'),
      tools: () => seen.some(({ text }) => text.includes('tool=timetable')),
      mistakes: () => seen.some(({ body }) => body.model === 'no-such-model'),
      'unknown keys': () => seen.some(({ key }) => key === 'Bearer service_unknown'),
      failures: () => seen.some(({ text }) => text.includes('status=503')),
      'broken streams': () => seen.some(({ text }) => text.includes('break_after')),
      'every key': () => secrets.every(secret => seen.some(({ key }) => key === `Bearer ${secret}`)),
      'both models': () => new Set(seen.map(({ body }) => body.model)).size === 3,
      leaving: () => closed > 0,
    }
    for (const [what, holds] of Object.entries(kinds)) await eventually(holds, what, 60_000)
    await traffic.stop()
    expect(traffic.sent).least(seen.length)
    const failing = seen.filter(({ text }) => /status=503|break_after/.test(text))
    expect(new Set(failing.map(({ key }) => key))).deep.equal(new Set(['Bearer service_a']))
  })

  it('sends requests that the gateway and a simulator without further packages answer', async () => {
    const { root } = await simulatorWith({ models: [{ id: 'upstream-m', reasoning: true }], answer_tokens: 20 })
    const gateway = await testGateway({ backends: [`${root}/v1`] })
    // Below the share of requests that are wrong or break.
    let turns = 0
    const random = () => (turns++ * 0.618) % 0.88
    const traffic = startTraffic({ url: gateway.url, secrets: [KEY], models: ['m'], everyMs: 1, random })
    const paths = () => new Set(gateway.records().map(({ path }) => path))
    await eventually(() => paths().size === 3 && gateway.records().length > 60, 'all routes')
    await traffic.stop()
    const bad = gateway.records().filter(({ status_code: status }) => status !== 200 && status !== 499)
    expect(bad.map(record => `${record.path}: ${record.error_message}`)).deep.equal([])
    for (const { text } of seen.filter(({ body }) => body.tools !== undefined))
      expect(text, 'arguments need a library that the published package lacks').not.contain('parameters')
    await gateway.close()
    await closeSimulators()
  })

  it('does not flood a gateway that stands still', async () => {
    const still = createServer(() => {}).listen(0, '127.0.0.1')
    await new Promise(resolve => still.once('listening', resolve))
    const { port } = still.address() as AddressInfo
    let turns = 0
    const random = () => {
      turns++
      return 0.1
    }
    const traffic = startTraffic({
      url: `http://127.0.0.1:${port}`,
      secrets: ['service_a'],
      models: ['demo'],
      everyMs: 1,
      random,
    })
    await eventually(() => turns > 200)
    expect(traffic.sent).equal(16)
    await traffic.stop()
    still.close()
  })
})
