import type { UploadMetadata } from '../../../lib/console.ts'
import { fail } from '../../../lib/plugin.ts'
import type { Form } from './form.ts'

const PURPOSES: ReadonlySet<string> = new Set(['vision', 'user_data', 'assistants'])

/** OpenAI's bounds for `expires_after[seconds]`: an hour and thirty days. */
const SECONDS = { least: 3600, most: 2_592_000 }

const LONGEST_NAME = 255

/** The metadata of a file, from the fields of its form. */
export function describeFile({ fields, filename }: Form): UploadMetadata {
  const purpose = fields.get('purpose')
  if (purpose === undefined) missing('purpose')
  if (!PURPOSES.has(purpose)) refuse(`'purpose' must be one of ${[...PURPOSES].join(', ')}.`, 'purpose')
  return { purpose, filename: nameOf(filename), seconds: secondsOf(fields) }
}

/** Without control characters and slashes, because the owner's programs may print the name or use it as a path. */
function nameOf(filename: string): string {
  const name = filename
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}/\\]/gu, '')
    .slice(0, LONGEST_NAME)
  return name === '' ? 'upload' : name
}

function secondsOf(fields: ReadonlyMap<string, string>): number | undefined {
  const anchor = fields.get('expires_after[anchor]')
  const text = fields.get('expires_after[seconds]')
  if (anchor === undefined && text === undefined) return undefined
  if (anchor !== 'created_at') refuse("'expires_after[anchor]' must be created_at.", 'expires_after[anchor]')
  const seconds = /^\d{1,10}$/.test(text ?? '') ? Number(text) : 0
  const { least, most } = SECONDS
  if (seconds < least || seconds > most) {
    refuse(`'expires_after[seconds]' must be a whole number from ${least} to ${most}.`, 'expires_after[seconds]')
  }
  return seconds
}

function missing(param: string): never {
  fail('invalid_json_request', { problem: `'${param}' is required.` }, { param, ownParam: true })
}

function refuse(problem: string, param: string): never {
  fail('schema_validation_failed', { problem }, { param, ownParam: true })
}
