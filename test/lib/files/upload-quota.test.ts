import { expect } from 'chai'
import type { StoredFile } from '../../../lib/files/files.ts'
import { UploadQuota } from '../../../lib/files/upload-quota.ts'
import { refusalOf } from '../../support/canonical.ts'

const stored =
  (...sizes: number[]) =>
  async () =>
    sizes.map(bytes => ({ bytes }) as StoredFile)

describe('files/upload-quota', () => {
  const createQuota = () => new UploadQuota({ max_total_bytes_per_user: 100, max_files_per_user: 3 })
  const full = { code: 'http_400', status: 400, param: 'file' }

  it('limits bytes and number of files', async () => {
    const quota = createQuota()
    ;(await quota.reserve('a', 40, stored(60)))[Symbol.dispose]()
    expect(await refusalOf(quota.reserve('a', 41, stored(60)))).deep.equal(full)
    ;(await quota.reserve('a', 1, stored(1, 1)))[Symbol.dispose]()
    expect(await refusalOf(quota.reserve('a', 1, stored(1, 1, 1)))).deep.equal(full)
  })

  it('counts uploads in progress until they end', async () => {
    const quota = createQuota()
    const first = await quota.reserve('a', 60, stored())
    expect(await refusalOf(quota.reserve('a', 50, stored()))).deep.equal(full)
    using _other = await quota.reserve('b', 100, stored())
    using _second = await quota.reserve('a', 40, stored())
    first[Symbol.dispose]()
    using _third = await quota.reserve('a', 60, stored())
    expect(await refusalOf(quota.reserve('a', 1, stored()))).deep.equal(full)
  })

  it('is released when the usage cannot be read', async () => {
    const quota = createQuota()
    const broken = new Error('disk')
    expect(await quota.reserve('a', 100, () => Promise.reject(broken)).catch((error: unknown) => error)).equal(broken)
    using _ = await quota.reserve('a', 100, stored())
  })
})
