import { expect } from 'chai'
import { keepHours, MinuteWriter } from '../../../lib/history/writer.ts'
import { addBackendMinutes } from '../../../lib/store/backend-minutes.ts'
import type { Store } from '../../../lib/store/store.ts'
import { backendMinute } from '../../support/backend-minutes.ts'
import { clockAt } from '../../support/clock.ts'
import { onEveryStore, silent } from '../../support/stores.ts'

const HOUR = 60

describe('MinuteWriter', () => {
  onEveryStore(store => {
    const minutes = async () =>
      (await store().db.selectFrom('backend_minutes').select('minute').orderBy('minute').execute()).map(
        ({ minute }) => minute,
      )
    const event = { kind: 'reload', model: '', backend: '', reason: '', at: 0 } as const

    it('writes minutes and events once', async () => {
      const writer = new MinuteWriter(store(), silent)
      writer.add([backendMinute({ minute: 5, requests: 2 })], [event])
      await Promise.all([writer.write(), writer.write()])
      await writer.write()
      expect(await store().db.selectFrom('backend_minutes').select('requests').execute()).deep.equal([{ requests: 2 }])
      expect(await store().db.selectFrom('backend_events').select('reports').execute()).deep.equal([{ reports: 1 }])
    })

    it('writes later what could not be written, at most the last ten minutes', async () => {
      let isUp = false
      const prepare = async () => {
        if (!isUp) throw new Error('down')
      }
      const writer = new MinuteWriter({ ...store(), prepare } as Store, silent)
      for (let minute = 0; minute < 12; minute++) {
        writer.add([backendMinute({ minute })], [])
        await writer.write()
      }
      expect(await minutes()).deep.equal([])
      isUp = true
      await writer.write()
      expect(await minutes()).deep.equal([2, 3, 4, 5, 6, 7, 8, 9, 10, 11])
    })
  })
})

describe('keepHours', () => {
  onEveryStore(store => {
    it('sums the hours of earlier processes too, and removes minutes after two days', async () => {
      const now = 1000 * HOUR
      await addBackendMinutes(
        store(),
        [now - 49 * HOUR, now - 47 * HOUR, now - 5, now].map(minute => backendMinute({ minute })),
      )
      await keepHours({ store: store(), clock: clockAt(now * 60_000_000), log: silent, days: 30 })()
      const hours = await store().db.selectFrom('backend_hours').select('hour').orderBy('hour').execute()
      expect(hours.map(({ hour }) => hour)).deep.equal([953, 999, 1000])
      const kept = await store().db.selectFrom('backend_minutes').select('minute').orderBy('minute').execute()
      expect(kept.map(({ minute }) => minute)).deep.equal([now - 47 * HOUR, now - 5, now])
    })
  })
})
