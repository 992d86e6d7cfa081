import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { CacheIsolation, cacheIsolation } from '../../../lib/accounts/cache-isolation.ts'
import type { Config } from '../../../lib/config/config.ts'

const ACCOUNT = '0d7f5c5e-6d4c-4a53-9f0e-2f5d2b6f1a01'

describe('cache isolation', () => {
  let directory: string
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'isolation-'))
  })
  afterEach(() => rmSync(directory, { recursive: true }))

  const of = (mode: Config['cache_isolation'], key?: string) =>
    cacheIsolation({ cache_isolation: mode, cache_isolation_key: key, journal: directory } as Config)

  it('salts the requests that the mode selects', () => {
    const given = (mode: Config['cache_isolation']) =>
      [false, true].map(zdr => of(mode, 'key').saltOf(ACCOUNT, zdr) !== undefined)
    expect([given('off'), given('zdr'), given('account')]).deep.equal([
      [false, false],
      [false, true],
      [true, true],
    ])
  })

  it('has a different salt per account and key, which reveals neither', () => {
    const salt = new CacheIsolation('account', 'key').saltOf(ACCOUNT, false)
    expect(salt).match(/^[0-9a-f]{32}$/)
    expect(new CacheIsolation('zdr', 'key').saltOf(ACCOUNT, true)).equal(salt)
    expect(new CacheIsolation('account', 'key').saltOf('other', false)).not.equal(salt)
    expect(new CacheIsolation('account', 'other').saltOf(ACCOUNT, false)).not.equal(salt)
  })

  it('stores a key in the directory of the journal, for all processes and restarts', () => {
    const salt = of('zdr').saltOf(ACCOUNT, true)
    expect(of('account').saltOf(ACCOUNT, false)).equal(salt)
    expect(readdirSync(directory)).deep.equal(['cache-isolation.key'])
    const file = join(directory, 'cache-isolation.key')
    expect(readFileSync(file, 'utf8')).match(/^[0-9a-f]{64}$/)
    expect(statSync(file).mode & 0o777).equal(0o600)
  })

  it('stores no key if none is needed', () => {
    of('off')
    of('account', 'key')
    expect(readdirSync(directory)).deep.equal([])
  })
})
