/** The form that uploads a file and starts a batch. Its file is stored while it arrives. */
import type { Readable, Writable } from 'node:stream'
import { formParser, storedName } from '../../../lib/console.ts'
import { GatewayError } from '../../../lib/plugin.ts'

const LIMITS = { files: 1, fields: 4, parts: 6, fieldSize: 256, headerPairs: 16, headerSize: 4096 }

/** Why a form starts no batch, for its page. */
export class FormProblem extends Error {
  readonly status: number
  /** Name of the field that is the cause; null: none is. */
  readonly field: string | null

  constructor(status: number, problem: string, field: string | null = null) {
    super(problem)
    this.status = status
    this.field = field
  }
}

interface UploadForm {
  /** Values by name. */
  readonly fields: URLSearchParams
  readonly filename: string
}

/**
 * Reads a form whose file is the last field. `feed` pipes the body into a stream. `check` receives the other fields
 * before the first byte of the file, and throws FormProblem; `save` receives the file.
 */
export async function readUpload(
  contentType: string | undefined,
  feed: (sink: Writable) => Promise<void>,
  check: (fields: URLSearchParams) => void,
  save: (file: Readable) => Promise<void>,
): Promise<UploadForm> {
  const parser = formParser(contentType, LIMITS)
  // feed() reports errors while it runs; later ones are ignored.
  parser.on('error', ignore)
  const fields = new URLSearchParams()
  const seen: { filename?: string; file?: Readable; saved: Promise<void> } = { saved: Promise.resolve() }
  const stop = (cause: unknown) => void parser.emit('error', cause)
  parser.on('field', (name, value) => fields.set(name, value))
  parser.on('file', (_name, file, filename) => {
    // The parser emits its errors on the file, too. Without a listener they would end the process.
    file.on('error', ignore)
    try {
      check(fields)
      if (filename === '') throw new FormProblem(422, 'Choose a file.', 'file')
      seen.filename = storedName(filename)
      seen.file = file
      seen.saved = save(file)
      seen.saved.catch(stop)
    } catch (problem) {
      // Thrown from a listener, it would be an uncaught exception.
      stop(problem)
    }
  })
  try {
    await feed(parser)
    await seen.saved
  } catch (thrown) {
    // save() still waits for the rest of the file, which will not arrive.
    seen.file?.destroy()
    await seen.saved.catch(ignore)
    if (thrown instanceof FormProblem || thrown instanceof GatewayError || isSystemError(thrown)) throw thrown
    throw new FormProblem(400, 'The form was not received completely: send it again.')
  }
  if (seen.filename === undefined) throw new FormProblem(422, 'Choose a file.', 'file')
  return { fields, filename: seen.filename }
}

/** An error of the disk, not of the form. */
function isSystemError(thrown: unknown): boolean {
  return thrown instanceof Error && 'syscall' in thrown
}

function ignore(): void {}
