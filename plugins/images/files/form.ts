import type { Readable, Writable } from 'node:stream'
import { filesUnavailable, formParser } from '../../../lib/console.ts'
import { fail, filesInTime, GatewayError, quoted, shortened } from '../../../lib/plugin.ts'

const LIMITS = { files: 1, fields: 8, parts: 10, fieldSize: 256, headerPairs: 16, headerSize: 4096 }

/** The fields of OpenAI's API other than the file. */
const FIELDS: ReadonlySet<string> = new Set(['purpose', 'expires_after[anchor]', 'expires_after[seconds]'])

export interface Form {
  readonly fields: ReadonlyMap<string, string>
  /** Name that the client gave the file, without directories; may be empty. */
  readonly filename: string
}

/**
 * Reads a multipart/form-data body with exactly one file, in the field `file`. `feed` pipes the body into a stream;
 * `save` receives the bytes of the file, and the purpose if it precedes the file. Refuses every other body.
 */
export async function readForm(
  contentType: string | undefined,
  feed: (sink: Writable) => Promise<void>,
  save: (file: Readable, purpose: string | undefined) => Promise<void>,
): Promise<Form> {
  const parser = formParser(contentType, LIMITS)
  // feed() reports errors while it runs; later ones are ignored.
  parser.on('error', ignore)
  const fields = new Map<string, string>()
  const seen: { filename?: string; file?: Readable; saved: Promise<void> } = { saved: Promise.resolve() }
  const stop = (cause: unknown) => void parser.emit('error', cause)
  /** Ends the parser with the refusal of a check. Thrown from a listener, it would be an uncaught exception. */
  const check = (run: () => void) => {
    try {
      run()
    } catch (refusal) {
      stop(refusal)
    }
  }
  parser.on('file', (name, file, filename) =>
    check(() => {
      // The parser emits its errors on the file, too. Without a listener they would end the process.
      file.on('error', ignore)
      if (name !== 'file') refuseField(name)
      seen.filename = filename ?? ''
      seen.file = file
      seen.saved = save(file, fields.get('purpose'))
      seen.saved.catch(stop)
    }),
  )
  parser.on('field', (name, value, _isNameCut, isCut) =>
    check(() => {
      if (name === 'file') refuse("'file' must be a file, with a file name.", name)
      if (!FIELDS.has(name)) refuseField(name)
      if (isCut) refuse(`'${name}' is longer than ${LIMITS.fieldSize} bytes.`, name)
      if (fields.has(name)) refuse(`'${name}' appears in the form twice.`, name)
      fields.set(name, value)
    }),
  )
  parser.on('filesLimit', () => check(() => refuse('One file at a time.', 'file')))
  for (const event of ['fieldsLimit', 'partsLimit'] as const)
    parser.on(event, () => check(() => malformed('The form has too many fields.')))

  try {
    await feed(parser)
    await filesInTime(seen.saved)
  } catch (thrown) {
    // save() still waits for the rest of the file, which will not arrive.
    seen.file?.destroy()
    await filesInTime(seen.saved).catch(ignore)
    if (isSystemError(thrown)) throw filesUnavailable(thrown)
    if (thrown instanceof GatewayError) throw thrown
    malformed('The body is no complete multipart/form-data.')
  }
  const { filename } = seen
  if (filename === undefined) {
    fail('invalid_json_request', { problem: "'file' is required." }, { param: 'file', ownParam: true })
  }
  return { fields, filename }
}

/** An error of the disk, not of the form. */
function isSystemError(thrown: unknown): boolean {
  return thrown instanceof Error && 'syscall' in thrown
}

function refuseField(name = ''): never {
  const details = { param: shortened(name), ownParam: true }
  fail('unsupported_parameter', { parameter: quoted(name), where: ' here' }, details)
}

function refuse(problem: string, param: string): never {
  fail('schema_validation_failed', { problem }, { param, ownParam: true })
}

function malformed(problem: string): never {
  fail('http_400', { problem })
}

function ignore(): void {}
