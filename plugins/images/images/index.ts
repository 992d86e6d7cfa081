import {
  AddressGuard,
  type CanonicalRequest,
  definePlugin,
  fail,
  filesInTime,
  GatewayError,
  hasImages,
  type ImagePart,
  imageParts,
  PublicHttp,
  referredFileOwner,
  replaceStart,
  type Services,
  textEnd,
  textStart,
} from '../../../lib/plugin.ts'
import { chat, key, target } from '../../slots.ts'
import { chargeFor, ImageFetcher, type ImageLimit } from '../fetch.ts'
import type { Options } from './generated/options.ts'
import options from './options.json' with { type: 'json' }

/** Images of one request that are loaded at the same time. */
const PARALLEL = 4

const DATA_URL = /^data:image\/(png|jpeg|jpg|gif|webp);base64,/i
const MAX_PREFIX_LENGTH = 'data:image/jpeg;base64,'.length
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/
/** Characters that are checked at each end of a data URL: mistakes show there, without reading megabytes. */
const SAMPLE = 256

/** Images with the same URL or file. */
interface Source {
  readonly url: string
  readonly fileId: string | undefined
  readonly parts: ImagePart[]
  /** Path of the first. */
  readonly param: string
}

/** Resolves with an image as a data: URL. Rejects with a refusal if it cannot be loaded. */
type Load = (source: Source, limit: ImageLimit, signal: AbortSignal) => Promise<string>

export default definePlugin({
  name: 'images',
  summary: 'Loads images by URL, from public addresses only, or by file_id, and sends backends their bytes.',
  routes: { canonical: true },
  options,
  needs: [chat, key, target],
  // Nothing is fetched for a model without vision.
  after: ['capabilities'],

  setup(options: Options, { config, files }) {
    const { allow, proxy } = config.image_fetch
    const byUrl = loadByUrl(new ImageFetcher(new PublicHttp(new AddressGuard(allow), undefined, proxy)))
    return {
      onBody(exchange) {
        const { surface } = exchange
        const referrer = { key: exchange.get(key), surface, zdr: exchange.get(target).zdr }
        const sources = collectSources(exchange.get(chat), param => referredFileOwner(referrer, param))
        if (sources === undefined) return
        const load: Load = (source, limit, signal) => {
          const { fileId, param } = source
          if (fileId === undefined) return byUrl(source, limit, signal)
          const owner = referredFileOwner(referrer, param)
          return filesInTime(loadFile(files, owner, fileId, limit, param), options.timeout_ms)
        }
        const inline = () =>
          inlineImages(sources, load, options, exchange.signal, bytes => exchange.chargeMemory(bytes))
        // No request is sent to other hosts before the limits have been decided.
        const pending = exchange.decided()
        return pending === undefined ? inline() : pending.then(inline)
      },
    }
  },
})

/**
 * Checks data URLs, and collects the images to load, if any. `checkReference` refuses references to uploaded files
 * where they are not allowed.
 */
function collectSources(
  request: CanonicalRequest,
  checkReference: (param: string) => void,
): Map<string, Source> | undefined {
  if (request.kind === 'text' || !hasImages(request)) return undefined
  let sources: Map<string, Source> | undefined
  for (const { part, param } of imageParts(request.messages)) {
    const { fileId } = part
    if (fileId !== undefined) checkReference(param)
    else if (textStart(part, 'url', 5).toLowerCase() === 'data:') {
      if (!normaliseDataUrl(part)) refuseData(param)
      continue
    }
    const { url } = part
    sources ??= new Map()
    const name = fileId === undefined ? `url ${url}` : `file ${fileId}`
    const source = sources.get(name)
    if (source === undefined) sources.set(name, { url, fileId, parts: [part], param })
    else source.parts.push(part)
  }
  return sources
}

