import { expect } from 'chai'
import type { Json, JsonObject } from '../../../lib/base/json.ts'
import { lazyText, makeLazy, withoutDecoding, withTemplates } from '../../../lib/body/lazy-members.ts'
import { parsed } from '../../support/bodies.ts'
import { collectYoungGarbage } from '../../support/garbage.ts'

const LONG = 'x'.repeat(5000)

/** An object whose long texts are lazy. */
function lazy(value: Json) {
  const { value: made, texts } = parsed(Buffer.from(JSON.stringify([value])))
  makeLazy(made as Json[], texts)
  return { value: (made as Json[])[0] as JsonObject, texts }
}

const BODY: JsonObject = { a: LONG, list: ['short', LONG], deep: { deeper: { text: `${LONG}"` } }, none: null }

describe('body/lazy-members', () => {
  it('shows every text as the client wrote it, by reading, spreading, cloning and stringifying', () => {
    const { value } = lazy(BODY)
    expect(value).deep.equal(BODY)
    expect({ ...lazy(BODY).value }).deep.equal(BODY)
    expect(structuredClone(lazy(BODY).value)).deep.equal(BODY)
    expect(JSON.stringify(lazy(BODY).value)).equal(JSON.stringify(BODY))
    expect(Object.entries(lazy(BODY).value)).deep.equal(Object.entries(BODY))
    expect(new Proxy(value, {}).a).equal(LONG)
    expect((Object.create(value) as JsonObject).a).equal(LONG)
    expect([...(value.list as string[])]).deep.equal(['short', LONG])
  })

  it('shows what has been assigned, deleted and redefined', () => {
    const { value } = lazy(BODY)
    value.a = 'new'
    expect([value.a, lazyText(value, 'a')]).deep.equal(['new', undefined])
    delete value.a
    expect(value).not.have.property('a')
    value.a = 'again'
    expect(JSON.stringify(value.a)).equal('"again"')
    const list = value.list as string[]
    Object.defineProperty(list, 1, { value: 'defined', enumerable: true })
    expect([list, lazyText(list, 1)]).deep.equal([['short', 'defined'], undefined])
  })

  it('assigns to an object that is derived without a change of the first', () => {
    const { value } = lazy(BODY)
    const derived = Object.create(value) as JsonObject
    derived.a = 'own'
    expect([derived.a, value.a]).deep.equal(['own', LONG])
  })

  it('shows placeholders while they are asked for: of one body, or of all', () => {
    const [one, two] = [lazy(BODY), lazy(BODY)]
    const lengths = () => [one, two].map(({ value }) => String(value.a).length)
    const [template, other] = withTemplates(one.texts, lengths) as [number, number]
    expect(template).below(400)
    expect(other).equal(LONG.length)
    expect(withoutDecoding(lengths)).deep.equal([template, template])
    expect(lengths()).deep.equal([LONG.length, LONG.length])
    expect(() => withoutDecoding(() => expect.fail('thrown'))).throw('thrown')
    expect(lengths()).deep.equal([LONG.length, LONG.length])
  })

  it('keeps no object in memory that is not used any more', () => {
    const sizes: number[] = []
    const text = 'y'.repeat(1_000_000)
    for (let i = 0; i < 40; i++) {
      if (i % 10 === 0) sizes.push(process.memoryUsage().arrayBuffers)
      lazy({ text })
      collectYoungGarbage()
    }
    // Ten objects are made between two measurements. A few may be in use.
    expect(sizes[3]! - sizes[1]!, sizes.join(' ')).below(10 * text.length)
  })
})
