// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are what is filled in
/** Mistakes in configurations, one per row. `sluiceway check` reports line, path and remedy. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { tryChains } from '../lib/cli/chain.ts'
import { ConfigError, type Problem } from '../lib/config/problems.ts'
import { parseConfig } from '../lib/config/read.ts'
import { missingPlugin } from '../lib/process/plugin-loader.ts'

const ID = '6f2c1e9a-8d1b-4c57-9a53-0d6b1c1f7e21'
const MODELS = 'models: [{ id: m, backends: [{ url: http://a:8000/v1 }] }]'

/** A mistake in a line of its own, above the models. */
const top = (line: string) => `${line}\n${MODELS}`
const model = (members: string) => `models:\n- { id: m, ${members}, backends: [{ url: http://a:8000/v1 }] }`
const backend = (members: string) => `models:\n- { id: m, backends: [{ ${members} }] }`
const source = (discover: string, members = 'allow: ["*"]') => `models:\n- { discover: { ${discover} }, ${members} }`
const defaults = (members: string) => source('url: http://a/v1', `defaults: { ${members} }`)
const two = (first: string, second: string) =>
  `models:\n- { id: m, ${first}, backends: [{ url: http://a/v1 }] }\n- { ${second}, backends: [{ url: http://b/v1 }] }`
const account = (members: string) =>
  `${MODELS}\naccounts:\n- { id: ${ID}, members: [{ user: alice, role: owner }], ${members} }`
const key = (...keys: string[]) => account(`keys: [${keys.map(members => `{ ${members} }`).join(', ')}]`)
const plugins = (members: string) => top(`plugins: ${members}`)

const LIMITED = `${MODELS}
plans: { p: { requests: { limit: 5, window: 1d }, limits: { tokens_per_minute: 5 } } }`

const WEBHOOK_SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'

type Row = readonly [mistake: string, text: string, line: number | undefined, path: string, words: RegExp]

