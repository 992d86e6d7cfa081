import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { keyedHash } from '../../../lib/accounts/keyed-hash.ts'

describe('the keyed hash', () => {
  const hash = keyedHash({ cache_isolation_key: 'secret', journal: '' })

  it('has 16 hex digits, equal for equal texts of an account', () => {
    expect(hash('a', 'alice'))
      .match(/^[0-9a-f]{16}$/)
      .and.equal(hash('a', 'alice'))
    expect(keyedHash({ cache_isolation_key: 'secret', journal: '' })('a', 'alice')).equal(hash('a', 'alice'))
  })

  it('differs by text, account and key', () => {
    const other = keyedHash({ cache_isolation_key: 'other', journal: '' })
    const hashes = [hash('a', 'alice'), hash('a', 'bob'), hash('b', 'alice'), hash('a a', 'lice'), other('a', 'alice')]
    expect(new Set(hashes).size).equal(hashes.length)
  })

  it("uses the secret in the journal's directory without a configured key, from its first use on", () => {
    const journal = mkdtempSync(join(tmpdir(), 'sluiceway-test-'))
    try {
      const own = keyedHash({ journal })
      expect(readdirSync(journal)).deep.equal([])
      const first = own('a', 'alice')
      expect(readdirSync(journal)).deep.equal(['cache-isolation.key'])
      expect(keyedHash({ journal })('a', 'alice')).equal(first)
    } finally {
      rmSync(journal, { recursive: true })
    }
  })
})
