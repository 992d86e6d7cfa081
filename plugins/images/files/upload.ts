import { BATCH_PURPOSE, storedName, type UploadMetadata } from '../../../lib/console.ts'
import { fail } from '../../../lib/plugin.ts'
import type { Form } from './form.ts'

const IMAGE_PURPOSES = ['vision', 'user_data', 'assistants']

/** OpenAI's bounds for `expires_after[seconds]`: an hour and thirty days. */
const MIN_SECONDS = 3600
const MAX_SECONDS = 2_592_000

/** The metadata of a file, from the fields of its form. `hasBatches`: a file may be for a batch. */
export function describeFile({ fields, filename }: Form, hasBatches: boolean): UploadMetadata {
  const purposes = hasBatches ? [...IMAGE_PURPOSES, BATCH_PURPOSE] : IMAGE_PURPOSES
  const purpose = fields.get('purpose')
  if (purpose === undefined) missing('purpose')
  if (!purposes.includes(purpose)) refuse(`'purpose' must be one of ${purposes.join(', ')}.`, 'purpose')
  return { purpose, filename: storedName(filename), seconds: secondsOf(fields) }
}

function secondsOf(fields: ReadonlyMap<string, string>): number | undefined {
  const anchor = fields.get('expires_after[anchor]')
  const text = fields.get('expires_after[seconds]')
  if (anchor === undefined && text === undefined) return undefined
  if (anchor !== 'created_at') refuse("'expires_after[anchor]' must be created_at.", 'expires_after[anchor]')
  const seconds = /^\d{1,10}$/.test(text ?? '') ? Number(text) : 0
  if (seconds < MIN_SECONDS || seconds > MAX_SECONDS) {
    const problem = `'expires_after[seconds]' must be a whole number from ${MIN_SECONDS} to ${MAX_SECONDS}.`
    refuse(problem, 'expires_after[seconds]')
  }
  return seconds
}

function missing(param: string): never {
  fail('invalid_json_request', { problem: `'${param}' is required.` }, { param, ownParam: true })
}

function refuse(problem: string, param: string): never {
  fail('schema_validation_failed', { problem }, { param, ownParam: true })
}
