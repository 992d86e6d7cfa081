/** Forms with audio. They are buffered completely. */
import { Busboy } from '@fastify/busboy'
import type { JsonObject } from '../lib/base/json.ts'
import { badRequest } from './refusal.ts'

export interface AudioForm {
  /** By name. A repeated field is an array. */
  readonly fields: JsonObject
  readonly filename: string
  readonly mediaType: string
  /** Length of the file in bytes. */
  readonly bytes: number
}

/** Reads multipart/form-data with a file in `file`. Rejects with a Refusal. */
export function readAudioForm(contentType: string | undefined, body: Buffer): Promise<AudioForm> {
  return new Promise((resolve, reject) => {
    const refuse = () => reject(badRequest('The body must be multipart/form-data with a file in `file`.', 'file'))
    if (contentType?.startsWith('multipart/form-data') !== true) return refuse()
    const parser = new Busboy({ headers: { 'content-type': contentType } })
    const fields: JsonObject = {}
    let file: { filename: string; mediaType: string } | undefined
    let bytes = 0
    parser.on('field', (name, text) => {
      const known = fields[name]
      fields[name] = known === undefined ? text : [...(Array.isArray(known) ? known : [known]), text]
    })
    parser.on('file', (_name, stream, filename, _encoding, mediaType) => {
      file = { filename, mediaType }
      stream.on('data', (piece: Buffer) => {
        bytes += piece.length
      })
      stream.on('error', refuse)
    })
    parser.on('error', refuse)
    parser.on('finish', () => (file === undefined ? refuse() : resolve({ fields, ...file, bytes })))
    parser.end(body)
  })
}
