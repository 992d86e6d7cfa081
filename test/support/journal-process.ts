/**
 * A process that a test kills: appends some thousand records per second, and acknowledges each on stdout like a
 * response, by a job in the write queue. Its writer moves them into the store. Arguments: the journal's directory, the
 * store's URL or `none`, the number of records.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { LoopWriteQueue } from '../../lib/base/write-queue.ts'
import { Journal } from '../../lib/records/journal.ts'
import { RecordWriter } from '../../lib/records/writer.ts'
import { openStore } from '../../lib/store/store.ts'
import { makeRecord } from './record.ts'

// stdin closes when the parent process ends.
process.stdin.resume().once('end', () => process.exit(1))

const [directory, url, count] = process.argv.slice(2)
const log = pino({ level: 'silent' })
const writes = new LoopWriteQueue()
const journal = new Journal({ directory: directory!, log, writes, segmentBytes: 100_000, flushMs: 20 })
const store = url === 'none' ? undefined : await openStore(url!, { log })
const writer = store && new RecordWriter({ journal, store, log, everyMs: 5, batch: 50 })
writer?.start()
for (let i = 0; i < Number(count); i++) {
  const record = makeRecord({ request_tags: ['a'], cost_microcents: 1 })
  journal.append(record)
  writes.add({ onFlush: () => void process.stdout.write(`${record.id}\n`) })
  if (i % 10 === 0) await sleep(1)
}
// Data that the disk did not accept is in memory, and is written in a later tick.
while (!journal.healthy) await sleep(20)
await writer?.close()
await journal.close()
await store?.close()
process.stdin.destroy()
