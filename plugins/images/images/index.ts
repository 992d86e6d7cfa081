import {
  type CanonicalRequest,
  definePlugin,
  fail,
  filesInTime,
  GatewayError,
  hasImages,
  type ImagePart,
  imageParts,
  referredFileOwner,
} from '../../../lib/plugin.ts'
import { chat, key, target } from '../../slots.ts'
import { AddressGuard } from '../addresses.ts'
import { isDataUrl, normaliseDataUrl } from '../data-url.ts'
import { type ByteBudget, chargeFor, ImageFetcher } from '../fetch.ts'
import { loadFile } from './files.ts'
import type { Options } from './generated/options.ts'
import options from './options.json' with { type: 'json' }

/** Images of one request that are loaded at the same time. */
const PARALLEL = 4

/** Images that name the same URL or file, and the path of the first. */
interface Source {
  readonly url: string
  readonly fileId: string | undefined
  readonly parts: ImagePart[]
  readonly param: string
}

/** Returns an image as a data: URL. Refuses where it cannot be loaded. */
type Load = (source: Source, budget: ByteBudget, signal: AbortSignal) => Promise<string>

/**
 * Checks the images that are data: URLs, and collects those that have to be loaded. `checkReference` refuses references to uploaded
 * files where they are not allowed. undefined: there is nothing to load.
 */
export function collectSources(
  request: CanonicalRequest,
  checkReference: (param: string) => void,
): Map<string, Source> | undefined {
  if (request.kind === 'text' || !hasImages(request)) return undefined
  let sources: Map<string, Source> | undefined
  for (const { part, param } of imageParts(request.messages)) {
    const { fileId } = part
    if (fileId !== undefined) checkReference(param)
    else if (isDataUrl(part)) {
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

function refuseData(param: string): never {
  const problem = 'The data of an image must be base64 of type image/png, image/jpeg, image/gif or image/webp.'
  fail('schema_validation_failed', { problem }, { param })
}

/** Replaces every URL and reference by its image. Rejects with the refusal of the first that fails, and cancels the others. */
export async function inlineImages(
  sources: ReadonlyMap<string, Source>,
  load: Load,
  { max_urls, max_bytes, timeout_ms }: Options,
  signal: AbortSignal,
  charge?: (bytes: number) => void,
): Promise<void> {
  const waiting = [...sources.values()]
  if (waiting.length > max_urls)
    refuse(`A request may name at most ${max_urls} images by URL or file_id.`, waiting[max_urls]!.param)
  const over = new AbortController()
  const stop = AbortSignal.any([signal, over.signal, AbortSignal.timeout(timeout_ms)])
  const budget: ByteBudget = { bytes: max_bytes, ...(charge && { charge }) }
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const image = await load(next, budget, stop)
      countCopies(image, next, budget)
      for (const part of next.parts) part.url = image
    }
  }
  try {
    await Promise.all(Array.from({ length: Math.min(PARALLEL, waiting.length) }, work))
  } finally {
    over.abort()
  }
}

/** Charges for the copies of an image: it is loaded once, and is in the backend's body as often as in the request. */
function countCopies(image: string, { parts, param }: Source, budget: ByteBudget): void {
  // Base64 has four characters for three bytes.
  const bytes = Math.ceil(image.length * 0.75) * (parts.length - 1)
  budget.bytes -= bytes
  if (budget.bytes < 0) refuse('The images of the request are too large, all together.', param)
  chargeFor(budget, bytes)
}

/** Loads images that are named by URL. */
export function loadByUrl(fetcher: ImageFetcher): Load {
  return async ({ url, param }, budget, signal) => {
    try {
      return await fetcher.fetch(url, budget, signal)
    } catch (cause) {
      // There is no memory for it, which is no secret.
      if (cause instanceof GatewayError) throw cause
      // One message for all causes: it must not reveal what exists inside the network.
      refuse('The image could not be fetched.', param, cause)
    }
  }
}

function refuse(problem: string, param: string, cause?: unknown): never {
  fail('model_request_rejected', { problem }, { param, cause })
}

export default definePlugin({
  name: 'images',
  summary: 'Gets images named by URL, from public addresses only, or by file_id; backends get the bytes.',
  routes: { canonical: true },
  options,
  needs: [chat, key, target],
  // Nothing is fetched for a model without vision.
  after: ['capabilities'],

  setup(options: Options, { config, files }) {
    const byUrl = loadByUrl(new ImageFetcher(new AddressGuard(config.image_fetch.allow)))
    return {
      onBody(exchange) {
        const { surface } = exchange
        const referrer = { key: exchange.get(key), surface, zdr: exchange.get(target).zdr }
        const sources = collectSources(exchange.get(chat), param => referredFileOwner(referrer, param))
        if (sources === undefined) return
        const load: Load = (source, budget, signal) => {
          const { fileId, param } = source
          if (fileId === undefined) return byUrl(source, budget, signal)
          return filesInTime(
            loadFile(files, referredFileOwner(referrer, param), fileId, budget, param),
            options.timeout_ms,
          )
        }
        const fetched = () =>
          inlineImages(sources, load, options, exchange.signal, bytes => exchange.chargeMemory(bytes))
        // No request is sent to other hosts before the limits have been decided.
        const pending = exchange.decided()
        return pending === undefined ? fetched() : pending.then(fetched)
      },
    }
  },
})
