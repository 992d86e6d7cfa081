import { expect } from 'chai'
import { applies, compile, run, type Step } from '../../../lib/core/chain.ts'
import type { Exchange } from '../../../lib/core/exchange.ts'
import { definePlugin, type Hooks } from '../../../lib/core/plugin.ts'
import { fail } from '../../../lib/errors/errors.ts'
import { chat } from '../../../lib/formats/chat/index.ts'
import { ROUTES, type Route } from '../../../lib/routes/routes.ts'

const route = ROUTES.find(({ name }) => name === 'chat') as Route

function recorder() {
  const calls: string[] = []
  const ready = (name: string, hooks: Hooks) => ({
    plugin: definePlugin({ name, summary: '', setup: () => hooks }),
    hooks,
  })
  return { calls, ready }
}

const exchange = () => ({ plugin: '', replied: false, gone: false }) as unknown as Exchange

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
    for (const hook of chain.response) hook({} as never)
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

  it('keeps synchronous hooks synchronous', () => {
    const steps: Step[] = [{ plugin: 'a', call: () => {} }]
    expect(run(steps, exchange())).equal(undefined)
  })

  it('waits for a promise before it goes on', async () => {
    const { calls } = recorder()
    const steps: Step[] = [
      { plugin: 'slow', call: () => new Promise(resolve => setImmediate(() => resolve(void calls.push('slow')))) },
      { plugin: 'next', call: () => void calls.push('next') },
    ]
    await run(steps, exchange())
    expect(calls).deep.equal(['slow', 'next'])
  })

  it('stops at a reply, at a refusal and when the client has left', async () => {
    const { calls } = recorder()
    const next: Step = { plugin: 'next', call: () => void calls.push('next') }
    run([{ plugin: 'answers', call: one => void Object.assign(one, { replied: true }) }, next], exchange())
    const refusing = exchange()
    expect(() => run([{ plugin: 'refuses', call: () => fail('missing_api_key', {}) }, next], refusing)).throw(
      'No API key',
    )
    expect(refusing.plugin).equal('refuses')
    await run([{ plugin: 'waits', call: async one => void Object.assign(one, { gone: true }) }, next], exchange())
    expect(calls).deep.equal([])
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
