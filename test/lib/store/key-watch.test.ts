import { mock } from 'node:test'
import { expect } from 'chai'
import { pino } from 'pino'
import { configuredKeys, KeyRing } from '../../../lib/accounts/access.ts'
import { saveAccount } from '../../../lib/store/accounts.ts'
import { buryAccount } from '../../../lib/store/erasure.ts'
import { KeyWatch, keepKeyUse } from '../../../lib/store/key-watch.ts'
import { createKey, findKey, revokeKey } from '../../../lib/store/keys.ts'
import { ACCOUNT_ID, configOf, MODEL } from '../../support/config.ts'
import { eventually } from '../../support/gateway.ts'
import { keyOf } from '../../support/key.ts'
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

    it('has keys of configuration and store in the ring after its start', async () => {
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

    it('loads the keys again only after a change', async () => {
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

    it('finds a new key by one read for concurrent requests', async () => {
      await watch.close()
      let reads = 0
      const counted = { ...store(), prepare: async () => void reads++ }
      watch = new KeyWatch({ store: counted, ring, config: () => config, log: silent, everyMs: 3_600_000 })
      await watch.start()
      ring.refreshWith(() => watch.refresh())
      const { secret } = await create(STORED)
      expect(ring.find(secret)).equal(undefined)
      const found = await Promise.all(
        Array.from({ length: 500 }, (_, i) => ring.findFresh(i === 7 ? secret : `service_unknown_${i}`)),
      )
      expect(found.filter(key => key !== undefined).map(key => key.account.name)).deep.equal(['stored'])
      expect(reads).equal(2)
    })

    // It may be a key of the store: a 401 would make clients discard it.
    it('refuses an unknown key with 503 while the store fails or does not answer', async () => {
      await watch.close()
      let prepare: () => Promise<void> = () => Promise.reject(new Error('the store is away'))
      const failing = { ...store(), prepare: () => prepare() }
      watch = new KeyWatch({ store: failing, ring, config: () => config, log: silent, everyMs: 3_600_000 })
      ring.refreshWith(() => watch.refresh())
      const refused = () => ring.findFresh('service_unknown').catch((error: unknown) => error)
      expect(await refused()).include({ code: 'internal_error', status: 503 })
      const { promise, resolve } = Promise.withResolvers<void>()
      prepare = () => promise
      expect(await refused()).include({ code: 'internal_error', status: 503 })
      resolve()
      prepare = store().prepare
      expect(await refused()).equal(undefined)
    })

    it('reports erased accounts, but none that the configuration has', async () => {
      const seen: (readonly string[])[] = []
      const onErased = (ids: ReadonlySet<string>) => seen.push([...ids])
      watch = new KeyWatch({ store: store(), ring, config: () => config, log: silent, everyMs: 10, onErased })
      await watch.start()
      expect(seen).deep.equal([])
      await buryAccount(store(), ACCOUNT_ID, 3)
      await buryAccount(store(), STORED, 3)
      await eventually(() => seen.length > 0)
      expect(seen.at(-1)).deep.equal([STORED])
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

    it('keeps the known keys while the store fails, and continues afterwards', async () => {
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

describe('the last use of keys', () => {
  onEveryStore(store => {
    const made = async () =>
      (await createKey(store(), 'service', { account_id: 'a', user: undefined, kind: 'pass', endpoints: [] }, 1)).id
    const lastUse = async (id: string) => (await findKey(store(), id))?.last_used_at

    it('is written periodically and at the end', async () => {
      const id = await made()
      const ring = new KeyRing()
      const end = keepKeyUse({ store: store(), ring, log: silent, everyMs: 5 })
      ring.noteUse(keyOf({}, { id, isStored: true }), 10)
      await eventually(async () => (await lastUse(id)) === 10)
      await end()
      const endLater = keepKeyUse({ store: store(), ring, log: silent })
      ring.noteUse(keyOf({}, { id, isStored: true }), 20)
      expect(await lastUse(id)).equal(10)
      await endLater()
      expect(await lastUse(id)).equal(20)
    })

    it('is written once a minute, for any number of requests', async () => {
      const id = await made()
      const ring = new KeyRing()
      let writes = 0
      const counted = {
        ...store(),
        prepare: () => {
          writes++
          return store().prepare()
        },
      }
      mock.timers.enable({ apis: ['setInterval'] })
      try {
        const end = keepKeyUse({ store: counted, ring, log: silent })
        for (let i = 0; i < 1000; i++) ring.noteUse(keyOf({}, { id, isStored: true }), i)
        mock.timers.tick(59_999)
        expect(writes).equal(0)
        mock.timers.tick(1)
        expect(writes).equal(1)
        mock.timers.reset()
        await eventually(async () => (await lastUse(id)) === 999)
        await end()
        // There was nothing left to write.
        expect(writes).equal(1)
      } finally {
        mock.timers.reset()
      }
    })

    it('is not written for keys of the configuration', async () => {
      const ring = new KeyRing()
      ring.noteUse(keyOf(), 10)
      expect(ring.takeUses().size).equal(0)
    })

    it('is lost with a log message if the store fails', async () => {
      const lines: string[] = []
      const ring = new KeyRing()
      const failing = { ...store(), prepare: () => Promise.reject(new Error('away')) }
      const end = keepKeyUse({ store: failing, ring, log: pino({}, { write: line => void lines.push(line) }) })
      ring.noteUse(keyOf({}, { id: 'k', isStored: true }), 10)
      await end()
      expect(lines).lengthOf(1)
    })
  })
})
