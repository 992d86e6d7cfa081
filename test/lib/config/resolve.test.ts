import { expect } from 'chai'
import { sha256 } from '../../../lib/base/sha256.ts'
import { defaultChain } from '../../../lib/config/default-chain.ts'
import { PROFILES } from '../../../lib/config/profile.ts'
import { batchPriceFactor } from '../../../lib/config/resolve.ts'
import { UNSET_ROUTING } from '../../support/backend-config.ts'
import { ACCOUNT_ID, configOf, MODEL } from '../../support/config.ts'

/** The only model of a file, with these members beside id and backends. */
function modelWith(members: string, backend = '{ url: http://x/v1 }') {
  return configOf(`models: [{ id: m, ${members} backends: [${backend}] }]`).models[0]!
}

function accountWith(members: string, rest = '') {
  return configOf(`${rest}${MODEL}accounts: [{ id: ${ACCOUNT_ID}, ${members} }]`).accounts[0]!
}

describe('defaults of a configuration', () => {
  it('promises of text completions what every backend obeys', () => {
    const backends = (...engines: readonly string[]) => engines.map((engine, i) => ({ url: `http://x${i}/v1`, engine }))
    const flags = (model: object) =>
      configOf(JSON.stringify({ models: [{ id: 'm', ...model }] })).models[0]!.capabilities.chat_completions
    expect(flags({ backends: backends('openai') })).include({ echo: true, suffix: true })
    expect(flags({ backends: backends('openai', 'vllm') })).include({ echo: true, suffix: false })
    expect(flags({ backends: backends('llama.cpp') })).include({ echo: false, suffix: false })
    const capabilities = { chat_completions: { suffix: true } }
    expect(flags({ backends: backends('sglang'), capabilities })).include({ suffix: true })
  })

  it('are those of the reference', () => {
    const { models, modelSources, found, baseDir, file, ...rest } = configOf(MODEL)
    expect(models).lengthOf(1)
    expect([modelSources, found]).deep.equal([[], []])
    expect(file).have.all.keys('models')
    expect(baseDir).equal('/etc/sluiceway')
    expect(rest).deep.equal({
      brand: 'service',
      docs_url: undefined,
      topup_url: undefined,
      tlsFiles: [],
      currency: 'USD',
      listen: { host: '127.0.0.1', port: 8080, trusted_proxies: [], reuse_port: false },
      admin: { host: '127.0.0.1', port: 9090, reuse_port: false, api: false },
      console: { alerts: false },
      docs: false,
      hosts: { gateway: null, api: null },
      store: 'sqlite:/etc/sluiceway/data/sluiceway.db',
      stored_models: false,
      limits_store: 'memory',
      cache_isolation: 'zdr',
      limits: {},
      credits: { broken_streams: 'free' },
      journal: '/etc/sluiceway/data/journal',
      retention_days: 30,
      workers: 1,
      drain_delay_seconds: 0,
      drain_seconds: 30,
      timeouts: {
        headers_ms: 60_000,
        request_ms: 300_000,
        connect_ms: 2000,
        first_byte_ms: 600_000,
        idle_ms: 120_000,
        client_idle_ms: 120_000,
        keep_alive_ms: 15_000,
      },
      body_limit_bytes: 52_428_800,
      audio_limit_bytes: 27_262_976,
      image_limit_bytes: 52_428_800,
      audio_held_bytes: 1_048_576,
      admission: {},
      memory: { account_share: 0.5, wait_ms: 5000, idle_ms: 10_000 },
      rate_limits_per_minute: {
        endpoints: 20,
        metrics: 20,
        requests: 30,
        request: 30,
        usage: 60,
        files: 120,
        batches: 120,
      },
      files: {
        path: '/etc/sluiceway/data/files',
        max_bytes: 10_485_760,
        max_total_bytes_per_user: 1_073_741_824,
        max_files_per_user: 1000,
        retention_days: 30,
      },
      image_fetch: { allow: [] },
      cors: { origins: [] },
      log: { level: 'info', format: 'json', client_address: false },
      model_list: { aliases: false },
      metrics: { accounts: 0 },
      formats: {
        chat: { usage_chunks: 'every' },
        messages: { adaptive_thinking: false, tool_images_without_vision: 'refuse', input_tokens: 'total' },
        responses: { unknown_tools: 'reject', sequence_number: false, untyped_items: 'refuse' },
        tools: { empty_parameters: 'refuse' },
        reasoning: { other_efforts: 'refuse' },
        errors: { used_up: 429 },
        clamp_max_tokens: ['messages'],
      },
      plugins: {
        origin: 'default',
        entries: defaultChain().map(use => ({
          use,
          enabled: true,
          options: {},
          change: 'none',
          path: 'the default chain',
        })),
      },
      endpoints: [],
      plans: {},
      accounts: [],
    })
  })

  it('of a model claim as little as can be', () => {
    expect(modelWith('')).deep.equal({
      id: 'm',
      aliases: [],
      kind: 'chat',
      owned_by: 'service',
      passthrough: [],
      created: 0,
      max_model_len: undefined,
      pricing: undefined,
      sampling: 'free',
      capabilities: {
        vision: false,
        tools: false,
        reasoning: false,
        reasoning_effort: { default: undefined },
        chat_completions: {
          n: false,
          grammar: false,
          regex: false,
          structured_outputs: true,
          tools: false,
          streaming_tools: false,
          preserve_thinking: false,
          echo: true,
          suffix: true,
        },
        messages: { vision: false },
        responses: {},
        zdr: {},
      },
      max_concurrency: undefined,
      queue: undefined,
      fallback: [],
      mirror: undefined,
      routing: { policy: 'cost', session_header: undefined, attention_tokens: 32_000 },
      backends: [
        {
          url: 'http://x/v1',
          model: 'm',
          engine: 'openai',
          profile: PROFILES.openai,
          zdr: false,
          weight: 1,
          drain: false,
          max_concurrency: undefined,
          tls: undefined,
          proxy: undefined,
          routing: UNSET_ROUTING,
          api_key: undefined,
          headers: {},
        },
      ],
      discover: [],
    })
  })

  it('of an account leave it without limits and without rights of its own', () => {
    expect(accountWith('')).deep.equal({
      id: ACCOUNT_ID,
      name: ACCOUNT_ID,
      kind: 'serverless',
      plan: undefined,
      zdr_required: false,
      models: ['*'],
      credits_cents: undefined,
      formats: undefined,
      members: [],
      keys: [],
    })
  })
})

