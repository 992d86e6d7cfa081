import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect } from 'chai'
import type { JsonObject } from '../../lib/base/json.ts'
import { reply, type ScriptedBackend, scriptedBackend } from '../support/backend.ts'
import { type TestGateway, testGateway } from '../support/gateway.ts'

const door = pathToFileURL(join(import.meta.dirname, '../../lib/plugin.ts')).href

/** A plugin written only from docs/PLUGINS.md. */
const GUARDRAIL = `
import { chat, definePlugin, fail, textParts } from '${door}'

export default definePlugin({
  name: 'guardrail',
  summary: 'Refuses a word, and redacts another.',
  routes: { canonical: true },
  needs: [chat],
  setup: () => ({
    onBody(exchange) {
      for (const { holder, member, param } of textParts(exchange.get(chat))) {
        const text = holder[member]
        if (text.includes('forbidden')) fail('http_403', { problem: 'A word is forbidden.' }, { param })
        if (text.includes('secret')) holder[member] = text.replaceAll('secret', 'XXXXXX')
      }
    },
  }),
})
`

/** A plugin on the client's body. */
const BODY_GUARDRAIL = `
import { definePlugin, fail } from '${door}'

export default definePlugin({
  name: 'body-guardrail',
  summary: 'Refuses a word wherever it is in the body.',
  setup: () => ({
    onBody({ body }) {
      if (JSON.stringify(body).includes('unspeakable')) fail('http_403', { problem: 'A word is unspeakable.' })
    },
  }),
})
`

const tools = [{ name: 'f', description: 'A tool.', input_schema: { type: 'object', properties: {} } }]

