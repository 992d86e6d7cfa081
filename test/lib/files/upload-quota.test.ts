import { expect } from 'chai'
import type { StoredFile } from '../../../lib/files/files.ts'
import { UploadQuota } from '../../../lib/files/upload-quota.ts'
import { refusalOf } from '../../support/canonical.ts'

const stored =
  (...sizes: number[]) =>
  async () =>
    sizes.map(bytes => ({ bytes }) as StoredFile)

describe('files/room', () => {
  const room = () => new UploadQuota({ max_total_bytes_per_user: 100, max_files_per_user: 3 })
  const full = { code: 'http_400', status: 400, param: 'file' }

  it('is for so many bytes and so many files', async () => {
    const rooms = room()
    ;(await rooms.take('a', 40, stored(60)))[Symbol.dispose]()
    expect(await refusalOf(rooms.take('a', 41, stored(60)))).deep.equal(full)
    ;(await rooms.take('a', 1, stored(1, 1)))[Symbol.dispose]()
    expect(await refusalOf(rooms.take('a', 1, stored(1, 1, 1)))).deep.equal(full)
  })

  it('counts what is on its way, and forgets it when that is over', async () => {
    const rooms = room()
    const first = await rooms.take('a', 60, stored())
    expect(await refusalOf(rooms.take('a', 50, stored()))).deep.equal(full)
    using _other = await rooms.take('b', 100, stored())
    using _second = await rooms.take('a', 40, stored())
    first[Symbol.dispose]()
    using _third = await rooms.take('a', 60, stored())
    expect(await refusalOf(rooms.take('a', 1, stored()))).deep.equal(full)
  })

  it('is given back when it cannot be told what there is', async () => {
    const rooms = room()
    const broken = new Error('disk')
    expect(await rooms.take('a', 100, () => Promise.reject(broken)).catch((error: unknown) => error)).equal(broken)
    using _ = await rooms.take('a', 100, stored())
  })
})
