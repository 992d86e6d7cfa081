/**
 * Codex without a terminal, on Responses. It streams all requests. It does not show every call of a tool, so a proxy
 * counts their results.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { output, printUsedUp, watching } from './cli.mjs'

const { BASE_URL, API_KEY, MODEL, HOME } = process.env

mkdirSync(join(HOME, '.codex'), { recursive: true })
writeFileSync(
  join(HOME, '.codex', 'config.toml'),
  `model = "${MODEL}"
model_provider = "sluiceway"
web_search = "disabled"
model_reasoning_effort = "high"
check_for_update_on_startup = false
[analytics]
enabled = false
[feedback]
enabled = false
[features]
plugins = false
apps = false
[model_providers.sluiceway]
name = "Sluiceway"
env_key = "SLUICEWAY_API_KEY"
wire_api = "responses"
`,
)
const schemaFile = join(HOME, 'codex-schema.json')
const properties = { city: { type: 'string' } }
writeFileSync(
  schemaFile,
  JSON.stringify({ type: 'object', properties, required: ['city'], additionalProperties: false }),
)

async function run(url, key, prompt, ...more) {
  const base = `model_providers.sluiceway.base_url="${url}"`
  const args = ['exec', '--skip-git-repo-check', '--json', '-c', base, ...more, prompt]
  const out = await output('node_modules/@openai/codex', 'codex', args, { SLUICEWAY_API_KEY: key })
  const events = out.split('\n').flatMap(line => (line.startsWith('{') ? JSON.parse(line) : []))
  const answers = events.filter(({ item }) => item?.type === 'agent_message').map(({ item }) => item.text)
  return { out, answer: answers.at(-1) ?? '', last: events.at(-1) }
}

const watched = await watching(({ input }) => input.filter(({ type }) => type === 'function_call_output'))
const looped = await run(watched.url, API_KEY, 'Call get_goal, please.')
console.log(`tool loop: ${watched.results} call, ${looped.answer === '' ? 'no answer' : 'an answer'}`)
watched.close()

const streamed = await run(`${BASE_URL}/v1`, API_KEY, 'Tell me about rivers.')
const isWhole = streamed.answer !== '' && streamed.last?.type === 'turn.completed'
console.log(`stream: ${isWhole && streamed.last.usage.output_tokens > 0 ? 'whole' : 'cut'}`)

// It sends the schema together with tools, which take precedence, so the answer is text.
const { answer } = await run(`${BASE_URL}/v1`, API_KEY, 'Name a city.', '--output-schema', schemaFile)
console.log(`structured: ${answer.startsWith('{') ? 'valid' : 'not enforced'}`)

await printUsedUp(async key => (await run(`${BASE_URL}/v1`, key, 'Name a city.')).out)
