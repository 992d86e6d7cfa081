import { expect } from 'chai'
import { joined, jsonPieces, sliced } from '../../../lib/body/slices.ts'
import type { Json, JsonObject } from '../../../lib/json.ts'

const items = (n: number): Json[] =>
  Array.from({ length: n }, (_, i) => ({ role: 'user', content: `text "${i}" 🎉`, none: null }))

const BODIES: Readonly<Record<string, JsonObject>> = {
  'an empty one': {},
  'a short list': { model: 'm', messages: items(3) },
  'a long list between others': { model: 'm', messages: items(5000), tools: items(3), stream: true },
  'a long list first': { prompt: Array.from({ length: 5000 }, (_, i) => i), model: 'm' },
  'two long lists': { a: items(2000), b: items(5000), c: 1 },
  'strange names': JSON.parse('{"__proto__":[1,2],"constructor":{"a":1},"messages":"[]"}') as JsonObject,
}

describe('body/slices', () => {
  for (const [name, body] of Object.entries(BODIES)) {
    it(`hands over ${name}`, async () => {
      const text = JSON.stringify(body)
      expect(JSON.stringify(await joined(sliced(structuredClone(body)), () => true))).equal(text)
      const pieces = await jsonPieces(body)
      expect(pieces.join('')).equal(text)
    })
  }

  it('hands over what is no object', async () => {
    for (const value of [null, 1, 'a', [], items(5000)] as Json[]) {
      expect(await joined(sliced(structuredClone(value)), () => true)).deep.equal(value)
    }
  })

  it('lets others have a turn, and gives up when nobody wants the body any more', async () => {
    const body = sliced({ messages: items(20_000) })
    expect(body.slices.length).greaterThan(2)
    let turns = 0
    let reading = true
    const count = () => {
      turns++
      if (reading) setImmediate(count)
    }
    count()
    await joined(body, () => true)
    reading = false
    expect(turns).least(body.slices.length)
    let left = 2
    expect(await joined(body, () => left-- > 0)).equal(undefined)
  })

  it('leaves out what is undefined', async () => {
    expect((await jsonPieces({ a: undefined, list: items(2000), b: 1 })).join('')).equal(
      JSON.stringify({ list: items(2000), b: 1 }),
    )
  })
})
