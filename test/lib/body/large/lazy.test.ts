import { expect } from 'chai'
import { partsOf, replaceStart, textBytes, textStart, wholeText } from '../../../../lib/body/large/access.ts'
import { walkMessages } from '../../../../lib/body/large/lazy.ts'
import type { ChatRequest, Message } from '../../../../lib/canonical/request.ts'
import { largeRequest } from '../../../support/bodies.ts'
import { chatRequest } from '../../../support/canonical.ts'

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
