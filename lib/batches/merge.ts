/** The results in the parts of a batch. */
import type { BatchFolder } from '../files/batch-folder.ts'
import type { OpenBatch } from '../store/batches.ts'
import { decodeResult, type Result } from './results.ts'
import { partCounts } from './stored.ts'

/** All valid results in the order in which they ended, one for each line. */
export async function* mergedResults(batch: OpenBatch, folder: BatchFolder): AsyncGenerator<Result> {
  const counts = partCounts(batch)
  const seen = new Set<number>()
  const heads: { readonly part: AsyncGenerator<Result>; result: Result }[] = []
  for (const name of await folder.parts()) {
    const part = resultsOf(batch.id, folder.records(name), counts[name] ?? Number.POSITIVE_INFINITY)
    const { value } = await part.next()
    if (value !== undefined) heads.push({ part, result: value })
  }
  try {
    while (heads.length > 0) {
      const at = heads.reduce((best, head, i) => (head.result.at < heads[best]!.result.at ? i : best), 0)
      const head = heads[at]!
      const { result } = head
      if (!seen.has(result.line)) yield result
      seen.add(result.line)
      const next = await head.part.next()
      if (next.done) heads.splice(at, 1)
      else head.result = next.value
    }
  } finally {
    await Promise.all(heads.map(({ part }) => part.return(undefined)))
  }
}

async function* resultsOf(batch: string, records: AsyncIterable<Buffer>, limit: number): AsyncGenerator<Result> {
  if (limit === 0) return
  let count = 0
  for await (const bytes of records) {
    yield decodeResult(batch, bytes)
    if (++count >= limit) return
  }
}
