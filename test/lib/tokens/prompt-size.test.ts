import { expect } from 'chai'
import { type PromptSize, pipeSize, promptCount, promptSize } from '../../../lib/tokens/prompt-size.ts'
import { lazyRequest } from '../../support/bodies.ts'
import { chatRequest, textRequest, tool } from '../../support/canonical.ts'
import { EMPTY_SIZE } from '../../support/prompt-size.ts'

const user = (content: string) => chatRequest({ messages: [{ role: 'user', content }] })
const text = ({ letters, symbols, digits, mixed, wide, rare }: PromptSize) =>
  letters + symbols + digits + mixed + wide + rare

describe('the size of a prompt', () => {
  it('has the bytes of a message by kind', () => {
    const { letters, symbols, digits, mixed, wide, rare } = promptSize(user('some prose {"AB":1} 12 日本é🌁'))
    expect({ letters, symbols, digits, mixed, wide, rare }).deep.equal({
      ...{ letters: 12, symbols: 6, digits: 4, mixed: 1, wide: 8, rare: 4 },
    })
  })

  it('samples a long text evenly, and counts all its bytes', () => {
    const size = promptSize(user('prose '.repeat(20_000) + '{[]};'.repeat(24_000)))
    expect(Math.round(text(size))).equal(240_000)
    expect(size.letters / size.symbols).within(0.6, 1.7)
  })

  it('is about equal for a lazy text', () => {
    const content = 'prose 日本 12 '.repeat(20_000)
    const small = promptSize(user(content))
    const large = promptSize(lazyRequest(user(content)))
    expect(Math.round(text(large))).equal(Math.round(text(small)))
    expect(large.wide / text(large)).within((0.7 * small.wide) / text(small), (1.4 * small.wide) / text(small))
  })

  it('counts messages, tools, images and the fixed text of a template', () => {
    const image = { type: 'image', url: 'https://example.com/a.png' } as const
    const request = chatRequest({
      messages: [
        { role: 'system', content: 'yes' },
        { role: 'user', content: [{ type: 'text', text: 'no' }, image, image] },
        { role: 'assistant', content: null, toolCalls: [{ id: 'c', name: 'f', arguments: 'abc' }] },
      ],
      tools: [tool({ description: 'd'.repeat(300), parameters: { type: 'object' } })],
    })
    const size = promptSize(request)
    expect(size).include({ pieces: 4, images: 2, requests: 1, toolsets: 1, letters: 8 })
    expect(size.tools).within(310, 340)
  })

  it('counts the bytes of a long description without decoding it', () => {
    // An escape counts as the two bytes that the client sent.
    const request = lazyRequest(chatRequest({ tools: [tool({ description: '\n'.repeat(50_000) })] }))
    expect(promptSize(request).tools).within(100_000 - 256, 100_100)
    expect(request.tools[0]!.description?.length).equal(50_000)
    expect(promptSize(request).tools, 'decoded').within(50_000, 50_100)
  })

  it('counts reasoning of earlier turns only if it is part of the prompt', () => {
    const message = { role: 'assistant', content: 'a', reasoning: 'b'.repeat(50) } as const
    const size = (asked: boolean) =>
      promptSize(chatRequest({ messages: [message], preserveThinking: { asked, param: 'x' } })).letters
    expect([size(false), size(true)]).deep.equal([1, 51])
  })

  it('counts token ids, and adds the prompts of a batch', () => {
    const ids = (prompt: number[] | number[][]) => promptSize(textRequest({ prompt })).ids
    expect([ids([1, 2, 3]), ids([[1, 2, 3], [4]])]).deep.equal([3, 4])
    expect(promptSize(textRequest({ prompt: ['abc', 'de'] })).letters).equal(5)
    const prompts = ['x', ['x', 'y'], [1, 2, 3], [[1, 2, 3], [4]], []]
    expect(prompts.map(prompt => promptCount({ prompt } as { prompt: string[] }))).deep.equal([1, 2, 1, 2, 1])
  })

  it('counts a query once per document', () => {
    const of = (body: Parameters<typeof pipeSize>[0]) => pipeSize(body, 300)
    const query = 'q'.repeat(100)
    expect(of({ input: ['x', 'y'] })).deep.equal({ ...EMPTY_SIZE, letters: 300, pieces: 1 })
    expect(of({ query, documents: ['a'] }).letters).equal(300)
    expect(of({ query, documents: ['a', 'b', 'c'] }).letters).equal(500)
    expect(of({ text_1: query, text_2: ['a', 'b', 'c'] }).letters).equal(500)
    expect(of({ input: [1, 1] })).include({ letters: 0, ids: 150, pieces: 0.5 })
  })
})

/** Bytes of a message by kind. */
function kindsOf(content: string) {
  const { pieces: _, requests: __, ...size } = promptSize(user(content))
  return Object.fromEntries(Object.entries(size).filter(([, count]) => count > 0))
}

describe('a sampled text', () => {
  it('is small letters and blanks, symbols, and digits with the blank before them', () => {
    expect(kindsOf('some prose')).deep.equal({ letters: 10 })
    expect(kindsOf('The End.')).deep.equal({ letters: 5, symbols: 3 })
    expect(kindsOf('a 1 23')).deep.equal({ letters: 1, digits: 5 })
  })

  it('is mixed if its characters change inside of a word or number', () => {
    expect(kindsOf('camelCase')).deep.equal({ letters: 8, mixed: 1 })
    expect(kindsOf('a3f9')).deep.equal({ letters: 1, mixed: 3 })
    expect(kindsOf('3.25,1')).deep.equal({ digits: 4, mixed: 2 })
    expect(kindsOf('B2C')).deep.equal({ symbols: 1, mixed: 2 })
  })

  it('is wide in non-Latin scripts, and rare in those with few tokens', () => {
    expect(kindsOf('é')).deep.equal({ wide: 2 })
    expect(kindsOf('Ωж日本한')).deep.equal({ wide: 13 })
    expect(kindsOf('नमსთአ')).deep.equal({ rare: 15 })
    expect(kindsOf('🌁🏤')).deep.equal({ rare: 8 })
    expect(kindsOf('日🌁日')).deep.equal({ wide: 6, rare: 4 })
  })

  it('counts as prose if its sample is empty', () => {
    // Samples lose this character, because decoding also writes it for a character that a sample cuts.
    const { letters } = promptSize(lazyRequest(user('\ufffd'.repeat(20_000))))
    expect(letters).equal(60_000)
  })

  it('is read in samples, whose total length is bounded per request', () => {
    const content = 'x1'.repeat(5000)
    const messages = Array.from({ length: 100 }, () => ({ role: 'user', content }) as const)
    const size = promptSize(chatRequest({ messages }))
    expect(text(size)).closeTo(1_000_000, 1e-3)
    expect(size.mixed).above(900_000)
  })
})
