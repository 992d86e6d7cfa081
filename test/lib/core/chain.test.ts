import { expect } from 'chai'
import type { Key } from '../../../lib/accounts/access.ts'
import { applies, beginAttempt, compile, PART, run, transformersOf } from '../../../lib/core/chain.ts'
import type { HookCall } from '../../../lib/core/exchange.ts'
import { definePlugin, type Hooks } from '../../../lib/core/plugin.ts'
import { key } from '../../../lib/core/slots.ts'
import type { AttemptFacts } from '../../../lib/core/upstream.ts'
import { fail, failure, type GatewayError } from '../../../lib/errors/errors.ts'
import { formatOf } from '../../../lib/formats/index.ts'
import { ROUTES, type Route } from '../../../lib/routes/routes.ts'
import { notedExchange } from '../../support/exchange.ts'

const chat = formatOf('chat')

const route = ROUTES.find(({ name }) => name === 'chat') as Route

function recorder() {
  const calls: string[] = []
  const ready = (name: string, hooks: Hooks) => ({
    plugin: definePlugin({ name, summary: '', setup: () => hooks }),
    hooks,
  })
  return { calls, ready }
}

const exchange = () => notedExchange().exchange

describe('chain', () => {
  it('runs request hooks top to bottom and all others bottom to top', () => {
    const { calls, ready } = recorder()
    const plugin = (name: string) =>
      ready(name, {
        onHeaders: () => void calls.push(`headers ${name}`),
        onBody: () => void calls.push(`body ${name}`),
        onSend: () => void calls.push(`response ${name}`),
        onFinish: () => void calls.push(`finish ${name}`),
      })
    const chain = compile([plugin('a'), plugin('b')], route, 'gateway', chat)
    run(chain.headers, exchange())
    run(chain.body, exchange())
    for (const hook of chain.send) hook({} as never)
    for (const hook of chain.finish) hook({} as never)
    expect(calls).deep.equal([
      'headers a',
      'headers b',
      'body a',
      'body b',
      'response b',
      'response a',
      'finish b',
      'finish a',
    ])
  })

  it('tells plugins of an attempt, top to bottom, and counts one that throws as a fault', () => {
    const { calls } = recorder()
    const faults: unknown[] = []
    const facts = { model: 'm' } as AttemptFacts
    const { exchange: tried } = notedExchange({
      headers: { traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01` },
      hooks: [
        { onAttempt: () => fail('internal_error', {}) },
        {
          onAttempt(of) {
            calls.push(of.attempt.model, of.trace!.traceId)
            of.setTrace(`00-${'c'.repeat(32)}-${'d'.repeat(16)}-01`, 'a=b')
          },
        },
      ],
    })
    tried.host.fault = (_exchange, thrown) => void faults.push(thrown)
    beginAttempt(tried, facts, { cancel() {}, fail() {} })
    expect(calls).deep.equal(['m', 'a'.repeat(32)])
    expect(faults).lengthOf(1)
    expect(tried.attemptFacts).deep.equal([facts])
    expect(tried.upstream.trace).include({ traceId: 'c'.repeat(32), tracestate: 'a=b' })
    expect(tried.traceId).equal('c'.repeat(32))
    expect(() => tried.setTrace('nonsense')).throw(TypeError)
  })

  it('keeps synchronous hooks synchronous', () => {
    const steps: HookCall[] = [{ plugin: 'a', call: () => {} }]
    expect(run(steps, exchange())).equal(undefined)
  })

  it('waits for a promise before it continues', async () => {
    const { calls } = recorder()
    const steps: HookCall[] = [
      { plugin: 'slow', call: () => new Promise(resolve => setImmediate(() => resolve(void calls.push('slow')))) },
      { plugin: 'next', call: () => void calls.push('next') },
    ]
    await run(steps, exchange())
    expect(calls).deep.equal(['slow', 'next'])
  })

  it('stops at a reply, at a refusal and when the client has disconnected', async () => {
    const { calls } = recorder()
    const next: HookCall = { plugin: 'next', call: () => void calls.push('next') }
    run([{ plugin: 'answers', call: one => one.reply(200, {}) }, next], exchange())
    expect(() => run([{ plugin: 'refuses', call: () => fail('missing_api_key', {}) }, next], exchange())).throw(
      'No API key',
    )
    await run([{ plugin: 'waits', call: async one => one.disconnect() }, next], exchange())
    await run([{ plugin: 'waits', call: async one => one.reply(200, {}) }, next], exchange())
    expect(calls).deep.equal([])
  })

  it('names the step that refuses, at once or later, and turns any fault into a refusal', async () => {
    const broken = new TypeError('broken')
    const thrown = async (call: HookCall['call']) => {
      try {
        await run(
          [
            { plugin: 'first', call: () => {} },
            { plugin: 'second', call },
          ],
          exchange(),
        )
      } catch (error) {
        return error as GatewayError
      }
      throw new Error('it has not refused')
    }
    for (const call of [() => fail('missing_api_key', {}), async () => fail('missing_api_key', {})])
      expect(await thrown(call)).include({ code: 'missing_api_key', refusedBy: 'second' })
    const fault = await thrown(() => {
      throw broken
    })
    expect(fault).include({ code: 'internal_error', refusedBy: 'second' })
    expect(fault.details.cause).equal(broken)
  })

  it('lets a decision refuse in the name of the plugin that holds the exchange', async () => {
    const one = exchange()
    const holds = (wait: boolean) => (held: typeof one) => {
      held.holdUntil(Promise.reject(failure('http_403', { problem: String(wait) })))
      return wait ? Promise.resolve() : undefined
    }
    await run(
      [
        { plugin: 'idle', call: () => {} },
        { plugin: 'holds', call: holds(true) },
      ],
      one,
    )
    run([{ plugin: 'late', call: holds(false) }], one)
    expect(await one.gate.decision()).include({ refusedBy: 'holds' })
  })

  it('admits a request as soon as its key is known, once', () => {
    const { calls, ready } = recorder()
    const caller = { id: 'k', account: { id: 'a' } } as Key
    const one = exchange()
    const note = (name: string) => void calls.push(`${name} ${one.admitted !== null}`)
    const knows = (name: string) => ({
      plugin: definePlugin({ name, summary: '', provides: [key], setup: () => ({}) }),
      hooks: {
        onHeaders: () => {
          note(name)
          one.set(key, caller)
        },
      },
    })
    const { headers } = compile(
      [
        ready('above', { onHeaders: () => note('above') }),
        knows('knows'),
        knows('again'),
        ready('below', { onHeaders: () => note('below') }),
      ],
      route,
      'gateway',
      chat,
    )
    run(headers, one)
    expect(calls).deep.equal(['above false', 'knows false', 'again true', 'below true'])
    expect(one.host.admission.size).equal(2)
    one.admitted!.end()
    expect(one.host.admission.size).equal(0)
  })

  it('yields between the hooks of a heavy exchange, and stops where the client disconnects meanwhile', async () => {
    const { calls } = recorder()
    const one = exchange()
    /** As long as all exchanges together may work in one tick. */
    const work = () => {
      const until = performance.now() + 20
      while (performance.now() < until);
    }
    const note = (name: string): HookCall => ({
      plugin: name,
      call: () => {
        calls.push(name)
        work()
      },
    })
    const steps: HookCall[] = [
      { plugin: 'reads', call: async read => void Object.assign(read, { isHeavy: true }) },
      note('a'),
      note('b'),
      note('c'),
    ]
    const pending = run(steps, one)
    for (let i = 0; i < 3; i++) {
      await new Promise(setImmediate)
      calls.push('other')
      if (i === 1) one.disconnect()
    }
    await pending
    expect(calls).deep.equal(['other', 'a', 'other', 'other'])
  })

  it('runs the steps that read the body between header hooks and body hooks, where the route has a body', () => {
    const { ready } = recorder()
    const both = ready('a', { onHeaders: () => {}, onBody: () => {} })
    const reading = [{ plugin: PART.body, call: () => {} }]
    const names = (name: string) => {
      const row = ROUTES.find(one => one.name === name) as Route
      return compile([both], row, 'gateway', chat, reading).request.map(({ plugin }) => plugin)
    }
    expect(names('chat')).deep.equal(['a', 'body', 'a'])
    expect(names('model-list')).deep.equal(['a'])
  })

  it('names the plugin that cannot make its transformer', () => {
    const broken = () => {
      throw new TypeError('broken')
    }
    const { exchange: one } = notedExchange({ hooks: [{}, { transform: broken }] })
    expect(() => transformersOf(one))
      .throw()
      .include({ code: 'internal_error', refusedBy: 'plugin-2' })
  })

  it('filters by every column of the route table', () => {
    expect(applies(undefined, route, 'gateway')).equal(true)
    expect(applies({ surface: ['dedicated'] }, route, 'gateway')).equal(false)
    expect(applies({ format: ['messages'] }, route, 'gateway')).equal(false)
    expect(applies({ route: ['chat'], proxied: true, access: 'key' }, route, 'gateway')).equal(true)
    expect(applies({ proxied: false }, route, 'gateway')).equal(false)
    expect(applies({ access: 'public' }, route, 'gateway')).equal(false)
  })
})
