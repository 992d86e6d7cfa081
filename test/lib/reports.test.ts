import { expect } from 'chai'
import { GatewayError } from '../../lib/errors.ts'
import { storeReports } from '../../lib/reports.ts'
import { insertRecords } from '../../lib/store/records.ts'
import type { Store } from '../../lib/store/store.ts'
import { makeRecord } from '../support/record.ts'
import { onEveryStore } from '../support/stores.ts'

const endpoint = 'acme.example.com'

const failureOf = async (answer: Promise<unknown>): Promise<GatewayError> => {
  try {
    await answer
  } catch (thrown) {
    if (thrown instanceof GatewayError) return thrown
    throw thrown
  }
  throw new Error('Nothing was refused.')
}

describe('reports', () => {
  onEveryStore(store => {
    it('tell what the store knows', async () => {
      const record = makeRecord()
      await insertRecords(store(), [record])
      const reports = storeReports(store())
      const id = record.id.slice(-12)
      expect((await reports.requests({ endpoint }, undefined, 5)).requests[0]).include({ request_id: id })
      expect(await reports.request(endpoint, id)).include({ request_id: id, duration_ms: 2390 })
      const { created_at } = record
      expect(await reports.metrics(endpoint, created_at, created_at + 1)).include({ request_count: 1 })
      const usage = await reports.usage({ account_id: record.account_id!, from: created_at, to: created_at + 1 })
      expect(usage).length(1)
      expect(await reports.members(record.account_id!)).deep.equal([])
    })
  })

  it('are a 503 to be repeated, never another error, when the store fails', async () => {
    const cause = new Error('no such host')
    const reports = storeReports({ prepare: () => Promise.reject(cause) } as unknown as Store)
    for (const answer of [
      reports.requests({ endpoint }, undefined, 5),
      reports.usage({ account_id: '', from: 0, to: 1 }),
    ]) {
      const error = await failureOf(answer)
      expect(error).include({ code: 'internal_error', status: 503 })
      expect(error.details).deep.include({ headers: { 'retry-after': '5' }, cause })
      expect(error.message).not.contain('host')
    }
  })

  it('are the same when the store says nothing', async () => {
    const reports = storeReports({ prepare: () => new Promise(() => {}) } as unknown as Store, 20)
    expect(await failureOf(reports.members('a'))).include({ code: 'internal_error', status: 503 })
  })
})
