/**
 * The command line of Cline without a terminal, with its provider `openai-compatible`. It streams all requests, and has
 * no answers by a schema.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { output, printUsedUp } from './cli.mjs'

const { BASE_URL, API_KEY, MODEL, HOME } = process.env
const command = ['node_modules/cline', 'cline']
const settings = join(HOME, 'cline-settings.json')
writeFileSync(settings, JSON.stringify({ telemetryOptOut: true, autoUpdateEnabled: false }))
// `--data-dir` has no effect on the place of this file.
const env = { CLINE_GLOBAL_SETTINGS_PATH: settings }

async function run(key, prompt) {
  const data = join(HOME, `cline-${key}`)
  const provider = ['-p', 'openai-compatible', '-k', key, '-m', MODEL, '-b', `${BASE_URL}/v1`]
  await output(...command, ['auth', ...provider, '--data-dir', data], env)
  return await output(...command, ['--json', '--data-dir', data, prompt], env)
}

const out = await run(API_KEY, 'Call read_files, please.')
const events = out.split('\n').flatMap(line => (line.startsWith('{"ts"') ? JSON.parse(line) : []))
const ended = events.map(({ event }) => event).filter(event => event?.type === 'content_end')
const calls = ended.filter(({ contentType }) => contentType === 'tool').length
const text = ended.filter(({ contentType }) => contentType === 'text').at(-1)?.text ?? ''
console.log(`tool loop: ${calls} call, ${text === '' ? 'no answer' : 'an answer'}`)
const result = events.find(({ type }) => type === 'run_result')
console.log(`stream: ${result?.finishReason === 'completed' && result.text === text ? 'whole' : 'cut'}`)

await printUsedUp(key => run(key, 'Name a city.'))
