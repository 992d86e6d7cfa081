/** The types of the tables of batches for Kysely. */
import type { Generated } from 'kysely'

/** A batch (batches.ts). All times are milliseconds since the epoch. */
interface BatchTable {
  id: string
  api: string
  owner: string
  account_id: string
  user_id: string
  key_id: string
  /** JSON: what the key permitted when it created the batch. */
  key_rights: string
  endpoint: string
  completion_window: string
  /** JSON. */
  metadata: string | null
  output_seconds: number | null
  status: string
  model: Generated<string | null>
  /** JSON: the models of all lines. null: not validated. */
  models: Generated<string | null>
  input_file_id: string
  /** Valid when the batch has ended. */
  output_file_id: Generated<string | null>
  error_file_id: Generated<string | null>
  created_at: number
  expires_at: number
  in_progress_at: Generated<number | null>
  finalizing_at: Generated<number | null>
  completed_at: Generated<number | null>
  failed_at: Generated<number | null>
  expired_at: Generated<number | null>
  cancelling_at: Generated<number | null>
  cancelled_at: Generated<number | null>
  total: Generated<number>
  completed: Generated<number>
  failed: Generated<number>
  cancelled: Generated<number>
  expired: Generated<number>
  input_tokens: Generated<number>
  cached_tokens: Generated<number>
  output_tokens: Generated<number>
  reasoning_tokens: Generated<number>
  /** JSON. */
  problems: Generated<string | null>
  /** Process that validates or finalizes the batch. null: none. */
  holder: Generated<string | null>
  /** JSON: number of valid results by part, for parts of processes that have ended. */
  parts: Generated<string | null>
  /** 1: its folder, and files that only it needs, were removed. */
  cleared: Generated<number>
  /** 1: the alert of its end was raised, or none is due. */
  announced: Generated<number>
}

export interface BatchTables {
  batches: BatchTable
  /** Lines of batches that have not ended (batch-lines.ts). */
  batch_lines: {
    batch_id: string
    /** Number in the file, from 1. */
    line: number
    /** Offset of its first byte in the file, and its bytes. */
    position: number
    length: number
    /** Id of the model. '': validation has not found one. */
    model: string
    /** Hash of the model and the beginning of the prompt, which lines have in common. '': none. */
    prefix: string
    /** Tries that have failed. */
    attempts: Generated<number>
    /** Time of the next try, in milliseconds since the epoch. */
    not_before: Generated<number>
    /** Process that runs the line. null: none. */
    holder: Generated<string | null>
  }
  /** Processes that run lines, and the expiry of their leases, in milliseconds (batch-workers.ts). */
  batch_workers: {
    id: string
    until: number
    /** Process that takes over the lines of this one, which has ended. */
    heir: Generated<string | null>
  }
  batch_accounts: { account_id: string; served: number }
  batch_pauses: { model: string; paused_at: number }
}
