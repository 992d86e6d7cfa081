import { expect } from 'chai'
import type { RouteName } from '../../../lib/console.ts'
import { ROUTES, type Route } from '../../../lib/plugin.ts'
import { play } from '../../../lib/testing.ts'
import validate from '../../../plugins/request/validate/index.ts'
import { ignored, zdr } from '../../../plugins/slots.ts'

const messages = [{ role: 'user', content: 'Hi' }]

describe('validate', () => {
  it('admits a body that matches its schema', async () => {
    const { error } = await play(validate, { route: 'chat', body: { model: 'm', messages } })
    expect(error).equal(undefined)
  })

  it('refuses one that does not', async () => {
    const { error } = await play(validate, { route: 'chat', body: { model: 'm', messages, temperature: 'hot' } })
    expect(error).include({ code: 'schema_validation_failed', status: 422 })
    expect(error?.details).include({ param: 'temperature', ownParam: true })
  })

  it('names ignored members in a header, with safe characters', async () => {
    const headerOf = async (names: readonly string[]) => {
      const members = Object.fromEntries(names.map(name => [name, 1]))
      const body = { model: 'm', messages: [{ role: 'user', content: 'Hi', ...members }] }
      return (await play(validate, { route: 'chat', body })).headers['x-service-ignored']
    }
    expect(await headerOf([])).equal(undefined)
    expect(await headerOf(['weight', 'a_b-C'])).equal('messages.0.weight, messages.0.a_b-C')
    const odd = await headerOf(['a.b, c\r\nset-cookie: x', 'é\ud800', "('*!~)"])
    expect(odd).equal(
      'messages.0.a%2Eb%2C%20c%0D%0Aset-cookie%3A%20x, messages.0.%C3%A9%EF%BF%BD, messages.0.%28%27%2A%21%7E%29',
    )
    const long = await headerOf(['x'.repeat(5000)])
    expect(long).equal(`messages.0.${'x'.repeat(64)}...`)
    expect(await headerOf(['é'.repeat(40)])).match(/^messages\.0\.(%C3%A9){10}(%C3)?\.\.\.$/)
    const many = await headerOf(Array.from({ length: 50 }, (_, i) => `member_${i}`))
    expect(many).equal(Array.from({ length: 8 }, (_, i) => `messages.0.member_${i}`).join(', '))
    const longer = await headerOf(Array.from({ length: 8 }, (_, i) => `${i}${'y'.repeat(50)}`))
    expect(longer!.length).within(130, 200)
    for (const value of [odd, long, many, longer]) expect(value).match(/^[\w.%, -]{1,200}$/)
  })

  it('provides names for the log, without names that may be content, and without all names under ZDR', async () => {
    const content = [{ type: 'text', text: 'Hi', 'my secret': 1, weight: 1 }]
    const body = { model: 'm', messages: [{ role: 'user', content }] }
    const loggedWith = async (required: 'header' | null) => {
      const { exchange } = await play(validate, { route: 'chat', body, given: [[zdr, required]] })
      return exchange.find(ignored)
    }
    const hidden = 'messages.0.content.0.<9 characters>'
    expect(await loggedWith(null)).deep.equal({ count: 2, paths: [hidden, 'messages.0.content.0.weight'] })
    expect(await loggedWith('header')).deep.equal({ count: 2, paths: [hidden, 'messages.0.content.0.<6 characters>'] })
  })

  it('runs on routes whose body has a schema, and no others', async () => {
    for (const { name, body } of ROUTES as readonly Route[]) {
      const played = play(validate, { route: name as RouteName, body: {} }).then(
        () => true,
        () => false,
      )
      expect(await played, name).equal(body !== null)
    }
  })
})
