import { expect } from 'chai'
import { addBackendMinutes, sumBackendHours } from '../../../../lib/store/backend-minutes.ts'
import { readBackendTotals, readHistory } from '../../../../lib/store/queries/backend-history.ts'
import { backendMinute } from '../../../support/backend-minutes.ts'
import { onEveryStore } from '../../../support/stores.ts'

describe('the history of a backend', () => {
  onEveryStore(store => {
    const range = { unit: 'minute', first: 600, end: 620, step: 10 } as const

    it('has a point for each step with data', async () => {
      await addBackendMinutes(store(), [
        backendMinute({ minute: 599, requests: 100 }),
        backendMinute({ minute: 610, requests: 1, queue_max: 3, cached_tokens: 5 }),
        backendMinute({ minute: 619, requests: 2, queue_max: 2, capacity: 6 }),
        backendMinute({ minute: 620, requests: 100 }),
        backendMinute({ minute: 615, requests: 100, backend: 'http://b/v1' }),
        backendMinute({ minute: 615, requests: 100, model: 'other' }),
      ])
      const points = await readHistory(store(), 'm', 'http://a/v1', range)
      expect([...points.keys()]).deep.equal([1])
      const sums = { minutes: 2, requests: 3, queue_max: 3, cached_tokens: 5, capacity: 6 }
      expect(points.get(1)).deep.include(sums)
    })

    it('of all backends of a model is their sum, without the row of the model itself', async () => {
      await addBackendMinutes(store(), [
        backendMinute({ requests: 1 }),
        backendMinute({ requests: 2, backend: 'http://b/v1' }),
        backendMinute({ turned_away: 4, backend: '' }),
      ])
      expect((await readHistory(store(), 'm', null, range)).get(0)).deep.include({ requests: 3, turned_away: 0 })
      expect((await readHistory(store(), 'm', '', range)).get(0)).deep.include({ requests: 0, turned_away: 4 })
    })

    it('has the sums of each backend in the whole range, without those of models', async () => {
      await addBackendMinutes(store(), [
        backendMinute({ minute: 599, requests: 100 }),
        backendMinute({ minute: 600, requests: 1 }),
        backendMinute({ minute: 619, requests: 2 }),
        backendMinute({ requests: 4, backend: 'http://b/v1' }),
        backendMinute({ requests: 8, model: 'other' }),
        backendMinute({ turned_away: 4, backend: '' }),
      ])
      const totals = async (model?: string) =>
        (await readBackendTotals(store(), model, range))
          .map(one => `${one.model} ${one.backend} ${one.requests} ${one.minutes}`)
          .toSorted()
      const own = ['m http://a/v1 3 2', 'm http://b/v1 4 1']
      expect(await totals()).deep.equal([...own, 'other http://a/v1 8 1'])
      expect(await totals('m')).deep.equal(own)
    })

    it('reads hours in the same way', async () => {
      await addBackendMinutes(store(), [backendMinute({ minute: 600, requests: 1 }), backendMinute({ minute: 725 })])
      await sumBackendHours(store(), 0)
      const points = await readHistory(store(), 'm', 'http://a/v1', { unit: 'hour', first: 10, end: 13, step: 2 })
      expect(Array.from(points, ([at, { requests, minutes }]) => [at, requests, minutes])).deep.equal([
        [0, 1, 1],
        [1, 0, 1],
      ])
    })
  })
})
