import { open } from 'node:fs/promises'
import { parseDocument } from 'yaml'
import { isObject, type Json, parseText } from '../../base/json.ts'
import type { FileSourceConfig } from '../../config/config.ts'
import { baseUrl, bounded, LookupError, type LookupResult, type Source } from './source.ts'

/** Far above the size of MAX_BACKENDS targets with labels. */
const MAX_BYTES = 1024 * 1024

/** Prometheus' label for the scheme of targets. */
const SCHEME = '__scheme__'

/** The backends in a file of Prometheus' format `file_sd`: JSON or YAML. */
export class TargetsFile implements Source {
  readonly #config: FileSourceConfig
  #text: string | undefined
  /** The result for #text, so that an unchanged file is parsed once. */
  #result: LookupResult | LookupError | undefined

  constructor(config: FileSourceConfig) {
    this.#config = config
  }

  async lookup(): Promise<LookupResult> {
    const text = await read(this.#config.path)
    if (text !== this.#text || this.#result === undefined) {
      this.#result = this.#parse(text)
      this.#text = text
    }
    if (this.#result instanceof LookupError) throw this.#result
    return this.#result
  }

  close(): void {}

  #parse(text: string): LookupResult | LookupError {
    try {
      return resultOf(parsed(text), this.#config)
    } catch (error) {
      if (error instanceof LookupError) return error
      throw error
    }
  }
}

async function read(path: string): Promise<string> {
  const file = await open(path).catch((error: NodeJS.ErrnoException) => {
    throw new LookupError(error.code === 'ENOENT' ? 'there is no such file' : `it cannot be opened (${error.code})`)
  })
  try {
    const buffer = Buffer.alloc(MAX_BYTES + 1)
    let size = 0
    for (;;) {
      const { bytesRead } = await file.read(buffer, size, buffer.length - size)
      size += bytesRead
      if (size > MAX_BYTES) throw new LookupError(`it has more than ${MAX_BYTES} bytes`)
      if (bytesRead === 0) return buffer.toString('utf8', 0, size)
    }
  } catch (error) {
    throw error instanceof LookupError
      ? error
      : new LookupError(`it cannot be read (${(error as NodeJS.ErrnoException).code})`)
  } finally {
    await file.close()
  }
}

/** JSON is also valid YAML, but the YAML parser would block the event loop for a second per megabyte. */
function parsed(text: string): Json {
  try {
    return parseText(text)
  } catch {
    return parsedYaml(text)
  }
}

function parsedYaml(text: string): Json {
  try {
    const document = parseDocument(text, { prettyErrors: false })
    if (document.errors.length > 0) throw new Error()
    return document.toJS() as Json
  } catch {
    throw new LookupError('it is not valid YAML or JSON')
  }
}

/** An error refuses the whole file, which may be incomplete. */
function resultOf(groups: Json, config: FileSourceConfig): LookupResult {
  if (!Array.isArray(groups)) throw new LookupError('it is not a list of { targets: […] }')
  const urls = groups.flatMap((group, i) => {
    if (!isObject(group) || !Array.isArray(group.targets)) throw new LookupError(`${i}: has no list of targets`)
    const scheme = isObject(group.labels) ? group.labels[SCHEME] : undefined
    if (!isScheme(scheme)) throw new LookupError(`${i}.labels.${SCHEME}: must be http or https`)
    const parts: FileSourceConfig = scheme === undefined ? config : { ...config, scheme }
    return group.targets.map((target, n) => {
      const url = typeof target === 'string' ? urlOf(target, parts) : undefined
      if (url === undefined) throw new LookupError(`${i}.targets.${n}: is not an address such as 10.0.0.1:8000`)
      return url
    })
  })
  return { urls: bounded(urls), total: new Set(urls).size, ttlMs: null }
}

function isScheme(label: Json | undefined): label is 'http' | 'https' | undefined {
  return label === undefined || label === 'http' || label === 'https'
}

/** Parses a base URL, or a host (`name`, `10.0.0.1`, `[::1]`) with or without a port. undefined: invalid. */
function urlOf(target: string, config: FileSourceConfig): string | undefined {
  if (/^https?:\/\//.test(target)) {
    const url = URL.parse(target)
    const isPlain = url !== null && url.username === '' && url.password === '' && url.search === '' && url.hash === ''
    return isPlain ? url.origin + url.pathname.replace(/\/+$/, '') : undefined
  }
  const [, six, name, port] = /^(?:\[([0-9A-Fa-f:.]+)\]|([A-Za-z0-9_.-]+))(?::(\d{1,5}))?$/.exec(target) ?? []
  const host = six ?? name
  const number = port === undefined ? config.port : Number(port)
  if (host === undefined || number < 1 || number > 65_535) return undefined
  return URL.canParse(`http://${six === undefined ? host : `[${six}]`}`) ? baseUrl(config, host, number) : undefined
}
