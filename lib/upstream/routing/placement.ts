import type { Usage } from '../../canonical/reply.ts'

/** A request at one backend, from the choice of the backend to the end of its lease. */
export interface Placement {
  /** The first token of the answer has come. Further calls do nothing. */
  begun(): void
  /** Nothing more comes, whatever the reason. Only the first call counts. `usage`: of a complete reply. */
  ended(usage: Usage | undefined): void
}
