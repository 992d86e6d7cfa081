import { expect } from 'chai'
import { link } from '../../../../lib/canonical/reply.ts'
import { type Chunk, failure, type ToolCallDelta } from '../../../../lib/plugin.ts'
import { GuardedReply } from '../../../../plugins/rules/guard/guarded-reply.ts'
import { chunk, Recorder } from '../../../support/canonical.ts'

/** A reply whose windows are asked about; the test answers each. Windows have 4 tokens. */
function scene(choices = 1) {
  const asked: { readonly text: string; answer(isAllowed: boolean): Promise<void> }[] = []
  const holds: Promise<void>[] = []
  const reply = new GuardedReply({
    exchange: { holdReply: decision => void holds.push(decision) },
    holdTokens: 4,
    isAllowed: text =>
      new Promise(resolve => {
        asked.push({
          text,
          async answer(isAllowed) {
            resolve(isAllowed)
            await new Promise(done => setImmediate(done))
          },
        })
      }),
  })
  const out = new Recorder()
  const first = link([reply], out, { choices: () => choices, onStop() {} })
  const send = (...chunks: readonly Partial<Chunk>[]) => {
    for (const one of chunks) first.chunk(chunk(one))
  }
  return { asked, holds, out, first, send }
}

const call = (args: string): ToolCallDelta => ({ index: 0, id: 'c', name: 'f', arguments: args })

describe('guard: a guarded reply', () => {
  it('passes chunks without text on at once', () => {
    const { asked, out, send } = scene()
    send({ start: true })
    expect(out.chunks).deep.equal([{ choice: 0, start: true }])
    expect(asked).length(0)
  })

  it('passes a window on when it is allowed, in order', async () => {
    const { asked, holds, out, send } = scene()
    send({ text: 'one two ' })
    expect(asked).length(0)
    send({ text: 'three four' }, { text: ' five' }, { finish: 'stop' })
    expect(asked.map(({ text }) => text)).deep.equal(['one two three four'])
    expect(holds).length(1)
    expect(out.chunks).deep.equal([])
    await asked[0]!.answer(true)
    expect(out.chunks.map(({ text }) => text)).deep.equal(['one two ', 'three four'])
    expect(asked[1]!.text).equal('one two three four five')
    expect(holds).length(2)
    await asked[1]!.answer(true)
    expect(out.chunks.slice(2)).deep.equal([
      { choice: 0, text: ' five' },
      { choice: 0, finish: 'stop' },
    ])
  })

  it('stops at a window that is not allowed, and passes nothing of it on', async () => {
    const { asked, out, send } = scene()
    send({ start: true }, { text: 'one two three four' }, { text: ' five', finish: 'stop' })
    await asked[0]!.answer(false)
    send({ text: 'six' })
    expect(out.chunks).deep.equal([
      { choice: 0, start: true },
      { choice: 0, finish: 'content_filter' },
    ])
    expect(out.ended).equal(1)
    expect(asked).length(1)
  })

  it('reports what the engine has counted, also in chunks that are held or dropped', async () => {
    const { asked, out, send } = scene()
    const counts = (completionTokens: number) => ({
      usage: { promptTokens: 11, completionTokens, cachedTokens: null, reasoningTokens: null },
    })
    send({ start: true, ...counts(0) }, { text: 'four tokens of bad text', ...counts(4) }, { finish: 'stop' })
    send({ choice: -1, ...counts(5) })
    await asked[0]!.answer(false)
    expect(out.chunks.slice(1)).deep.equal([{ choice: 0, finish: 'content_filter', ...counts(5) }])
  })

  it('has reasoning, refusals and whole tool calls in the text', async () => {
    const { asked, send } = scene()
    send({ reasoning: 'Let me.', text: 'Yes.' }, { toolCalls: [call('{"a":1}')] })
    expect(asked[0]!.text).equal('Let me.Yes.{"name":"f","arguments":"{\\"a\\":1}"}')
    const refusing = scene()
    refusing.send({ refusal: 'No.', finish: 'stop' })
    expect(refusing.asked[0]!.text).equal('No.')
  })

  it('keeps the texts of choices apart, and stops all of them', async () => {
    const { asked, out, send } = scene(2)
    send({ text: 'aaaa' }, { choice: 1, text: 'bbbb' }, { text: 'AAAA' }, { choice: 1, text: 'BBBB' })
    expect(asked[0]!.text).equal('aaaaAAAA\nbbbbBBBB')
    await asked[0]!.answer(false)
    expect(out.chunks.map(({ choice, finish }) => [choice, finish])).deep.equal([
      [0, 'content_filter'],
      [1, 'content_filter'],
    ])
  })

  it('drops what it holds if the reply fails, and ignores a later verdict', async () => {
    const { asked, out, first, send } = scene()
    send({ text: 'one two three four' })
    first.fail(failure('backend_timeout', { model: 'm' }))
    await asked[0]!.answer(true)
    expect(out.chunks).deep.equal([])
    expect(out.errors).length(1)
    expect(out.ended).equal(0)
  })
})
