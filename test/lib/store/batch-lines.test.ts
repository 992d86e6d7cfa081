import { expect } from 'chai'
import { sql } from 'kysely'
import {
  addLines,
  claimLines,
  endLines,
  hasHeldLines,
  leftLines,
  linesAfter,
  queuedLines,
  releaseLines,
} from '../../../lib/store/batch-lines.ts'
import { cancelBatch, createBatch, openBatches, removeLines } from '../../../lib/store/batches.ts'
import { transact } from '../../../lib/store/database.ts'
import { batchRow, NOW, runningBatch } from '../../support/batch-rows.ts'
import { queryPlan } from '../../support/query-plan.ts'
import { onEveryStore } from '../../support/stores.ts'

const claim = { batch: 'b1', model: 'm', holder: 'p1', limit: 2, now: NOW }
const tokens = { inputTokens: 10, cachedTokens: 4, outputTokens: 5, reasoningTokens: 1 }
const ONLY_INDEX = /COVERING INDEX batch_lines_free|Index Only Scan using batch_lines_free/

describe('lines of batches in the store', () => {
  onEveryStore(store => {
    const numbers = async (more: Partial<typeof claim> = {}) =>
      (await claimLines(store(), { ...claim, ...more })).map(({ line }) => line)

    it('are added by the process that validates their batch', async () => {
      await createBatch(store(), batchRow('b1', { holder: 'p1' }), { batches: 9, lines: 9 })
      const lines = [{ line: 1, position: 0, length: 9, model: 'm', prefix: '' }]
      expect(await addLines(store(), 'b1', 'p2', lines)).equal(false)
      expect(await addLines(store(), 'b1', 'p1', lines)).equal(true)
      expect(await addLines(store(), 'b1', 'p1', [])).equal(true)
      expect(await linesAfter(store(), 'b1', 0, 9)).length(1)
      expect(await linesAfter(store(), 'b1', 1, 9)).length(0)
      await removeLines(store(), 'b1')
      expect(await linesAfter(store(), 'b1', 0, 9)).length(0)
    })

    it('are claimed once, those of equal prefixes next to one another', async () => {
      await runningBatch(store(), 'b1', ['m', 'm', 'm', 'm', 'n'])
      await store().db.updateTable('batch_lines').set({ prefix: 'x' }).where('line', 'in', [1, 3]).execute()
      expect(await numbers()).deep.equal([2, 4])
      expect(await numbers({ holder: 'p2', limit: 9 })).deep.equal([1, 3])
      expect(await numbers()).deep.equal([])
      expect(await numbers({ model: 'n' })).deep.equal([5])
    })

    it('are searched and counted in an index alone', async () => {
      const search = sql`
        select line from batch_lines where batch_id = 'b' and model = 'm' and holder is null and not_before <= 1
        order by prefix, line limit 16`
      expect(await queryPlan(store(), search)).match(ONLY_INDEX)
      // PostgreSQL reads few rows in another way.
      if (store().dialect === 'postgres') return
      const count = sql`
        select model, count(*) from batch_lines where holder is null
          and batch_id in (select id from batches where cleared = 0 and model is null) group by batch_id, model`
      expect(await queryPlan(store(), count))
        .match(ONLY_INDEX)
        .and.not.contain('TEMP B-TREE')
    })

    it('are not claimed before their time, nor of a batch that does not run', async () => {
      await runningBatch(store(), 'b1', ['m', 'm'])
      expect(await numbers({ limit: 1 })).deep.equal([1])
      await releaseLines(store(), 'p1', [{ batch: 'b1', line: 1, attempts: 1, notBefore: NOW + 10 }])
      expect(await numbers()).deep.equal([2])
      expect(await numbers()).deep.equal([])
      expect(await claimLines(store(), { ...claim, now: NOW + 10 })).deep.include({
        batch_id: 'b1',
        line: 1,
        position: 0,
        length: 99,
        model: 'm',
        prefix: '',
        attempts: 1,
      })
      await releaseLines(store(), 'p1', [{ batch: 'b1', line: 1, attempts: 1, notBefore: 0 }])
      await cancelBatch(store(), 'b1', NOW)
      expect(await numbers()).deep.equal([])
    })

    it('are counted row by row only if the lines of their batch name several models', async () => {
      await runningBatch(store(), 'b1', ['m', 'm', 'm'], { model: 'm' })
      await runningBatch(store(), 'b2', ['m', 'n', 'n'])
      await runningBatch(store(), 'b3', ['m'], { model: 'm' })
      await cancelBatch(store(), 'b3', NOW)
      expect(await numbers()).deep.equal([1, 2])
      expect([...(await queuedLines(store()))].toSorted()).deep.equal([
        ['m', 2],
        ['n', 2],
      ])
      await store().db.updateTable('batches').set({ total: 1_000_000 }).where('id', '=', 'b1').execute()
      expect((await queuedLines(store())).get('m')).equal(999_999)
    })

    it('count in their batch and account once', async () => {
      await runningBatch(store(), 'b1', ['m', 'm', 'm'])
      await store().db.insertInto('batch_accounts').values({ account_id: 'acme', served: 0 }).execute()
      await numbers()
      const ended = [1, 2, 3].map(line => ({ batch: 'b1', line, hasFailed: line === 2, ...tokens }))
      for (let i = 0; i < 2; i++) await transact(store(), own => endLines(own, 'p1', ended))
      expect((await openBatches(store()))[0]).include({
        completed: 1,
        failed: 1,
        input_tokens: 20,
        cached_tokens: 8,
        output_tokens: 10,
        reasoning_tokens: 2,
        served: 30,
      })
      expect(await hasHeldLines(store(), 'b1')).equal(false)
      expect([...(await queuedLines(store()))]).deep.equal([['m', 1]])
      expect([...(await leftLines(store(), 'b1'))]).deep.equal([['m', 1]])
    })
  })
})
