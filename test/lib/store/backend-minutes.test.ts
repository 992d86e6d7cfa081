import { expect } from 'chai'
import { addBackendMinutes, expireBackendHistory, sumBackendHours } from '../../../lib/store/backend-minutes.ts'
import { backendMinute } from '../../support/backend-minutes.ts'
import { onEveryStore } from '../../support/stores.ts'

describe('minutes of backends', () => {
  onEveryStore(store => {
    const minutes = () => store().db.selectFrom('backend_minutes').selectAll().orderBy('minute').execute()
    const hours = () => store().db.selectFrom('backend_hours').selectAll().orderBy('hour').execute()

    it('are the sum of the parts of all processes', async () => {
      const one = { up_ms: 60_000, requests: 3, ttft_4: 2, pace_19: 1, in_flight_max: 5, predicted_ms: 10.6 }
      await Promise.all([
        addBackendMinutes(store(), [backendMinute({ ...one, capacity: 8 }), backendMinute({ backend: '' })]),
        addBackendMinutes(store(), [backendMinute({ backend: '' }), backendMinute({ ...one, requests: 4 })]),
      ])
      const [whole, own] = await minutes()
      expect([whole, own].map(row => row!.backend).toSorted()).deep.equal(['', 'http://a/v1'])
      expect([whole, own].find(row => row!.backend !== '')).deep.include({
        ...{ minutes: 1, up_ms: 120_000, requests: 7, ttft_4: 4, pace_19: 2, ttft_5: 0 },
        ...{ in_flight_max: 10, predicted_ms: 22, capacity: 8, cached_tokens: null },
      })
    })

    it('have cached tokens only if one process knows them', async () => {
      const parts = [null, 5, null, 7].map(cached_tokens => backendMinute({ cached_tokens }))
      for (const part of parts) await addBackendMinutes(store(), [part])
      expect((await minutes())[0]!.cached_tokens).equal(12)
    })

    it('become hours, as often as they are summed', async () => {
      await addBackendMinutes(store(), [
        backendMinute({ minute: 599, requests: 100 }),
        backendMinute({ minute: 600, requests: 1, in_flight_max: 9, capacity: 4, cached_tokens: 2 }),
        backendMinute({ minute: 659, requests: 2, in_flight_max: 3 }),
        backendMinute({ minute: 660, requests: 4 }),
      ])
      await sumBackendHours(store(), 10)
      await addBackendMinutes(store(), [backendMinute({ minute: 660, requests: 8 })])
      await sumBackendHours(store(), 10)
      const [ten, eleven, ...rest] = await hours()
      expect(rest).deep.equal([])
      const facts = { requests: 3, in_flight_max: 9, capacity: 4, cached_tokens: 2 }
      expect(ten).deep.include({ hour: 10, minutes: 2, ...facts })
      expect(eleven).deep.include({ hour: 11, minutes: 1, requests: 12 })
    })

    it('expire before their hours', async () => {
      await addBackendMinutes(
        store(),
        [540, 600, 660].map(minute => backendMinute({ minute })),
      )
      await sumBackendHours(store(), 0)
      await expireBackendHistory(store(), { minutes: 660, hours: 600 })
      expect((await minutes()).map(({ minute }) => minute)).deep.equal([660])
      expect((await hours()).map(({ hour }) => hour)).deep.equal([10, 11])
    })
  })
})