describe('defaults that follow another member', () => {
  it('tools on chat follow tools, streaming tools follow tools on chat', () => {
    const flags = (capabilities: string) => {
      const { tools, streaming_tools } = modelWith(`capabilities: ${capabilities},`).capabilities.chat_completions
      return [tools, streaming_tools]
    }
    expect(flags('{ tools: true }')).deep.equal([true, true])
    expect(flags('{ tools: true, chat_completions: { streaming_tools: false } }')).deep.equal([true, false])
    expect(flags('{ tools: true, chat_completions: { tools: false } }')).deep.equal([false, false])
  })

  it('vision on Messages follows vision', () => {
    expect(modelWith('capabilities: { vision: true },').capabilities.messages.vision).equal(true)
    expect(
      modelWith('capabilities: { vision: true, messages: { vision: false } },').capabilities.messages.vision,
    ).equal(false)
  })

  it('cached prompt tokens cost what others cost', () => {
    expect(modelWith('pricing: { input: 10, output: 40 },').pricing).deep.equal({
      input: 10,
      cached_input: 10,
      output: 40,
    })
    expect(modelWith('pricing: { input: 10, cached_input: 2, output: 40 },').pricing?.cached_input).equal(2)
  })

  it('a model is owned by the brand', () => {
    expect(configOf(`brand: acme${MODEL}`).models[0]!.owned_by).equal('acme')
  })
})

