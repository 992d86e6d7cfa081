/**
 * Published clients, the gateway and the simulated backend: a tool loop, a stream, a structured answer and a used-up
 * quota. Each runs in the folder where its packages are installed.
 */
import { execFile } from 'node:child_process'
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'chai'
import type { JsonObject } from '../../lib/base/json.ts'
import { ACCOUNT, KEY, serverlessAccount, type TestGateway, testGateway } from '../support/gateway.ts'
import { closeSimulators, simulatorWith } from '../support/simulator.ts'

const here = (name: string) => new URL(name, import.meta.url)
const pins = JSON.parse(readFileSync(here('packages.json'), 'utf8')) as Record<string, Record<string, string>>
const directory = process.env.CLIENT_PACKAGES
const AGENTS_KEY = 'service_agents'
const QUOTA_KEY = 'service_used_up'

const LOOP = 'tool loop: 1 call, an answer'
const STREAM = 'stream: whole'
const ALL = [LOOP, STREAM, 'structured: valid']
const USED_UP = 'used-up quota: an error, at once'

/** What each client does with `client_profile: agents`, and with the defaults. */
const EXPECTED: Readonly<Record<string, { readonly agents: readonly string[]; readonly defaults: readonly string[] }>> =
  {
    // Its input items have no type: 400 unsupported_input_item.
    'openai-agents': { agents: ALL, defaults: [] },
    mastra: { agents: ALL, defaults: ALL },
    langgraph: { agents: ALL, defaults: ALL },
    llamaindex: { agents: ALL, defaults: ALL },
    instructor: { agents: ALL, defaults: ALL },
    'claude-agent-sdk': { agents: [...ALL, USED_UP], defaults: ALL },
    'qwen-code': { agents: [...ALL, USED_UP], defaults: ALL },
    opencode: { agents: ALL, defaults: ALL },
    // It drops every chunk that has usage, and the calls and texts in it.
    continue: {
      agents: [...ALL, USED_UP],
      defaults: ['tool loop: 0 call, no answer', 'stream: cut', 'structured: invalid'],
    },
    // Its tools take precedence over the schema.
    codex: {
      agents: [LOOP, STREAM, 'structured: not enforced', USED_UP],
      defaults: [LOOP, STREAM, 'structured: not enforced'],
    },
    // These have no answers by a schema.
    pi: { agents: [LOOP, STREAM, USED_UP], defaults: [LOOP, STREAM] },
    cline: { agents: [LOOP, STREAM, USED_UP], defaults: [LOOP, STREAM] },
  }

describe('clients as they are shipped', () => {
  let gateway: TestGateway
  let home: string

  before(async function () {
    if (directory === undefined) {
      console.log('      skipped: node test/clients/install.mjs DIR, then set CLIENT_PACKAGES=DIR')
      this.skip()
    }
    home = mkdtempSync(join(tmpdir(), 'sluiceway-clients-'))
    // Agents send prompts of 20,000 tokens and ask for 32,000.
    const window = 200_000
    const { root } = await simulatorWith({
      models: [{ id: 'upstream-m', reasoning: true, max_model_len: window }],
      answer_tokens: 30,
    })
    const keys = [
      { id: 'k1', user: 'alice@test', kind: 'serverless', secret: KEY },
      { id: 'k2', user: 'alice@test', kind: 'serverless', secret: AGENTS_KEY, client_profile: 'agents' },
    ]
    const chat_completions = { n: true, tools: true, streaming_tools: true, structured_outputs: true }
    const capabilities = { tools: true, reasoning: true, chat_completions }
    const model: JsonObject = { max_model_len: window, capabilities }
    const accounts = [
      { ...serverlessAccount(ACCOUNT), members: [{ user: 'alice@test', role: 'owner' }], keys },
      {
        ...serverlessAccount('6f2c1e9a-8d1b-4c57-9a53-0d6b1c1f7e22', QUOTA_KEY),
        plan: 'used',
        client_profile: 'agents',
      },
    ]
    const more = { accounts, plans: { used: { requests: { limit: 1, window: '365d' } } } }
    gateway = await testGateway({ backends: [`${root}/v1`], model, more })
    // Uses up the quota.
    const headers = { authorization: `Bearer ${QUOTA_KEY}` }
    await (await gateway.post('/v1/completions', { model: 'm', prompt: 'Hi', max_tokens: 1 }, { headers })).text()
  })

  after(async () => {
    await gateway?.close()
    await closeSimulators()
    if (home !== undefined) rmSync(home, { recursive: true, force: true })
  })

  it('are those that are pinned', () => {
    expect(Object.keys(EXPECTED).toSorted()).deep.equal(Object.keys(pins).toSorted())
  })

  for (const [name, { agents, defaults }] of Object.entries(EXPECTED)) {
    for (const [profile, key, lines] of [
      ['agents', AGENTS_KEY, agents],
      ['default', KEY, defaults],
    ] as const) {
      it(`${name}, with client_profile: ${profile}`, async function () {
        this.timeout(300_000)
        const folder = join(directory ?? '', name)
        const versions = Object.keys(pins[name]!).map(each => join(folder, 'node_modules', each, 'package.json'))
        if (!versions.every(existsSync)) this.skip()
        const installed = versions.map(file => (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version)
        expect(installed, 'the pinned versions').deep.equal(Object.values(pins[name]!))
        // Its imports are resolved from where it is.
        for (const file of [`${name}.mjs`, 'cli.mjs']) copyFileSync(here(file), join(folder, file))
        const quota = profile === 'agents' ? { QUOTA_KEY } : null
        const env = { PATH: process.env.PATH, HOME: home, BASE_URL: gateway.url, API_KEY: key, MODEL: 'm', ...quota }
        const run = promisify(execFile)(process.execPath, [`${name}.mjs`], { cwd: folder, env, timeout: 240_000 })
        const { stdout, stderr } = await run.catch((failed: { stdout: string; stderr: string }) => failed)
        const said = stdout.split('\n').filter(line => /^(?:tool loop|stream|structured|used-up quota): /.test(line))
        expect(said, stderr.slice(-2000)).deep.equal(lines)
      })
    }
  }
})
