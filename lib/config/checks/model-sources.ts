/** Checks entries of `models` that discover models. */
import { isObject, type Json, type JsonObject } from '../../base/json.ts'
import { checkDiscovery } from './models.ts'
import { object, objects, type Report, text, texts, Unique } from './view.ts'

/** Members of a backend that the discovery decides. */
const FOUND = [
  'url',
  'model',
  'discover',
  'name',
  'type',
  'port',
  'scheme',
  'base_path',
  'path',
  'every_seconds',
  'servers',
] as const

/** `doubt`: reports probable mistakes, with which a gateway can run. */
export function checkModelSources(file: JsonObject, report: Report, doubt: Report): void {
  const unique = new Unique(doubt)
  for (const { path, value: entry } of objects(file, 'models')) {
    if (!isObject(entry.discover)) continue
    const { url, dns } = entry.discover
    if ((url === undefined) === (dns === undefined)) report(`${path}.discover`, 'needs either url or dns')
    if (isObject(dns) && dns.name !== undefined)
      checkDiscovery({ ...dns, discover: 'dns' }, `${path}.discover.dns`, report)
    for (const { path: at, value: backend } of objects(object(entry, 'defaults'), 'backends', `${path}.defaults`))
      for (const name of FOUND)
        if (backend[name] !== undefined) report(`${at}.${name}`, 'cannot be given here: discover finds the servers')
    const { kind, backends } = object(entry, 'defaults')
    unique.claim(
      JSON.stringify([url ?? null, dns ?? null, entry.allow ?? null, kind ?? null, backends ?? null]),
      path,
      first => `finds the same models as ${first}, which wins: remove it, or change allow`,
    )
  }
}

/**
 * The file with a model in place of each entry that discovers models: it has the members of each model that the entry
 * finds. Problems of such a model have the path that sourcePath() converts.
 */
export function withSamples(file: JsonObject): JsonObject {
  return Array.isArray(file.models) ? { ...file, models: file.models.map(sampleOf) } : file
}

function sampleOf(entry: Json): Json {
  if (!isObject(entry) || !isObject(entry.discover)) return entry
  const { discover, allow } = entry
  const { backends, ...defaults } = object(entry, 'defaults')
  const [template] = Array.isArray(backends) ? backends : []
  const { url = `${text(object(discover, 'dns'), 'scheme') ?? 'http'}://server.invalid/v1` } = discover
  const backend = { ...(isObject(template) ? template : {}), url }
  const id = texts(entry, 'allow').map(({ value }) => value)
  return {
    kind: 'chat',
    ...defaults,
    id: id.join(', '),
    aliases: [],
    discover,
    allow: allow ?? [],
    backends: [backend],
  }
}

/** The path in the file of a member of withSamples(). */
export function sourcePath(file: JsonObject, path: string): string {
  const [, index, name, rest = ''] = /^models\.(\d+)\.([a-z_]+)(.*)$/.exec(path) ?? []
  const entry = Array.isArray(file.models) && index !== undefined ? file.models[Number(index)] : undefined
  if (!isObject(entry) || entry.discover === undefined || name === 'discover' || name === 'allow') return path
  if (path === `models.${index}.backends.0.url`) return `models.${index}.discover.url`
  return `models.${index}.defaults.${name}${rest}`
}