/** Normalises the prefix of a data URL. False if its data is not base64 of an image type that models accept. */
function normaliseDataUrl(part: ImagePart): boolean {
  const start = textStart(part, 'url', MAX_PREFIX_LENGTH + 2 * SAMPLE + 1)
  const prefix = DATA_URL.exec(start)
  if (prefix === null || !isBase64(part, start.slice(prefix[0].length))) return false
  const type = prefix[1]!.toLowerCase()
  const usual = `data:image/${type === 'jpg' ? 'jpeg' : type};base64,`
  if (prefix[0] !== usual) replaceStart(part, 'url', prefix[0].length, usual)
  return true
}

/** `start`: start of the data; all of it if it is not longer than two samples. */
function isBase64(part: ImagePart, start: string): boolean {
  if (start.length <= 2 * SAMPLE) return BASE64.test(start)
  return BASE64.test(start.slice(0, SAMPLE)) && BASE64.test(textEnd(part, 'url', SAMPLE))
}

function refuseData(param: string): never {
  const problem = 'The data of an image must be base64 of type image/png, image/jpeg, image/gif or image/webp.'
  fail('schema_validation_failed', { problem }, { param })
}

/** Replaces every URL and reference by its image. Rejects with the first refusal, and cancels the other loads. */
async function inlineImages(
  sources: ReadonlyMap<string, Source>,
  load: Load,
  { max_urls, max_bytes, timeout_ms }: Options,
  signal: AbortSignal,
  charge: (bytes: number) => void,
): Promise<void> {
  const pending = [...sources.values()]
  if (pending.length > max_urls)
    refuse(`A request may name at most ${max_urls} images by URL or file_id.`, pending[max_urls]!.param)
  const over = new AbortController()
  const stop = AbortSignal.any([signal, over.signal, AbortSignal.timeout(timeout_ms)])
  const limit: ImageLimit = { bytes: max_bytes, charge }
  const work = async () => {
    for (let next = pending.shift(); next !== undefined; next = pending.shift()) {
      const image = await load(next, limit, stop)
      countCopies(image, next, limit)
      for (const part of next.parts) part.url = image
    }
  }
  try {
    await Promise.all(Array.from({ length: Math.min(PARALLEL, pending.length) }, work))
  } finally {
    over.abort()
  }
}

/** Counts the copies of an image: it is loaded once, but the backend's body contains it once per part. */
function countCopies(image: string, { parts, param }: Source, limit: ImageLimit): void {
  // Base64 has four characters for three bytes.
  const bytes = Math.ceil(image.length * 0.75) * (parts.length - 1)
  limit.bytes -= bytes
  if (limit.bytes < 0) refuse('The images of the request are too large, all together.', param)
  chargeFor(limit, bytes)
}

function loadByUrl(fetcher: ImageFetcher): Load {
  return async ({ url, param }, limit, signal) => {
    if (!/^https?:$/.test(URL.parse(url)?.protocol ?? ''))
      refuse('The address of an image must be an http, https or data: URL.', param)
    try {
      return await fetcher.fetch(url, limit, signal)
    } catch (cause) {
      // A refusal for lack of memory is no secret.
      if (cause instanceof GatewayError) throw cause
      // One message for all causes, because it must not reveal what exists inside the network.
      refuse('The image could not be fetched.', param, cause)
    }
  }
}

/** Loads an uploaded file. The error is the same for a file of another owner and for one that does not exist. */
async function loadFile(
  files: Services['files'],
  owner: string,
  id: string,
  limit: ImageLimit,
  param: string,
): Promise<string> {
  const file = (await files.find(owner, id)) ?? refuse('There is no file with this file_id.', param)
  if (!file.type.startsWith('image/')) refuse('The file with this file_id is no image.', param)
  limit.bytes -= file.bytes
  if (limit.bytes < 0) refuse('The images of the request are too large, all together.', param)
  chargeFor(limit, file.bytes)
  const content = (await files.content(owner, file)) ?? refuse('There is no file with this file_id.', param)
  return `data:${file.type};base64,${content.toString('base64')}`
}

function refuse(problem: string, param: string, cause?: unknown): never {
  fail('model_request_rejected', { problem }, { param, cause })
}
