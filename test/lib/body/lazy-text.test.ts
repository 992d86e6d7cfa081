import { expect } from 'chai'
import type { Json, JsonObject } from '../../../lib/base/json.ts'
import {
  hasImages,
  imageParts,
  isText,
  LongTexts,
  makeLazy,
  partsOf,
  replaceStart,
  textBytes,
  textEnd,
  textPieces,
  textSample,
  textStart,
  withoutDecoding,
  withTemplates,
} from '../../../lib/body/lazy-text.ts'
import type { ImagePart, Message } from '../../../lib/canonical/request.ts'
import { lazyRequest, parsed } from '../../support/bodies.ts'
import { chatRequest, textRequest } from '../../support/canonical.ts'
import { collectYoungGarbage } from '../../support/garbage.ts'

/** An object whose member `a` is a lazy text between `before` and `after`. */
function lazyMember(text: string, before = '', after = ''): { a: string } {
  const texts = new LongTexts()
  const holder = { a: before + texts.add(Buffer.from(JSON.stringify(text).slice(1, -1))) + after }
  makeLazy(holder, texts)
  return holder
}

const WILD = `"\\\n\u0001é€🎉\u2028\ud800${'x'.repeat(100_000)}"`

describe('body/lazy-text: texts', () => {
  it('splits a string at its placeholders', () => {
    const texts = new LongTexts()
    const [a, b] = [texts.add(Buffer.from('A')), texts.add(Buffer.from('B'))]
    expect(texts.partsOf(`1${b}2${a}${a}`).map(String)).deep.equal(['1', 'B', '2', 'A', '', 'A', ''])
    expect(texts.partsOf('none')).deep.equal(['none'])
    expect([texts.isIn(a), texts.isIn(`x${a}x`), texts.isIn('x')]).deep.equal([true, true, false])
  })

  it('does not recognise placeholders of another body', () => {
    const [own, other] = [new LongTexts(), new LongTexts()]
    own.add(Buffer.from('A'))
    const forged = other.add(Buffer.from('B'))
    expect(own.isIn(forged)).equal(false)
    expect(own.partsOf(forged)).deep.equal([forged])
  })

  it('decodes a text once, as a whole or in pieces', () => {
    const holder = lazyMember(WILD, 'before ', ' after')
    const whole = `before ${WILD} after`
    const pieces = [...textPieces(holder, 'a')]
    expect(pieces.join('') === whole).equal(true)
    expect(pieces.length).above(3)
    expect(holder.a === whole).equal(true)
    expect([...textPieces(holder, 'a')]).deep.equal([whole])
  })

  it('returns the size of a text before and after decoding', () => {
    const holder = lazyMember('\n'.repeat(1000), 'é')
    expect(textBytes(holder, 'a')).equal(2002)
    expect(holder.a.length).equal(1001)
    expect(textBytes(holder, 'a')).equal(1002)
  })

  it('samples a text evenly, without cut characters', () => {
    const sample = textSample(lazyMember('a'.repeat(10_000) + '日'.repeat(10_000)), 'a', 8, 16)
    expect(sample).match(/^a+日+$/)
    expect(Buffer.byteLength(sample)).within(100, 128)
    expect(textSample(lazyMember('short'), 'a', 8, 16)).equal('short')
  })
})

const LONG = 'x'.repeat(5000)

/** An object whose long texts are lazy. */
function lazyValue(value: Json) {
  const { value: made, texts } = parsed(Buffer.from(JSON.stringify([value])))
  makeLazy(made as Json[], texts!)
  return { value: (made as Json[])[0] as JsonObject, texts: texts! }
}

const BODY: JsonObject = { a: LONG, list: ['short', LONG], deep: { deeper: { text: `${LONG}"` } }, none: null }

