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
