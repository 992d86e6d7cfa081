import { expect } from 'chai'
import { percentiles } from '../../../../lib/store/queries/percentiles.ts'
import { insertRecords, makeRecord } from '../../../support/record.ts'
import { onEveryStore } from '../../../support/stores.ts'

const endpoint = 'acme.example.com'
const from = Date.UTC(2026, 10, 21, 12) * 1000

describe('percentiles', () => {
  onEveryStore(store => {
    /** A request whose public id begins with these digits. Low ids are in the sample. */
    const insert = (digits: string, ttft_ms: number) =>
      insertRecords(store(), [
        makeRecord({ id: `01930000-0000-7000-8000-${digits.padEnd(12, 'f')}`, created_at: from + ttft_ms, ttft_ms }),
      ])
    const median = async (requests: number) => {
      const window = { endpoint, from, to: from + 1_000_000, requests }
      return (await percentiles(store(), window, 'ttft_ms', 1_000_000)).get(0)?.p50
    }

    it('use all requests of a quiet endpoint and a sample of a busy one', async () => {
      await insert('000', 1)
      await insert('03', 20)
      await insert('04', 300)
      await insert('ff', 400)
      await insert('fe', 500)
      expect(await median(5)).equal(300)
      expect(await median(20_000)).equal(300)
      expect(await median(20_001)).equal(1)
      await insert('02', 30)
      expect(await median(64 * 20_000)).equal(20)
      expect(await median(64 * 20_000 + 1)).equal(1)
      expect(await median(1e9)).equal(1)
    })

    it('are computed per step with requests', async () => {
      await insert('aa', 5)
      await insert('ab', 7)
      await insert('ac', 250)
      const found = await percentiles(store(), { endpoint, from, to: from + 1000, requests: 3 }, 'ttft_ms', 100)
      expect([...found]).deep.members([
        [0, { p50: 5, p95: 7, p99: 7 }],
        [2, { p50: 250, p95: 250, p99: 250 }],
      ])
    })
  })
})
