import { expect } from 'chai'
import { configuredKeys, KeyRing } from '../../../lib/accounts/access.ts'
import { saveAccount } from '../../../lib/store/accounts.ts'
import { KeyWatch } from '../../../lib/store/key-watch.ts'
import { createKey, revokeKey } from '../../../lib/store/keys.ts'
import { ACCOUNT_ID, configOf, MODEL } from '../../support/config.ts'
import { eventually } from '../../support/gateway.ts'
import { onEveryStore, silent } from '../../support/stores.ts'

const accounts = (name: string) => `
accounts:
  - id: ${ACCOUNT_ID}
    name: ${name}
    kind: serverless
    keys: [{ id: k1, kind: serverless, secret: service_configured }]
`
const STORED = '00000000-0000-4000-8000-000000000001'

describe('watch over keys', () => {
  onEveryStore(store => {
    let watch: KeyWatch
    let ring: KeyRing
    let config = configOf(MODEL + accounts('acme'))
    beforeEach(async () => {
      config = configOf(MODEL + accounts('acme'))
      ring = new KeyRing(configuredKeys(config))
      watch = new KeyWatch({ store: store(), ring, config: () => config, log: silent, everyMs: 10 })
      const account = { id: STORED, name: 'stored', kind: 'serverless', zdr_required: false, models: ['*'] } as const
      await saveAccount(store(), { ...account, plan: undefined, credits_cents: undefined }, 1)
    })
    afterEach(() => watch.close())

    const create = async (account_id: string) =>
      createKey(store(), 'service', { account_id, user: undefined, kind: 'serverless', endpoints: [] }, 2)

    it('has keys of both places in the ring once it has started', async () => {
      const { secret } = await create(STORED)
      const ofConfigured = await create(ACCOUNT_ID)
      await watch.start()
      expect(ring.find(secret)?.account.name).equal('stored')
      expect(ring.find(ofConfigured.secret)?.account.name).equal('acme')
      expect(ring.find('service_configured')?.id).equal('k1')
    })

    it('applies new and revoked keys', async () => {
      await watch.start()
      const { id, secret } = await create(STORED)
      await eventually(() => ring.find(secret) !== undefined)
      await revokeKey(store(), id, 3)
      await eventually(() => ring.find(secret) === undefined)
      expect(ring.find('service_configured')?.id).equal('k1')
    })

    it('loads the keys again only when some have changed', async () => {
      let loads = 0
      const replace = ring.replace.bind(ring)
      ring.replace = keys => {
        loads++
        replace(keys)
      }
      await watch.start()
      // Ten rounds.
      await new Promise(resolve => setTimeout(resolve, 100))
      expect(loads).equal(1)
      const { secret } = await create(STORED)
      await eventually(() => ring.find(secret) !== undefined)
      expect(loads).equal(2)
    })

    it('finds a key that is a moment old with one look, however many ask', async () => {
      await watch.close()
      let looks = 0
      const counted = { ...store(), prepare: async () => void looks++ }
      watch = new KeyWatch({ store: counted, ring, config: () => config, log: silent, everyMs: 3_600_000 })
      await watch.start()
      ring.refreshWith(() => watch.look())
      const { secret } = await create(STORED)
      expect(ring.find(secret)).equal(undefined)
      const found = await Promise.all(
        Array.from({ length: 500 }, (_, i) => ring.findFresh(i === 7 ? secret : `service_unknown_${i}`)),
      )
      expect(found.filter(key => key !== undefined).map(key => key.account.name)).deep.equal(['stored'])
      expect(looks).equal(2)
    })

    it('lets an unknown key go where the store fails', async () => {
      await watch.close()
      const failing = { ...store(), prepare: () => Promise.reject(new Error('the store is away')) }
      watch = new KeyWatch({ store: failing, ring, config: () => config, log: silent, everyMs: 3_600_000 })
      ring.refreshWith(() => watch.look())
      expect(await ring.findFresh('service_unknown')).equal(undefined)
    })

    it('applies another configuration at once', async () => {
      const { secret } = await create(ACCOUNT_ID)
      await watch.start()
      config = configOf(MODEL + accounts('renamed'))
      watch.apply()
      expect([ring.find(secret)?.account.name, ring.find('service_configured')?.account.name]).deep.equal([
        'renamed',
        'renamed',
      ])
    })

    it('keeps the keys it knows while the store fails, and continues afterwards', async () => {
      const { id, secret } = await create(STORED)
      let away = false
      const flaky = { ...store(), prepare: store().prepare }
      Object.defineProperty(flaky, 'db', {
        get() {
          if (away) throw new Error('the store is away')
          return store().db
        },
      })
      await watch.close()
      watch = new KeyWatch({ store: flaky, ring, config: () => config, log: silent, everyMs: 10 })
      await watch.start()
      away = true
      await revokeKey(store(), id, 3)
      await new Promise(resolve => setTimeout(resolve, 50))
      expect(ring.find(secret)?.id).equal(id)
      away = false
      await eventually(() => ring.find(secret) === undefined)
    })
  })
})