describe('body/lazy-text: members', () => {
  it('have the text of the client for reading, spreading, cloning and stringifying', () => {
    const { value } = lazyValue(BODY)
    expect(value).deep.equal(BODY)
    expect({ ...lazyValue(BODY).value }).deep.equal(BODY)
    expect(structuredClone(lazyValue(BODY).value)).deep.equal(BODY)
    expect(JSON.stringify(lazyValue(BODY).value)).equal(JSON.stringify(BODY))
    expect(Object.entries(lazyValue(BODY).value)).deep.equal(Object.entries(BODY))
    expect(new Proxy(value, {}).a).equal(LONG)
    expect((Object.create(value) as JsonObject).a).equal(LONG)
    expect([...(value.list as string[])]).deep.equal(['short', LONG])
  })

  it('can be assigned, deleted and redefined', () => {
    const { value } = lazyValue(BODY)
    value.a = 'new'
    expect([value.a, textBytes(value, 'a')]).deep.equal(['new', 3])
    delete value.a
    expect(value).not.have.property('a')
    value.a = 'again'
    expect(JSON.stringify(value.a)).equal('"again"')
    const list = value.list as string[]
    Object.defineProperty(list, 1, { value: 'defined', enumerable: true })
    expect([list, textBytes(list, 1)]).deep.equal([['short', 'defined'], 7])
  })

  it('can be assigned in a derived object without a change of the first', () => {
    const { value } = lazyValue(BODY)
    const derived = Object.create(value) as JsonObject
    derived.a = 'own'
    expect([derived.a, value.a]).deep.equal(['own', LONG])
  })

  it('read as templates on request: of one body, or of all', () => {
    const [one, two] = [lazyValue(BODY), lazyValue(BODY)]
    const lengths = () => [one, two].map(({ value }) => String(value.a).length)
    const [template, other] = withTemplates(one.texts, lengths) as [number, number]
    expect(template).below(400)
    expect(other).equal(LONG.length)
    expect(withoutDecoding(lengths)).deep.equal([template, template])
    expect(lengths()).deep.equal([LONG.length, LONG.length])
    expect(() => withoutDecoding(() => expect.fail('thrown'))).throw('thrown')
    expect(lengths()).deep.equal([LONG.length, LONG.length])
  })

  it('do not keep unused objects in memory', () => {
    const sizes: number[] = []
    const text = 'y'.repeat(1_000_000)
    for (let i = 0; i < 40; i++) {
      if (i % 10 === 0) sizes.push(process.memoryUsage().arrayBuffers)
      lazyValue({ text })
      collectYoungGarbage()
    }
    // Ten objects are created between two measurements. A few of them may be in use.
    expect(sizes[3]! - sizes[1]!, sizes.join(' ')).below(10 * text.length)
  })
})

const TEXT = `start "é🎉\n${'0123456789'.repeat(20_000)} end é🎉"`

const requestOf = (content: Message['content']) =>
  chatRequest({ messages: [{ role: 'user', content } as Message, { role: 'assistant', content: null }] })