/** Bodies with this text. `param`: the member that a refusal must name. */
const BODIES: Readonly<Record<string, readonly [path: string, param: string, body: (text: string) => JsonObject]>> = {
  'chat, in a text': [
    '/v1/chat/completions',
    'messages.0.content',
    text => ({ model: 'm', messages: [{ role: 'user', content: text }] }),
  ],
  'chat, in a part': [
    '/v1/chat/completions',
    'messages.0.content.0',
    text => ({ model: 'm', messages: [{ role: 'user', content: [{ type: 'text', text }] }] }),
  ],
  'completions, in a prompt': ['/v1/completions', 'prompt', text => ({ model: 'm', prompt: text, max_tokens: 5 })],
  'completions, in a list of prompts': [
    '/v1/completions',
    'prompt.1',
    text => ({ model: 'm', prompt: ['a', text], max_tokens: 5 }),
  ],
  'Messages, in the system text': [
    '/v1/messages',
    'system',
    text => ({
      model: 'm',
      max_tokens: 5,
      system: [
        { type: 'text', text: 'a' },
        { type: 'text', text },
      ],
      messages: [{ role: 'user', content: 'Hi.' }],
    }),
  ],
  'Messages, in the input of a tool call': [
    '/v1/messages',
    'messages.1',
    text => ({
      model: 'm',
      max_tokens: 5,
      tools,
      messages: [
        { role: 'user', content: 'Hi.' },
        { role: 'assistant', content: [{ type: 'tool_use', id: 'c', name: 'f', input: { a: [text] } }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c', content: 'Done.' }] },
      ],
    }),
  ],
  'Messages, in the description of a tool': [
    '/v1/messages',
    'tools.0.description',
    text => ({
      model: 'm',
      max_tokens: 5,
      tools: [{ ...tools[0], description: text }],
      messages: [{ role: 'user', content: 'Hi.' }],
    }),
  ],
  'Messages, in the description of a parameter': [
    '/v1/messages',
    'tools.0.input_schema',
    text => ({
      model: 'm',
      max_tokens: 5,
      tools: [
        { ...tools[0], input_schema: { type: 'object', properties: { a: { type: 'string', description: text } } } },
      ],
      messages: [{ role: 'user', content: 'Hi.' }],
    }),
  ],
  'Messages, where tokens are counted': [
    '/v1/messages/count_tokens',
    'messages.0.content',
    text => ({ model: 'm', messages: [{ role: 'user', content: text }] }),
  ],
  'Responses, in the instructions': [
    '/v1/responses',
    'instructions',
    text => ({ model: 'm', input: 'Hi.', instructions: text }),
  ],
  'Responses, in an input of one text': ['/v1/responses', 'input', text => ({ model: 'm', input: text })],
  'Responses, in the input': [
    '/v1/responses',
    'input.0.content',
    text => ({
      model: 'm',
      input: [
        {
          type: 'message',
          role: 'user',
          content: [
            { type: 'input_text', text: 'a' },
            { type: 'input_text', text },
          ],
        },
      ],
    }),
  ],
}

/** Filler with every kind of JSON escape, around a word. */
const around = (word: string, size: number) => {
  const filler = 'Lorem "ipsum"\n\\dolor é🎉. '
  const half = filler.repeat(Math.ceil(size / 2 / Buffer.byteLength(filler)))
  return `${half}${word} ${half}`
}

const LARGE = 140_000
const MEGABYTE = 1_000_000

describe('texts of large bodies, as plugins read them', () => {
  let directory: string
  let backend: ScriptedBackend
  let gateway: TestGateway

  before(async () => {
    directory = mkdtempSync(join(tmpdir(), 'sluiceway-texts-'))
    writeFileSync(join(directory, 'guardrail.mjs'), GUARDRAIL)
    writeFileSync(join(directory, 'body-guardrail.mjs'), BODY_GUARDRAIL)
    backend = await scriptedBackend(reply())
    const add = [
      { use: join(directory, 'body-guardrail.mjs'), before: 'validate' },
      { use: join(directory, 'guardrail.mjs'), after: 'translate' },
    ]
    gateway = await testGateway({
      backends: [backend.url],
      model: { max_model_len: 100_000_000 },
      more: { plugins: { base: 'default', add }, body_limit_bytes: 60 * MEGABYTE },
    })
  })

  after(async () => {
    await gateway?.close()
    await backend?.close()
    rmSync(directory, { recursive: true, force: true })
  })

  const codeOf = async (response: Response) => [response.status, ((await response.json()) as JsonObject).error]

  for (const [name, [path, param, body]] of Object.entries(BODIES)) {
    it(`are read, and refused: ${name}`, async () => {
      for (const size of [1000, LARGE]) {
        for (const word of ['forbidden', 'unspeakable']) {
          const [status, error] = await codeOf(await gateway.post(path, body(around(word, size))))
          expect([status, (error as JsonObject).message], `${word} at ${size}`).deep.equal([403, `A word is ${word}.`])
          expect((error as JsonObject).param, `${word} at ${size}`).equal(word === 'forbidden' ? param : undefined)
        }
        const passed = await gateway.post(path, body(around('allowed', size)))
        expect(passed.status, await passed.text()).equal(200)
      }
    })

    if (path.endsWith('count_tokens')) continue

    it(`reach the backend as they were sent, or as they were rewritten: ${name}`, async () => {
      const sizes = [1000, LARGE]
      for (const word of ['allowed', 'secret']) {
        const bodies: string[] = []
        for (const size of sizes) {
          const text = around(word, size)
          const before = backend.requests.length
          const response = await gateway.post(path, body(text))
          expect(response.status, await response.text()).equal(200)
          const seen = backend.requests[before]!
          const expected = text.replaceAll('secret', 'XXXXXX')
          // Escaped twice inside a JSON text.
          const inJson = JSON.stringify(expected).slice(1, -1)
          const sent = seen.bytes.toString()
          expect(
            sent.includes(inJson) || sent.includes(JSON.stringify(inJson).slice(1, -1)),
            `${word} at ${size}`,
          ).equal(true)
          expect(sent).not.contain('secret')
          bodies.push(sent.replaceAll('Lorem', '').replace(/ \\+"ipsum\\+"\\+n\\+dolor é🎉\. /g, ''))
        }
        // Nothing but the length of the filler differs.
        expect(bodies[0]).equal(bodies[1])
      }
    })
  }

  it('are read at 50 MB', async () => {
    for (const name of ['chat, in a text', 'Messages, in the system text']) {
      const [path, , body] = BODIES[name]!
      const [status, error] = await codeOf(await gateway.post(path, body(around('forbidden', 40 * MEGABYTE))))
      expect([status, (error as JsonObject).message], name).deep.equal([403, 'A word is forbidden.'])
    }
  })
})
