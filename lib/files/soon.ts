import { within } from '../base/timeout.ts'
import { failure, GatewayError } from '../errors/errors.ts'

const DISK_MS = 8000

/** What the directory of files answers; 503 internal_error where it does not within so many milliseconds, or fails. */
export async function soon<T>(work: Promise<T>, ms = DISK_MS): Promise<T> {
  try {
    return await within(ms, `The directory of uploaded files did not answer within ${ms} ms.`, work)
  } catch (thrown) {
    throw thrown instanceof GatewayError ? thrown : diskFailure(thrown)
  }
}

/** 503 internal_error: the directory of files failed, and the request may be worth repeating. */
export function diskFailure(cause: unknown): GatewayError {
  return failure('internal_error', {}, { status: 503, headers: { 'retry-after': '5' }, cause })
}
