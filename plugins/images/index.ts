import { type CanonicalRequest, fail, type ImagePart } from '../../lib/chat.ts'
import { AddressGuard } from '../../lib/images/addresses.ts'
import { readDataUrl } from '../../lib/images/data-url.ts'
import { ImageFetcher } from '../../lib/images/fetch.ts'
import { imageParts } from '../../lib/images/parts.ts'
import { definePlugin } from '../../lib/plugin.ts'
import { chat, target } from '../slots.ts'
import options from './options.json' with { type: 'json' }

interface Options {
  readonly max_urls: number
  readonly max_bytes: number
  readonly timeout_ms: number
}

/** Fetches of one request at a time. */
const PARALLEL = 4

/** Images that name the same URL, and the path of the first. */
interface Source {
  readonly parts: ImagePart[]
  readonly param: string
}

/**
 * Sees to it that every image that goes on is a data: URL: checks those that are, refuses uploaded files, and collects
 * the URLs that have to be fetched. undefined: there are none.
 */
export function sortImages(request: CanonicalRequest, zdr: boolean): Map<string, Source> | undefined {
  if (request.kind === 'text') return undefined
  let sources: Map<string, Source> | undefined
  for (const { part, param } of imageParts(request.messages)) {
    if (part.fileId !== undefined) refuseFile(zdr, param)
    if (/^data:/i.test(part.url)) {
      part.url = readDataUrl(part.url) ?? refuseData(param)
      continue
    }
    sources ??= new Map()
    const source = sources.get(part.url)
    if (source === undefined) sources.set(part.url, { parts: [part], param })
    else source.parts.push(part)
  }
  return sources
}

function refuseFile(zdr: boolean, param: string): never {
  if (zdr) fail('file_id_not_allowed_with_zdr', {}, { param })
  fail('unsupported_parameter', { parameter: 'file_id', where: ': send the image itself as a data: URL' }, { param })
}

function refuseData(param: string): never {
  const problem = 'The data of an image must be base64 of type image/png, image/jpeg, image/gif or image/webp.'
  fail('schema_validation_failed', { problem }, { param })
}

/** Puts the image itself in the place of every URL. The first that cannot be had ends all. */
export async function inlineImages(
  sources: ReadonlyMap<string, Source>,
  fetcher: ImageFetcher,
  { max_urls, max_bytes, timeout_ms }: Options,
  signal: AbortSignal,
): Promise<void> {
  const waiting = [...sources]
  if (waiting.length > max_urls)
    refuse(`A request may name at most ${max_urls} images by URL.`, waiting[max_urls]![1].param)
  const over = new AbortController()
  const stop = AbortSignal.any([signal, over.signal, AbortSignal.timeout(timeout_ms)])
  const budget = { bytes: max_bytes }
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [url, { parts, param }] = next
      let image: string
      try {
        image = await fetcher.fetch(url, budget, stop)
      } catch (cause) {
        // Always the same words: they must not tell what exists inside the network.
        refuse('The image could not be fetched.', param, cause)
      }
      for (const part of parts) part.url = image
    }
  }
  try {
    await Promise.all(Array.from({ length: Math.min(PARALLEL, waiting.length) }, work))
  } finally {
    over.abort()
  }
}

function refuse(problem: string, param: string, cause?: unknown): never {
  fail('model_request_rejected', { problem }, { param, cause })
}

export default definePlugin({
  name: 'images',
  summary: 'Fetches images that are named by URL, from public addresses only; backends get the bytes.',
  routes: { canonical: true },
  options,
  needs: [chat, target],
  // Nothing is fetched for a model that could not see it.
  after: ['capabilities'],

  setup(options: Options, { config }) {
    const fetcher = new ImageFetcher(new AddressGuard(config.image_fetch.allow))
    return {
      onBody(exchange) {
        const sources = sortImages(exchange.get(chat), exchange.get(target).zdr)
        if (sources === undefined) return
        const fetched = () => inlineImages(sources, fetcher, options, exchange.signal)
        // Nobody outside is asked for a request that is about to be refused.
        const pending = exchange.decided()
        return pending === undefined ? fetched() : pending.then(fetched)
      },
    }
  },
})
