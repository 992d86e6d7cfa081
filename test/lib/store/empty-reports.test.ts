import { expect } from 'chai'
import { emptyReports } from '../../../lib/store/empty-reports.ts'
import { queryRunner } from '../../../lib/store/query-runner.ts'
import { storeReports } from '../../../lib/store/reports.ts'
import { onEveryStore } from '../../support/stores.ts'

describe('empty reports', () => {
  onEveryStore(store => {
    it('return the results of a store without rows', async () => {
      const reports = storeReports(queryRunner(store()))
      for (const { requests, request, accountRequests, accountRequest, usage, members } of [emptyReports, reports]) {
        const none = { requests: [], has_more: false, cursor: null }
        expect(await requests({ endpoint: 'e' }, undefined, 5)).deep.equal(none)
        expect(await request('e', '0123456789ab')).equal(undefined)
        expect(await accountRequests({ account: 'a', since: 0 }, 5)).deep.equal(none)
        expect(await accountRequest({ account: 'a' }, '0123456789ab')).equal(undefined)
        expect(await usage({ account_id: 'a', from: 0, to: 1 })).deep.equal({ rows: [], from: 0, to: 1 })
        expect(await members('a')).deep.equal([])
      }
    })
  })
})
