/** Batches and lines in a store. */
import { addLines } from '../../lib/store/batch-lines.ts'
import { changeBatch, createBatch } from '../../lib/store/batches.ts'
import type { Session } from '../../lib/store/database.ts'

export const NOW = 1_750_000_000_000
const NO_LIMITS = { batches: 1000, lines: 1_000_000 }

/** A batch that is being validated. */
export function batchRow(id: string, more: Partial<Parameters<typeof createBatch>[1]> = {}) {
  return {
    id,
    api: 'openai',
    owner: 'a'.repeat(32),
    account_id: 'acme',
    user_id: 'alice',
    key_id: 'k1',
    key_rights: '{"models":null}',
    endpoint: '/v1/chat/completions',
    completion_window: '24h',
    status: 'validating',
    input_file_id: 'file-1',
    created_at: NOW,
    expires_at: NOW + 86_400_000,
    ...more,
  } as Parameters<typeof createBatch>[1]
}

/** A batch that runs, with lines of these models in this order. */
export async function runningBatch(
  store: Session,
  id: string,
  models: readonly string[],
  more: Parameters<typeof batchRow>[1] = {},
): Promise<void> {
  await createBatch(store, batchRow(id, { holder: 'validator', ...more }), NO_LIMITS)
  const lines = models.map((model, i) => ({ line: i + 1, position: i * 100, length: 99, model, prefix: '' }))
  await addLines(store, id, 'validator', lines)
  const change = {
    status: 'in_progress',
    in_progress_at: NOW,
    holder: null,
    total: models.length,
    models: JSON.stringify([...new Set(models)]),
  }
  await changeBatch(store, id, { status: ['validating'] }, change)
}
