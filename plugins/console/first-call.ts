/** Examples of a first request, to copy. */
import { type Html, html, shellQuoted } from '../../lib/console.ts'
import type { Services } from '../../lib/plugin.ts'

interface FirstCall {
  /** Origin at which clients reach the gateway: `https://api.example.com`. */
  readonly origin: string
  readonly secret: string
  readonly model: string
}

export function firstCall({ origin, secret, model }: FirstCall): Html {
  // A JSON string is also a string literal in Python and JavaScript.
  const [base, key, name] = [`${origin}/v1`, secret, model].map(text => JSON.stringify(text))
  const python = `from openai import OpenAI

client = OpenAI(
    base_url=${base},
    api_key=${key},
)
reply = client.chat.completions.create(
    model=${name},
    messages=[{"role": "user", "content": "Say hello."}],
)
print(reply.choices[0].message.content)`
  const script = `import OpenAI from 'openai'

const client = new OpenAI({
  baseURL: ${base},
  apiKey: ${key},
})
const reply = await client.chat.completions.create({
  model: ${name},
  messages: [{ role: 'user', content: 'Say hello.' }],
})
console.log(reply.choices[0].message.content)`
  return html`<h2>With curl</h2>
${copied('the curl command', curlOf({ origin, secret, model }, 'Say hello.'))}
<h2>With the openai package for Python</h2>
${copied('the lines of Python', python)}
<h2>With the openai package for JavaScript</h2>
${copied('the lines of JavaScript', script)}`
}

/** A curl command for a request. Without `secret` it uses the shell variable API_KEY. */
export function curlOf(
  { origin, secret, model }: Omit<FirstCall, 'secret'> & { readonly secret?: string },
  prompt: string,
): string {
  const body = JSON.stringify({ model, messages: [{ role: 'user', content: prompt }] })
  return [
    `curl ${shellQuoted(`${origin}/v1/chat/completions`)}`,
    `-H ${secret === undefined ? '"authorization: Bearer $API_KEY"' : shellQuoted(`authorization: Bearer ${secret}`)}`,
    `-H 'content-type: application/json'`,
    `-d ${shellQuoted(body)}`,
  ].join(' \\\n  ')
}

/** Text with a button that copies it, if scripts run (shared/copy.js). */
export function copied(name: string, text: string): Html {
  return html`<pre tabindex="0" role="region" aria-label="${name}"><code data-copy="${name}">${text}</code></pre>`
}

/** Origin at which clients reach the gateway: the browser's, or the configured host on the management API. */
export function gatewayOrigin(
  { hosts, listen }: Services['config'],
  { surface, origin }: { readonly surface: string; readonly origin: string },
): string {
  if (surface === 'gateway') return origin
  return `${origin.slice(0, origin.indexOf('://'))}://${hosts.gateway?.[0] ?? `${listen.host}:${listen.port}`}`
}
