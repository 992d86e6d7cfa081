import { expect } from 'chai'
import { KeyRing } from '../../../lib/accounts/access.ts'
import { systemClock } from '../../../lib/base/clock.ts'
import { sha256 } from '../../../lib/base/sha256.ts'
import { failure } from '../../../lib/plugin.ts'
import { play, type Scene } from '../../../lib/testing.ts'
import auth from '../../../plugins/access/auth/index.ts'
import { key } from '../../../plugins/slots.ts'
import { keyOf } from '../../support/key.ts'

const SECRET = 'service_alice_secret'
const alice = keyOf()
const dedicated = keyOf({}, { id: 'k2', kind: 'dedicated', endpoints: ['acme-1.test', 'acme-2.test'] })
const keys = new KeyRing([
  [sha256(SECRET), alice],
  [sha256('service_dedicated'), dedicated],
])

/** The key that was found, or status and code of the refusal. */
async function asked(headers: Readonly<Record<string, string>>, scene: Scene = {}) {
  const { error, exchange } = await play(auth, { services: { keys }, headers, ...scene })
  return error === undefined ? exchange.find(key) : `${error.status} ${error.code}`
}

const bearer = (secret = SECRET) => ({ authorization: `Bearer ${secret}` })
const DEDICATED = { surface: 'dedicated', endpoint: 'acme-1.test' } as const
const MISSING = '401 missing_api_key'
const INVALID = '401 invalid_api_key'

