// biome-ignore-all lint/suspicious/noTemplateCurlyInString: this is how the configuration refers to a variable
/** The texts of configurations that `serve` writes without --config, and the one that `probe` prints. */
import { randomBytes } from 'node:crypto'
import { parseDocument, stringify } from 'yaml'
import { isObject } from '../base/json.ts'
import type { Discovery } from '../engines/probe/discover.ts'
import { listedCapabilities, probedCapabilities, profileDifferences } from '../engines/probe/findings.ts'
import type { ProbeResult } from '../engines/probe/probe.ts'
import { START, startWith } from './output.ts'

/** Backends in the demo's file: vLLM's default address and the next port. `serve` runs simulated ones instead. */
export const DEMO_BACKENDS = ['http://127.0.0.1:8000/v1', 'http://127.0.0.1:8001/v1'] as const

/** Host of the demo's dedicated endpoint. Names below `localhost` resolve to this machine. */
const DEMO_ENDPOINT = 'demo.localhost'

const ACCOUNT_ID = '0d7f5c5e-6d4c-4a53-9f0e-2f5d2b6f1a01'
const CUSTOMER_IDS = ['0d7f5c5e-6d4c-4a53-9f0e-2f5d2b6f1a02', '0d7f5c5e-6d4c-4a53-9f0e-2f5d2b6f1a03'] as const

/** The member of the account that the demo uses. */
const DEMO_USER = 'demo@localhost'

/** The settings of the process, which both configurations share. */
const PROCESS = `listen: { host: 127.0.0.1, port: 8080 }
admin: { host: 127.0.0.1, port: 9090, api: true }
store: sqlite:./sluiceway.db
journal: ./journal
files: { path: ./files }
log: { level: warn } # info: one line for every request
`

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
      # Without --config, \`${START}\` replaces these addresses by those of its simulated backends.
      - { url: ${DEMO_BACKENDS[0]}, engine: vllm, zdr: true, max_concurrency: 32 }
      - { url: ${DEMO_BACKENDS[1]}, engine: vllm, zdr: true, max_concurrency: 32 }

  # A model without capabilities, to show how the gateway rejects requests for them.
  - id: demo-plain
    owned_by: sluiceway
    max_model_len: 8192
    backends:
      - { url: ${DEMO_BACKENDS[0]}, engine: vllm }

endpoints:
  # A dedicated endpoint: \`curl -H 'Host: ${DEMO_ENDPOINT}' …\`
  - { host: ${DEMO_ENDPOINT}, models: [demo] }

plans:
  demo: { tier: demo, concurrency: 64 }
  small: { tier: small, concurrency: 2, requests: { limit: 2000, window: 1d } }

${accountText(secret, [DEMO_ENDPOINT])}
  # Two customers. \`${startWith('--traffic')}\` also simulates their requests.
  - id: ${CUSTOMER_IDS[0]}
    name: Acme
    plan: small
    members:
      - { user: ann@acme.test, role: owner }
    keys:
      - { id: acme, user: ann@acme.test, kind: serverless, secret: ${newSecret()} }
  - id: ${CUSTOMER_IDS[1]}
    name: Globex
    credits_cents: 5000 # prepaid
    members:
      - { user: bob@globex.test, role: owner }
    keys:
      - { id: globex, user: bob@globex.test, kind: serverless, secret: ${newSecret()} }
`
}

/** The environment variable that contains the API key of the --upstream server. */
export const UPSTREAM_KEY_VARIABLE = 'UPSTREAM_API_KEY'

/** `probed`: the results of probes, by the name of the model on the server. */
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
    const result = probed.get(id)
    const profile = result === undefined ? {} : profileDifferences(result)
    return {
      id: name,
      ...(max_model_len !== undefined && { max_model_len }),
      capabilities:
        result === undefined ? listedCapabilities({ vision, reasoning }, features) : probedCapabilities(result),
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
# Capabilities are tested in the background, and then listed here. \`sluiceway probe ${url}\` prints more.

${PROCESS}
${stringify({ models: entries }, { lineWidth: 0 })}
plans:
  demo: { tier: demo, concurrency: 64 }

${accountText(secret, [])}`
}

/** Turns the name of a model on a server into a valid model id of the gateway. */
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
      - { user: ${DEMO_USER}, role: owner }
    keys:
      - { id: demo, user: ${DEMO_USER}, kind: serverless, secret: ${secret}, endpoints: [${endpoints.join(', ')}] }
`
}

/** The secrets in the text of a configuration, in the order of the file. */
export function secretsOf(text: string): readonly string[] {
  // parseDocument() reads a text with errors as far as possible.
  const file: unknown = parseDocument(text).toJS()
  return listOf(file, 'accounts').flatMap(account =>
    listOf(account, 'keys').flatMap(key => (isObject(key) && typeof key.secret === 'string' ? [key.secret] : [])),
  )
}

function listOf(value: unknown, member: string): readonly unknown[] {
  const list = isObject(value) ? value[member] : undefined
  return Array.isArray(list) ? list : []
}

export function probedConfig(result: ProbeResult, withKey: boolean): string {
  const { url, model, engine, maxModelLen } = result
  const id = modelId(model)
  const profile = profileDifferences(result)
  const entry = {
    id,
    ...(maxModelLen !== undefined && { max_model_len: maxModelLen }),
    capabilities: probedCapabilities(result),
    backends: [
      {
        url,
        ...(id !== model && { model }),
        engine,
        ...(Object.keys(profile).length > 0 && { profile }),
        ...(withKey && { api_key: '${BACKEND_API_KEY}' }),
      },
    ],
  }
  return `${comments(result)
    .map(line => `# ${line}\n`)
    .join('')}${stringify({ models: [entry] }, { lineWidth: 0 })}`
}

function comments({ url, model, models, engine, engineVersion, notes, requests }: ProbeResult): string[] {
  const others = models.filter(id => id !== model)
  const version = engineVersion === undefined ? '' : ` ${engineVersion}`
  return [
    `${url}: ${engine}${version}, tested with ${requests} requests.`,
    ...(others.length > 0
      ? [
          `It also serves: ${others.join(', ')} (--model ID tests one of them).`,
          `An entry of \`models\` with \`discover: { url: ${url} }\` serves all of them.`,
        ]
      : []),
    ...notes,
  ].map(line => line.replaceAll(/\s+/g, ' '))
}

/** llama.cpp may use the path of a file as the name of its model, which is no valid model id. */
function modelId(model: string): string {
  const name = /^[A-Za-z0-9][A-Za-z0-9._:/@+-]{0,199}$/.test(model) ? model : (model.split(/[/\\]/).at(-1) ?? '')
  return (
    name
      .replaceAll(/[^A-Za-z0-9._:/@+-]/g, '-')
      .replace(/^[^A-Za-z0-9]+/, '')
      .slice(0, 200) || 'model'
  )
}
