import { expect } from 'chai'
import type { JsonObject } from '../../lib/base/json.ts'
import { KEY } from '../support/gateway.ts'
import { type Answer, useRules } from '../support/rules.ts'

/** Keys: of the gateway's options, of an account that sets its own, and of that account with options of its own. */
const KEYS = { gateway: KEY, account: 'service_account_level', key: 'service_key_level' }

type Level = keyof typeof KEYS

/** A switch in its two values, and a request that shows which one applies. */
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
]

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

/** docs/CONFIG.md: a key's options go over its account's, and those over the gateway's. */
describe('switches of the APIs', () => {
  const accounts = (inner: JsonObject, innermost: JsonObject) => [
    account(1, {}, [{ secret: KEYS.gateway }]),
    account(2, inner, [{ secret: KEYS.account }, { secret: KEYS.key, ...innermost }]),
  ]
  const second = useRules({ ...all('second'), accounts: accounts(all('first'), all('second')) })
  const first = useRules({ accounts: accounts(all('second'), all('first')) })

  for (const { name, path, body, isSecond } of SWITCHES) {
    const at = async (rules: typeof first, level: Level) =>
      isSecond(await rules().ask(path, body, { headers: { authorization: `Bearer ${KEYS[level]}` } }))

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
  }
})
