/** Takes over from a process that has ended: what it has written counts, and its other lines are free. */
import type { FileStore } from '../files/store.ts'
import type { RecordSink } from '../records/journal.ts'
import { type EndedLine, heldLines } from '../store/batch-lines.ts'
import { finishHeritage, type Heritage } from '../store/batch-workers.ts'
import type { OpenBatch } from '../store/batches.ts'
import type { Session } from '../store/database.ts'
import { decodeResult, endedLine } from './results.ts'

interface RecoverHost {
  readonly store: Session
  readonly files: FileStore
  readonly records: RecordSink
  readonly worker: string
}

/**
 * Records of results that are older than the lease by this time are on the disk. The store keeps a record only once, so
 * the others are written again.
 */
const RECORDED_MS = 90_000

export async function recover(dead: Heritage, open: readonly OpenBatch[], host: RecoverHost): Promise<void> {
  const { store, files, records, worker } = host
  const held = await heldLines(store, dead.id)
  const ended: EndedLine[] = []
  const parts = new Map<string, Record<string, number>>()
  for (const { id, owner } of open) {
    const folder = files.folder(owner, id)
    for (const name of await folder.parts()) {
      if (!name.startsWith(`${dead.id}-`)) continue
      let count = 0
      for await (const bytes of folder.records(name)) {
        const result = decodeResult(id, bytes)
        count++
        const isHeld = held.has(`${id} ${result.line}`)
        if (isHeld) ended.push(endedLine(result))
        if (result.record !== null && (isHeld || result.at > dead.until - RECORDED_MS)) records.append(result.record)
      }
      parts.set(id, { ...parts.get(id), [name]: count })
    }
  }
  await finishHeritage(store, { id: dead.id, heir: worker, ended, parts })
}
