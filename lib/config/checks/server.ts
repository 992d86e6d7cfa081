import { isIP } from 'node:net'
import type { Json, JsonObject } from '../../base/json.ts'
import { encryptionKey } from '../encryption-key.ts'
import { parseRedisUrl } from '../redis-address.ts'
import { checkTls } from './tls.ts'
import { object, objects, type Report, text, texts, Unique } from './view.ts'

export function checkServer(file: JsonObject, baseDir: string, report: Report): void {
  checkListeners(file, report)
  checkTls(object(object(file, 'listen'), 'tls'), 'listen.tls', baseDir, report)
  checkHosts(file, report)
  checkLimitsStore(file, report)
  checkFiles(object(file, 'files'), report)
  const currency = text(file, 'currency')
  if (currency !== undefined && !Intl.supportedValuesOf('currency').includes(currency))
    report('currency', 'must be a code of ISO 4217, such as USD or EUR')
  const networks = [
    ...texts(object(file, 'image_fetch'), 'allow', 'image_fetch'),
    ...texts(object(file, 'listen'), 'trusted_proxies', 'listen'),
  ]
  for (const { path, value } of networks) {
    if (!isCidr(value)) report(path, 'must be a network in CIDR notation, such as 10.1.0.0/16')
  }
}

function checkLimitsStore(file: JsonObject, report: Report): void {
  const url = text(file, 'limits_store')
  if (url === 'memory' && typeof file.workers === 'number' && file.workers > 1) {
    report('workers', 'more than one process needs limits_store to be a redis:// URL, so that they count together')
  }
  if (url?.startsWith('redis') !== true) return
  try {
    parseRedisUrl(url)
  } catch (error) {
    report('limits_store', (error as Error).message)
  }
}

function checkFiles(files: JsonObject, report: Report): void {
  const { max_bytes: one, max_total_bytes_per_user: all } = files
  if (typeof one === 'number' && typeof all === 'number' && one > all)
    report('files.max_bytes', 'is more than max_total_bytes_per_user, so no file can be that large')
  const key = text(files, 'encryption_key')
  if (key !== undefined && encryptionKey(key) === undefined)
    report('files.encryption_key', 'must be the base64 of 32 bytes; `openssl rand -base64 32` makes one')
}

function checkListeners(file: JsonObject, report: Report): void {
  if (file.admin === true) report('admin', 'must be false, or a block with host and port')
  const listen = object(file, 'listen')
  const admin = object(file, 'admin')
  const isSamePort = listen.port !== undefined && listen.port !== 0 && listen.port === admin.port
  if (isSamePort && (listen.host === admin.host || [listen.host, admin.host].some(isEveryAddress))) {
    report('admin.port', 'is the port that clients connect to: choose another')
  }
}

function isEveryAddress(host: Json | undefined): boolean {
  return host === '0.0.0.0' || host === '::'
}

/** Reports a host of a dedicated endpoint that is used twice, because it may serve nothing else. */
function checkHosts(file: JsonObject, report: Report): void {
  const shared = new Map<string, string>()
  for (const surface of ['gateway', 'api']) {
    for (const { path, value } of texts(object(file, 'hosts'), surface, 'hosts')) shared.set(value.toLowerCase(), path)
  }
  const unique = new Unique(report)
  for (const { path, value } of objects(file, 'endpoints')) {
    const host = text(value, 'host')?.toLowerCase()
    unique.claim(host, `${path}.host`, first => `'${host}' is the host of ${first} already`)
    const taken = host === undefined ? undefined : shared.get(host)
    if (taken !== undefined) {
      report(`${path}.host`, `'${host}' cannot be a dedicated endpoint, because it is in ${taken} too`)
    }
  }
}

function isCidr(network: string): boolean {
  const [address = '', bits = '', ...rest] = network.split('/')
  const family = isIP(address)
  return family !== 0 && rest.length === 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128)
}
