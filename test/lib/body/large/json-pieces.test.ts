import { expect } from 'chai'
import type { Json, JsonObject } from '../../../../lib/base/json.ts'
import { jsonPieces } from '../../../../lib/body/large/json-pieces.ts'
import { ticksDuring } from '../../../support/ticks.ts'

const items = (n: number): Json[] =>
  Array.from({ length: n }, (_, i) => ({ role: 'user', content: `text "${i}" 🎉`, none: null }))

const BODIES: Readonly<Record<string, JsonObject>> = {
  'an empty one': {},
  'a short list': { model: 'm', messages: items(3) },
  'a long list between others': { model: 'm', messages: items(5000), tools: items(3), stream: true },
  'a long list first': { prompt: Array.from({ length: 5000 }, (_, i) => i), model: 'm' },
  'two long lists': { a: items(2000), b: items(5000), c: 1 },
  'long lists in messages': { messages: [{ content: items(2000), role: 'user' }, {}, { content: items(3000) }], n: 1 },
  'strange names': JSON.parse('{"__proto__":[1,2],"constructor":{"a":1},"messages":"[]"}') as JsonObject,
  'what is undefined': { a: undefined, list: [...items(2000), { content: undefined }], b: 1 },
}

describe('body/large/json-pieces', () => {
  for (const [name, body] of Object.entries(BODIES)) {
    it(`are the JSON of ${name}`, async () => {
      expect((await jsonPieces(body)).join('')).equal(JSON.stringify(body))
    })
  }

  it('are one where there is little, without a wait', () => {
    expect(jsonPieces({ messages: items(900) })).lengthOf(1)
  })

  it('are several where single texts are long', async () => {
    const tools = Array.from({ length: 30 }, () => ({ function: { description: 'd'.repeat(50_000) } }))
    const pieces = await jsonPieces({ tools })
    expect(pieces.length).above(5)
    expect(pieces.join('')).equal(JSON.stringify({ tools }))
  })

  it('are several of one text, none of which ends inside of a character or a placeholder', async () => {
    const token = `\x7f${'0123456789abcdef'.repeat(2)}`
    for (let before = 0; before < 60; before += 7) {
      const text = `${'x'.repeat(131_072 - before)}${token}17\x7f${'🎉'.repeat(140_000)}`
      const pieces = await jsonPieces({ a: [text], b: 'x' }, undefined, token)
      expect(pieces.join('')).equal(JSON.stringify({ a: [text], b: 'x' }))
      expect(pieces.length).above(2)
      expect(pieces.filter(piece => piece.includes(`${token}17\x7f`))).lengthOf(1)
    }
  })

  it('hold few values each, however short those are', async () => {
    const properties = Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`p${i}`, true]))
    const pieces = await jsonPieces({ a: { properties } })
    expect(pieces.join('')).equal(JSON.stringify({ a: { properties } }))
    expect(pieces.length).above(5)
  })

  it('serialise the short items of a list together', async () => {
    const body = { a: [...items(3), ...Array.from({ length: 100_000 }, () => ({})), 'x'.repeat(200_000), ...items(3)] }
    const { stringify } = JSON
    let calls = 0
    JSON.stringify = ((value: unknown) => {
      calls++
      return stringify(value)
    }) as typeof JSON.stringify
    let pieces: readonly string[]
    try {
      pieces = await jsonPieces(body)
    } finally {
      JSON.stringify = stringify
    }
    expect(pieces.join('')).equal(stringify(body))
    expect(calls).within(2, 200)
  })

  it('read the body only inside of the given function', async () => {
    let isReading = false
    const body = {
      get list() {
        if (!isReading) throw new Error('read outside')
        return items(20_000)
      },
    }
    const read = <T>(use: () => T) => {
      isReading = true
      try {
        return use()
      } finally {
        isReading = false
      }
    }
    expect((await jsonPieces(body, read)).join('')).equal(JSON.stringify({ list: items(20_000) }))
  })

  it('yield to the event loop after each', async () => {
    let pieces: readonly string[] = []
    const ticks = await ticksDuring(async () => {
      pieces = await jsonPieces({ messages: [{ content: items(20_000) }] })
    })
    expect(pieces.length).above(2)
    expect(ticks).least(2)
  })
})
