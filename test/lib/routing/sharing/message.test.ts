import { expect } from 'chai'
import { decodeMessage, encodeMessage, type ShareMessage } from '../../../../lib/routing/sharing/message.ts'

const message: ShareMessage = {
  from: 'p1',
  backends: [
    {
      id: 'b',
      load: {
        queued: 2,
        queuedMs: 12.5,
        firstMs: 2.25,
        headAgeMs: 1,
        answers: 3,
        answersMs: 700.125,
        promptTokens: 4000,
        newTokens: 120,
      },
      prompts: [Int32Array.of(1, -2), Int32Array.of(2 ** 31 - 1, -(2 ** 31), 0, 7)],
    },
  ],
}

describe('messages of routing', () => {
  it('are decoded as they were encoded', () => {
    expect(decodeMessage(encodeMessage(message))).deep.equal(message)
  })

  it('also have the lines of batches, their prompts and their effects', () => {
    const [backend] = message.backends
    const effects = { met: 1250.5, busy: 50, requests: 12.125, evictedMs: 0, delayed: 2, interactiveAgeMs: 800 }
    const lines = { load: { ...backend!.load, queued: 1 }, effects, prompts: [Int32Array.of(5, 6)] }
    const withLines = { ...message, backends: [{ ...backend!, lines }] }
    expect(decodeMessage(encodeMessage(withLines))).deep.equal(withLines)
    const text = encodeMessage(withLines)
    expect(decodeMessage(text.replace('1250.5', '"x"'))).equal(undefined)
    expect(decodeMessage(text.replace('1250.5,', ''))).equal(undefined)
  })

  it('may ask a process for the place of a line', () => {
    const asking = { ...message, wanted: { id: 'b', process: 'p2' } }
    expect(decodeMessage(encodeMessage(asking))).deep.equal(asking)
  })

  it('have about twelve bytes per chunk', () => {
    const prompts = [Int32Array.from({ length: 96 }, (_, i) => Math.imul(i + 1, 0x9e3779b1))]
    const text = encodeMessage({ ...message, backends: [{ ...message.backends[0]!, prompts }] })
    expect(text.length).below(620)
  })

  it('are ignored if they are invalid', () => {
    const wrong = [
      '',
      '{',
      '{}',
      '[]',
      '[1]',
      '["p",1]',
      '["p",["b"]]',
      '["p",["b",1,2,3,4,5]]',
      '["p",["b",1,2,3,4,5,6,7,-8]]',
      '["p",["b",1,2,3,4,5,6,7,8,9]]',
      '["p",["b",1,2,null,4,5,6,7,8]]',
    ]
    for (const text of wrong) expect(decodeMessage(text), text).equal(undefined)
    expect(decodeMessage('["p"]')).deep.equal({ from: 'p', backends: [] })
  })
})
