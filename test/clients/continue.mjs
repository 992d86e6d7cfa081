/**
 * The command line of Continue without a terminal, with its provider `openai`. It streams all requests. It shows only
 * the end of a tool loop, so a proxy counts its requests.
 */
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { output } from './cli.mjs'

const { BASE_URL, API_KEY, MODEL, HOME } = process.env

let results = 0
const watcher = createServer(async (req, res) => {
  const body = await text(req)
  results += JSON.parse(body).messages.filter(({ role }) => role === 'tool').length
  const headers = { authorization: `Bearer ${API_KEY}`, 'content-type': 'application/json' }
  const reply = await fetch(`${BASE_URL}${req.url}`, { method: 'POST', headers, body })
  res.writeHead(reply.status, { 'content-type': reply.headers.get('content-type') })
  for await (const piece of reply.body) res.write(piece)
  res.end()
})
await new Promise(resolve => watcher.listen(0, '127.0.0.1', resolve))

const file = join(HOME, 'continue.json')
const apiBase = `http://127.0.0.1:${watcher.address().port}/v1`
const model = { name: MODEL, provider: 'openai', model: MODEL, apiBase, apiKey: API_KEY }
const models = [{ ...model, roles: ['chat'], capabilities: ['tool_use'] }]
// JSON is YAML.
writeFileSync(file, JSON.stringify({ name: 'sluiceway', version: '1.0.0', schema: 'v1', models }))

const ask = (prompt, ...more) =>
  output('node_modules/@continuedev/cli', 'cn', ['--config', file, '--auto', ...more, '-p', prompt], {
    CONTINUE_TELEMETRY_ENABLED: '0',
  })

const answer = await ask('Call List, please.')
console.log(`tool loop: ${results} call, ${answer.trim().length > 0 ? 'an answer' : 'no answer'}`)
console.log(`stream: ${(await ask('Tell me about rivers.')).trim().length > 0 ? 'whole' : 'cut'}`)
// It sends no schema: its instructions tell the model to answer with JSON, and an answer that is none is wrapped.
const json = await ask('Name a city.\nsimulate: say={"city":"Oslo"}', '--format', 'json')
console.log(`structured: ${json.trim() === '{"city":"Oslo"}' ? 'valid' : 'invalid'}`)
watcher.close()
