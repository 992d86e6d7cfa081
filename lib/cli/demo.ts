/** The configurations that `npm start` writes by itself, as text: starting points to copy. */
import { randomBytes } from 'node:crypto'
import { parseDocument, stringify } from 'yaml'
import { isObject } from '../base/json.ts'
import type { Discovery } from '../upstream/discover.ts'

/**
 * Where the demo's models live according to its file: where vLLM listens. While the demo runs without --config, the
 * built-in simulated backend takes its place.
 */
export const DEMO_BACKEND = 'http://127.0.0.1:8000/v1'

/** Host of the demo's dedicated endpoint. Names below localhost lead to this machine. */
export const DEMO_ENDPOINT = 'demo.localhost'

const ACCOUNT_ID = '0d7f5c5e-6d4c-4a53-9f0e-2f5d2b6f1a01'

/** What both configurations say of the process itself. */
const PROCESS = `listen: { host: 127.0.0.1, port: 8080 }
admin: { host: 127.0.0.1, port: 9090 }
store: sqlite:./sluiceway.db
journal: ./journal
files: { path: ./files }
log: { level: warn } # info: one line for every request
`

/** A key that nobody can guess: 160 bits. */
export function newSecret(): string {
  return `service_${randomBytes(20).toString('hex')}`
}

export function demoConfig(secret: string): string {
  return `# Written by the first \`npm start\`. Later runs read it as it stands, so change what you like.
# To go on with servers of your own: copy it, change the backends, and run \`npm start -- --config FILE\`.
# docs/CONFIG.md describes every member.

${PROCESS}
models:
  - id: demo
    owned_by: sluiceway
    max_model_len: 32768
    pricing: { input: 10, cached_input: 2, output: 40 } # cents per million tokens
    capabilities:
      vision: true
      tools: true
      reasoning: true
      reasoning_effort: { default: medium }
      chat_completions: { n: true, grammar: true, regex: true, preserve_thinking: true, echo: true }
    backends:
      # Without --config, \`npm start\` puts its simulated backend in the place of this address.
      - { url: ${DEMO_BACKEND}, engine: vllm, zdr: true }

  # Has no capabilities, so it shows how the gateway refuses what a model cannot do.
  - id: demo-plain
    owned_by: sluiceway
    max_model_len: 8192
    backends:
      - { url: ${DEMO_BACKEND}, engine: vllm }

endpoints:
  # A dedicated endpoint: \`curl -H 'Host: ${DEMO_ENDPOINT}' …\`
  - { host: ${DEMO_ENDPOINT}, models: [demo] }

plans:
  demo: { tier: demo, concurrency: 64 }

${accountText(secret, [DEMO_ENDPOINT])}`
}

/** Holds the API key of the server behind --upstream, where it wants one. */
export const UPSTREAM_KEY_VARIABLE = 'UPSTREAM_API_KEY'

export function upstreamConfig({ url, engine, models, features }: Discovery, secret: string, withKey: boolean): string {
  const names = new Set<string>()
  const entries = models.map(({ id, max_model_len, vision, reasoning }) => {
    const name = freeName(nameOf(id), names)
    names.add(name)
    return {
      id: name,
      ...(max_model_len !== undefined && { max_model_len }),
      capabilities: {
        ...(vision && { vision }),
        tools: true,
        ...(reasoning && { reasoning }),
        ...(Object.keys(features).length > 0 && { chat_completions: { ...features } }),
      },
      backends: [
        {
          url,
          ...(name !== id && { model: id.replaceAll('${', () => '$${') }),
          engine,
          ...(withKey && { api_key: `\${${UPSTREAM_KEY_VARIABLE}}` }),
        },
      ],
    }
  })
  return `# Written by every \`npm start -- --upstream ${url}\`, with the models found there.
# To change something, copy it and run \`npm start -- --config FILE\`. docs/CONFIG.md describes every member.
# What a model can do beyond chat and tools must be said under \`capabilities\`: \`sluiceway probe ${url}\` finds out.

${PROCESS}
${stringify({ models: entries }, { lineWidth: 0 })}
plans:
  demo: { tier: demo, concurrency: 64 }

${accountText(secret, [])}`
}

/** A server may call a model what it likes; ids of ours are easy to write. */
function nameOf(id: string): string {
  const name = id.replace(/[^A-Za-z0-9._:/@+-]+/g, '-').replace(/^[^A-Za-z0-9./_]+/, '')
  return name.slice(0, 200) || 'model'
}

function freeName(name: string, taken: ReadonlySet<string>): string {
  let free = name
  for (let i = 2; taken.has(free); i++) free = `${name}-${i}`
  return free
}

function accountText(secret: string, endpoints: readonly string[]): string {
  return `accounts:
  - id: ${ACCOUNT_ID}
    name: Demo
    plan: demo
    members:
      - { user: demo@localhost, role: owner }
    keys:
      - { id: demo, user: demo@localhost, kind: serverless, secret: ${secret}, endpoints: [${endpoints.join(', ')}] }
`
}

/** The first secret in the text of a configuration; undefined where there is none to show. */
export function firstSecret(text: string): string | undefined {
  // A text with mistakes is read as far as it goes.
  const file: unknown = parseDocument(text).toJS()
  const accounts = isObject(file) && Array.isArray(file.accounts) ? file.accounts : []
  for (const account of accounts) {
    const keys = isObject(account) && Array.isArray(account.keys) ? account.keys : []
    for (const key of keys) if (isObject(key) && typeof key.secret === 'string') return key.secret
  }
  return undefined
}
