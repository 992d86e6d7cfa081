import { expect } from 'chai'
import { pollStore } from '../../../lib/store/polling.ts'
import { eventually } from '../../support/gateway.ts'

describe('values that are read periodically', () => {
  it('are applied one read after the other, now and on request', async () => {
    const applied: number[] = []
    let value = 0
    const store = { prepare: async () => {} } as never
    const { refresh, end } = await pollStore({
      store,
      log: {} as never,
      failure: 'away',
      everyMs: 3_600_000,
      read: async () => ++value,
      apply: async read => void applied.push(read),
    })
    await Promise.all([refresh(), refresh()])
    await end()
    expect(applied).deep.equal([...applied.keys()].map(i => i + 1))
    expect(applied.length).least(3)
  })

  it('stay unchanged while the store cannot be read, with one warning', async () => {
    const warnings: string[] = []
    const log = { warn: (_: unknown, text: string) => warnings.push(text) } as never
    let reads = 0
    const store = {
      prepare: () => {
        reads++
        return Promise.reject(new Error('away'))
      },
    } as never
    const { end, refresh } = await pollStore({
      store,
      log,
      failure: 'away',
      everyMs: 5,
      read: async () => 1,
      apply: () => expect.fail('there are none'),
    })
    await eventually(() => reads > 3)
    await refresh()
    await end()
    expect(warnings).lengthOf(1)
  })
})
