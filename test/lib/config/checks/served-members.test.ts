import { expect } from 'chai'
import { isObject, type Json, type JsonObject } from '../../../../lib/base/json.ts'
import { toChain } from '../../../../lib/config/chain.ts'
import { checkServedMembers, PLUGIN_MEMBERS } from '../../../../lib/config/checks/served-members.ts'
import { compoundSchema } from '../../../../lib/config/config-schemas.ts'
import { builtInNames } from '../../../../lib/process/plugin-loader.ts'

const FILE = {
  plans: {
    a: { concurrency: 1, requests: {}, limits: { requests_per_minute: 1, concurrency: 1 } },
    b: { requests: {}, limits: { tokens_per_minute: 1, budget_cents: {}, models: {}, end_user: {} } },
  },
  accounts: [
    { zdr_required: false, keys: [{ limits: { requests_per_minute: 1, concurrency: 1 } }] },
    {
      zdr_required: true,
      credits_cents: 0,
      keys: [{ limits: { tokens_per_minute: 1, budget_cents: {}, models: {}, end_user: {} } }],
    },
  ],
  ...{ credits: {}, rate_limits_per_minute: {}, cors: { origins: ['https://a'] }, metrics: { accounts: 1 } },
  ...{ image_fetch: { allow: ['10.0.0.0/8'] }, files: {}, tools: { empty_parameters: 'accept' } },
  ...{ alerts: { credit_below_cents: [1], quota_used: [0.5] }, console: { alerts: true, oidc: {} } },
  export: { records: { to: 'stdout' } },
  models: [{ sampling: 'free' }, { sampling: 'fixed' }, { defaults: { sampling: 'fixed' } }],
} as const satisfies JsonObject

function doubts(file: JsonObject, plugins: Parameters<typeof toChain>[0]): string[] {
  const found: string[] = []
  checkServedMembers(file, toChain(plugins, '/'), (path, message) => found.push(`${path}: ${message}`))
  return found
}

describe('members that one plugin reads', () => {
  const none = [{ use: 'auth', enabled: true, options: {} }]

  it('are doubted, one for each, where it does not run', () => {
    const found = doubts(FILE, none)
    expect(found).lengthOf(PLUGIN_MEMBERS.length)
    expect(found).include(
      "plans.a.requests: has no effect (and 1 more like it): the plugin 'quota' does not run, so requests are not limited; add it, or remove this",
    )
    expect(found.join('\n')).contain("\naccounts.1.zdr_required: has no effect: the plugin 'zdr' does not run")
    expect(found.join('\n')).contain('\nmodels.1.sampling: ')
  })

  it('are not where it runs, or where they ask for nothing', () => {
    expect(doubts(FILE, undefined)).deep.equal([])
    expect(doubts({}, none)).deep.equal([])
    const idle = {
      ...{ cors: { origins: [] }, metrics: { accounts: 0 }, image_fetch: { allow: [] }, console: { alerts: false } },
      ...{ accounts: [{ zdr_required: false }], models: [{ sampling: 'free' }] },
    }
    expect(doubts(idle, none)).deep.equal([])
  })

  it('are doubted where a change switches it off', () => {
    const changes = { base: 'default', off: ['usage-limits'], options: {}, add: [] } as const
    expect(doubts(FILE, changes as never).map(text => text.split(':')[0])).deep.equal([
      ...['plans.b', 'accounts.1.keys.0'].flatMap(holder =>
        ['tokens_per_minute', 'budget_cents', 'models', 'end_user'].map(name => `${holder}.limits.${name}`),
      ),
    ])
  })

  it('are in the schema, and their plugins ship with the gateway', () => {
    const schema = compoundSchema() as JsonObject
    for (const { member, plugin } of PLUGIN_MEMBERS) {
      expect(builtInNames()).include(plugin)
      expect(
        member.split('.').reduce<Json>((at, name) => inner(schema, at, name), schema),
        member,
      ).an('object')
    }
  })
})

/** The schema of a member, or of each entry. */
function inner(root: JsonObject, at: Json, name: string): Json {
  const schema = resolved(root, at)
  // An entry of `models` has one of two forms.
  if (schema.else !== undefined) {
    const { properties = {} } = resolved(root, schema.else)
    return Object.hasOwn(properties as JsonObject, name)
      ? inner(root, schema.else, name)
      : inner(root, schema.then!, name)
  }
  if (name !== '*') return (schema.properties as JsonObject)[name] ?? null
  return (schema.items ?? schema.additionalProperties) as Json
}

function resolved(root: JsonObject, at: Json): JsonObject {
  if (!isObject(at)) throw new Error('no schema')
  const { $ref: ref } = at
  if (typeof ref !== 'string') return at
  const names = ref.split('/').slice(1)
  return resolved(
    root,
    names.reduce<Json>((value, name) => (value as JsonObject)[name.replaceAll('~1', '/')]!, root),
  )
}
