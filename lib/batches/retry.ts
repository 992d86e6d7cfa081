/** What becomes of a line after its reply. */
import { errorCode } from './results.ts'

/** `again`: another try may succeed. `no money`: its account, plan or key can pay for none of its lines now. */
type Verdict = 'completed' | 'failed' | 'again' | 'no money'

export function verdictOf({ status, body }: { readonly status: number; readonly body: string }): Verdict {
  if (status < 300) return 'completed'
  if (status === 402) return 'no money'
  // Of the limits, only budgets hold for lines.
  if (status === 429 && errorCode(body) === 'rate_limit_exceeded') return 'no money'
  return status === 429 || status >= 500 ? 'again' : 'failed'
}

const BACKOFF_MS = 1000
const MAX_BACKOFF_MS = 300_000

/** When a line is tried again that has been tried so often before. `now`: milliseconds since the epoch. */
export function nextTry(attempts: number, now: number): { readonly attempts: number; readonly notBefore: number } {
  const wait = Math.min(MAX_BACKOFF_MS, BACKOFF_MS * 2 ** Math.min(attempts, 20)) * (0.5 + Math.random() / 2)
  return { attempts: attempts + 1, notBefore: Math.ceil(now + wait) }
}
