/** Checks of certificates, and of how backends are reached. */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { createSecureContext } from 'node:tls'
import type { JsonObject } from '../../base/json.ts'
import { object, objects, type Report, text } from './view.ts'

/** Reports files that cannot be read or are not in PEM form. */
export function checkTls(tls: JsonObject, path: string, baseDir: string, report: Report): void {
  const contents: Partial<Record<'ca' | 'cert' | 'key', Buffer>> = {}
  let isComplete = true
  for (const name of ['ca', 'cert', 'key'] as const) {
    const given = text(tls, name)
    if (given === undefined || given === '') continue
    const file = resolve(baseDir, given)
    try {
      contents[name] = readFileSync(file)
    } catch {
      isComplete = false
      report(`${path}.${name}`, `there is no file ${file} that can be read`)
    }
  }
  if (!isComplete || (contents.cert === undefined) !== (contents.key === undefined)) return
  const { ca, ...pair } = contents
  if (!isValid(pair)) report(path, 'these are not a certificate and its private key in PEM form')
  if (ca !== undefined && !(ca.includes('-----BEGIN CERTIFICATE-----') && isValid({ ca })))
    report(`${path}.ca`, 'has no certificates in PEM form')
}

function isValid(contents: Parameters<typeof createSecureContext>[0]): boolean {
  try {
    createSecureContext(contents)
    return true
  } catch {
    return false
  }
}

/** Checks how backends and images are reached. */
export function checkEgress(file: JsonObject, baseDir: string, report: Report): void {
  checkProxy(object(file, 'image_fetch'), 'image_fetch', report)
  for (const { path: model, value } of objects(file, 'models'))
    for (const { path, value: backend } of objects(value, 'backends', model)) {
      checkProxy(backend, path, report)
      if (backend.tls !== undefined) checkBackendTls(backend, path, baseDir, report)
    }
}

function checkBackendTls(backend: JsonObject, path: string, baseDir: string, report: Report): void {
  const tls = object(backend, 'tls')
  if ((tls.cert === undefined) !== (tls.key === undefined)) report(`${path}.tls`, 'needs both cert and key, or neither')
  const scheme = text(backend, 'url')?.split(':')[0] ?? text(backend, 'scheme') ?? 'http'
  // A file of addresses may contain whole URLs.
  if (scheme === 'http' && backend.discover !== 'file') report(`${path}.tls`, 'has no meaning without https')
  checkTls(tls, `${path}.tls`, baseDir, report)
}

/** The schema checks the form. */
function checkProxy(holder: JsonObject, path: string, report: Report): void {
  const proxy = text(holder, 'proxy')
  if (proxy?.startsWith('http://') === true && !URL.canParse(proxy)) report(`${path}.proxy`, 'must be http://host:port')
}
