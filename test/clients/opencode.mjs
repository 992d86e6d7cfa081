/** opencode without a terminal, with its own chat provider. It streams everything that it asks for. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { output, serving } from './cli.mjs'

const { BASE_URL, API_KEY, MODEL, HOME } = process.env
const provider = {
  npm: '@ai-sdk/openai-compatible',
  name: 'Sluiceway',
  options: { baseURL: `${BASE_URL}/v1`, apiKey: API_KEY },
  models: { [MODEL]: { name: MODEL, limit: { context: 200_000, output: 8192 } } },
}
const model = `sluiceway/${MODEL}`
const config = { autoupdate: false, share: 'disabled', model, small_model: model, provider: { sluiceway: provider } }
writeFileSync(join(HOME, 'opencode.json'), JSON.stringify(config))

const out = await output('node_modules/opencode-ai', 'opencode', ['run', 'Call glob, please.', '--format', 'json'], {})
const events = out.split('\n').flatMap(line => (line.startsWith('{') ? JSON.parse(line) : []))
const calls = events.filter(({ type }) => type === 'tool_use').length
const text = events.filter(({ type }) => type === 'text').map(({ part }) => part.text)
console.log(`tool loop: ${calls} call, ${text.join('') === '' ? 'no answer' : 'an answer'}`)
const last = events.findLast(({ type }) => type === 'step_finish')
console.log(`stream: ${last?.part.reason === 'stop' && last.part.tokens.total > 0 ? 'whole' : 'cut'}`)

// Only its server accepts a schema. It sends the schema as a tool, with `tool_choice: required`.
const server = await serving('node_modules/opencode-ai', 'opencode', [
  'serve',
  '--hostname',
  '127.0.0.1',
  '--port',
  '0',
])
const post = async (path, body) => {
  const headers = { 'content-type': 'application/json' }
  return await (await fetch(server.url + path, { method: 'POST', headers, body: JSON.stringify(body) })).json()
}
const schema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
const { id } = await post('/session', {})
const { info } = await post(`/session/${id}/message`, {
  model: { providerID: 'sluiceway', modelID: MODEL },
  parts: [{ type: 'text', text: 'Call StructuredOutput, please.' }],
  format: { type: 'json_schema', schema },
})
console.log(`structured: ${typeof info.structured?.city === 'string' ? 'valid' : 'invalid'}`)
server.close()
