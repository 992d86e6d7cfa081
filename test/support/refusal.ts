import { GatewayError } from '../../lib/errors/errors.ts'

export interface Refusal {
  readonly code: string
  readonly status: number
  readonly param: string | undefined
  readonly message: string
}

/** The refusal that `work` throws. Fails when it throws none, and rethrows other errors. */
export function refusalOf(work: () => unknown): Refusal {
  try {
    work()
  } catch (thrown) {
    if (!(thrown instanceof GatewayError)) throw thrown
    const { code, status, message, details } = thrown
    return { code, status, param: details.param, message }
  }
  throw new Error('Nothing was refused.')
}
