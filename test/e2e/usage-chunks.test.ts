/** The chunks of a stream that have usage, by engine (`chat: { usage_chunks }`). */
import { expect } from 'chai'
import { isObject, type JsonObject, parseJson } from '../../lib/base/json.ts'
import { testGateway } from '../support/gateway.ts'
import { closeSimulators, simulatorWith } from '../support/simulator.ts'

const ENGINES = ['vllm', 'sglang', 'llama.cpp'] as const

describe('chunks with usage', () => {
  afterEach(closeSimulators)

  const CALL = {
    tools: [{ type: 'function', function: { name: 'f', parameters: { type: 'object', properties: {} } } }],
    tool_choice: 'required',
  }

  /** Choices, finish reason and completion tokens of each chunk; `-`: no usage. */
  async function shapeOf(
    engine: (typeof ENGINES)[number],
    usageChunks: 'every' | 'last',
    more: JsonObject = { max_tokens: 4 },
  ): Promise<string[]> {
    const { root } = await simulatorWith({ engine, models: [{ id: 'up' }], reasoning_by_default: false })
    const backends = [{ url: `${root}/v1`, model: 'up', engine }]
    const chat = { chat: { usage_chunks: usageChunks } }
    const gateway = await testGateway({ backends: [], model: { backends }, more: chat })
    try {
      const body = { model: 'm', messages: [{ role: 'user', content: 'Hi' }], stream: true, ...more }
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

  it('are all of them on every engine, otherwise, each with the tokens so far', async () => {
    for (const engine of ENGINES) {
      // Tokens per chunk. vLLM and SGLang start with a chunk for the role.
      const shape = (await shapeOf(engine, 'every')).filter(chunk => chunk !== 'choice 0')
      expect(shape.slice(0, 3), engine).deep.equal(['choice 1', 'choice 2', 'choice 3'])
      expect(shape.slice(-2), engine).deep.equal(['length 4', 'none 4'])
    }
  })

  it('are all of them where a tool is called or choices are several', async () => {
    for (const engine of ENGINES)
      for (const more of [CALL, { n: 2, max_tokens: 3 }, { ...CALL, n: 2 }]) {
        const shape = await shapeOf(engine, 'every', more)
        const what = `${engine} ${JSON.stringify(more)}: ${shape}`
        expect(
          shape.filter(chunk => chunk.endsWith('-')),
          what,
        ).deep.equal([])
        const counts = shape.map(chunk => Number(chunk.split(' ')[1]))
        expect(counts, what).deep.equal(counts.toSorted((a, b) => a - b))
      }
  })
})