describe('resolveConfig', () => {
  it('makes paths absolute from the directory of the file', () => {
    const config = configOf(`
store: sqlite:db/a.db
journal: /var/journal
plugins: [{ use: auth }, { use: ./p/audit.ts }, { use: ../q.ts }, { use: '@acme/plugin' }]${MODEL}`)
    expect(config.store).equal('sqlite:/etc/sluiceway/db/a.db')
    expect(config.journal).equal('/var/journal')
    expect(config.plugins.entries.map(({ use }) => use)).deep.equal([
      'auth',
      '/etc/sluiceway/p/audit.ts',
      '/etc/q.ts',
      '@acme/plugin',
    ])
  })

  it('leaves the URL of a database alone', () => {
    expect(configOf(`store: 'sqlite::memory:'${MODEL}`).store).equal('sqlite::memory:')
    expect(configOf(`store: postgres://u@h/db${MODEL}`).store).equal('postgres://u@h/db')
  })

  it('fills in a plugin entry', () => {
    expect(configOf(`plugins: [{ use: auth }]${MODEL}`).plugins).deep.equal({
      origin: 'list',
      entries: [{ use: 'auth', enabled: true, options: {}, change: 'none', path: 'plugins.0' }],
    })
  })

  it('switches the admin listener off', () => {
    expect(configOf(`admin: false${MODEL}`).admin).equal(null)
  })

  it('compares hosts in lower case', () => {
    const config = configOf(`hosts: { gateway: [Pass.Example.com] }
endpoints: [{ host: ACME.example.com, models: [m] }]${MODEL}accounts:
  - id: ${ACCOUNT_ID}
    keys: [{ id: k, kind: dedicated, secret: service_1234, endpoints: [acme.EXAMPLE.com] }]`)
    expect(config.hosts).deep.equal({ gateway: ['pass.example.com'], api: null })
    expect(config.endpoints[0]!.host).equal('acme.example.com')
    expect(config.accounts[0]!.keys[0]!.endpoints).deep.equal(['acme.example.com'])
  })

  it('replaces aliases by ids, each once', () => {
    const config = configOf(`
models: [{ id: m, aliases: [n], backends: [{ url: http://x/v1 }] }]
endpoints: [{ host: e, models: [n] }]
accounts: [{ id: ${ACCOUNT_ID}, models: [n, m] }]`)
    expect(config.endpoints[0]!.models).deep.equal(['m'])
    expect(config.accounts[0]!.models).deep.equal(['m'])
  })

  it('has a factor of prices for lines of batches: that of the plan, else a half', () => {
    const config = configOf(`
models: [{ id: m, backends: [{ url: http://x/v1 }] }]
plans: { a: { batches: { price_factor: 0.2 } }, b: { batches: false }, c: {} }`)
    expect(['a', 'b', 'c', 'gone', undefined].map(plan => batchPriceFactor(config, plan))).deep.equal([
      0.2, 0.5, 0.5, 0.5, 0.5,
    ])
  })

  it('takes slashes off the ends of URLs', () => {
    expect(modelWith('', '{ url: http://x/v1/ }').backends[0]!.url).equal('http://x/v1')
    expect(configOf(`docs_url: https://d/errors/${MODEL}`).docs_url).equal('https://d/errors')
  })

  it('applies the profile of the file over that of the engine', () => {
    const { profile } = modelWith('', '{ url: http://x, engine: sglang, profile: { cached_null_means_zero: true } }')
      .backends[0]!
    expect(profile).deep.equal({ ...PROFILES.sglang, cached_null_means_zero: true })
  })

  it('writes names of headers in lower case', () => {
    expect(modelWith('', '{ url: http://x, headers: { X-Team: a } }').backends[0]!.headers).deep.equal({
      'x-team': 'a',
    })
  })

  it('keeps of a secret only its SHA-256', () => {
    const account = accountWith(`keys: [{ id: k1, secret: service_abcd }, { id: k2, sha256: ${'AB'.repeat(32)} }]`)
    expect(account.keys).deep.equal([
      {
        id: 'k1',
        user: undefined,
        kind: 'serverless',
        sha256: sha256('service_abcd'),
        endpoints: [],
        limits: undefined,
        formats: undefined,
      },
      {
        id: 'k2',
        user: undefined,
        kind: 'serverless',
        sha256: 'ab'.repeat(32),
        endpoints: [],
        limits: undefined,
        formats: undefined,
      },
    ])
    expect(JSON.stringify(account)).not.contain('service_abcd')
  })

  it('reads on, off, true and false as the switch they are', () => {
    for (const [word, on] of [
      ['on', true],
      ['true', true],
      ['off', false],
      ['false', false],
    ] as const) {
      expect(configOf(`messages: { adaptive_thinking: ${word} }${MODEL}`).formats.messages.adaptive_thinking).equal(on)
    }
  })

  it('writes account ids in lower case', () => {
    expect(configOf(`${MODEL}accounts: [{ id: ${ACCOUNT_ID.toUpperCase()} }]`).accounts[0]!.id).equal(ACCOUNT_ID)
  })
})
