import { expect } from 'chai'
import type { ChatRequest } from '../../../lib/canonical/request.ts'
import { formatOf } from '../../../lib/formats/index.ts'
import { takeEcho } from '../../../lib/lifecycle/echo.ts'
import { bodyOf } from '../../support/bodies.ts'
import { chatRequest } from '../../support/canonical.ts'
import { OPTIONS } from '../../support/encoders.ts'

const responses = formatOf('responses')

const LARGE = 128 * 1024 + 1
const LONG = 'é'.repeat(64 * 1024)

const take = (request: ChatRequest, bodyBytes: number) => takeEcho(request, request.echo!, bodyBytes)

describe('lifecycle/echo', () => {
  it('is taken off the request', () => {
    const echo = { temperature: 0, instructions: LONG }
    const request = chatRequest({ echo })
    expect(take(request, LARGE - 1)).equal(echo)
    expect(request.echo).equal(undefined)
  })

  it('leaves out what is long in a large body', () => {
    const tools = [{ type: 'function', name: 'f' }]
    const big = [{ type: 'function', name: 'f', description: LONG }]
    const many = Array.from({ length: 40_000 }, () => 1)
    const kept = { tools, temperature: 0, instructions: 'i' }
    expect(take(chatRequest({ echo: kept }), LARGE)).deep.equal(kept)
    for (const metadata of [{ a: LONG }, { a: many }, { [LONG]: 1 }]) {
      expect(take(chatRequest({ echo: { ...kept, metadata } }), LARGE)).deep.equal(kept)
    }
    expect(take(chatRequest({ echo: { tools: big, instructions: LONG } }), LARGE)).deep.equal({})
  })

  it('holds texts of a large body decoded, and only those that are repeated', () => {
    for (const [length, isKept] of [
      [60_000, true],
      [70_000, false],
    ] as const) {
      const instructions = 'i'.repeat(length)
      const body = bodyOf({ model: 'm', instructions, input: 'a'.repeat(LARGE) })
      const request = body.translate(responses, OPTIONS)
      const echo = take(request as ChatRequest, LARGE)
      expect(echo).deep.equal(isKept ? { instructions } : {})
      for (const each of Object.values(Object.getOwnPropertyDescriptors(echo))) expect(each).property('value')
    }
  })
})
