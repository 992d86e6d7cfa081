import { expect } from 'chai'
import { Transformer } from '../../lib/canonical/reply.ts'
import { definePlugin } from '../../lib/core/plugin.ts'
import { chat, slot } from '../../lib/core/slots.ts'
import { fail, failure } from '../../lib/errors/errors.ts'
import { queryRunner } from '../../lib/store/query-runner.ts'
import { storeReports } from '../../lib/store/reports.ts'
import { play, testServices } from '../../lib/testing.ts'
import { chatRequest, chunk, textRequest } from '../support/canonical.ts'
import { onEveryStore } from '../support/stores.ts'

const given = slot('testing-given').of<string>()
const made = slot('testing-made').of<number | null>()

/** Doubles every text. */
class Doubles extends Transformer {
  override chunk(received: Parameters<Transformer['chunk']>[0]): void {
    this.next.chunk({ ...received, text: `${received.text}${received.text}` })
  }
}

describe('play()', () => {
  it('fails if a plugin does not set a slot that it provides', async () => {
    const empty = definePlugin({ name: 'empty', summary: '', provides: [made], setup: () => ({}) })
    const error = await play(empty).catch((thrown: unknown) => thrown)
    expect(error).instanceOf(Error)
    expect((error as Error).message).equal("'empty' provides slot 'testing-made' and left it empty")
  })

  it('accepts null as a value, and requires no value after a refusal or a reply', async () => {
    const provides = [made]
    const nothing = definePlugin({
      name: 'nothing',
      summary: '',
      provides,
      setup: () => ({ onHeaders: exchange => exchange.set(made, null) }),
    })
    const refuses = definePlugin({
      name: 'refuses',
      summary: '',
      provides,
      setup: () => ({ onBody: () => fail('http_403', { problem: 'No.' }) }),
    })
    const replies = definePlugin({
      name: 'replies',
      summary: '',
      provides,
      setup: () => ({ onBody: exchange => exchange.reply(200, {}) }),
    })
    expect((await play(nothing)).exchange.find(made)).equal(null)
    expect((await play(refuses)).error).include({ code: 'http_403' })
    expect((await play(replies)).reply).deep.include({ status: 200 })
  })

  it('completes options with the defaults of their schema, and refuses wrong ones', async () => {
    const seen: unknown[] = []
    const plugin = definePlugin({
      name: 'optional',
      summary: '',
      options: {
        type: 'object',
        additionalProperties: false,
        properties: { limit: { type: 'integer', default: 7 } },
      },
      setup(options: { readonly limit: number }) {
        seen.push(options)
        return {}
      },
    })
    const own = {}
    await play(plugin, { options: own })
    await play(plugin, { options: { limit: 1 } })
    expect(seen).deep.equal([{ limit: 7 }, { limit: 1 }])
    expect(own).deep.equal({})
    for (const options of [{ limit: 'x' }, { lmit: 1 }]) {
      const error = await play(plugin, { options }).catch((thrown: unknown) => thrown)
      expect((error as Error).message).match(/^options: /)
    }
  })

  it('passes slots, headers, query, params and body, and returns the results of the plugin', async () => {
    const reader = definePlugin({
      name: 'reader',
      summary: '',
      needs: [given],
      provides: [made],
      setup: () => ({
        onHeaders(exchange) {
          exchange.setHeader('x-seen', `${exchange.headers.host} ${exchange.query} ${exchange.params.id}`)
        },
        onBody(exchange) {
          exchange.set(made, exchange.get(given).length + Number(exchange.body.n))
        },
      }),
    })
    const { exchange, headers, error } = await play(reader, {
      given: [[given, 'four']],
      headers: { host: 'a.test' },
      query: 'x=1',
      params: { id: '9' },
      body: { n: 3 },
    })
    expect(error).equal(undefined)
    expect(exchange.find(made)).equal(7)
    expect(headers).deep.equal({ 'x-seen': 'a.test x=1 9' })
  })

  it('runs on the first route of the plugin, or on the one that is named', async () => {
    const places: unknown[] = []
    const plugin = definePlugin({
      name: 'somewhere',
      summary: '',
      routes: { route: ['messages', 'responses'] },
      setup: () => ({
        onHeaders: ({ route, surface, endpoint }) => void places.push([route.name, surface, endpoint]),
      }),
    })
    await play(plugin)
    await play(plugin, { route: 'responses' })
    await play(plugin, { surface: 'dedicated' })
    await play(plugin, { surface: 'dedicated', endpoint: 'b.test' })
    expect(places).deep.equal([
      ['messages', 'gateway', null],
      ['responses', 'gateway', null],
      ['messages', 'dedicated', 'acme-1.example.com'],
      ['messages', 'dedicated', 'b.test'],
    ])
    const error = await play(plugin, { route: 'chat' }).catch((thrown: unknown) => thrown)
    expect((error as Error).message).equal("'somewhere' runs on no such route")
  })

  it('reads no body if the route has none', async () => {
    let bodies = 0
    const plugin = definePlugin({ name: 'body', summary: '', setup: () => ({ onBody: () => void bodies++ }) })
    await play(plugin, { route: 'model-list' })
    expect(bodies).equal(0)
    await play(plugin)
    expect(bodies).equal(1)
  })

  it('feeds chunks through the transformer, to a clean end or to a failure', async () => {
    const streaming: boolean[] = []
    const plugin = definePlugin({
      name: 'doubles',
      summary: '',
      setup: () => ({
        transform(exchange) {
          streaming.push(exchange.streaming)
          return new Doubles()
        },
      }),
    })
    const chunks = [chunk({ text: 'a' }), chunk({ text: 'b' })]
    const whole = await play(plugin, { chunks })
    expect(whole.chunks.map(({ text }) => text)).deep.equal(['aa', 'bb'])
    expect(whole.ended).equal('end')
    const error = failure('backend_timeout', { model: 'm' })
    const broken = await play(plugin, { chunks, ending: error, streaming: false })
    expect(broken.ended).equal(error)
    expect(streaming).deep.equal([true, false])
    const alone = await play(plugin)
    expect(alone.ended).equal(undefined)
    expect([whole.exchange.requestSent, alone.exchange.requestSent]).deep.equal([true, false])
  })

  it('always ends the exchange, and shows records and response headers', async () => {
    const ends: unknown[] = []
    const plugin = definePlugin({
      name: 'ends',
      summary: '',
      setup: (_options, { records }) => ({
        onHeaders: ({ headers }) => {
          if (headers.refuse !== undefined) fail('missing_api_key', {})
        },
        onSend: exchange => exchange.setHeader('x-answer', `${exchange.status} ${exchange.source}`),
        onFinish({ status, outcome, error }) {
          ends.push([status, outcome, error?.code])
          records.append({ id: 'r' } as never)
        },
      }),
    })
    const { records, headers } = await play(plugin, { chunks: [] })
    expect(records).deep.equal([{ id: 'r' }])
    expect(headers).deep.equal({ 'x-answer': '200 backend' })
    expect((await play(plugin, { headers: { refuse: '1' } })).headers).deep.equal({ 'x-answer': '401 gateway' })
    await play(plugin, { outcome: 'client_gone' })
    expect(ends).deep.equal([
      [200, 'done', undefined],
      [401, 'failed', 'missing_api_key'],
      [499, 'client_gone', undefined],
    ])
  })

  it('rethrows any error that is no refusal', async () => {
    const faulty = definePlugin({
      name: 'faulty',
      summary: '',
      setup: () => ({
        onHeaders: () => {
          throw new TypeError('broken')
        },
      }),
    })
    expect(await play(faulty).catch((thrown: unknown) => thrown)).instanceOf(TypeError)
  })

  it('uses the services of the test', async () => {
    const clock = { now: () => 5, micros: () => 5432, monotonic: () => 6 }
    expect(testServices([], { clock }).clock).equal(clock)
    const plugin = definePlugin({ name: 'clocked', summary: '', setup: () => ({}) })
    expect((await play(plugin, { services: { clock } })).exchange.startedAt).equal(5)
  })

  describe('small and large', () => {
    /** Refuses one word and redacts another in all texts of the canonical request. */
    const words = definePlugin({
      name: 'words',
      summary: '',
      routes: { canonical: true },
      needs: [chat],
      setup: () => ({
        onBody(exchange) {
          const request = exchange.get(chat)
          if (request.kind === 'text') {
            request.prompt = String(request.prompt).replace('secret', 'X')
            return
          }
          for (const message of request.messages) {
            if (typeof message.content !== 'string') continue
            if (message.content.includes('forbidden')) fail('http_403', { problem: 'No.' })
            message.content = message.content.replace('secret', 'X')
          }
        },
      }),
    })

    for (const size of ['small', 'large'] as const) {
      it(`translates a body for a plugin that needs the canonical request: ${size}`, async () => {
        const body = (content: string) => ({ model: 'm', messages: [{ role: 'user', content }] })
        expect((await play(words, { size, body: body('a forbidden word') })).error).include({ code: 'http_403' })
        const { error, exchange } = await play(words, { size, body: body('a secret') })
        expect(error).equal(undefined)
        const request = exchange.get(chat) as ReturnType<typeof chatRequest>
        expect(request.messages[0]).deep.equal({ role: 'user', content: 'a X' })
        expect(exchange.body).deep.equal(body('a secret'))
      })

      it(`passes on a canonical request: ${size}`, async () => {
        const given = (content: string) => [[chat, chatRequest({ messages: [{ role: 'user', content }] })]] as const
        expect((await play(words, { size, given: given('forbidden') })).error).include({ code: 'http_403' })
        const { exchange } = await play(words, { size, given: given('a secret') })
        expect(exchange.get(chat)).deep.equal(chatRequest({ messages: [{ role: 'user', content: 'a X' }] }))
        const text = await play(words, {
          size,
          route: 'completions',
          given: [[chat, textRequest({ prompt: 'secret' })]],
        })
        expect(text.exchange.get(chat)).deep.equal(textRequest({ prompt: 'X' }))
      })
    }

    it('shows a plugin the difference only in the property descriptor', async () => {
      for (const [size, isData] of [
        ['small', true],
        ['large', false],
      ] as const) {
        const { exchange } = await play(words, {
          size,
          body: { model: 'm', messages: [{ role: 'user', content: 'a text' }] },
        })
        const [message] = exchange.body.messages as object[]
        expect(Object.getOwnPropertyDescriptor(message, 'content')!.value !== undefined).equal(isData)
      }
    })
  })
})

describe('reports of testServices()', () => {
  onEveryStore(store => {
    it('return the results of a store without rows', async () => {
      const reports = storeReports(queryRunner(store()))
      for (const { requests, request, accountRequests, accountRequest, usage, members } of [
        testServices().reports,
        reports,
      ]) {
        const none = { requests: [], has_more: false, cursor: null }
        expect(await requests({ endpoint: 'e' }, undefined, 5)).deep.equal(none)
        expect(await request('e', '0123456789ab')).equal(undefined)
        expect(await accountRequests({ account: 'a', since: 0 }, 5)).deep.equal(none)
        expect(await accountRequest({ account: 'a' }, '0123456789ab')).equal(undefined)
        expect(await usage({ account_id: 'a', from: 0, to: 1 })).deep.equal({ rows: [], from: 0, to: 1 })
        expect(await members('a')).deep.equal([])
      }
    })
  })
})