const ROWS: readonly Row[] = [
  // The file
  ['a tab', 'listen:\n\tport: 1', 2, '', /Tabs are not allowed as indentation/],
  ['a brace that is not closed', top('listen: { port: 1'), 2, '', /not valid YAML.* end with a \}/],
  ['a member twice', top('workers: 1\nworkers: 2'), 2, '', /Map keys must be unique/],
  ['two documents', top('workers: 1\n---'), 2, '', /multiple documents/],
  ['a list', '- models', 1, '', /must be an object, not an array/],
  ['nothing', '', undefined, '', /the file is empty/],
  // Names and types
  ['a misspelt member', top('lisen: { port: 1 }'), 1, 'lisen', /did you mean 'listen'\?/],
  ['a misspelt member inside', top('listen: { prot: 1 }'), 1, 'listen.prot', /did you mean 'port'\?/],
  [
    'a misspelt member of a backend',
    backend('url: http://a/v1, wieght: 2'),
    2,
    'models.0.backends.0.wieght',
    /'weight'\?/,
  ],
  ['a misspelt capability', model('capabilities: { tool: true }'), 2, 'models.0.capabilities.tool', /'tools'\?/],
  ['a word for a number', top('listen: { port: eight }'), 1, 'listen.port', /must be a whole number, not a string/],
  ['a unit behind a number', model('max_model_len: 32k'), 2, 'models.0.max_model_len', /must be a whole number/],
  [
    'a number for a name',
    'models:\n- { id: 8, backends: [{ url: http://a/v1 }] }',
    2,
    'models.0.id',
    /put it in quotes/,
  ],
  ['yes for true', backend('url: http://a/v1, zdr: yes'), 2, 'models.0.backends.0.zdr', /must be true or false/],
  ['a variable that is not set', top('store: ${PG_URL}'), 1, 'store', /environment variable PG_URL is not set/],
  [
    'a variable in braces without quotes',
    backend('url: http://a/v1, api_key: ${K}'),
    2,
    '',
    /put a string with \$\{NAME\} into quotes/,
  ],
  // Ports, hosts, files
  ['a port that there is not', top('listen: { port: 70000 }'), 1, 'listen.port', /at most 65535/],
  [
    'one port for clients and operators',
    top('listen: { port: 9000 }\nadmin: { port: 9000 }'),
    2,
    'admin.port',
    /choose another/,
  ],
  [
    'a host with a scheme',
    top('hosts: { gateway: ["https://a.example.com"] }'),
    1,
    'hosts.gateway.0',
    /such as api\.example\.com/,
  ],
  [
    'an address for a network',
    top('listen: { trusted_proxies: [10.0.0.1] }'),
    1,
    'listen.trusted_proxies.0',
    /such as 10\.1\.0\.0\/16/,
  ],
  ['a network of 40 bits', top('image_fetch: { allow: [10.0.0.0/40] }'), 1, 'image_fetch.allow.0', /CIDR/],
  [
    'a certificate that is not there',
    top('listen: { tls: { cert: no.pem, key: bad.pem } }'),
    1,
    'listen.tls.cert',
    /there is no file \/.*no\.pem/,
  ],
  ['a certificate without its key', top('listen: { tls: { cert: bad.pem } }'), 1, 'listen.tls.key', /is required/],
  [
    'a certificate that is none',
    top('listen: { tls: { cert: bad.pem, key: bad.pem } }'),
    1,
    'listen.tls',
    /in PEM form/,
  ],
  ['another database', top('store: mysql://a/b'), 1, 'store', /sqlite: .* or a postgres:\/\/ URL/],
  ['Redis without a scheme', top('limits_store: localhost:6379'), 1, 'limits_store', /a redis:\/\/ or rediss:\/\/ URL/],
  [
    'a database of Redis that is no number',
    top('limits_store: redis://localhost/abc'),
    1,
    'limits_store',
    /must look like redis:/,
  ],
  [
    'an origin with a path',
    top('cors: { origins: ["https://a.example.com/"] }'),
    1,
    'cors.origins.0',
    /such as https:/,
  ],
  // Times, sizes, counts
  ['a time with its unit', top('timeouts: { connect_ms: 5s }'), 1, 'timeouts.connect_ms', /must be a whole number/],
  ['a time of nothing', top('timeouts: { connect_ms: 0 }'), 1, 'timeouts.connect_ms', /at least 1/],
  ['a negative time', top('drain_seconds: -1'), 1, 'drain_seconds', /at least 0/],
  ['a size with its unit', top('body_limit_bytes: 50MB'), 1, 'body_limit_bytes', /must be a whole number/],
  ['no workers', top('workers: 0'), 1, 'workers', /at least 1/],
  ['a negative limit', model('max_concurrency: -5'), 2, 'models.0.max_concurrency', /at least 1/],
  ['a negative price', model('pricing: { input: -1, output: 1 }'), 2, 'models.0.pricing.input', /at least 0/],
  ['a queue of nothing', model('queue: { max: 0 }'), 2, 'models.0.queue.max', /at least 1/],
  ['a level of the log that there is not', top('log: { level: verbose }'), 1, 'log.level', /'debug'/],
  ['a format of the log that there is not', top('log: { format: jsonl }'), 1, 'log.format', /did you mean 'json'\?/],
  // Models and backends
  ['no models', 'workers: 1', undefined, 'models', /is required/],
  ['a model without a backend', 'models:\n- { id: m }', 2, 'models.0.backends', /is required/],
  ['an empty list of backends', 'models:\n- { id: m, backends: [] }', 2, 'models.0.backends', /not empty/],
  ['one id for two models', two('kind: chat', 'id: m'), 3, 'models.1.id', /'m' is in use as models\.0\.id/],
  [
    'an alias that is the id of another',
    two('kind: chat', 'id: n, aliases: [m]'),
    3,
    'models.1.aliases.0',
    /is in use as models\.0\.id/,
  ],
  ['a model that is its own fallback', model('fallback: [m]'), 2, 'models.0.fallback.0', /is the model itself/],
  ['a fallback that there is not', model('fallback: [mm]'), 2, 'models.0.fallback.0', /did you mean 'm'\?/],
  ['a kind that there is not', model('kind: chats'), 2, 'models.0.kind', /did you mean 'chat'\?/],
  ['a URL without a scheme', backend('url: "a:8000/v1"'), 2, 'models.0.backends.0.url', /must start with http/],
  ['a URL that is none', backend('url: "http://a b/v1"'), 2, 'models.0.backends.0.url', /such as http:\/\/127/],
  ['a URL with a password', backend('url: "http://u:p@a/v1"'), 2, 'models.0.backends.0.url', /use api_key/],
  ['a URL with a query', backend('url: "http://a/v1?k=1"'), 2, 'models.0.backends.0.url', /without \? and #/],
  [
    'a URL with a route',
    backend('url: http://a/v1/chat/completions'),
    2,
    'models.0.backends.0.url',
    /ends with a route: give only the part before it/,
  ],
  [
    'an engine that there is not',
    backend('url: http://a/v1, engine: vlm'),
    2,
    'models.0.backends.0.engine',
    /did you mean 'vllm'\?/,
  ],
  ['a negative weight', backend('url: http://a/v1, weight: -1'), 2, 'models.0.backends.0.weight', /at least 0/],
  [
    'one backend twice',
    backend('url: http://a/v1 }, { url: http://a/v1/'),
    2,
    'models.0.backends.1',
    /give one of them a higher weight/,
  ],
  ['no backend in use: drained', backend('url: http://a/v1, drain: true'), 2, 'models.0.backends', /leave one in use/],
  ['no backend in use: weight 0', backend('url: http://a/v1, weight: 0'), 2, 'models.0.backends', /leave one in use/],
  [
    'an effort that there is not',
    backend('url: http://a/v1, profile: { efforts: [hihg] }'),
    2,
    'models.0.backends.0.profile.efforts.0',
    /did you mean 'high'\?/,
  ],
  [
    'a header of the gateway',
    backend('url: http://a/v1, headers: { Content-Length: "5" }'),
    2,
    'models.0.backends.0.headers.Content-Length',
    /set by the gateway/,
  ],
  [
    'a key and its header',
    backend('url: http://a/v1, api_key: x, headers: { Authorization: y }'),
    2,
    'models.0.backends.0.headers.Authorization',
    /give one of them/,
  ],
  [
    'what the engine cannot do',
    `models:\n- { id: m, capabilities: { chat_completions: { regex: true } }, backends: [{ url: http://a/v1, engine: llama.cpp }] }`,
    2,
    'models.0.backends.0',
    /see engine and profile/,
  ],
  // Accounts, plans and keys
  ['an account that is no UUID', `${MODELS}\naccounts:\n- { id: acme }`, 3, 'accounts.0.id', /must be a UUID/],
  [
    'one account twice',
    `${MODELS}\naccounts:\n- { id: ${ID} }\n- { id: ${ID.toUpperCase()} }`,
    4,
    'accounts.1.id',
    /the id of accounts\.0\.id already/,
  ],
  [
    'a plan that there is not',
    `plans: { pro: {} }\n${account('plan: por')}`,
    4,
    'accounts.0.plan',
    /did you mean 'pro'\?/,
  ],
  [
    'a window of a year in words',
    top('plans: { p: { requests: { limit: 5, window: 1y } } }'),
    1,
    'plans.p.requests.window',
    /such as 1h, 1d or 7d/,
  ],
  [
    'a negative quota',
    top('plans: { p: { requests: { limit: -5, window: 1d } } }'),
    1,
    'plans.p.requests.limit',
    /at least 1/,
  ],
  ['a model that there is not', account('models: [mm]'), 3, 'accounts.0.models.0', /did you mean 'm'\?/],
  [
    'a role that there is not',
    `${MODELS}\naccounts:\n- { id: ${ID}, members: [{ user: a, role: chief }] }`,
    3,
    'accounts.0.members.0.role',
    /'owner'/,
  ],
  ['no backend without retention', account('zdr_required: true'), 3, 'accounts.0.zdr_required', /zdr: true/],
  [
    'a key of nobody',
    key('id: k, user: alise, secret: service_12345678'),
    3,
    'accounts.0.keys.0.user',
    /did you mean 'alice'\?/,
  ],
  ['a key without a secret', key('id: k, user: alice'), 3, 'accounts.0.keys.0', /needs secret or sha256/],
  [
    'a key that is too short',
    key('id: k, user: alice, secret: abc'),
    3,
    'accounts.0.keys.0.secret',
    /8 to 512 printable/,
  ],
  [
    'a hash that is none',
    key('id: k, user: alice, sha256: abc'),
    3,
    'accounts.0.keys.0.sha256',
    /64 hexadecimal digits/,
  ],
  [
    'one key twice',
    key('id: k, user: alice, secret: service_12345678', 'id: l, user: alice, secret: service_12345678'),
    3,
    'accounts.0.keys.1',
    /same key as accounts\.0\.keys\.0/,
  ],
  [
    'one id for two keys',
    key('id: k, user: alice, secret: service_12345678', 'id: k, user: alice, secret: service_87654321'),
    3,
    'accounts.0.keys.1.id',
    /the id of accounts/,
  ],
  [
    'an endpoint that there is not',
    key('id: k, user: alice, secret: service_12345678, endpoints: [a.example.com]'),
    3,
    'accounts.0.keys.0.endpoints.0',
    /there is no endpoint/,
  ],
  // Addresses, secrets and shapes
  ...['c2hvcnQ=', `${'A'.repeat(43)}`, 'a pass phrase'].map(
    (value): Row => [
      `a key of files that is no base64 of 32 bytes: ${value}`,
      top(`files: { encryption_key: ${value} }`),
      1,
      'files.encryption_key',
      /^must be the base64 of 32 bytes; `openssl rand -base64 32` makes one$/,
    ],
  ),
  [
    'several hosts in a store',
    top('store: "postgres://u:p@a:5432,b:5432/db"'),
    1,
    'store',
    /names several hosts: name one/,
  ],
  ['a slash in a password', top('store: "postgres://u:a/b@h/db"'), 1, 'store', /percent-encoding: \/ is %2F/],
  ['a port above 65535', top('store: "postgres://h:99999/db"'), 1, 'store', /a port above 65535/],
  ['a port of Redis above 65535', top('limits_store: "redis://h:99999"'), 1, 'limits_store', /has no valid port/],
  ['a URL for an address', top('listen: { host: "http://0.0.0.0" }'), 1, 'listen.host', /such as 0\.0\.0\.0/],
  [
    'a scheme before a key',
    backend('url: http://a/v1, api_key: "Bearer x"'),
    2,
    'models.0.backends.0.api_key',
    /without spaces/,
  ],
  [
    'a line feed after a key',
    backend('url: http://a/v1, api_key: "x\\n"'),
    2,
    'models.0.backends.0.api_key',
    /without spaces/,
  ],
  [
    'a default for a variable',
    top('store: "${STORE:-sqlite:a.db}"'),
    1,
    'store',
    /digits and underscores is needed between \$\{ and \}/,
  ],
  [
    'a percentage for a share',
    top(`alerts: { webhook: https://a/b, secret: ${WEBHOOK_SECRET}, quota_used: [80] }`),
    1,
    'alerts.quota_used.0',
    /at most 1/,
  ],
  ['megabytes for bytes', top('body_limit_bytes: 50'), 1, 'body_limit_bytes', /at least 1024/],
  ['models of two kinds of servers', source('url: http://a/v1, dns: { name: a }'), 2, 'models.0.discover', /either/],
  ['models of no servers', source('every_seconds: 5'), 2, 'models.0.discover', /needs either url or dns/],
  ['models of a file', source('file: a.yaml, url: http://a/v1'), 2, 'models.0.discover.file', /unknown key 'file'/],
  ['models that are discovered by a word', 'models:\n- { discover: dns }', 2, 'models.0.discover', /must be an object/],
  ['models of a name without a scheme', source('url: "a:8000"'), 2, 'models.0.discover.url', /http:\/\//],
  ['models of a route', source('url: http://a/v1/models'), 2, 'models.0.discover.url', /ends with a route/],
  ['a DNS name of models with a scheme', source('dns: { name: "http://a" }'), 2, 'models.0.discover.dns.name', /DNS/],
  ['no DNS name of models', source('dns: { port: 80 }'), 2, 'models.0.discover.dns.name', /is required/],
  [
    'a port with SRV records of models',
    source('dns: { name: _http._tcp.a, type: SRV, port: 80 }'),
    2,
    'models.0.discover.dns.port',
    /whose records have ports/,
  ],
  [
    'a DNS server by name',
    source('dns: { name: a, servers: [ns.test] }'),
    2,
    'models.0.discover.dns.servers.0',
    /10\./,
  ],
  ['no time between lists', source('url: http://a/v1, every_seconds: 0'), 2, 'models.0.discover.every_seconds', /0\.1/],
  ['a glob with brackets', source('url: http://a/v1', 'allow: ["Qwen/[ab]"]'), 2, 'models.0.allow.0', /\* stands for/],
  ['a glob with a question mark', source('url: http://a/v1', 'allow: ["Qwen?"]'), 2, 'models.0.allow.0', /any text/],
  ['no models allowed', source('url: http://a/v1', 'allow: []'), 2, 'models.0.allow', /not empty/],
  ['an id next to discover', source('url: http://a/v1', 'id: m'), 2, 'models.0.id', /known here are discover, allow/],
  ['backends next to discover', source('url: http://a/v1', 'backends: []'), 2, 'models.0.backends', /unknown key/],
  ['an id for all models', defaults('id: m'), 2, 'models.0.defaults.id', /unknown key 'id'/],
  ['an alias for all models', defaults('aliases: [m]'), 2, 'models.0.defaults.aliases', /unknown key 'aliases'/],
  ['a misspelt default', defaults('max_concurency: 2'), 2, 'models.0.defaults.max_concurency', /'max_concurrency'\?/],
  [
    'an address of all models',
    defaults('backends: [{ url: http://a/v1 }]'),
    2,
    'models.0.defaults.backends.0.url',
    /discover finds the servers/,
  ],
  [
    'a name for all models on their servers',
    defaults('backends: [{ model: m }]'),
    2,
    'models.0.defaults.backends.0.model',
    /cannot be given here/,
  ],
  [
    'two backends for all models',
    defaults('backends: [{ zdr: true }, { zdr: false }]'),
    2,
    'models.0.defaults.backends',
    /at most 1 item/,
  ],
  [
    'an input price of all models',
    defaults('pricing: { input: 5 }'),
    2,
    'models.0.defaults.pricing.output',
    /is required/,
  ],
  [
    'an entry that finds what another one finds',
    'models:\n- { discover: { url: http://a/v1 } }\n- { discover: { url: http://a/v1 } }',
    3,
    'models.1',
    /finds the same models as models\.0/,
  ],
  ['a URL for a name of DNS', backend('discover: dns, name: "http://a"'), 2, 'models.0.backends.0.name', /DNS name/],
  [
    'a path without its slash',
    backend('url: http://a/v1, profile: { health_path: health }'),
    2,
    'models.0.backends.0.profile.health_path',
    /start with a slash/,
  ],
  ['accounts by name', `${MODELS}\naccounts: { acme: {} }`, 2, 'accounts', /must be an array, not an object/],
  [
    'a window without its unit',
    top('plans: { p: { requests: { limit: 5, window: 60 } } }'),
    1,
    'plans.p.requests.window',
    /must be a string, not a number/,
  ],
  // Plugins
  [
    'a plugin that there is not',
    plugins('{ base: default, off: [qouta] }'),
    1,
    'plugins.off.0',
    /did you mean 'quota'\?/,
  ],
  [
    'limits of tokens that nothing enforces',
    `${LIMITED}\nplugins: [{ use: auth }]`,
    2,
    'plans.p.limits.tokens_per_minute',
    /the plugin 'usage-limits' does not run, so tokens/,
  ],
  [
    'a quota that is switched off',
    `${LIMITED}\nplugins: { base: default, off: [quota] }`,
    2,
    'plans.p.requests',
    /the plugin 'quota' does not run/,
  ],
  ['changes of nothing', plugins('{ off: [quota] }'), 1, 'plugins.base', /is required/],
  [
    'a file that is not there',
    plugins('{ base: default, add: [{ use: ./no.ts, after: model }] }'),
    1,
    'plugins.add.0.use',
    /there is no file \/.*no\.ts/,
  ],
  [
    'a package that is not there',
    plugins('{ base: default, add: [{ use: acme, after: model }] }'),
    1,
    'plugins.add.0.use',
    /a file's path starts with/,
  ],
  [
    'a plugin without a place',
    plugins('{ base: default, off: [quota], add: [{ use: quota }] }'),
    1,
    'plugins.add.0',
    /needs after or before/,
  ],
]

/** What a gateway accepts and runs with, but what is rarely intended. */
const WARNINGS: readonly Row[] = [
  [
    'a prepaid account with a model without a price',
    account('credits_cents: 500'),
    3,
    'accounts.0.credits_cents',
    /^requests to the model 'm' cost nothing: set pricing/,
  ],
  [
    'a spend limit of a plan with a model without a price',
    top('plans: { p: { limits: { budget_cents: { amount: 5, window: 1d } } } }'),
    1,
    'plans.p.limits.budget_cents',
    /'m' cost nothing/,
  ],
  [
    'a spend limit of a key with a model without a price',
    key('id: k, user: alice, secret: service_12345678, limits: { budget_cents: { amount: 5, window: 1d } }'),
    3,
    'accounts.0.keys.0.limits.budget_cents',
    /'m' cost nothing/,
  ],
  [
    'a price in dollars per token',
    model('pricing: { input: 1, cached_input: 0.00000015, output: 1 }'),
    2,
    'models.0.pricing.cached_input',
    /cents per million tokens: for 1\.5e-7 dollars per token, write 15$/,
  ],
  [
    'a price in dollars per character',
    model('kind: speech, pricing: { per_million_characters: 0.000015 }'),
    2,
    'models.0.pricing.per_million_characters',
    /cents per million characters: for 0\.000015 dollars per character, write 1500$/,
  ],
  [
    'the path of a collector of logs twice',
    top('export: { audit: { to: otlp, url: "http://c:4318/v1/logs" } }'),
    1,
    'export.audit.url',
    /appends \/v1\/logs itself: write http:\/\/c:4318$/,
  ],
  ['seconds to wait for memory', top('memory: { wait_ms: 5 }'), 1, 'memory.wait_ms', /write 5000$/],
  ['seconds to the first byte', top('timeouts: { first_byte_ms: 60 }'), 1, 'timeouts.first_byte_ms', /write 60000$/],
  ['seconds to connect', top('timeouts: { connect_ms: 2 }'), 1, 'timeouts.connect_ms', /write 2000$/],
  ['seconds between reads', top('timeouts: { idle_ms: 120 }'), 1, 'timeouts.idle_ms', /replies break off/],
  [
    'seconds in a queue',
    model('max_concurrency: 8, queue: { max_wait_ms: 30 }'),
    2,
    'models.0.queue.max_wait_ms',
    /requests end with 429: for 30 seconds, write 30000/,
  ],
  [
    'a collector with the path that is appended',
    plugins('{ base: default, options: { trace: { endpoint: "http://c:4318/v1/traces" } } }'),
    1,
    'plugins.options.trace.endpoint',
    /appends \/v1\/traces itself: write http:\/\/c:4318$/,
  ],
  [
    'a collector with a part of the path that is appended',
    plugins('{ base: default, options: { trace: { endpoint: "http://c:4318/v1/" } } }'),
    1,
    'plugins.options.trace.endpoint',
    /write http:\/\/c:4318$/,
  ],
  [
    'a backend that is the gateway',
    top('listen: { host: 0.0.0.0, port: 8000 }').replace('//a:', '//localhost:'),
    2,
    'models.0.backends.0.url',
    /is this gateway itself/,
  ],
  [
    'a backend that is a name of the gateway',
    top('hosts: { gateway: [api.example.com] }').replace('//a:8000', '//api.example.com'),
    2,
    'models.0.backends.0.url',
    /write the url of the engine/,
  ],
  ['a queue that nothing fills', model('queue: {}'), 2, 'models.0.queue', /set max_concurrency/],
  [
    'a proxy that may be anyone',
    top('listen: { trusted_proxies: [0.0.0.0/0] }'),
    1,
    'listen.trusted_proxies.0',
    /claim any address/,
  ],
  [
    'images from every private address',
    top('image_fetch: { allow: ["::/0"] }'),
    1,
    'image_fetch.allow.0',
    /every private address/,
  ],
  ['milliseconds to drain', top('drain_seconds: 30000'), 1, 'drain_seconds', /for 30000 milliseconds, write 30$/],
  [
    'milliseconds until an alert',
    top(`alerts: { webhook: https://a/b, secret: ${WEBHOOK_SECRET}, backend_down_seconds: 60000 }`),
    1,
    'alerts.backend_down_seconds',
    /write 60$/,
  ],
  [
    'milliseconds between lookups',
    backend('discover: dns, name: a.svc, port: 8000, every_seconds: 5000'),
    2,
    'models.0.backends.0.every_seconds',
    /write 5$/,
  ],
  [
    'milliseconds between lists of models',
    source('url: http://a/v1, every_seconds: 30000'),
    2,
    'models.0.discover.every_seconds',
    /write 30$/,
  ],
  ['milliseconds since 1970', model('created: 1750000000000'), 2, 'models.0.created', /write 1750000000$/],
  ['thousands of tokens', model('max_model_len: 32'), 2, 'models.0.max_model_len', /for 32k, write 32768$/],
  [
    'a cache that makes dearer',
    model('pricing: { input: 10, cached_input: 20, output: 30 }'),
    2,
    'models.0.pricing.cached_input',
    /is higher than input/,
  ],
  [
    'an engine without /v1',
    backend('url: "http://a:8000", engine: vllm'),
    2,
    'models.0.backends.0.url',
    /serves its API below \/v1: add \/v1/,
  ],
  ['/v1 twice', backend('url: http://a:8000/v1/v1'), 2, 'models.0.backends.0.url', /end with 404/],
  [
    'a header in two spellings',
    backend('url: http://a/v1, headers: { X-Team: a, x-team: b }'),
    2,
    'models.0.backends.0.headers.x-team',
    /is the same header as models\.0\.backends\.0\.headers\.X-Team/,
  ],
  [
    'SRV records without a service',
    backend('discover: dns, name: vllm.default.svc, type: SRV'),
    2,
    'models.0.backends.0.name',
    /begin with service and protocol/,
  ],
  [
    'a variable without braces',
    backend('url: http://a/v1, api_key: $VLLM_KEY'),
    2,
    'models.0.backends.0.api_key',
    /write \$\{NAME\}/,
  ],
  [
    'a secret that is the name of a variable',
    key('id: k, user: alice, secret: $SLUICEWAY_KEY'),
    3,
    'accounts.0.keys.0.secret',
    /write \$\{NAME\}/,
  ],
  ['a store in memory', top('store: "sqlite::memory:"'), 1, 'store', /is lost at the end of the process/],
  [
    'a store with two slashes',
    top('store: sqlite://data/x.db'),
    1,
    'store',
    /is the file \/data\/x\.db: .*sqlite:\.\/data/,
  ],
  ['a store that is deleted', top('store: sqlite:/tmp/x.db'), 1, 'store', /deleted when the machine starts/],
  ['a journal that is deleted', top('journal: /dev/shm/journal'), 1, 'journal', /deleted when the machine starts/],
  [
    'one directory twice',
    top('journal: ./data\nfiles: { path: ./data }'),
    2,
    'files.path',
    /is the directory of journal/,
  ],
  [
    'one file for several machines',
    top('limits_store: redis://a\nlimits: { processes: 4 }'),
    2,
    'limits.processes',
    /other machines have other keys.*: use PostgreSQL/,
  ],
  [
    'bodies that find no memory',
    top('memory: { bodies_bytes: 67108864 }'),
    1,
    'memory.bodies_bytes',
    /allows bodies of 33554432 bytes/,
  ],
  [
    'more of a key than of its account',
    top('admission: { requests_per_key: 100, requests_per_account: 10 }'),
    1,
    'admission.requests_per_key',
    /an account may have 10/,
  ],
  [
    'more of a key than of its plan',
    `plans: { p: { limits: { concurrency: 4 } } }\n${key('id: k, user: alice, secret: service_12345678, limits: { concurrency: 8 }').replace(ID, `${ID}, plan: p`)}`,
    4,
    'accounts.0.keys.0.limits.concurrency',
    /the plan of the account allows 4/,
  ],
  [
    'one name for two accounts',
    `${MODELS}\naccounts:\n- { id: ${ID}, name: acme }\n- { id: 7${ID.slice(1)}, name: acme }`,
    4,
    'accounts.1.name',
    /is accounts\.0\.name too, so that commands need the id/,
  ],
  [
    'a spend limit of a model without a price',
    top('plans: { p: { limits: { models: { m: { budget_cents: { amount: 5, window: 1d } } } } } }'),
    1,
    'plans.p.limits.models.m.budget_cents',
    /'m' cost nothing/,
  ],
  [
    'a dedicated key without endpoints',
    key('id: k, user: alice, secret: service_12345678, kind: dedicated'),
    3,
    'accounts.0.keys.0',
    /refused on every host: name its endpoints/,
  ],
]

/** What is close to a mistake, and is none. */
const PLAUSIBLE = `
store: postgres://user:50%25@db.example.com/sluiceway
limits_store: redis://redis
limits: { processes: 4 }
journal: /var/lib/sluiceway/journal
drain_seconds: 7200
memory: { bodies_bytes: 1073741824 }
listen: { host: 10.0.0.1, port: 8000, trusted_proxies: [10.0.0.0/8] }
hosts: { gateway: [localhost, api.example.com] }
timeouts: { connect_ms: 50, first_byte_ms: 5000 }
plugins: { base: default, options: { trace: { endpoint: "http://c:4318/otlp" } } }
models:
- { id: m, pricing: { input: 0.2, output: 0 }, queue: {}, backends: [{ url: http://127.0.0.1:8000/v1, max_concurrency: 8 }] }
- { id: n, backends: [{ url: http://api.example.com:9000, headers: { x-cost: $5 } }] }
- { id: e, kind: embedding, max_model_len: 256, backends: [{ url: http://b/v1 }] }
accounts:
- { id: ${ID}, credits_cents: 5, models: [m] }
`

/** A chain is checked as a whole: a problem has the plugin, and no line. */
const CHAINS: readonly (readonly [mistake: string, text: string, words: RegExp])[] = [
  [
    'a misspelt option',
    '{ base: default, options: { images: { max_byte: 5 } } }',
    /^line 1: plugins\.options\.images .*did you mean 'max_bytes'\?/,
  ],
  [
    'an option of another type',
    '{ base: default, options: { images: { max_bytes: lots } } }',
    /must be a whole number/,
  ],
  [
    'a collector that is no URL',
    '{ base: default, options: { trace: { endpoint: collector } } }',
    /such as 'http:\/\/collector:4318'/,
  ],
  [
    'an order that cannot work',
    '[{ use: model }, { use: translate }]',
    /'model' needs slot 'chat'; move it below 'translate'/,
  ],
  [
    'a plugin that others need',
    '{ base: default, off: [translate] }',
    /which nothing in this chain provides; add 'translate'/,
  ],
  [
    'a plugin that others need, where another does the same on other routes',
    '{ base: default, off: [model] }',
    /'sampling' needs slot 'target', which nothing in this chain provides; add 'model'/,
  ],
  ['a plugin twice', '[{ use: request-id }, { use: request-id }]', /is in the chain twice; remove one/],
]

describe('wrong configurations', () => {
  let baseDir: string
  before(() => {
    baseDir = mkdtempSync(join(tmpdir(), 'sluiceway-wrong-'))
    writeFileSync(join(baseDir, 'bad.pem'), 'not a certificate')
  })
  after(() => rmSync(baseDir, { recursive: true }))

  const warnings: Problem[] = []
  beforeEach(() => warnings.splice(0))

  /** As `sluiceway check` reads it. */
  const read = (text: string) =>
    parseConfig(text, {
      baseDir,
      env: {},
      fileName: 'sluiceway.yaml',
      missingPlugin,
      onWarning: warning => warnings.push(warning),
    })

  for (const [mistake, text, line, path, words] of ROWS) {
    it(mistake, () => {
      try {
        read(text)
      } catch (error) {
        if (!(error instanceof ConfigError)) throw error
        const found = error.problems.find(problem => problem.path === path)
        expect(found, error.message).include({ path })
        expect(found!.line, error.message).equal(line)
        expect(found!.message).match(words)
        return
      }
      expect.fail('it is accepted')
    })
  }

  for (const [mistake, text, line, path, words] of WARNINGS) {
    it(`${mistake}, with a warning`, () => {
      read(text)
      expect(warnings).lengthOf(1)
      expect(warnings[0]).include({ line, path })
      expect(warnings[0]!.message).match(words)
    })
  }

  it('warns of nothing that is plausible', () => {
    read(PLAUSIBLE)
    expect(warnings).deep.equal([])
  })

  for (const [mistake, chain, words] of CHAINS) {
    it(`${mistake}, in the chain of plugins`, async () => {
      const { problems } = await tryChains(read(plugins(chain)))
      expect(problems.join('\n')).match(new RegExp(words.source, 'm'))
    })
  }

  it('starts with what is hardly meant, which check alone refuses', () => {
    const texts = [
      `${LIMITED}\nplugins: [{ use: auth }]`,
      backend('url: http://a/v1, drain: true'),
      backend('url: http://a/v1/chat/completions'),
    ]
    for (const text of texts) expect(parseConfig(text, { baseDir, env: {}, fileName: 'f' }).models).lengthOf(1)
  })
})
