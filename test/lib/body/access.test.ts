import { expect } from 'chai'
import {
  isText,
  partsOf,
  replaceStart,
  textBytes,
  textEnd,
  textPieces,
  textSample,
  textStart,
} from '../../../lib/body/access.ts'
import type { Message } from '../../../lib/canonical/request.ts'
import { lazyRequest } from '../../support/bodies.ts'
import { chatRequest, textRequest } from '../../support/canonical.ts'

const TEXT = `start "é🎉\n${'0123456789'.repeat(20_000)} end é🎉"`

const requestOf = (content: Message['content']) =>
  chatRequest({ messages: [{ role: 'user', content } as Message, { role: 'assistant', content: null }] })

for (const kind of ['ordinary', 'lazy'] as const) {
  const made = <T extends ReturnType<typeof chatRequest> | ReturnType<typeof textRequest>>(request: T): T =>
    kind === 'ordinary' ? request : lazyRequest(request)
  const messages = (content: Message['content']) => made(requestOf(content)).messages

  describe(`body/access: ${kind} texts`, () => {
    it('are told from parts', () => {
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

    it('get another start', () => {
      for (const count of [0, 5, 50_000]) {
        const [message] = messages(TEXT)
        replaceStart(message as { content: string }, 'content', count, 'é')
        expect(message!.content).equal(`é${TEXT.slice(count)}`)
        expect(textStart(message!, 'content', 3)).equal(`é${TEXT.slice(count)}`.slice(0, 3))
      }
    })

    it('are those that have been assigned, deleted or redefined', () => {
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

describe('body/access', () => {
  it('finds the end of a lazy text of any characters', () => {
    for (const word of ['a', 'é', '🎉', '"', '\n', '\u2028']) {
      const text = word.repeat(30_000)
      const { messages } = lazyRequest(requestOf(text), { startBytes: 0 })
      for (const count of [1, 2, 3, 700]) expect(textEnd(messages[0]!, 'content', count)).equal(text.slice(-count))
    }
  })
})
