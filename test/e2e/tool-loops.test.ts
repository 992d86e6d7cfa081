import { expect } from 'chai'
import OpenAI from 'openai'
import type { JsonObject } from '../../lib/base/json.ts'
import { events, reply, type ScriptedBackend, scriptedBackend } from '../support/backend.ts'
import { calls, ends, piece, role, says, thinks } from '../support/fixtures/events.ts'
import { KEY, type TestGateway, testGateway } from '../support/gateway.ts'
import { PIXEL, SCHEMA } from '../support/rules.ts'

/** Arguments, as a model wrote them. Clients must return them byte for byte. */
const ARGUMENTS = '{ "city":"Zürich \\"HB\\"",\n "n": 1.0 }'
const TURNS = [0, 1, 2]
const ids = (turn: number) => [`functions.look:${2 * turn}`, `functions.look:${2 * turn + 1}`] as const

/** A reply of reasoning, text and two calls whose fragments interleave. */
function turnOf(turn: number) {
  const [first, second] = ids(turn)
  return events(
    role,
    thinks('Let me look.'),
    says(`Turn ${turn}.`),
    calls(piece(0, first, 'look', ARGUMENTS.slice(0, 9))),
    calls(piece(1, second, 'look', '{}')),
    calls(piece(0, undefined, undefined, ARGUMENTS.slice(9))),
    ends('tool_calls'),
  )
}

/** The message that the backend must be sent for it. */
function assistantOf(turn: number, content: string): JsonObject {
  const wire = (id: string, text: string) => ({ id, type: 'function', function: { name: 'look', arguments: text } })
  const [first, second] = ids(turn)
  return { role: 'assistant', content, tool_calls: [wire(first, ARGUMENTS), wire(second, '{}')] }
}

/** Tool loops of several rounds through the openai package; those of Messages are in anthropic-sdk.test.ts. */
describe('tool loops', () => {
  let backend: ScriptedBackend
  let gateway: TestGateway
  let client: OpenAI

  before(async () => {
    backend = await scriptedBackend()
    const capabilities = {
      vision: true,
      tools: true,
      reasoning: true,
      chat_completions: { preserve_thinking: true },
    }
    gateway = await testGateway({ backends: [backend.url], model: { capabilities } })
    client = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: KEY, maxRetries: 0 })
  })

  after(async () => {
    await gateway?.close()
    await backend?.close()
  })

  const sent = () => backend.requests.at(-1)?.body.messages as JsonObject[]

  for (const stream of [true, false]) {
    it(`over chat completions, ${stream ? 'streamed' : 'whole'}, with images and preserved thinking`, async () => {
      const picture = { type: 'image_url' as const, image_url: { url: `data:image/png;base64,${PIXEL}` } }
      const messages: OpenAI.ChatCompletionMessageParam[] = [
        { role: 'user', content: [{ type: 'text', text: 'What is it, é?' }, picture] },
      ]
      const tools = [{ type: 'function' as const, function: { name: 'look', parameters: SCHEMA } }]
      const params = { model: 'm', messages, tools, preserve_thinking: true, reasoning_effort: 'high' as const }
      for (const turn of TURNS) {
        backend.script = turnOf(turn)
        const completion = stream
          ? await client.chat.completions.stream(params).finalChatCompletion()
          : await client.chat.completions.create(params)
        const message = completion.choices[0]!.message as OpenAI.ChatCompletionAssistantMessageParam
        messages.push(message)
        for (const { id } of message.tool_calls ?? []) {
          messages.push({ role: 'tool', tool_call_id: id, content: `result of ${id}` })
        }
      }
      backend.script = reply('Done')
      await client.chat.completions.create(params)
      expect(sent()).deep.equal([
        messages[0],
        ...TURNS.flatMap(turn => [
          assistantOf(turn, `<think>\nLet me look.\n</think>\n\nTurn ${turn}.`),
          ...ids(turn).map(id => ({ role: 'tool', tool_call_id: id, content: `result of ${id}` })),
        ]),
      ])
    })

    it(`over Responses, ${stream ? 'streamed' : 'whole'}`, async () => {
      const input: OpenAI.Responses.ResponseInputItem[] = [
        { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'What is it, é?' }] },
      ]
      const tools: OpenAI.Responses.Tool[] = [{ type: 'function', name: 'look', parameters: SCHEMA, strict: false }]
      const params = { model: 'm', input, tools, reasoning: { effort: 'high' as const } }
      for (const turn of TURNS) {
        backend.script = turnOf(turn)
        const { output } = stream
          ? await client.responses.stream(params).finalResponse()
          : await client.responses.create(params)
        expect(output.map(({ type }) => type)).deep.equal(['message', 'function_call', 'function_call'])
        for (const item of output) {
          input.push(item as OpenAI.Responses.ResponseInputItem)
        }
        for (const item of output) {
          if (item.type !== 'function_call') continue
          const { call_id } = item
          input.push({ type: 'function_call_output', call_id, output: `result of ${call_id}` })
        }
      }
      backend.script = reply('Done')
      await client.responses.create(params)
      expect(sent()).deep.equal([
        { role: 'user', content: 'What is it, é?' },
        ...TURNS.flatMap(turn => [
          assistantOf(turn, `Turn ${turn}.`),
          ...ids(turn).map(id => ({ role: 'tool', tool_call_id: id, content: `result of ${id}` })),
        ]),
      ])
    })
  }

  it('send a longer conversation with the bytes of the shorter one first, so that prefix caches hit', async () => {
    const first = { role: 'user' as const, content: 'a' }
    const second = { role: 'assistant' as const, content: 'b' }
    const prefixes: string[] = []
    for (const messages of [[first], [first, second, first]]) {
      await client.chat.completions.create({ model: 'm', messages })
      const text = backend.requests.at(-1)!.bytes.toString()
      prefixes.push(text.slice(0, text.indexOf(']', text.indexOf('"messages":['))))
    }
    expect(prefixes[1]!.startsWith(prefixes[0]!)).equal(true)
  })
})
