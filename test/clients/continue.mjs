/**
 * The command line of Continue without a terminal, with its provider `openai`. It streams all requests. It shows only
 * the end of a tool loop, so a proxy counts the results of tools.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { output, outputs, printUsedUp, watching } from './cli.mjs'

const { BASE_URL, API_KEY, MODEL, HOME } = process.env

/** Arguments of the command for a prompt, with a file of its configuration. */
function args(apiBase, apiKey, ...more) {
  const file = join(HOME, 'continue.json')
  const model = { name: MODEL, provider: 'openai', model: MODEL, apiBase, apiKey }
  const models = [{ ...model, roles: ['chat'], capabilities: ['tool_use'] }]
  // JSON is YAML.
  writeFileSync(file, JSON.stringify({ name: 'sluiceway', version: '1.0.0', schema: 'v1', models }))
  return ['--config', file, '--auto', ...more]
}

const command = ['node_modules/@continuedev/cli', 'cn']
const env = { CONTINUE_TELEMETRY_ENABLED: '0' }
const watched = await watching(({ messages }) => messages.filter(({ role }) => role === 'tool'))
const ask = (prompt, ...more) => output(...command, args(watched.url, API_KEY, ...more, '-p', prompt), env)

const answer = await ask('Call List, please.')
console.log(`tool loop: ${watched.results} call, ${answer.trim().length > 0 ? 'an answer' : 'no answer'}`)
console.log(`stream: ${(await ask('Tell me about rivers.')).trim().length > 0 ? 'whole' : 'cut'}`)
// It sends no schema: its instructions tell the model to answer with JSON, and an answer that is none is wrapped.
const json = await ask('Name a city.\nsimulate: say={"city":"Oslo"}', '--format', 'json')
console.log(`structured: ${json.trim() === '{"city":"Oslo"}' ? 'valid' : 'invalid'}`)
watched.close()

await printUsedUp(async key => {
  const { stdout, stderr } = await outputs(...command, args(`${BASE_URL}/v1`, key, '-p', 'Name a city.'), env)
  return stdout + stderr
})
