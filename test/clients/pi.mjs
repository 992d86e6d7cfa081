/** pi without a terminal, on chat completions. It streams all requests, and has no answers by a schema. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { output, printUsedUp } from './cli.mjs'

const { BASE_URL, API_KEY, MODEL, HOME } = process.env

const directory = join(HOME, '.pi', 'agent')
mkdirSync(directory, { recursive: true })
const provider = {
  baseUrl: `${BASE_URL}/v1`,
  api: 'openai-completions',
  apiKey: '$SLUICEWAY_API_KEY',
  models: [{ id: MODEL, reasoning: true }],
}
writeFileSync(join(directory, 'models.json'), JSON.stringify({ providers: { sluiceway: provider } }))

function run(key, prompt) {
  const args = ['--provider', 'sluiceway', '--model', MODEL, '--mode', 'json', '-p', prompt]
  const env = { SLUICEWAY_API_KEY: key, PI_OFFLINE: '1', PI_TELEMETRY: '0' }
  return output('node_modules/@earendil-works/pi-coding-agent', 'pi', args, env)
}

const out = await run(API_KEY, 'Call read, please.')
const events = out.split('\n').flatMap(line => (line.startsWith('{') ? JSON.parse(line) : []))
const calls = events.filter(({ type }) => type === 'tool_execution_end').length
const { message } = events.findLast(
  ({ type, message: { role } = {} }) => type === 'message_end' && role === 'assistant',
)
const text = message.content.map(part => part.text ?? '').join('')
console.log(`tool loop: ${calls} call, ${text === '' ? 'no answer' : 'an answer'}`)
const deltas = events.map(({ assistantMessageEvent: event }) => (event?.type === 'text_delta' ? event.delta : ''))
console.log(`stream: ${message.stopReason === 'stop' && deltas.join('').endsWith(text) ? 'whole' : 'cut'}`)

await printUsedUp(key => run(key, 'Name a city.'))
