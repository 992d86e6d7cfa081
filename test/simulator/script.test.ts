import { expect } from 'chai'
import { Cursor, type Script, type Segment, writeScript } from '../../simulator/script.ts'

const LIMITS = { maxTokens: 100, stop: [], keepStop: false, argumentPieces: 'tokens' } as const
const call = { index: 0, id: 'call-1', name: 'f' }

function pieces(script: Script): (readonly [string, string, boolean])[] {
  const cursor = new Cursor(script)
  const seen: (readonly [string, string, boolean])[] = []
  while (!cursor.isDone) {
    cursor.advance()
    seen.push([cursor.segment.kind, cursor.text, cursor.isOpening])
  }
  expect(cursor.count).equal(script.tokens)
  return seen
}

describe('simulator/script', () => {
  it('is iterated token by token; the first token of a call has only its name', () => {
    const script = writeScript(
      [
        { kind: 'reasoning', text: 'hm ok' },
        { kind: 'content', text: '' },
        { kind: 'content', text: 'go' },
        { kind: 'tool', text: '{}', call },
        { kind: 'tool', text: '', call: { ...call, index: 1 } },
      ],
      'tool_calls',
      LIMITS,
    )
    expect(pieces(script)).deep.equal([
      ['reasoning', 'hm', true],
      ['reasoning', ' ok', false],
      ['content', 'go', true],
      ['tool', '', true],
      ['tool', '{', false],
      ['tool', '}', false],
      ['tool', '', true],
    ])
    expect(script).include({ finish: 'tool_calls', tokens: 7, reasoningTokens: 2, matchedStop: null })
  })

  it('sends arguments by whole characters if the engine does', () => {
    const script = writeScript([{ kind: 'tool', text: '{"a":"x🌊"}', call }], 'stop', {
      ...LIMITS,
      argumentPieces: 'characters',
    })
    const texts = pieces(script).map(([, text]) => text)
    expect(texts[0]).equal('{')
    expect(texts.join('')).equal('{"a":"x🌊"}')
    for (const text of texts) expect(text.isWellFormed()).equal(true)
  })

  it('ends at the token limit, wherever that is', () => {
    const wish: Segment[] = [
      { kind: 'content', text: 'one two three' },
      { kind: 'tool', text: '{"a":1}', call },
    ]
    const cut = (maxTokens: number) => {
      const { segments, finish, tokens } = writeScript(wish, 'tool_calls', { ...LIMITS, maxTokens })
      return [segments.map(({ text }) => text), finish, tokens]
    }
    expect(cut(2)).deep.equal([['one two'], 'length', 2])
    expect(cut(3)).deep.equal([['one two three'], 'length', 3])
    expect(cut(4)).deep.equal([['one two three', ''], 'length', 4])
    expect(cut(6)).deep.equal([['one two three', '{"'], 'length', 6])
    expect(cut(11)).deep.equal([['one two three', '{"a":1}'], 'tool_calls', 11])
  })

  it('ends before the first stop string in the text, not in the reasoning', () => {
    const wish: Segment[] = [
      { kind: 'reasoning', text: 'END' },
      { kind: 'content', text: 'one END two STOP' },
    ]
    const stopped = writeScript(wish, 'stop', { ...LIMITS, stop: ['STOP', 'END'] })
    expect(stopped.segments[1]!.text).equal('one ')
    expect(stopped).include({ finish: 'stop', matchedStop: 'END' })
    expect(writeScript(wish, 'stop', { ...LIMITS, stop: ['END'], keepStop: true }).segments[1]!.text).equal('one END')
    expect(writeScript(wish, 'stop', { ...LIMITS, stop: ['END'], maxTokens: 1 })).include({
      finish: 'length',
      matchedStop: null,
    })
  })
})
