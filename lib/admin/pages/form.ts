/** Forms of the pages: `application/x-www-form-urlencoded`, small. */
import type { IncomingMessage } from 'node:http'
import { readText } from '../../http/read-text.ts'

/** A list of a thousand members fits. */
const LIMIT = 300_000

export async function readForm(req: IncomingMessage): Promise<URLSearchParams> {
  return new URLSearchParams(await readText(req, LIMIT))
}

/** A field that was filled in, without spaces around it. */
export function filled(form: URLSearchParams, name: string): string | undefined {
  const value = form.get(name)?.trim()
  return value === undefined || value === '' ? undefined : value
}

/** A number in a field. What is none stays a text, which the check of the operation refuses by name. */
export function numberIn(form: URLSearchParams, name: string): number | string | undefined {
  const value = filled(form, name)
  return value !== undefined && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value
}

/** Words between commas, spaces or line ends. */
export function wordsIn(form: URLSearchParams, name: string): string[] {
  return (form.get(name) ?? '').split(/[\s,]+/).filter(word => word !== '')
}
