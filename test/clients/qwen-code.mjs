/** Qwen Code without a terminal, on chat completions. It streams everything that it asks for. */
import { output, outputs, printUsedUp } from './cli.mjs'

const { BASE_URL, API_KEY, MODEL } = process.env
const env = { OPENAI_API_KEY: API_KEY, OPENAI_BASE_URL: `${BASE_URL}/v1`, OPENAI_MODEL: MODEL }
const options = ['--auth-type', 'openai', '--output-format', 'json', '--approval-mode', 'yolo']

async function run(prompt, ...more) {
  const out = await output('node_modules/@qwen-code/qwen-code', 'qwen', [...options, ...more, '-p', prompt], env)
  return JSON.parse(out).at(-1)
}

const { is_error, result = '', stats } = await run('Call list_directory, please.')
const calls = stats?.tools.totalCalls ?? 0
console.log(`tool loop: ${calls > 0 ? 1 : 0} call, ${!is_error && result !== '' ? 'an answer' : 'no answer'}`)
console.log(`stream: ${stats?.models[MODEL].api.totalErrors === 0 ? 'whole' : 'cut'}`)

const schema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
// It takes the schema as that of a tool, whose call is the answer.
const structured = await run('Call structured_output, please.', '--json-schema', JSON.stringify(schema))
console.log(`structured: ${typeof structured.structured_result?.city === 'string' ? 'valid' : 'invalid'}`)

await printUsedUp(async key => {
  const args = [...options, '-p', 'Name a city.']
  const { stdout, stderr } = await outputs('node_modules/@qwen-code/qwen-code', 'qwen', args, {
    ...env,
    OPENAI_API_KEY: key,
  })
  return stdout + stderr
})
