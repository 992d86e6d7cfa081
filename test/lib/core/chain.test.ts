import { expect } from 'chai'
import { applies, compile, PART } from '../../../lib/core/chain.ts'
import { run } from '../../../lib/core/hooks.ts'
import { definePlugin, type Hooks } from '../../../lib/core/plugin.ts'
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

describe('core/chain', () => {
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

  it('filters by every column of the route table', () => {
    expect(applies(undefined, route, 'gateway')).equal(true)
    expect(applies({ surface: ['dedicated'] }, route, 'gateway')).equal(false)
    expect(applies({ format: ['messages'] }, route, 'gateway')).equal(false)
    expect(applies({ route: ['chat'], proxied: true, access: 'key' }, route, 'gateway')).equal(true)
    expect(applies({ proxied: false }, route, 'gateway')).equal(false)
    expect(applies({ access: 'public' }, route, 'gateway')).equal(false)
  })
})
