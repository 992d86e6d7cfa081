/**
 * A process to kill. It appends some thousand records a second, and its writer moves them into the store. A job in the
 * write queue acknowledges each record on stdout, as a response would be sent. Arguments: directory of the journal, URL
 * of the store or `none`, number of records.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { LoopWriteQueue } from '../../lib/base/write-queue.ts'
import { Journal } from '../../lib/records/journal.ts'
import { RecordWriter } from '../../lib/records/writer.ts'
import { openStore } from '../../lib/store/store.ts'
import { makeRecord } from './record.ts'

// Ends with its parent process, which closes stdin.
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
// Records that the disk rejected are in memory until a later tick writes them.
while (!journal.healthy) await sleep(20)
await writer?.close()
await journal.close()
await store?.close()
process.stdin.destroy()
