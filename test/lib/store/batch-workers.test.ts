import { expect } from 'chai'
import { claimLines, hasHeldLines } from '../../../lib/store/batch-lines.ts'
import {
  enterWorker,
  finishHeritage,
  inherit,
  isWorker,
  leaveWorker,
  renewWorker,
} from '../../../lib/store/batch-workers.ts'
import { openBatches } from '../../../lib/store/batches.ts'
import { NOW, runningBatch } from '../../support/batch-rows.ts'
import { onEveryStore } from '../../support/stores.ts'

const tokens = { inputTokens: 1, cachedTokens: 0, outputTokens: 1, reasoningTokens: 0 }

describe('processes that run lines', () => {
  onEveryStore(store => {
    beforeEach(async () => {
      await enterWorker(store(), 'p1', NOW + 10)
      await runningBatch(store(), 'b1', ['m', 'm', 'm'])
      await claimLines(store(), { batch: 'b1', model: 'm', holder: 'p1', limit: 2, now: NOW })
    })

    it('give their lines back when they leave', async () => {
      expect(await isWorker(store(), 'p1')).equal(true)
      await leaveWorker(store(), 'p1')
      expect(await isWorker(store(), 'p1')).equal(false)
      expect(await hasHeldLines(store(), 'b1')).equal(false)
    })

    it('have one heir when their lease has expired', async () => {
      expect(await inherit(store(), 'p2', NOW + 9, NOW + 20)).deep.equal([])
      expect(await inherit(store(), 'p2', NOW + 11, NOW + 20)).deep.equal([{ id: 'p1', until: NOW + 10 }])
      expect(await inherit(store(), 'p3', NOW + 12, NOW + 20)).deep.equal([])
      expect(await renewWorker(store(), 'p1', NOW + 99)).equal(false)
      expect(await isWorker(store(), 'p1')).equal(false)
      const ended = [{ batch: 'b1', line: 1, hasFailed: false, ...tokens }]
      const parts = new Map([['b1', { 'p1-1.part': 1 }]])
      expect(await finishHeritage(store(), { id: 'p1', heir: 'p3', ended, parts })).equal(false)
      expect(await finishHeritage(store(), { id: 'p1', heir: 'p2', ended, parts })).equal(true)
      expect(await openBatches(store())).length(1)
      expect((await openBatches(store()))[0]).include({ completed: 1, parts: '{"p1-1.part":1}' })
      expect(await hasHeldLines(store(), 'b1')).equal(false)
    })

    it('keep their lease when they renew it in time', async () => {
      expect(await renewWorker(store(), 'p1', NOW + 99)).equal(true)
      expect(await inherit(store(), 'p2', NOW + 11, NOW + 20)).deep.equal([])
    })
  })
})