// docs/api/README.md#authentication, row by row
describe('auth', () => {
  describe('row 1: on the gateway', () => {
    it('accepts either header, on every route', async () => {
      for (const route of ['chat', 'completions', 'messages', 'responses', 'count-tokens', 'model-list'] as const) {
        expect(await asked(bearer(), { route, surface: 'gateway' }), route).equal(alice)
        expect(await asked({ 'x-api-key': SECRET }, { route, surface: 'gateway' }), route).equal(alice)
      }
    })

    it('accepts both if they are equal', async () => {
      expect(await asked({ ...bearer(), 'x-api-key': SECRET })).equal(alice)
    })

    it('accepts one header if the other is empty, as some clients send it', async () => {
      expect(await asked({ ...bearer(), 'x-api-key': '' })).equal(alice)
      expect(await asked({ authorization: '', 'x-api-key': SECRET })).equal(alice)
      expect(await asked({ authorization: 'Bearer ', 'x-api-key': SECRET })).equal(alice)
    })

    it('refuses two different keys, also if both are valid: the paying account would be ambiguous', async () => {
      const { error } = await play(auth, {
        services: { keys },
        headers: { ...bearer(), 'x-api-key': 'service_dedicated' },
      })
      expect(`${error?.status} ${error?.code}`).equal(INVALID)
      expect(error?.message).equal("'Authorization' and 'x-api-key' have two different keys: send one.")
    })

    it('accepts the known one of two different keys: the other is left over from another service', async () => {
      for (const foreign of ['sk-ant-api03-foreign', 'service_unknown', `${SECRET} `]) {
        for (const route of ['messages', 'chat', 'model-list', 'usage-me'] as const) {
          expect(await asked({ ...bearer(), 'x-api-key': foreign }, { route }), route).equal(alice)
          expect(await asked({ ...bearer(foreign), 'x-api-key': SECRET }, { route }), route).equal(alice)
        }
      }
      expect(await asked({ ...bearer('service_unknown'), 'x-api-key': 'sk-foreign' })).equal(INVALID)
    })

    it('accepts x-api-key next to credentials of another scheme, such as those for a proxy', async () => {
      const headers = { authorization: 'Basic YWxpY2U6cGFzcw==' }
      expect(await asked({ ...headers, 'x-api-key': SECRET })).equal(alice)
      expect(await asked({ ...headers, 'x-api-key': 'service_unknown' })).equal(INVALID)
      const { error } = await play(auth, {
        services: { keys },
        headers: { ...headers, 'x-api-key': SECRET },
        ...DEDICATED,
      })
      expect(`${error?.status} ${error?.code}`).equal(INVALID)
    })
  })

  describe('row 2: on a dedicated host and the management API', () => {
    const place = DEDICATED

    it('accepts the bearer form alone', async () => {
      expect(await asked(bearer('service_dedicated'), place)).equal(dedicated)
      expect(await asked({ 'x-api-key': 'service_dedicated' }, place)).equal(MISSING)
      const api = { route: 'usage-me', surface: 'api' } as const
      expect(await asked(bearer(), api)).equal(alice)
      expect(await asked({ 'x-api-key': SECRET }, api)).equal(MISSING)
    })

    it('does not suggest x-api-key to a client that sent it', async () => {
      const { error } = await play(auth, { services: { keys }, headers: { 'x-api-key': SECRET }, ...place })
      expect(error?.message).equal("No API key was sent: use 'Authorization: Bearer <API_KEY>'.")
    })

    it('ignores x-api-key', async () => {
      expect(await asked({ ...bearer('service_dedicated'), 'x-api-key': 'other' }, place)).equal(dedicated)
    })
  })

  describe('rows 3 and 4: a dedicated endpoint', () => {
    it('is accepted with a kind of key for inference, and not on the gateway', async () => {
      for (const route of ['chat', 'completions', 'messages', 'count-tokens', 'responses', 'model-list'] as const) {
        expect(await asked(bearer('service_dedicated'), { route, surface: 'gateway' }), route).equal('403 http_403')
      }
      expect(await asked(bearer('service_dedicated'), { route: 'endpoints', surface: 'api' })).equal(dedicated)
      for (const surface of ['gateway', 'api'] as const) {
        expect(await asked(bearer('service_dedicated'), { route: 'usage-me', surface }), surface).equal(dedicated)
      }
    })

    it('is open to a key that names it, among others', async () => {
      for (const endpoint of ['acme-1.test', 'acme-2.test'])
        expect(await asked(bearer('service_dedicated'), { surface: 'dedicated', endpoint })).equal(dedicated)
    })

    it('is closed to a valid key that does not: 403', async () => {
      const other = { surface: 'dedicated', endpoint: 'acme-3.test' } as const
      expect(await asked(bearer('service_dedicated'), other)).equal('403 http_403')
      expect(await asked(bearer(), { surface: 'dedicated', endpoint: 'acme-1.test' })).equal('403 http_403')
      expect(await asked(bearer('service_unknown'), other)).equal(INVALID)
    })
  })

  describe('row 8: failures', () => {
    it('without credentials it is missing_api_key', async () => {
      for (const headers of [{}, { authorization: '' }, { authorization: 'Bearer' }, { 'x-api-key': '' }] as Record<
        string,
        string
      >[])
        expect(await asked(headers), JSON.stringify(headers)).equal(MISSING)
    })

    it('with an unknown or damaged key it is invalid_api_key', async () => {
      const damaged = [
        'service_unknown',
        ` ${SECRET}`,
        `${SECRET} `,
        `\t${SECRET}`,
        SECRET.replace('_', ' '),
        `${SECRET}\u00a0`,
        `"${SECRET}"`,
        `${SECRET},${SECRET}`,
        SECRET.toUpperCase(),
        '__proto__',
      ]
      for (const secret of damaged) {
        expect(await asked(bearer(secret)), `Bearer '${secret}'`).equal(INVALID)
        expect(await asked({ 'x-api-key': secret }), `x-api-key '${secret}'`).equal(INVALID)
      }
    })

    it('with another scheme it is invalid_api_key', async () => {
      for (const authorization of [
        `Basic ${SECRET}`,
        SECRET,
        `Bearer:${SECRET}`,
        `Bearer\t${SECRET}`,
        `Bearerx ${SECRET}`,
      ])
        expect(await asked({ authorization }), authorization).equal(INVALID)
    })

    it('reveals nothing about the key', async () => {
      const { error } = await play(auth, { services: { keys }, headers: bearer('service_wrong_key') })
      expect(JSON.stringify(error?.details) + error?.message).not.contain('wrong_key')
    })
  })

  it('accepts the scheme in any case (RFC 9110 section 11.1)', async () => {
    for (const scheme of ['bearer', 'BEARER', 'bEaReR'])
      expect(await asked({ authorization: `${scheme} ${SECRET}` }), scheme).equal(alice)
  })

  it('refuses a header that is sent twice', async () => {
    expect(await asked({ authorization: `Bearer ${SECRET}, Bearer ${SECRET}` })).equal(INVALID)
  })

  it('refuses two keys on the gateway only', async () => {
    const both = { ...bearer('service_dedicated'), 'x-api-key': SECRET }
    expect(await asked(both, { route: 'usage-me', surface: 'gateway' })).equal(INVALID)
    expect(await asked(both, { route: 'usage-me', surface: 'api' })).equal(dedicated)
    expect(await asked(both, { surface: 'dedicated', endpoint: 'acme-1.test' })).equal(dedicated)
  })

  it('guards exactly the routes that need a key', async () => {
    for (const route of ['landing', 'error-docs'] as const) {
      const thrown = await play(auth, { route }).catch((error: Error) => error)
      expect(thrown).include({ message: "'auth' runs on no such route" })
    }
  })

  describe('keys with attributes', () => {
    const NOW = 1_800_000_000_000_000
    const clock = { ...systemClock, micros: () => NOW }
    const own = new KeyRing([
      [sha256('service_disabled'), keyOf({}, { disabled: true })],
      [sha256('service_expired'), keyOf({}, { expiresAt: NOW })],
      [sha256('service_expiring'), keyOf({}, { id: 'k9', expiresAt: NOW + 1, isStored: true })],
      [sha256('service_closed'), keyOf({ disabled: true })],
    ])
    const tried = async (secret: string, more: Readonly<Record<string, string>> = {}) => {
      const { error } = await play(auth, { services: { keys: own, clock }, headers: { ...bearer(secret), ...more } })
      return error && `${error.status} ${error.code} ${error.message}`
    }

    it('are refused if they are disabled or expired, with a message that names the reason', async () => {
      expect(await tried('service_disabled')).equal('401 invalid_api_key This API key is disabled.')
      expect(await tried('service_expired')).equal('401 invalid_api_key This API key has expired.')
      expect(await tried('service_closed')).equal('401 invalid_api_key The account of this API key is disabled.')
      expect(await tried('sk-foreign', { 'x-api-key': 'service_expired' })).contain('This API key has expired.')
      expect(own.takeUses().size).equal(0)
    })

    it('are recorded as used if they are in the store', async () => {
      expect(await tried('service_expiring')).equal(undefined)
      expect([...own.takeUses()]).deep.equal([['k9', NOW]])
    })

    it('are looked up again before they are refused as unknown', async () => {
      const fresh = new KeyRing()
      let looks = 0
      fresh.refreshWith(async () => {
        looks++
        fresh.replace([[sha256('service_new'), alice]])
      })
      const { error, exchange } = await play(auth, { services: { keys: fresh }, headers: bearer('service_new') })
      expect([error, exchange.find(key), looks]).deep.equal([undefined, alice, 1])
      fresh.replace([])
      const two = { ...bearer('sk-foreign'), 'x-api-key': 'service_new' }
      const other = await play(auth, { services: { keys: fresh }, headers: two })
      expect([other.error, other.exchange.find(key), looks]).deep.equal([undefined, alice, 2])
      const unknown = await play(auth, { services: { keys: fresh }, headers: bearer('service_other') })
      expect([unknown.error?.code, looks]).deep.equal(['invalid_api_key', 3])
      // The store does not answer: the key may be valid.
      const unavailable = failure('internal_error', {}, { status: 503 })
      fresh.refreshWith(() => Promise.reject(unavailable))
      const away = play(auth, { services: { keys: fresh }, headers: bearer('service_other') })
      expect(await away.catch((error: unknown) => error)).equal(unavailable)
    })
  })
})
