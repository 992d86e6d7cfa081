import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { Executor } from '../../../lib/batches/executor.ts'
import type { LineReply, LineRequest } from '../../../lib/batches/line-request.ts'
import type { FileStore } from '../../../lib/files/store.ts'
import { hasHeldLines } from '../../../lib/store/batch-lines.ts'
import { enterWorker } from '../../../lib/store/batch-workers.ts'
import { openBatches } from '../../../lib/store/batches.ts'
import type { Session } from '../../../lib/store/database.ts'
import { NOW, runningBatch } from '../../support/batch-rows.ts'
import { ALICE, pieces, useFiles } from '../../support/files.ts'
import { eventually } from '../../support/gateway.ts'
import { onEveryStore } from '../../support/stores.ts'

const LINES = 40
const ROOM = 3
/** Longer than a claim takes. */
const QUIET_MS = 200

interface SentLine extends LineRequest {
  /** Ends it as a request that is aborted. */
  end(): void
}

describe('lines that a process claims', () => {
  const files = useFiles()
  onEveryStore(store => {
    let own: FileStore
    let executor: Executor
    let sent: SentLine[] = []
    let warnings: string[] = []
    let waiting = 0
    let grown = () => {}

    const newExecutor = (session: Session = store()) =>
      new Executor({
        store: session,
        files: own,
        keeper: { disk: { paused: null } } as never,
        worker: 'p1',
        spare: {
          room: () => Math.max(0, ROOM - waiting),
          waiting: () => waiting,
          onRoom: (_, callback) => {
            grown = callback
            return () => {}
          },
        },
        send: request =>
          new Promise<LineReply>((_, reject) => {
            const end = () => reject(new Error('aborted'))
            request.signal.addEventListener('abort', end)
            sent.push({ ...request, end })
          }),
        priceFactor: () => 1,
        clock: files.clock(),
        log: { warn: (_: object, text: string) => warnings.push(text) } as never,
        count: () => {},
        failed: () => {},
        keptMs: 0,
      })

    /** Runs a batch whose lines are for this model. `file`: id of its input file; default: one that exists. */
    async function run(model: string, file?: string): Promise<void> {
      const line = (i: number) =>
        JSON.stringify({ custom_id: `c${i}`, method: 'POST', url: '/v1/chat/completions', body: {} })
      const text = Array.from({ length: LINES }, (_, i) => `${line(i).padEnd(99)}\n`).join('')
      const input = await own.createFrom(ALICE, { filename: 'a', purpose: 'batch', account: 'acme' }, pieces(text))
      const models = Array.from({ length: LINES }, () => model)
      await runningBatch(store(), 'b1', models, { input_file_id: file ?? input.id, owner: ALICE })
      const [batch] = await openBatches(store())
      executor.update(new Map([['b1', { batch: batch!, key: { account: { id: 'acme' } } as never }]]), new Set())
    }

    beforeEach(async () => {
      own = files.open()
      sent = []
      warnings = []
      waiting = 0
      await enterWorker(store(), 'p1', NOW + 60_000)
      executor = newExecutor()
    })
    afterEach(() => executor.close())

    it('are as many as there is room for, however long they are on their way to it', async () => {
      await run('m')
      await eventually(() => sent.length === ROOM, 'the room is used')
      for (let i = 0; i < 3; i++) {
        files.clock().advance(60_000)
        grown()
        await sleep(QUIET_MS)
      }
      expect(sent).length(ROOM)
      // One begins to wait, and is sent to a backend, so that there is room for another one.
      sent[0]!.line.waits()
      waiting++
      grown()
      await sleep(QUIET_MS)
      expect(sent).length(ROOM)
      waiting--
      grown()
      await eventually(() => sent.length === ROOM + 1, 'another one')
    })

    it('are found without reading the models of each batch again, of which there may be thousands', async () => {
      let reads = 0
      const batch = {
        ...{ id: 'b1', account_id: 'acme', served: 0 },
        get models() {
          reads++
          return '["m", "n"]'
        },
      }
      executor.update(new Map([['b1', { batch, account: { id: 'acme' } } as never]]), new Set())
      for (let i = 0; i < 3; i++) {
        grown()
        await sleep(1)
      }
      expect(reads).equal(1)
    })

    it('wait if their input file was removed and the store does not answer', async () => {
      executor = newExecutor({
        dialect: store().dialect,
        db: store().db.withPlugin({
          transformQuery({ node }) {
            if (node.kind === 'UpdateQueryNode' && JSON.stringify(node.table).includes('"batches"'))
              throw new Error('the store does not answer')
            return node
          },
          transformResult: async ({ result }) => result,
        }),
      })
      await run('m', `file-${'0'.repeat(24)}`)
      await eventually(() => warnings.length >= ROOM, 'the batch is not cancelled')
      expect(warnings[0]).equal('a batch whose input file was removed cannot be cancelled: tried again')
      await executor.close()
      expect(await hasHeldLines(store(), 'b1')).equal(false)
    })

    it('are few at a time if their model is not known', async () => {
      await run('')
      await eventually(() => sent.length === 16, 'the first ones')
      await sleep(QUIET_MS)
      expect(sent).length(16)
      sent[0]!.end()
      await eventually(() => sent.length === 17, 'another one')
    })
  })
})
