import { expect } from 'chai'
import type { Steps } from '../../../../lib/base/steps.ts'
import {
  isText,
  mostCharacters,
  partsOf,
  replaceStart,
  scanText,
  textBytes,
  textEnd,
  textPieces,
  textStart,
  walkMessages,
  walkMessagesInSteps,
  wholeText,
} from '../../../../lib/body/large/access.ts'
import type { TextScanner } from '../../../../lib/body/large/texts.ts'
import type { ChatRequest, Message } from '../../../../lib/canonical/request.ts'
import { largeRequest } from '../../../support/bodies.ts'
import { chatRequest, textRequest } from '../../../support/canonical.ts'
import { collectYoungGarbage } from '../../../support/garbage.ts'

const TEXT = `start "é🎉\n${'0123456789'.repeat(20_000)} end é🎉"`

const requestOf = (content: Message['content']) =>
  chatRequest({ messages: [{ role: 'user', content } as Message, { role: 'assistant', content: null }] })

for (const size of ['small', 'large'] as const) {
  const sized = <T extends ReturnType<typeof chatRequest> | ReturnType<typeof textRequest>>(request: T): T =>
    size === 'small' ? request : largeRequest(request)
  const messages = (content: Message['content']) => sized(requestOf(content)).messages

  describe(`access to texts of a ${size} body`, () => {
    it('tells texts from parts', () => {
      const [text, none] = messages(TEXT)
      expect([isText(text!, 'content'), isText(none!, 'content')]).deep.equal([true, false])
      expect(partsOf(text!)).deep.equal([])
      expect(partsOf(none!)).deep.equal([])
      const [parts] = messages([{ type: 'text', text: TEXT }])
      expect(isText(parts!, 'content')).equal(false)
      expect(partsOf(parts!)).deep.equal([{ type: 'text', text: TEXT }])
      const { prompt } = sized(textRequest({ prompt: [TEXT, 'b'] }))
      expect([isText(prompt as string[], 0), isText(prompt as string[], 1)]).deep.equal([true, true])
      expect(isText(textRequest({ prompt: [1] }).prompt as number[], 0)).equal(false)
    })

    it('gives parts of a text', () => {
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

    it('shows a text as it is in memory, until enough was seen', () => {
      const [message, none] = messages(TEXT)
      let seen = ''
      const scanner = (most: number): TextScanner => {
        const isEnough = () => seen.length < most
        return {
          text(text, from, end) {
            seen += text.slice(from, end)
            return isEnough()
          },
          bytes(bytes, from, end) {
            seen += bytes.toString('utf8', from, end)
            return isEnough()
          },
        }
      }
      scanText(none!, 'content', scanner(1))
      expect(seen).equal('')
      scanText(message!, 'content', scanner(Number.POSITIVE_INFINITY))
      // The bytes of a long text are those that the client sent.
      const wire = size === 'small' ? TEXT : TEXT.slice(0, 100) + JSON.stringify(TEXT).slice(1, -1).slice(-199_000)
      expect([seen.slice(0, 100), seen.slice(-100_000)]).deep.equal([wire.slice(0, 100), wire.slice(-100_000)])
      seen = ''
      scanText(message!, 'content', scanner(1))
      expect(seen.length).within(1, size === 'small' ? TEXT.length : 1000)
    })

    it('bounds how many characters a text has', () => {
      const [message, none] = messages(TEXT)
      expect(mostCharacters(none!, 'content')).equal(0)
      expect(mostCharacters(message!, 'content')).within(TEXT.length, TEXT.length + 100)
      expect(message!.content).equal(TEXT)
      expect(mostCharacters(message!, 'content')).equal(TEXT.length)
    })

    it('tells how large a text is', () => {
      const [message, none] = messages(TEXT)
      // Escapes of a long text may be counted: `\"`, `\n` and `\"`.
      expect(textBytes(message!, 'content')).within(Buffer.byteLength(TEXT), Buffer.byteLength(TEXT) + 3)
      expect(textBytes(none!, 'content')).equal(0)
      expect(message!.content).equal(TEXT)
      expect(textBytes(message!, 'content')).equal(Buffer.byteLength(TEXT))
    })

    it('replaces the start of a text', () => {
      for (const count of [0, 5, 50_000]) {
        const [message] = messages(TEXT)
        replaceStart(message as { content: string }, 'content', count, 'é')
        expect(message!.content).equal(`é${TEXT.slice(count)}`)
        expect(textStart(message!, 'content', 3)).equal(`é${TEXT.slice(count)}`.slice(0, 3))
      }
    })

    it('sees what has been assigned, deleted or redefined', () => {
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

describe('access to texts of a large body', () => {
  it('finds the end of a text that came in many pieces', () => {
    for (const word of ['a', 'é', '🎉', '"', '\n', '\u2028']) {
      const text = word.repeat(3000)
      const { messages } = largeRequest(requestOf(text) as ChatRequest, { keep: 0 })
      for (const count of [1, 2, 3, 700]) expect(textEnd(messages[0]!, 'content', count)).equal(text.slice(-count))
    }
  })
})

const LONG = `start "é🎉\n${'0123456789'.repeat(20_000)} end`

const MESSAGES: readonly Message[] = [
  { role: 'system', content: 'short' },
  { role: 'user', content: LONG },
  {
    role: 'user',
    content: [
      { type: 'text', text: LONG },
      { type: 'image', url: `data:image/png;base64,${'A'.repeat(20_000)}` },
    ],
  },
  { role: 'assistant', content: null, toolCalls: [{ id: 'a', name: 'f', arguments: LONG }] },
]

const large = () => largeRequest(chatRequest({ messages: structuredClone(MESSAGES) as Message[] }))

/** What a walk finds in the messages. */
const found = (request: ChatRequest) =>
  walkMessages(
    request,
    messages =>
      messages.map(message => [
        wholeText(message, 'content'),
        partsOf(message).map(part => (part.type === 'text' ? wholeText(part, 'text') : wholeText(part, 'url'))),
        message.role === 'assistant' ? message.toolCalls?.map(call => wholeText(call, 'arguments')) : undefined,
      ]),
    undefined,
  )

describe('body/large/lazy', () => {
  it('makes accessors when a plugin reads the messages, in whatever way', () => {
    expect(large().messages).deep.equal(MESSAGES)
    expect({ ...large() }.messages).deep.equal(MESSAGES)
    expect(structuredClone(large()).messages).deep.equal(MESSAGES)
    expect(JSON.parse(JSON.stringify(large())).messages).deep.equal(JSON.parse(JSON.stringify(MESSAGES)))
    expect(new Proxy(large(), {}).messages).deep.equal(MESSAGES)
    expect((Object.create(large()) as ChatRequest).messages).deep.equal(MESSAGES)
    expect(Object.keys({ ...large() })).deep.equal(Object.keys(JSON.parse(JSON.stringify(chatRequest({})))))
  })

  it('keeps the same messages from then on', () => {
    const request = large()
    const { messages } = request
    expect(request.messages).equal(messages)
    messages[1]!.content = 'new'
    messages.push({ role: 'user', content: 'last' })
    expect(request.messages.slice(1, 2)).deep.equal([{ role: 'user', content: 'new' }])
    expect(request.messages.at(-1)).deep.equal({ role: 'user', content: 'last' })
  })

  it('takes other messages', () => {
    const request = large()
    request.messages = [{ role: 'user', content: 'new' }]
    expect(request.messages).deep.equal([{ role: 'user', content: 'new' }])
    expect(walkMessages(request, messages => messages.length, undefined)).equal(1)
    const derived = Object.create(large()) as ChatRequest
    derived.messages = []
    expect(derived.messages).deep.equal([])
  })

  it('keeps no finished request in memory until a full collection', () => {
    const sizes: number[] = []
    for (let i = 0; i < 40; i++) {
      if (i % 10 === 0) sizes.push(process.memoryUsage().arrayBuffers)
      const messages = [{ role: 'user', content: LONG.repeat(4) }] as Message[]
      largeRequest(chatRequest({ messages }))
      const released = largeRequest(chatRequest({ messages }))
      released.messages = []
      collectYoungGarbage()
    }
    const { length } = LONG.repeat(4)
    // Twenty requests of this size between two measurements; a few may have been in use by then.
    expect(sizes[3]! - sizes[1]!, sizes.join(' ')).below(10 * length)
  })

  it('walks the same messages without accessors, with them, and in a small body', () => {
    const expected = found(chatRequest({ messages: [...MESSAGES] }))
    const request = large()
    expect(found(request)).deep.equal(expected)
    expect(request.messages).deep.equal(MESSAGES)
    expect(found(request)).deep.equal(expected)
  })

  it('makes no accessors for a walk', () => {
    const request = large()
    const descriptors = () =>
      walkMessages(request, messages => Object.getOwnPropertyDescriptor(messages[1], 'content'), undefined)
    expect(descriptors()).include.keys('value')
    expect(request.messages).lengthOf(4)
    expect(descriptors()).include.keys('get')
  })

  it('gives parts of texts inside of a walk, and nothing outside of it', () => {
    const request = large()
    const stray = walkMessages(
      request,
      messages => {
        expect(textStart(messages[1]!, 'content', 9)).equal(LONG.slice(0, 9))
        expect(textBytes(messages[1]!, 'content')).within(Buffer.byteLength(LONG), Buffer.byteLength(LONG) + 2)
        return messages[1]!
      },
      undefined,
    )
    expect(wholeText(stray, 'content')).not.equal(LONG)
    expect(() => walkMessages(request, () => expect.fail('thrown'), undefined)).throw('thrown')
    expect(wholeText(stray, 'content')).not.equal(LONG)
  })

  it('shows placeholders in each step of a walk, and not in its pauses', () => {
    function* startOf(messages: readonly Message[], count: number): Steps<string> {
      let starts = ''
      for (let i = 0; i < 3; i++) {
        starts += textStart(messages[1]!, 'content', count)
        yield
      }
      return starts
    }
    for (const request of [large(), chatRequest({ messages: [...MESSAGES] })]) {
      const [stray] = walkMessages(request, messages => [messages[1]!], undefined)
      const steps = walkMessagesInSteps(request, startOf, 9)
      for (let i = 0; i < 3; i++) {
        expect(steps.next().done).equal(false)
        if (stray.content !== LONG) expect(wholeText(stray, 'content')).not.equal(LONG)
      }
      expect(steps.next()).deep.equal({ done: true, value: LONG.slice(0, 9).repeat(3) })
    }
  })

  it('throws what a walk throws in a later step', () => {
    function* failing(): Steps<never> {
      yield
      throw new Error('thrown')
    }
    const steps = walkMessagesInSteps(large(), failing, undefined)
    steps.next()
    expect(() => steps.next()).throw('thrown')
  })

  it('keeps what a walk has assigned', () => {
    const request = large()
    walkMessages(
      request,
      messages => {
        for (const message of messages)
          if (message.role === 'assistant') for (const call of message.toolCalls ?? []) call.arguments = '{}'
        const image = partsOf(messages[2]!)[1]!
        if (image.type === 'image') replaceStart(image, 'url', 5, 'DATA:')
      },
      undefined,
    )
    expect(request.messages[3]).deep.equal({
      role: 'assistant',
      content: null,
      toolCalls: [{ id: 'a', name: 'f', arguments: '{}' }],
    })
    const image = partsOf(request.messages[2]!)[1]!
    expect(image.type === 'image' && image.url).equal(`DATA:image/png;base64,${'A'.repeat(20_000)}`)
  })
})
