import { within } from '../base/timeout.ts'
import { failure, GatewayError } from '../errors/errors.ts'

const DISK_MS = 8000

/** Rejects with 503 `internal_error` if the operation fails or takes longer. Passes a GatewayError on unchanged. */
export async function filesInTime<T>(work: Promise<T>, ms = DISK_MS): Promise<T> {
  try {
    return await within(ms, `The directory of uploaded files did not answer within ${ms} ms.`, work)
  } catch (thrown) {
    throw thrown instanceof GatewayError ? thrown : filesUnavailable(thrown)
  }
}

/** 503 `internal_error` with Retry-After: the directory of uploaded files failed. `cause` is only logged. */
export function filesUnavailable(cause: unknown): GatewayError {
  return failure('internal_error', {}, { status: 503, headers: { 'retry-after': '5' }, cause })
}

/** The disk, or the quota on it, is full. True also for a refusal with this cause. */
export function isDiskFull(thrown: unknown): boolean {
  const cause = thrown instanceof GatewayError ? thrown.details.cause : thrown
  return cause instanceof Error && 'code' in cause && (cause.code === 'ENOSPC' || cause.code === 'EDQUOT')
}
