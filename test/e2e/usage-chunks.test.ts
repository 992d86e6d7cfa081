/** Which chunks of a stream carry usage, on each engine (`chat: { usage_chunks }`). */
import { expect } from 'chai'
import { isObject, parseJson } from '../../lib/base/json.ts'
import { testGateway } from '../support/gateway.ts'
import { closeSimulators, simulatorWith } from '../support/simulator.ts'

const ENGINES = ['vllm', 'sglang', 'llama.cpp'] as const

describe('chunks with usage', () => {
  afterEach(closeSimulators)

  /** Of each chunk its choices, its finish reason and its completion tokens, `-` where it has no usage. */
  async function shapeOf(engine: (typeof ENGINES)[number], usageChunks: 'every' | 'last'): Promise<string[]> {
    const { root } = await simulatorWith({ engine, models: [{ id: 'up' }], reasoning_by_default: false })
    const backends = [{ url: `${root}/v1`, model: 'up', engine }]
    const more = { chat: { usage_chunks: usageChunks } }
    const gateway = await testGateway({ backends: [], model: { backends }, more })
    try {
      const body = { model: 'm', messages: [{ role: 'user', content: 'Hi' }], stream: true, max_tokens: 4 }
      const text = await (await gateway.post('/v1/chat/completions', body)).text()
      return text.split('\n\n').flatMap(line => {
        const chunk = parseJson(line.slice('data: '.length))
        if (!isObject(chunk)) return []
        const [choice] = chunk.choices as { finish_reason: string | null }[]
        const count = isObject(chunk.usage) ? chunk.usage.completion_tokens : '-'
        return [`${choice === undefined ? 'none' : (choice.finish_reason ?? 'choice')} ${count}`]
      })
    } finally {
      await gateway.close()
    }
  }

  it('are the last one alone on every engine, where only that is wanted', async () => {
    for (const engine of ENGINES) {
      const shape = await shapeOf(engine, 'last')
      expect(shape.at(-1), engine).equal('none 4')
      expect(shape.slice(-2, -1), engine).deep.equal(['length -'])
      expect(new Set(shape.slice(0, -2)), engine).deep.equal(new Set(['choice -']))
    }
  })

  it('are all of those whose tokens the engine counts, otherwise', async () => {
    for (const engine of ['vllm', 'sglang'] as const) {
      const shape = await shapeOf(engine, 'every')
      expect(
        shape.filter(chunk => chunk.endsWith('-')),
        engine,
      ).deep.equal([])
      expect(shape.slice(0, 4), engine).deep.equal(['choice 0', 'choice 1', 'choice 2', 'choice 3'])
      expect(shape.at(-1), engine).equal('none 4')
    }
    expect((await shapeOf('llama.cpp', 'every')).at(-1)).equal('none 4')
  })
})
