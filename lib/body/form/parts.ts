/** Writes multipart/form-data (RFC 7578). */
import { randomBytes } from 'node:crypto'
import type { Json } from '../../base/json.ts'

/** With 128 random bits, which no file contains by chance and no client knows. */
export function newBoundary(): string {
  return `sluiceway-${randomBytes(16).toString('hex')}`
}

/** The parts of a field, one per value. */
export function fieldParts(boundary: string, name: string, value: Json): string {
  const values = Array.isArray(value) ? value : [value]
  return values.map(each => `--${boundary}\r\n${disposition(name)}\r\n\r\n${each}\r\n`).join('')
}

export interface FileHead {
  readonly name: string
  readonly filename: string
  readonly mediaType: string
}

/** What precedes the bytes of a file. FILE_END follows them. */
export function fileHead(boundary: string, { name, filename, mediaType }: FileHead): string {
  const type = /^[\w!#$&^.+/;= -]{1,100}$/.test(mediaType) ? mediaType : 'application/octet-stream'
  return `--${boundary}\r\n${disposition(name)}; filename="${quotable(filename)}"\r\nContent-Type: ${type}\r\n\r\n`
}

export const FILE_END = '\r\n'

export function formEnd(boundary: string): string {
  return `--${boundary}--\r\n`
}

function disposition(name: string): string {
  return `Content-Disposition: form-data; name="${quotable(name)}"`
}

const ESCAPES: Readonly<Record<string, string>> = { '"': '%22', '\r': '%0D', '\n': '%0A' }

/** Escapes a name as browsers do (WHATWG HTML, multipart/form-data encoding). */
function quotable(name: string): string {
  return name.replace(/["\r\n]/g, character => ESCAPES[character]!)
}
