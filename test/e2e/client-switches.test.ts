import { readFile } from 'node:fs/promises'
import { expect } from 'chai'
import type { JsonObject } from '../../lib/base/json.ts'
import { events } from '../support/backend.ts'
import { ends, role, says, usage } from '../support/fixtures/events.ts'
import { KEY } from '../support/gateway.ts'
import { type Answer, useRules } from '../support/rules.ts'

/** Keys with the options of the gateway, with those of an account, and with options of the key. */
const KEYS = { gateway: KEY, account: 'service_account_level', key: 'service_key_level' }

type Level = keyof typeof KEYS

/** The two values of a switch, and a request whose response depends on it. */
interface Switch {
  readonly name: string
  readonly first: JsonObject
  readonly second: JsonObject
  readonly path: string
  readonly body: JsonObject
  readonly isSecond: (answer: Answer) => boolean
}

const NO_ARGUMENTS: JsonObject = { type: 'object', properties: {} }

const SWITCHES: readonly Switch[] = [
  {
    name: 'tools.empty_parameters',
    first: { tools: { empty_parameters: 'refuse' } },
    second: { tools: { empty_parameters: 'accept' } },
    path: '/v1/chat/completions',
    body: {
      model: 'm',
      messages: [{ role: 'user', content: 'Hi' }],
      tools: [{ type: 'function', function: { name: 'f', parameters: { type: 'object' } } }],
    },
    isSecond({ status, error, sent }) {
      if (status !== 200) expect(error.code).equal('tool_schema_invalid')
      else expect(sent?.tools).deep.equal([{ type: 'function', function: { name: 'f', parameters: NO_ARGUMENTS } }])
      return status === 200
    },
  },
  {
    name: 'chat.usage_chunks',
    first: { chat: { usage_chunks: 'every' } },
    second: { chat: { usage_chunks: 'last' } },
    path: '/v1/chat/completions',
    body: { model: 'm', messages: [{ role: 'user', content: 'Hi' }], stream: true },
    isSecond({ text }) {
      const chunks = text.split('\n\n').filter(line => line.startsWith('data: {'))
      const counted = chunks.filter(line => line.includes('"usage":'))
      expect(counted.at(-1)).equal(chunks.at(-1)).and.contain('"choices":[]')
      return counted.length === 1
    },
  },
  {
    name: 'messages.input_tokens',
    first: { messages: { input_tokens: 'total' } },
    second: { messages: { input_tokens: 'uncached' } },
    path: '/v1/messages',
    body: { model: 'm', max_tokens: 9, messages: [{ role: 'user', content: 'Hi' }] },
    isSecond({ json }) {
      const { input_tokens, cache_read_input_tokens } = json.usage as JsonObject
      expect(cache_read_input_tokens).equal(4)
      expect(input_tokens).oneOf([5, 9])
      return input_tokens === 5
    },
  },
  {
    name: 'responses.untyped_items',
    first: { responses: { untyped_items: 'refuse' } },
    second: { responses: { untyped_items: 'message' } },
    path: '/v1/responses',
    body: { model: 'm', input: [{ role: 'user', content: [{ type: 'input_text', text: 'Hi' }] }] },
    isSecond({ status, error, sent }) {
      if (status !== 200) expect(error.code).equal('unsupported_input_item')
      else expect(sent?.messages).deep.equal([{ role: 'user', content: 'Hi' }])
      return status === 200
    },
  },
  {
    name: 'responses.unknown_tools',
    first: { responses: { unknown_tools: 'reject' } },
    second: { responses: { unknown_tools: 'drop' } },
    path: '/v1/responses',
    body: { model: 'm', input: 'Hi', tools: [{ type: 'image_generation' }, { type: 'function', name: 'f' }] },
    isSecond({ status, error, sent }) {
      if (status !== 200) expect(error.code).equal('invalid_tool')
      else expect(sent?.tools).length(1)
      return status === 200
    },
  },
  {
    name: 'reasoning.other_efforts',
    first: { reasoning: { other_efforts: 'refuse' } },
    second: { reasoning: { other_efforts: 'nearest' } },
    path: '/v1/chat/completions',
    body: { model: 'm', messages: [{ role: 'user', content: 'Hi' }], reasoning_effort: 'minimal' },
    isSecond({ status, error, sent }) {
      if (status !== 200) expect(error.code).equal('schema_validation_failed')
      else expect(sent?.reasoning_effort).equal('low')
      return status === 200
    },
  },
]

/** Two chunks have usage. */
const COUNTED = usage(9, 1, { cached_tokens: 4 })
const SCRIPT = events(role, { ...says('a'), usage: COUNTED.usage! }, ends('stop'), COUNTED)

/** The members of all switches in one object. */
const all = (value: 'first' | 'second'): JsonObject =>
  SWITCHES.reduce<JsonObject>((merged, each) => {
    for (const [name, members] of Object.entries(each[value])) {
      merged[name] = { ...(merged[name] as JsonObject), ...(members as JsonObject) }
    }
    return merged
  }, {})

const account = (id: number, members: JsonObject, keys: readonly JsonObject[]): JsonObject => ({
  id: `6f2c1e9a-8d1b-4c57-9a53-0d6b1c1f7e4${id}`,
  keys: keys.map((key, index) => ({ id: `k${id}${index}`, ...key })),
  ...members,
})

/** docs/CONFIG.md: options of a key override those of its account, which override those of the gateway. */
describe('switches of the APIs', () => {
  const accounts = (inner: JsonObject, innermost: JsonObject) => [
    account(1, {}, [{ secret: KEYS.gateway }]),
    account(2, inner, [{ secret: KEYS.account }, { secret: KEYS.key, ...innermost }]),
  ]
  const second = useRules({ ...all('second'), accounts: accounts(all('first'), all('second')) })
  const first = useRules({ accounts: accounts(all('second'), all('first')) })
  const profiles = useRules({ accounts: accounts({ client_profile: 'agents' }, { client_profile: 'default' }) })

  for (const { name, path, body, isSecond } of SWITCHES) {
    it(`${name} is named by the error that it avoids, and by the page of that error`, async () => {
      const { status, error } = await first().ask(path, body, { script: SCRIPT })
      if (status === 200) return
      expect(error.message).contain(`'${name}'`)
      const page = await readFile(new URL(`../../docs/errors/${error.code}.md`, import.meta.url), 'utf8')
      expect(page).contain(name).and.contain('client_profile: agents')
    })

    const at = async (rules: typeof first, level: Level) =>
      isSecond(await rules().ask(path, body, { script: SCRIPT, headers: { authorization: `Bearer ${KEYS[level]}` } }))

    it(`${name} is as documented unless it is set`, async () => expect(await at(first, 'gateway')).equal(false))
    it(`${name} is set for the gateway`, async () => expect(await at(second, 'gateway')).equal(true))
    it(`${name} is set for an account`, async () => {
      expect(await at(first, 'account')).equal(true)
      expect(await at(second, 'account')).equal(false)
    })
    it(`${name} is set for a key`, async () => {
      expect(await at(first, 'key')).equal(false)
      expect(await at(second, 'key')).equal(true)
    })
    it(`${name} follows the profile of the account or the key`, async () => {
      expect(await at(profiles, 'gateway')).equal(false)
      expect(await at(profiles, 'account')).equal(true)
      expect(await at(profiles, 'key')).equal(false)
    })
  }
})
