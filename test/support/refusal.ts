import { GatewayError } from '../../lib/errors/errors.ts'
import type { Played } from '../../lib/testing.ts'

export interface Refusal {
  readonly code: string
  readonly status: number
  readonly param: string | undefined
  readonly message: string
}

/** The refusal that `work` throws. Fails if it throws none, and rethrows other errors. */
export function refusalOf(work: () => unknown): Refusal {
  const { code, status, message, details } = thrownBy(work)
  return { code, status, param: details.param, message }
}

/** The message that is recorded under zero data retention. */
export function keptMessageOf(work: () => unknown): string {
  return thrownBy(work).messageWithoutNames
}

function thrownBy(work: () => unknown): GatewayError {
  try {
    work()
  } catch (thrown) {
    if (thrown instanceof GatewayError) return thrown
    throw thrown
  }
  throw new Error('Nothing was refused.')
}

/** Code, status and param of the refusal that play() resolves with; undefined: nothing was refused. */
export function refusalIn({ error }: Pick<Played, 'error'>): Omit<Refusal, 'message'> | undefined {
  return error && { code: error.code, status: error.status, param: error.details.param }
}
