import { expect } from 'chai'
import type { Key } from '../../../lib/accounts/access.ts'
import { compile } from '../../../lib/core/chain.ts'
import type { HookCall } from '../../../lib/core/exchange.ts'
import { beginAttempt, finish, linkTransformers, respond, run, writeHead } from '../../../lib/core/hooks.ts'
import { definePlugin, type Hooks } from '../../../lib/core/plugin.ts'
import { key } from '../../../lib/core/slots.ts'
import type { AttemptFacts } from '../../../lib/core/upstream.ts'
import { fail, failure, type GatewayError } from '../../../lib/errors/errors.ts'
import { formatOf } from '../../../lib/formats/index.ts'
import { CLIENT_GONE } from '../../../lib/lifecycle/respond.ts'
import { ROUTES, type Route } from '../../../lib/routes/routes.ts'
import { ManualClock } from '../../support/clock.ts'
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

const broken = () => {
  throw new TypeError('broken')
}

describe('core/hooks', () => {
  it('calls onAttempt top to bottom, and reports a hook that throws as a fault', () => {
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
      throw new Error('no refusal')
    }
    for (const call of [() => fail('missing_api_key', {}), async () => fail('missing_api_key', {})])
      expect(await thrown(call)).include({ code: 'missing_api_key', refusedBy: 'second' })
    const fault = await thrown(() => {
      throw broken
    })
    expect(fault).include({ code: 'internal_error', refusedBy: 'second' })
    expect(fault.details.cause).equal(broken)
  })

  it('names the plugin that added a decision in its refusal', async () => {
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
    expect(await one.gate!.decision()).include({ refusedBy: 'holds' })
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
    const { admission } = one.host
    admission.update({ requestsPerKey: 1, requestsPerAccount: 1, bodiesPerKey: 1, bodiesPerAccount: 1 })
    expect(() => admission.enter(caller)).throw()
    one.admitted!.end()
    admission.enter(caller)
  })

  it('yields between the hooks of a heavy exchange, and stops if the client disconnects', async () => {
    const { calls } = recorder()
    const one = exchange()
    /** Longer than the time that all exchanges together may work in one tick. */
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

  it('names the plugin whose transform hook throws', () => {
    const { exchange: one } = notedExchange({ hooks: [{}, { transform: broken }] })
    expect(() => linkTransformers(one, { chunk() {}, end() {}, fail() {} }))
      .throw()
      .include({ code: 'internal_error', refusedBy: 'plugin-2' })
  })

  describe('the head', () => {
    it('has the headers of plugins, the lowest plugin first, then those of the response', () => {
      const { exchange, res } = notedExchange({
        hooks: [
          { onSend: one => one.setHeader('x-upper', `${one.status} ${one.source}`) },
          { onHeaders: one => one.setHeader('x-early', '1'), onSend: one => one.setHeader('x-lower', '1') },
        ],
      })
      exchange.setHeader('x-early', '1')
      writeHead(exchange, 200, ['content-type', 'text/plain'])
      expect(res.steps).deep.equal([
        ['head', 200, { 'x-early': '1', 'x-lower': '1', 'x-upper': '200 gateway', 'content-type': 'text/plain' }],
      ])
      expect(Object.keys((res.steps[0] as readonly unknown[])[2] as object)).deep.equal([
        'x-early',
        'x-lower',
        'x-upper',
        'content-type',
      ])
    })

    it('is written even if a hook throws', () => {
      const { exchange, res, faults } = notedExchange({
        hooks: [{ onSend: one => one.setHeader('x-upper', '1') }, { onSend: broken }],
      })
      writeHead(exchange, 204, [])
      expect(res.steps).deep.equal([['head', 204, { 'x-upper': '1' }]])
      expect(faults).lengthOf(1)
      expect(faults[0]).instanceOf(TypeError)
    })
  })

  describe('the end', () => {
    it('passes the outcome of the exchange to plugins', () => {
      const clock = new ManualClock()
      const { exchange, res } = notedExchange({ clock })
      const error = failure('backend_timeout', { model: 'm' })
      clock.advance(30)
      finish(exchange, 'failed', error)
      clock.advance(30)
      expect(res.steps).deep.equal([['finish', 'failed']])
      expect(exchange).include({ finished: true, outcome: 'failed', error, durationMs: 30 })
    })

    it('has status 499 if the client has disconnected, and nothing is sent', () => {
      const { exchange, res } = notedExchange()
      exchange.status = 200
      respond(exchange, CLIENT_GONE)
      expect(exchange.status).equal(499)
      expect(res.steps).deep.equal([['finish', 'client_gone']])
    })

    it('calls every onFinish, bottom to top, even after one that throws', () => {
      const ended: string[] = []
      const { exchange, faults, names } = notedExchange({
        hooks: [
          { onFinish: () => void ended.push('upper') },
          { onFinish: broken },
          { onFinish: () => void ended.push('lower') },
        ],
      })
      finish(exchange, 'done')
      expect(ended).deep.equal(['lower', 'upper'])
      expect(names()).deep.equal(['finish'])
      expect(faults).lengthOf(1)
    })

    it('releases the lease on the model', () => {
      const { exchange } = notedExchange()
      let released = 0
      exchange.upstream.modelLease = { release: () => void released++ }
      finish(exchange, 'done')
      expect(released).equal(1)
    })
  })
})
