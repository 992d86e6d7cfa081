/** The text of the configurations that `serve` writes without --config. */
import { randomBytes } from 'node:crypto'
import { parseDocument, stringify } from 'yaml'
import { isObject } from '../base/json.ts'
import type { Discovery } from '../upstream/discover.ts'
import type { ProbeResult } from '../upstream/probe/probe.ts'
import { foundCapabilities, profileDifferences } from './found.ts'
import { START, startWith } from './own-command.ts'

/**
 * The backend of the demo's models in its file: the default address of vLLM. `serve` without --config replaces it by the
 * address of the built-in simulated backend.
 */
export const DEMO_BACKEND = 'http://127.0.0.1:8000/v1'

/** Host of the demo's dedicated endpoint. Names below localhost resolve to this machine. */
export const DEMO_ENDPOINT = 'demo.localhost'

const ACCOUNT_ID = '0d7f5c5e-6d4c-4a53-9f0e-2f5d2b6f1a01'

/** Settings of the process in both configurations. */
const PROCESS = `listen: { host: 127.0.0.1, port: 8080 }
admin: { host: 127.0.0.1, port: 9090 }
store: sqlite:./sluiceway.db
journal: ./journal
files: { path: ./files }
log: { level: warn } # info: one line for every request
`

/** A secret of 160 random bits. */
export function newSecret(): string {
  return `service_${randomBytes(20).toString('hex')}`
}

export function demoConfig(secret: string): string {
  return `# Written by the first \`${START}\` and never overwritten, so you can change it.
# To use your own servers: copy this file, change the backends, and run \`${startWith('--config FILE')}\`.
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
      # Without --config, \`${START}\` replaces this address by that of its simulated backend.
      - { url: ${DEMO_BACKEND}, engine: vllm, zdr: true }

  # A model without capabilities, to show how the gateway rejects requests for them.
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

/** The environment variable with the API key of the --upstream server. */
export const UPSTREAM_KEY_VARIABLE = 'UPSTREAM_API_KEY'

/** `probed`: what was found out about single models, by the server's name of each. */
export function upstreamConfig(
  { url, engine, models, features }: Discovery,
  secret: string,
  withKey: boolean,
  probed: ReadonlyMap<string, ProbeResult> = new Map(),
): string {
  const names = new Set<string>()
  const entries = models.map(({ id, max_model_len, vision, reasoning }) => {
    const name = freeName(nameOf(id), names)
    names.add(name)
    const found = probed.get(id)
    const profile = found === undefined ? {} : profileDifferences(found)
    return {
      id: name,
      ...(max_model_len !== undefined && { max_model_len }),
      capabilities:
        found === undefined
          ? {
              ...(vision && { vision }),
              tools: true,
              ...(reasoning && { reasoning }),
              ...(Object.keys(features).length > 0 && { chat_completions: { ...features } }),
            }
          : foundCapabilities(found),
      backends: [
        {
          url,
          ...(name !== id && { model: id.replaceAll('${', () => '$${') }),
          engine,
          ...(Object.keys(profile).length > 0 && { profile }),
          ...(withKey && { api_key: `\${${UPSTREAM_KEY_VARIABLE}}` }),
        },
      ],
    }
  })
  return `# Overwritten by every \`${startWith(`--upstream ${url}`)}\`, with the models of that server.
# To change it, copy it and run \`${startWith('--config FILE')}\`. docs/CONFIG.md describes every member.
# Capabilities are found out in the background, and then listed here. \`sluiceway probe ${url}\` says more.

${PROCESS}
${stringify({ models: entries }, { lineWidth: 0 })}
plans:
  demo: { tier: demo, concurrency: 64 }

${accountText(secret, [])}`
}

/** A valid model id for the gateway, made from any name of a server. */
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

/** The first secret in the text of a configuration; undefined if there is none. */
export function firstSecret(text: string): string | undefined {
  // Text with errors is read as far as possible.
  const file: unknown = parseDocument(text).toJS()
  const accounts = isObject(file) && Array.isArray(file.accounts) ? file.accounts : []
  for (const account of accounts) {
    const keys = isObject(account) && Array.isArray(account.keys) ? account.keys : []
    for (const key of keys) if (isObject(key) && typeof key.secret === 'string') return key.secret
  }
  return undefined
}