for (const kind of ['ordinary', 'lazy'] as const) {
  const made = <T extends ReturnType<typeof chatRequest> | ReturnType<typeof textRequest>>(request: T): T =>
    kind === 'ordinary' ? request : lazyRequest(request)
  const messages = (content: Message['content']) => made(requestOf(content)).messages

  describe(`body/lazy-text: access to ${kind} texts`, () => {
    it('are distinguished from parts', () => {
      const [text, none] = messages(TEXT)
      expect([isText(text!, 'content'), isText(none!, 'content')]).deep.equal([true, false])
      expect(partsOf(text!)).deep.equal([])
      expect(partsOf(none!)).deep.equal([])
      const [parts] = messages([{ type: 'text', text: TEXT }])
      expect(isText(parts!, 'content')).equal(false)
      expect(partsOf(parts!)).deep.equal([{ type: 'text', text: TEXT }])
      const { prompt } = made(textRequest({ prompt: [TEXT, 'b'] }))
      expect([isText(prompt as string[], 0), isText(prompt as string[], 1)]).deep.equal([true, true])
      expect(isText(textRequest({ prompt: [1] }).prompt as number[], 0)).equal(false)
    })

    it('are read in part', () => {
      const [message, none] = messages(TEXT)
      expect([...textPieces(message!, 'content')].join('')).equal(TEXT)
      for (const count of [1, 5, 10, 100, 1000, 150_000, TEXT.length + 1]) {
        expect(textStart(message!, 'content', count)).equal(TEXT.slice(0, count))
        expect(textEnd(message!, 'content', count), String(count)).equal(TEXT.slice(-count))
      }
      expect([...textPieces(none!, 'content')]).deep.equal([])
      expect([textStart(none!, 'content', 9), textEnd(none!, 'content', 9)]).deep.equal(['', ''])
      expect(message!.content).equal(TEXT)
      expect([...textPieces(message!, 'content')].join('')).equal(TEXT)
      expect(textEnd(message!, 'content', 3)).equal(TEXT.slice(-3))
    })

    it('have a size', () => {
      const [message, none] = messages(TEXT)
      // Escapes of a lazy text may be counted: `\"`, `\n` and `\"`.
      expect(textBytes(message!, 'content')).within(Buffer.byteLength(TEXT), Buffer.byteLength(TEXT) + 3)
      expect(textBytes(none!, 'content')).equal(0)
      expect(message!.content).equal(TEXT)
      expect(textBytes(message!, 'content')).equal(Buffer.byteLength(TEXT))
    })

    it('are sampled', () => {
      const [message, none] = messages(TEXT)
      const sample = textSample(message!, 'content', 8, 16)
      expect(sample).equal(kind === 'ordinary' ? TEXT : sample.slice(0, 128))
      expect(sample).match(/\d{10}/)
      expect(textSample(none!, 'content', 8, 16)).equal('')
    })

    it('can have their start replaced', () => {
      for (const count of [0, 5, 50_000]) {
        const [message] = messages(TEXT)
        replaceStart(message as { content: string }, 'content', count, 'é')
        expect(message!.content).equal(`é${TEXT.slice(count)}`)
        expect(textStart(message!, 'content', 3)).equal(`é${TEXT.slice(count)}`.slice(0, 3))
      }
    })

    it('change when they are assigned, deleted or redefined', () => {
      const [message] = messages(TEXT)
      message!.content = [{ type: 'text', text: 'new' }]
      expect(isText(message!, 'content')).equal(false)
      expect(partsOf(message!)).deep.equal([{ type: 'text', text: 'new' }])
      const [other] = messages(TEXT) as unknown as [{ content?: unknown }]
      delete other.content
      expect(isText(other, 'content')).equal(false)
      Object.defineProperty(other, 'content', { value: 'abc', enumerable: true })
      expect(textBytes(other, 'content')).equal(3)
    })
  })
}

describe('body/lazy-text: access', () => {
  it('finds the end of a lazy text of any characters', () => {
    for (const word of ['a', 'é', '🎉', '"', '\n', '\u2028']) {
      const text = word.repeat(30_000)
      const { messages } = lazyRequest(requestOf(text), { startBytes: 0 })
      for (const count of [1, 2, 3, 700]) expect(textEnd(messages[0]!, 'content', count)).equal(text.slice(-count))
    }
  })
})

describe('body/lazy-text: image parts', () => {
  it('have the path at which the client sent them', () => {
    const image: ImagePart = { type: 'image', url: 'https://example.com/a.png' }
    const placed: ImagePart = { ...image, origin: 'messages.0.content.3.source' }
    const messages: Message[] = [
      { role: 'system', content: 'a' },
      { role: 'user', content: [{ type: 'text', text: 'a' }, image, placed] },
      { role: 'assistant', content: null },
      { role: 'tool', toolCallId: 'a', content: [image], origin: 'messages.7.content.0' },
    ]
    expect([...imageParts(messages)]).deep.equal([
      { part: image, param: 'messages.1.content.1', role: 'user' },
      { part: placed, param: 'messages.0.content.3.source', role: 'user' },
      { part: image, param: 'messages.7.content.0.content.0', role: 'tool' },
    ])
  })
  it('are found in small and large conversations', () => {
    const text = 'x'.repeat(10_000)
    const image: ImagePart = { type: 'image', url: `data:image/png;base64,${'A'.repeat(20_000)}` }
    const withImage = chatRequest({ messages: [{ role: 'user', content: [{ type: 'text', text }, image] }] })
    const without = chatRequest({
      messages: [
        { role: 'user', content: text },
        { role: 'assistant', content: null },
      ],
    })
    expect([hasImages(withImage), hasImages(lazyRequest(withImage))]).deep.equal([true, true])
    expect([hasImages(without), hasImages(lazyRequest(without))]).deep.equal([false, false])
  })
})
