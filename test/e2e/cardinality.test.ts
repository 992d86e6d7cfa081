import { expect } from 'chai'
import { seededRandom } from '../../simulator/random.ts'
import { reply, type ScriptedBackend, scriptedBackend } from '../support/backend.ts'
import { pooled, raw } from '../support/by-hand.ts'
import { eventually, KEY, type TestGateway, testGateway } from '../support/gateway.ts'

const COUNT = 5000
const METHODS = [
  'GET',
  'POST',
  'PUT',
  'DELETE',
  'PATCH',
  'HEAD',
  'OPTIONS',
  'TRACE',
  'PROPFIND',
  'BREW',
  'LINK',
  'M-SEARCH',
]

describe('metrics', () => {
  let backend: ScriptedBackend
  let gateway: TestGateway

  before(async () => {
    backend = await scriptedBackend(reply())
    gateway = await testGateway({ backends: [backend.url] })
  })

  after(async () => {
    await gateway?.close()
    await backend?.close()
  })

  /** Node's series for kinds of garbage collection appear when such a collection has run. */
  const series = async () => {
    const text = await (await fetch(`${gateway.gateway.adminUrl}/metrics`)).text()
    return text.split('\n').filter(line => line.startsWith('sluiceway_'))
  }

  it('do not grow by names that a client invents', async () => {
    const port = Number(new URL(gateway.url).port)
    const random = seededRandom(17)
    const word = () => Math.floor(random() * 2 ** 40).toString(36)
    const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)]!
    const hostile = (fixed: boolean) => {
      const body = JSON.stringify({
        model: fixed ? 'none' : word(),
        max_tokens: 5,
        messages: [{ role: 'user', content: word() }],
        [fixed ? 'other' : word()]: 1,
      })
      const known = pick([
        '/v1/chat/completions',
        '/v1/messages',
        '/v1/completions',
        '/v1/responses',
        '/v1/models',
        '/',
      ])
      const path = random() < 0.5 ? known : `/${word()}/${word()}?${word()}`
      return [
        `${pick(METHODS)} ${path} HTTP/1.1`,
        `Host: ${random() < 0.5 ? 'g' : `${word()}.test`}`,
        `Authorization: Bearer ${random() < 0.7 ? KEY : word()}`,
        `X-Request-Id: ${word()}`,
        `User-Agent: ${word()}`,
        `${word()}: ${word()}`,
        `Content-Length: ${body.length}`,
        'Connection: close',
        '',
        body,
      ].join('\r\n')
    }
    const send = (requests: readonly string[]) =>
      pooled(requests, 50, async request => void (await raw(port, request, { limitMs: 5000 })))

    // Every route, method and code once. After that, only names are new.
    await send(Array.from({ length: 2000 }, () => hostile(true)))
    await eventually(() => gateway.gateway.exchanges === 0)
    const before = await series()
    await send(Array.from({ length: COUNT }, () => hostile(false)))
    await eventually(() => gateway.gateway.exchanges === 0)
    const after = await series()
    if (process.env.FIGURES) console.log({ before: before.length, after: after.length })
    expect(after.length - before.length).most(10)
    expect(await gateway.metric('sluiceway_requests_total')).greaterThan(COUNT / 2)
    for (const line of after) expect(line.length, line).below(300)
  })
})
