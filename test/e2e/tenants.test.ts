import http from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import type { JsonObject } from '../../lib/base/json.ts'
import { seededRandom } from '../../simulator/random.ts'
import { type ScriptedBackend, scriptedBackend, sendEvent, startStream } from '../support/backend.ts'
import { pooled } from '../support/by-hand.ts'
import { eventually, type TestGateway, testGateway } from '../support/gateway.ts'
import { SURFACES, saidTo, streamEvent, wholeReply } from '../support/surfaces.ts'

const COUNT = 1500
const ACCOUNTS = ['6f2c1e9a-8d1b-4c57-9a53-0d6b1c1f7e21', '7a3d2f0b-9e2c-4d68-8b64-1e7c2d2a8f32'] as const

describe('two accounts', () => {
  let backend: ScriptedBackend
  let gateway: TestGateway

  before(async () => {
    // Repeats the request in pieces, with pauses between them.
    backend = await scriptedBackend(async (res, request) => {
      const said = saidTo(request)
      const pause = Number(said.split('-').at(-1))
      await sleep(pause)
      if (request.body.stream !== true) return void res.end(JSON.stringify(wholeReply(request, said)))
      startStream(res)
      for (const piece of said.match(/.{1,7}/g)!) {
        sendEvent(res, streamEvent(request, piece))
        await sleep(pause / 4)
      }
      sendEvent(res, streamEvent(request, undefined, 'stop'))
      res.end('data: [DONE]\n\n')
    })
    gateway = await testGateway({
      backends: [backend.url],
      more: {
        accounts: ACCOUNTS.map((id, i) => ({
          id,
          name: `tenant ${i}`,
          kind: 'serverless',
          models: ['*'],
          members: [{ user: `user${i}@test`, role: 'owner' }],
          keys: [{ id: `k${i}`, user: `user${i}@test`, kind: 'serverless', secret: `service_tenant_${i}` }],
        })),
      },
    })
  })

  after(async () => {
    await gateway?.close()
    await backend?.close()
  })

  /** The whole reply; undefined: the client has disconnected before the end. */
  const ask = (agent: http.Agent, path: string, tenant: number, body: JsonObject, leaveAfterMs: number | undefined) =>
    new Promise<string | undefined>((resolve, reject) => {
      const text = JSON.stringify(body)
      const headers = { authorization: `Bearer service_tenant_${tenant}`, 'content-length': text.length }
      const request = http.request(gateway.url + path, { method: 'POST', agent, headers }, res => {
        let answer = ''
        res.setEncoding('utf8')
        res.on('data', (piece: string) => {
          answer += piece
        })
        res.on('end', () => resolve(answer))
        res.on('error', () => resolve(undefined))
      })
      request.on('error', cause => (leaveAfterMs === undefined ? reject(cause) : resolve(undefined)))
      request.end(text)
      if (leaveAfterMs !== undefined) setTimeout(() => request.destroy(), leaveAfterMs)
    })

  it('never receive texts of each other, whatever connections they share and however they end', async () => {
    const random = seededRandom(7)
    // Clients of both accounts share these connections, as behind a proxy.
    const agent = new http.Agent({ keepAlive: true, maxSockets: 40 })
    let whole = 0
    await pooled(
      Array.from({ length: COUNT }, (_, i) => i),
      40,
      async i => {
        const tenant = i % 2
        const surface = SURFACES[Math.floor(random() * 4)]!
        const said = `tenant${tenant}-request${i}-${Math.floor(random() * 12)}`
        const leaving = random() < 0.3 ? random() * 15 : undefined
        const answer = await ask(agent, surface.path, tenant, surface.body(said, random() < 0.5), leaving)
        if (answer === undefined) return
        whole++
        const texts = [...answer.matchAll(/"(?:content|text|delta)":"([^"]*)"/g)].map(([, text]) => text).join('')
        expect(texts.replaceAll(said, ''), answer).not.match(/request\d/)
        expect(answer).not.contain(`tenant${1 - tenant}`)
        expect(texts, answer).contain(said)
      },
    )
    agent.destroy()
    expect(whole).greaterThan(COUNT / 2)
    await eventually(() => gateway.gateway.exchanges === 0)
  })

  it('have records and usage of their own', async () => {
    await eventually(async () => (await gateway.metric('sluiceway_store_lag_records')) === 0, 'records are stored')
    const usage = async (tenant: number, query = '') => {
      const response = await fetch(`${gateway.url}/v1/usage/me?period=1d${query}`, {
        headers: { authorization: `Bearer service_tenant_${tenant}` },
      })
      return { status: response.status, body: (await response.json()) as { total_requests: number } }
    }
    const [first, second] = await Promise.all([usage(0), usage(1)])
    // A request without generated tokens has no usage.
    const answered = await gateway.metric('sluiceway_requests_total', 'status="200"')
    const both = first.body.total_requests + second.body.total_requests
    expect(both).within(answered - 2, await gateway.metric('sluiceway_journal_records_total'))
    expect(first.body.total_requests).within(both * 0.4, both * 0.6)
    expect((await usage(0, `&pass_account_id=${ACCOUNTS[1]}`)).status).equal(400)
  })
})
