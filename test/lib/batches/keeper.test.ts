import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { finalize, takeEnded } from '../../../lib/batches/finalize.ts'
import { ResultKeeper } from '../../../lib/batches/keeper.ts'
import { mergedResults } from '../../../lib/batches/merge.ts'
import { recover } from '../../../lib/batches/recover.ts'
import type { Result } from '../../../lib/batches/results.ts'
import type { BatchFolder } from '../../../lib/files/batch-folder.ts'
import type { FileStore } from '../../../lib/files/store.ts'
import { claimLines, hasHeldLines } from '../../../lib/store/batch-lines.ts'
import { abandonWorker, enterWorker, inherit, leaveWorker } from '../../../lib/store/batch-workers.ts'
import { inputFiles, openBatches } from '../../../lib/store/batches.ts'
import type { RequestRecord } from '../../../lib/store/record.ts'
import { NOW, runningBatch } from '../../support/batch-rows.ts'
import { ALICE, gather, pieces, useFiles } from '../../support/files.ts'
import { makeRecord } from '../../support/record.ts'
import { onEveryStore, silent } from '../../support/stores.ts'

const home = { id: 'batch_000000000000000000000001', owner: ALICE, account: 'acme', expiresAt: NOW + 1e12 }
const { id } = home
const resultOf = (line: number, more: Partial<Result> = {}): Result => ({
  batch: id,
  line,
  at: NOW + line,
  hasFailed: false,
  record: makeRecord(),
  text: `{"line":${line}}`,
  ...more,
})

