import { expect } from 'chai'
import { failure } from '../../../lib/errors/errors.ts'
import { filesInTime, filesUnavailable, isDiskFull } from '../../../lib/files/in-time.ts'

describe('files/in-time', () => {
  const thrownBy = (work: Promise<unknown>) => filesInTime(work, 20).catch((error: unknown) => error)

  it('returns a result in time', async () => {
    expect(await filesInTime(Promise.resolve(1))).equal(1)
  })

  it('rejects with 503 if the operation fails or exceeds the time limit', async () => {
    const full = Object.assign(new Error('no space'), { code: 'ENOSPC' })
    for (const work of [Promise.reject(full), new Promise(() => {})]) {
      const thrown = await thrownBy(work)
      expect(thrown).include({ code: 'internal_error', status: 503 })
    }
    expect(await thrownBy(Promise.reject(full))).nested.include({ 'details.cause': full })
  })

  it('passes refusals on', async () => {
    const refusal = failure('http_404', { problem: 'There is no such file.' })
    expect(await thrownBy(Promise.reject(refusal))).equal(refusal)
  })

  it('recognizes a full disk, also as the cause of a refusal', () => {
    const full = (code: string) => Object.assign(new Error('no space'), { code })
    for (const code of ['ENOSPC', 'EDQUOT'])
      for (const thrown of [full(code), filesUnavailable(full(code))]) expect(isDiskFull(thrown), code).equal(true)
    for (const thrown of [full('EIO'), new Error('x'), failure('http_404', { problem: 'x' }), undefined])
      expect(isDiskFull(thrown)).equal(false)
  })
})
