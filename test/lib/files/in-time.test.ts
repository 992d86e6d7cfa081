import { expect } from 'chai'
import { failure } from '../../../lib/errors/errors.ts'
import { filesInTime } from '../../../lib/files/in-time.ts'

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
})