describe('results of a batch', () => {
  const files = useFiles()
  onEveryStore(store => {
    let own: FileStore
    let records: RequestRecord[] = []
    let lost = 0
    let kept: boolean[] = []
    const noteKept = (isDurable: boolean) => void kept.push(isDurable)
    const sink = { healthy: true, append: (record: RequestRecord) => void records.push(record) }
    const keeperOf = (worker: string) =>
      new ResultKeeper({
        store: store(),
        files: own,
        records: sink,
        log: silent,
        worker,
        stored: () => {},
        lost: () => void lost++,
      })
    const hostOf = (worker: string) => ({ store: store(), files: own, records: sink, worker, clock: files.clock() })
    const batch = async () => (await openBatches(store()))[0]!
    const merged = async () => (await gather(mergedResults(await batch(), own.folder(ALICE, id)))).map(one => one.line)

    beforeEach(async () => {
      own = files.open()
      records = []
      lost = 0
      kept = []
      const text = [1, 2, 3].map(i => `${JSON.stringify({ custom_id: `c${i}` }).padEnd(99)}\n`).join('')
      const input = await own.createFrom(ALICE, { filename: 'a', purpose: 'batch', account: 'acme' }, pieces(text))
      await runningBatch(store(), id, ['m', 'm', 'n'], { input_file_id: input.id })
      await enterWorker(store(), 'p1', NOW + 10)
      for (const model of ['m', 'n']) await claimLines(store(), { batch: id, model, holder: 'p1', limit: 9, now: NOW })
    })

    it('are in a part, then in the journal, then in the store', async () => {
      const keeper = keeperOf('p1')
      keeper.add(home, resultOf(1), noteKept)
      keeper.add(home, resultOf(2, { hasFailed: true }), noteKept)
      await keeper.settled()
      await keeper.close()
      expect(await merged()).deep.equal([1, 2])
      expect(records).length(2)
      expect(kept).deep.equal([true, true])
      expect(await batch()).include({ completed: 1, failed: 1 })
    })

    it('are flushed for few batches at a time, because other work needs the threads that flush', async () => {
      const [flushing, most] = [new Set<string>(), { flushes: 0 }]
      own.createFolder = async (_, batch) =>
        ({
          createPart: async () => ({
            async append() {
              flushing.add(batch)
              most.flushes = Math.max(most.flushes, flushing.size)
              await sleep(1)
              flushing.delete(batch)
            },
            close: async () => {},
          }),
        }) as unknown as BatchFolder
      const keeper = keeperOf('p1')
      for (let i = 0; i < 9; i++) keeper.add({ ...home, id: `b${i}` }, resultOf(1, { batch: `b${i}` }), noteKept)
      await keeper.settled()
      await keeper.close()
      expect(kept).deep.equal(Array.from({ length: 9 }, () => true))
      expect(most.flushes).equal(2)
    })

    it('of a process without a lease are left to its heir', async () => {
      await inherit(store(), 'p2', NOW + 10, NOW + 99)
      const keeper = keeperOf('p1')
      keeper.add(home, resultOf(1), noteKept)
      await keeper.settled()
      keeper.add(home, resultOf(2), noteKept)
      await keeper.close()
      expect([lost, records.length]).deep.equal([1, 0])
      expect(kept).deep.equal([false, false])
      expect(await batch()).include({ completed: 0 })
    })

    it('count when their process has ended after it had written them, and later ones do not', async () => {
      const part = await (await own.createFolder(ALICE, id, home)).createPart('p1-1')
      const { encodeResult } = await import('../../../lib/batches/results.ts')
      await part.append([encodeResult(resultOf(1))])
      await abandonWorker(store(), 'p1', NOW)
      const [dead] = await inherit(store(), 'p2', NOW, NOW + 99)
      await recover(dead!, await openBatches(store()), hostOf('p2'))
      await part.append([encodeResult(resultOf(2))])
      await part.close()
      expect(records).length(1)
      expect(await batch()).include({ completed: 1 })
      expect(await hasHeldLines(store(), id)).equal(false)
      expect(await merged()).deep.equal([1])
    })

    it('become files, with lines for what was not run, once', async () => {
      const keeper = keeperOf('p1')
      keeper.add(home, resultOf(1), noteKept)
      keeper.add(home, resultOf(2, { hasFailed: true }), noteKept)
      await keeper.settled()
      await keeper.close()
      const host = hostOf('p1')
      expect(await takeEnded(await batch(), host), 'a line still runs').equal(undefined)
      await leaveWorker(store(), 'p1')
      files.clock().advance(31 * 86_400_000)
      const sweep = async () => own.sweep(new AbortController().signal, await inputFiles(store()))
      await sweep()
      const taken = (await takeEnded(await batch(), host))!
      expect(await takeEnded(await batch(), hostOf('p2'))).equal(undefined)
      expect(await finalize(taken, host)).deep.equal({ status: 'expired', left: new Map([['n', 1]]) })
      const row = await store().db.selectFrom('batches').selectAll().executeTakeFirstOrThrow()
      expect(row).include({ status: 'expired', completed: 1, failed: 1, expired: 1, cleared: 1 })
      const read = async (file: string | null) =>
        (await own.content(ALICE, (await own.find(ALICE, file!))!))!.toString().trimEnd().split('\n')
      expect(await read(row.output_file_id)).deep.equal(['{"line":1}'])
      const [failed, unrun] = await read(row.error_file_id)
      expect(failed).equal('{"line":2}')
      expect(JSON.parse(unrun!)).deep.include({ custom_id: 'c3', response: null })
      expect(await own.folder(ALICE, id).parts()).deep.equal([])
      expect(await openBatches(store())).deep.equal([])
      await sweep()
      expect(await own.findAny(ALICE, row.input_file_id), 'the input file, which has expired').equal(undefined)
    })

    it('count what was not run without a model if it was not validated', async () => {
      await leaveWorker(store(), 'p1')
      await store().db.updateTable('batches').set({ status: 'cancelling', in_progress_at: null, total: 0 }).execute()
      const taken = (await takeEnded(await batch(), hostOf('p2')))!
      expect(await finalize(taken, hostOf('p2'))).deep.equal({ status: 'cancelled', left: new Map([['', 3]]) })
    })
  })
})
