/** Checks on entries of `backends`: one has a URL, or says how backends are discovered. */
import { isIP } from 'node:net'
import schema from '../../../schemas/config/backend.json' with { type: 'json' }
import type { JsonObject } from '../../base/json.ts'
import { type Report, text, texts } from './view.ts'

/** Members that only mean something together with `discover`, and those of each kind. */
const OF_KIND: Readonly<Record<string, readonly string[]>> = {
  dns: ['name', 'type', 'port', 'scheme', 'base_path', 'every_seconds', 'servers'],
  file: ['path', 'port', 'scheme', 'base_path', 'every_seconds'],
}
const ALL = new Set(Object.values(OF_KIND).flat())
const NEEDED: Readonly<Record<string, string>> = { dns: 'name', file: 'path' }

export function checkDiscovery(backend: JsonObject, path: string, report: Report): void {
  const kind = text(backend, 'discover')
  const of = kind === undefined ? undefined : OF_KIND[kind]
  // The schema says what `discover` may be.
  if (backend.discover !== undefined && of === undefined) return
  const names = Object.keys(backend)
  // A name that is not known may be meant for either: the schema reports it.
  if (backend.url === undefined && of === undefined && names.every(name => Object.hasOwn(schema.properties, name)))
    report(`${path}.url`, 'is required, or discover')
  if (backend.url !== undefined && of !== undefined) report(`${path}.url`, 'cannot be combined with discover')
  for (const name of names) {
    if (!ALL.has(name) || of?.includes(name) === true) continue
    report(`${path}.${name}`, of === undefined ? 'needs discover' : `has no meaning with discover: ${kind}`)
  }
  if (kind !== undefined && backend[NEEDED[kind]!] === undefined)
    report(path, `discover: ${kind} needs '${NEEDED[kind]}'`)
  if (backend.type === 'SRV' && backend.port !== undefined)
    report(`${path}.port`, 'has no meaning with type: SRV, whose records have ports')
  for (const { path: at, value } of texts(backend, 'servers', path)) {
    if (!isServer(value)) report(at, 'must be an address such as 10.0.0.10, 10.0.0.10:53 or [::1]:53')
  }
}

function isServer(server: string): boolean {
  if (isIP(server) !== 0) return true
  const [, six, four, port] = /^(?:\[([^\]]+)\]|([^:]+))(?::(\d{1,5}))?$/.exec(server) ?? []
  if (port !== undefined && (Number(port) < 1 || Number(port) > 65_535)) return false
  return six === undefined ? isIP(four ?? '') === 4 : isIP(six) === 6
}
