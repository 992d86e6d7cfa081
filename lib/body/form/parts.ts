/** multipart/form-data as it is written (RFC 7578). */
import { randomBytes } from 'node:crypto'
import type { Json } from '../../base/json.ts'

/** 128 random bits: no file holds them by chance, and no client knows them. */
export function newBoundary(): string {
  return `sluiceway-${randomBytes(16).toString('hex')}`
}

/** One field; a list is a part for each of its values. */
export function fieldParts(boundary: string, name: string, value: Json): string {
  const values = Array.isArray(value) ? value : [value]
  return values.map(each => `--${boundary}\r\n${disposition(name)}\r\n\r\n${each}\r\n`).join('')
}

/** What stands before the bytes of a file. */
export function fileHead(boundary: string, name: string, filename: string, mediaType: string): string {
  const type = /^[\w!#$&^.+/;= -]{1,100}$/.test(mediaType) ? mediaType : 'application/octet-stream'
  return `--${boundary}\r\n${disposition(name)}; filename="${quotable(filename)}"\r\nContent-Type: ${type}\r\n\r\n`
}

/** What stands behind them. */
export const FILE_END = '\r\n'

export function formEnd(boundary: string): string {
  return `--${boundary}--\r\n`
}

function disposition(name: string): string {
  return `Content-Disposition: form-data; name="${quotable(name)}"`
}

const ESCAPES: Readonly<Record<string, string>> = { '"': '%22', '\r': '%0D', '\n': '%0A' }

/** As browsers write names. */
function quotable(name: string): string {
  return name.replace(/["\r\n]/g, character => ESCAPES[character]!)
}
