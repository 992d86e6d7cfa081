/** @anthropic-ai/claude-agent-sdk: it runs Claude Code, which speaks Messages. */
import { createSdkMcpServer, query, tool } from '@anthropic-ai/claude-agent-sdk'
import { z } from 'zod'
import { printUsedUp } from './cli.mjs'

const { BASE_URL, API_KEY, MODEL, HOME, PATH } = process.env
let called = 0
const weather = tool('get_weather', 'The weather of a city.', { city: z.string() }, async () => {
  called++
  return { content: [{ type: 'text', text: 'sunny' }] }
})
const server = createSdkMcpServer({ name: 'w', version: '1.0.0', tools: [weather] })
const options = {
  model: MODEL,
  cwd: HOME,
  settingSources: [],
  maxTurns: 4,
  env: {
    HOME,
    PATH,
    ANTHROPIC_BASE_URL: BASE_URL,
    ANTHROPIC_AUTH_TOKEN: API_KEY,
    ANTHROPIC_DEFAULT_OPUS_MODEL: MODEL,
    ANTHROPIC_DEFAULT_SONNET_MODEL: MODEL,
    ANTHROPIC_DEFAULT_HAIKU_MODEL: MODEL,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    CLAUDE_CODE_MAX_RETRIES: '0',
    // With tool search the tool is not in the request before the model has searched for it.
    ENABLE_TOOL_SEARCH: 'false',
  },
}

async function run(prompt, more) {
  let result
  let text = ''
  for await (const message of query({ prompt, options: { ...options, ...more } })) {
    if (message.type === 'stream_event' && message.event.delta?.type === 'text_delta') text += message.event.delta.text
    if (message.type === 'result') result = message
  }
  return { ...result, text }
}

const allowedTools = ['mcp__w__get_weather']
const looped = await run('Call mcp__w__get_weather, please.', { mcpServers: { w: server }, allowedTools })
console.log(`tool loop: ${called} call, ${looped.result?.length > 0 ? 'an answer' : `no answer (${looped.subtype})`}`)

const streamed = await run('Tell me about rivers.', { includePartialMessages: true })
console.log(`stream: ${streamed.text.length > 0 && streamed.text === streamed.result ? 'whole' : 'cut'}`)

const schema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
const structured = await run('Name a city.', { outputFormat: { type: 'json_schema', schema } })
console.log(
  `structured: ${typeof structured.structured_output?.city === 'string' ? 'valid' : `invalid (${structured.subtype})`}`,
)

// With its own number of attempts.
const { CLAUDE_CODE_MAX_RETRIES: _, ...env } = options.env
await printUsedUp(async key => {
  let shown = ''
  const ask = async () => {
    for await (const message of query({
      prompt: 'Name a city.',
      options: { ...options, env: { ...env, ANTHROPIC_AUTH_TOKEN: key } },
    }))
      if (message.type === 'result') shown = message.result
  }
  // The SDK throws after the result of a turn that failed.
  await ask().catch(() => {})
  return shown
})
