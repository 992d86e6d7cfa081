import { createRequire } from 'node:module'
import type { BusboyConfig, BusboyInstance } from '@fastify/busboy'
import { fail } from '../../errors/errors.ts'

export type { BusboyInstance as FormParser }

/** The library is loaded for the first form. */
const load = createRequire(import.meta.url)

/** Bytes that a form may have in addition to its file: other fields, headers of parts, boundaries. */
export const FORM_BYTES = 16 * 1024

/** A parser of multipart/form-data. Refuses other media types and a missing boundary. The caller handles `error`. */
export function formParser(contentType: string | undefined, limits: BusboyConfig['limits']): BusboyInstance {
  if (contentType === undefined || !/^multipart\/form-data(?:;|$)/i.test(contentType.trim()))
    fail('http_400', { problem: 'The body must be multipart/form-data.' })
  const { Busboy } = load('@fastify/busboy') as typeof import('@fastify/busboy')
  try {
    return new Busboy({ headers: { 'content-type': contentType }, limits })
  } catch {
    fail('http_400', { problem: 'The Content-Type of multipart/form-data needs a boundary.' })
  }
}
