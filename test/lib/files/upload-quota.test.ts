import { expect } from 'chai'
import type { StoredFile } from '../../../lib/files/files.ts'
import { UploadQuota } from '../../../lib/files/upload-quota.ts'
import { refusalOf } from '../../support/canonical.ts'

const stored =
  (...sizes: number[]) =>
  async () =>
    sizes.map(bytes => ({ bytes }) as StoredFile)

describe('files/upload-quota', () => {
  const room = () => new UploadQuota({ max_total_bytes_per_user: 100, max_files_per_user: 3 })
  const full = { code: 'http_400', status: 400, param: 'file' }

  it('limits bytes and number of files', async () => {
    const rooms = room()
    ;(await rooms.take('a', 40, stored(60)))[Symbol.dispose]()
    expect(await refusalOf(rooms.take('a', 41, stored(60)))).deep.equal(full)
    ;(await rooms.take('a', 1, stored(1, 1)))[Symbol.dispose]()
    expect(await refusalOf(rooms.take('a', 1, stored(1, 1, 1)))).deep.equal(full)
  })

  it('counts uploads in progress until they end', async () => {
    const rooms = room()
    const first = await rooms.take('a', 60, stored())
    expect(await refusalOf(rooms.take('a', 50, stored()))).deep.equal(full)
    using _other = await rooms.take('b', 100, stored())
    using _second = await rooms.take('a', 40, stored())
    first[Symbol.dispose]()
    using _third = await rooms.take('a', 60, stored())
    expect(await refusalOf(rooms.take('a', 1, stored()))).deep.equal(full)
  })

  it('is released when the usage cannot be read', async () => {
    const rooms = room()
    const broken = new Error('disk')
    expect(await rooms.take('a', 100, () => Promise.reject(broken)).catch((error: unknown) => error)).equal(broken)
    using _ = await rooms.take('a', 100, stored())
  })
})
