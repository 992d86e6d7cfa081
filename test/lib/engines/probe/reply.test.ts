import { expect } from 'chai'
import type { Json } from '../../../../lib/base/json.ts'
import { at, contentOf, deltasOf, errorMessage, isOk, list, promptTokens } from '../../../../lib/engines/probe/reply.ts'

function reply(status: number, body: Json | undefined, events: readonly Json[] = []) {
  return { status, problem: '', body, events }
}

describe('engines/probe/reply', () => {
  it('finds nested members, or nothing', () => {
    const value = { a: [{ b: 1 }] }
    expect(at(value, 'a', 0, 'b')).equal(1)
    for (const path of [['a', 'b'], [0], ['a', 1, 'b'], ['a', 0, 'b', 'c']]) expect(at(value, ...path)).equal(undefined)
    expect(list('text')).deep.equal([])
  })

  it('recognises an error with status 200', () => {
    expect(isOk(reply(200, { choices: [], error: null }))).equal(true)
    expect(isOk(reply(200, { error: { message: 'm' } }))).equal(false)
    expect(isOk(reply(204, undefined))).equal(true)
    expect(isOk(reply(302, undefined))).equal(false)
    expect(isOk(reply(0, undefined))).equal(false)
  })

  it('reads the message of an error in every form', () => {
    const messages = [{ error: { message: 'm' } }, { object: 'error', message: 'm' }, { detail: 'm' }, { error: 'm' }]
    for (const body of messages) expect(errorMessage(reply(400, body)), JSON.stringify(body)).equal('m')
    expect(errorMessage(reply(502, undefined))).equal('')
  })

  it('reads the members of a reply if they have the right type', () => {
    const whole = reply(200, { choices: [{ message: { content: 'hi' } }], usage: { prompt_tokens: 3 } })
    expect(contentOf(whole)).equal('hi')
    expect(promptTokens(whole)).equal(3)
    expect(contentOf(reply(200, { choices: [{ message: { content: null } }] }))).equal('')
    expect(promptTokens(reply(400, { usage: { prompt_tokens: 3 } }))).equal(undefined)
    const events = [
      { choices: [{ delta: { content: 'a' } }] },
      { choices: [] },
      { choices: [{ delta: null }] },
      { error: {} },
    ]
    expect(deltasOf(reply(200, undefined, events))).deep.equal([{ content: 'a' }])
  })
})
