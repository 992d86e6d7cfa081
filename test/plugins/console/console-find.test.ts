import { expect } from 'chai'
import { KeyRing } from '../../../lib/accounts/access.ts'
import { sha256 } from '../../../lib/base/sha256.ts'
import type { StoredKey } from '../../../lib/console.ts'
import { fileOwner } from '../../../lib/files/owner.ts'
import plugin from '../../../plugins/console/console-find/index.ts'
import { visitorKey } from '../../../plugins/console/visitor.ts'
import { batchOf, memoryBatches } from '../../support/batches.ts'
import { configOf, MODEL } from '../../support/config.ts'
import { keyOf } from '../../support/key.ts'
import { fakeReports } from '../../support/reports.ts'
import { visit } from '../../support/visit.ts'
import { MEMBER, members, ownAccount, sessions } from '../../support/visitors.ts'

const KEYS = ['key_a1', 'key_a2', 'key_b1'].map(
  (id, at) => ({ id, ...(at === 0 && { label: 'CI' }) }) as unknown as StoredKey,
)
const BATCH = `batch_${'0'.repeat(24)}`

async function find(text: string, cookie?: string) {
  const { reports } = fakeReports({
    accountRequest: async ({ user }, id) => (user === undefined && id === 'req_1' ? { user_id: 'alice' } : undefined),
  })
  const ownKeys = { ...members, list: async (user: string) => (user === 'alice' ? KEYS : []) }
  const keys = new KeyRing([[sha256('its secret'), { ...keyOf(), id: 'k1', user: 'alice', isStored: false }]])
  const owner = fileOwner(visitorKey({ user: 'alice', secret: 's' }, ownAccount()))!
  const batches = memoryBatches()
  batches.all.push(batchOf({ id: BATCH, owner }))
  const config = configOf(`${MODEL}\nbatches: {}\nplans: { team: {} }`)
  const services = { sessions, ownKeys, keys, reports, config, batches }
  const query = new URLSearchParams({ q: text }).toString()
  const request = { route: 'console-find', query, ...(cookie !== undefined && { cookie }) } as const
  const { status, headers, page } = await visit(plugin, services, request)
  return status === 303 ? headers.location : `${status} ${page}`
}

describe('console-find', () => {
  it('opens a page by its name', async () => {
    expect(await find('usage')).equal('/console/usage')
    expect(await find('Try')).equal('/console/try')
    expect(await find('batches')).equal('/console/batches')
  })

  it('opens requests, keys and batches of the user', async () => {
    expect(await find('req_1')).equal('/console/requests/req_1')
    expect(await find('key_a1')).equal('/console/keys/key_a1')
    expect(await find('ci')).equal('/console/keys/key_a1')
    expect(await find('key_b')).equal('/console/keys/key_b1')
    expect(await find('k1')).equal('/console/keys')
    expect(await find(BATCH)).match(/^\/console\/batches\/batch_0+\?account=/)
  })

  it('lists several results', async () => {
    expect(await find('key_a'))
      .match(/^200 /)
      .and.contain('<a href="/console/keys/key_a1">CI (key_a1)</a>')
      .and.contain('<a href="/console/keys/key_a2">')
  })

  it('finds nothing of others', async () => {
    for (const text of ['req_1', 'key_a1', 'k1', BATCH, '<x>'])
      expect(await find(text, MEMBER), text)
        .match(/^404 /)
        .and.contain('Nothing is found')
        .and.not.contain('<x>')
  })

  it('neither searches a secret nor leaves it in the address', async () => {
    expect(await find('its secret')).equal('/console/find?secret=1')
    expect(await find(`acme_${'b'.repeat(43)}`)).equal('/console/find?secret=1')
  })

  it('asks for a session', async () => {
    expect(await find('usage', 'service_session=gone')).match(/^401 /)
  })
})
