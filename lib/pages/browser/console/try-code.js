// Code in four languages that sends the request of the page. The environment variable API_KEY has the secret.

/** `origin`: where clients reach the gateway. `body`: of a chat completion. */
export const LANGUAGES = { curl, python, javascript, anthropic }

function curl(origin, body) {
  const quoted = JSON.stringify(body).replaceAll("'", "'\\''")
  return `curl -N '${origin}/v1/chat/completions' \\
  -H "authorization: Bearer $API_KEY" \\
  -H 'content-type: application/json' \\
  -d '${quoted}'`
}

// A JSON string is also a string literal in Python and JavaScript.

function python(origin, { stream: _stream, messages, ...rest }) {
  const list = messages.map(message => `        ${JSON.stringify(message)},\n`).join('')
  const others = Object.entries(rest).map(([name, value]) => `    ${name}=${JSON.stringify(value)},\n`)
  return `import os
from openai import OpenAI

client = OpenAI(base_url=${JSON.stringify(`${origin}/v1`)}, api_key=os.environ["API_KEY"])
stream = client.chat.completions.create(
${others.join('')}    messages=[
${list}    ],
    stream=True,
)
for chunk in stream:
    if chunk.choices:
        print(chunk.choices[0].delta.content or "", end="", flush=True)`
}

function javascript(origin, { stream: _stream, ...rest }) {
  return `import OpenAI from 'openai'

const client = new OpenAI({ baseURL: ${JSON.stringify(`${origin}/v1`)}, apiKey: process.env.API_KEY })
const stream = await client.chat.completions.create({
${membersOf({ ...rest, stream: true })}})
for await (const chunk of stream) process.stdout.write(chunk.choices[0]?.delta.content ?? '')`
}

/** The Messages API requires `max_tokens`. */
const MAX_TOKENS = 1024

function anthropic(origin, { model, messages, temperature, max_tokens = MAX_TOKENS, reasoning_effort: effort }) {
  const system = messages.find(({ role }) => role === 'system')?.content
  const isThinking = effort !== undefined && effort !== 'none'
  const members = {
    model,
    max_tokens,
    ...(temperature !== undefined && { temperature }),
    ...(isThinking && { thinking: { type: 'enabled', budget_tokens: MAX_TOKENS }, output_config: { effort } }),
    ...(effort === 'none' && { thinking: { type: 'disabled' } }),
    ...(system !== undefined && { system }),
    messages: messages.filter(({ role }) => role !== 'system'),
  }
  return `import Anthropic from '@anthropic-ai/sdk'

const client = new Anthropic({ baseURL: ${JSON.stringify(origin)}, apiKey: process.env.API_KEY })
const stream = client.messages.stream({
${membersOf(members)}})
stream.on('text', text => process.stdout.write(text))
await stream.finalMessage()`
}

function membersOf(members) {
  return Object.entries(members)
    .map(([name, value]) => `  ${name}: ${name === 'messages' ? listOf(value) : JSON.stringify(value)},\n`)
    .join('')
}

function listOf(messages) {
  return `[\n${messages.map(message => `    ${JSON.stringify(message)},\n`).join('')}  ]`
}
