/** Lines to copy for a first call with a new key. */
import { type Html, html } from '../../lib/plugin.ts'

export interface FirstCall {
  /** Where clients reach the gateway, without path: `https://api.example.com`. */
  readonly origin: string
  readonly secret: string
  readonly model: string
}

export function firstCall({ origin, secret, model }: FirstCall): Html {
  const body = JSON.stringify({ model, messages: [{ role: 'user', content: 'Say hello.' }] })
  const curl = [
    `curl ${shellQuoted(`${origin}/v1/chat/completions`)}`,
    `-H ${shellQuoted(`authorization: Bearer ${secret}`)}`,
    `-H 'content-type: application/json'`,
    `-d ${shellQuoted(body)}`,
  ].join(' ')
  // A JSON string is a string of Python too.
  const [base, key] = [`${origin}/v1`, secret].map(text => JSON.stringify(text))
  return html`<h2>With curl</h2>
<pre tabindex="0"><code data-copy="the curl command">${curl}</code></pre>
<h2>With the openai package for Python</h2>
<pre tabindex="0"><code data-copy="the line of Python">${`client = openai.OpenAI(base_url=${base}, api_key=${key})`}</code></pre>`
}

/** One word of a POSIX shell, whatever it contains. */
export function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
