import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { expect } from 'chai'
import { fileOwner, type StoredFile } from '../../../lib/console.ts'
import type { Hooks } from '../../../lib/core/plugin.ts'
import type { CanonicalRequest, ChatRequest, Config, ImagePart, Key } from '../../../lib/plugin.ts'
import { play, type Scene, testServices } from '../../../lib/testing.ts'
import images from '../../../plugins/images/images/index.ts'
import { chat, key, target } from '../../../plugins/slots.ts'
import { lazyRequest } from '../../support/bodies.ts'
import { chatRequest, model, refusal, refusalOf, targetOf, textRequest } from '../../support/canonical.ts'
import { expectBounded } from '../../support/cost.ts'
import { keyOf } from '../../support/key.ts'

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')
const PNG_URL = `data:image/png;base64,${PNG.toString('base64')}`
const LIMITS = { max_urls: 32, max_bytes: 1_000_000, timeout_ms: 5000 }

const image = (url: string, members: Partial<ImagePart> = {}): ImagePart => ({ type: 'image', url, ...members })
const showing = (...parts: ImagePart[]): ChatRequest => chatRequest({ messages: [{ role: 'user', content: parts }] })
const urls = ({ messages }: ChatRequest) =>
  messages
    .flatMap(({ content }) => (Array.isArray(content) ? content : []))
    .map(part => (part.type === 'image' ? part.url : ''))

interface Conditions {
  readonly limits?: Partial<typeof LIMITS>
  readonly zdr?: boolean
  readonly signal?: AbortSignal
  readonly charge?: (bytes: number) => void
}

/** Calls the hook, which returns no promise if there is nothing to load. Only 127.0.0.1 is allowed. */
function inline(request: CanonicalRequest, conditions: Conditions = {}): Promise<void> | undefined {
  const { limits, zdr = false, signal = AbortSignal.timeout(60_000), charge = () => {} } = conditions
  const config = { image_fetch: { allow: ['127.0.0.1'] } } as unknown as Config
  const { onBody } = images.setup({ ...LIMITS, ...limits }, testServices([], { config })) as Hooks
  const slots = new Map<unknown, unknown>([
    [chat, request],
    [key, keyOf()],
    [target, { ...targetOf(model({ vision: true })), zdr }],
  ])
  const exchange = {
    surface: 'gateway',
    signal,
    get: (slot: unknown) => slots.get(slot),
    chargeMemory: charge,
    decided() {},
  }
  return onBody!(exchange as never) ?? undefined
}

describe('images', () => {
  let asked: string[] = []
  /** Requests that the fetcher aborted. */
  let left: string[] = []
  let base = ''
  const server = http.createServer((req, res) => {
    asked.push(req.url!)
    if (req.url!.startsWith('/slow.png')) return void res.once('close', () => left.push(req.url!))
    if (req.url === '/missing.png') res.statusCode = 404
    res.end(PNG)
  })
  before(done => {
    server.listen(0, '127.0.0.1', () => {
      base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
      done()
    })
  })
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  beforeEach(() => {
    asked = []
    left = []
  })

  const rejected = (param: string) => ({ code: 'model_request_rejected', status: 400, param })

  it('are processed synchronously without URLs', () => {
    expect(inline(chatRequest())).equal(undefined)
    expect(inline(textRequest())).equal(undefined)
    const request = showing(image(PNG_URL), image(PNG_URL.replace('png', 'jpg')))
    expect(inline(request)).equal(undefined)
    expect(urls(request)).deep.equal([PNG_URL, PNG_URL.replace('png', 'jpeg')])
  })

  it('are refused as data: URLs of another kind', () => {
    for (const url of ['data:text/html;base64,AAAA', 'data:image/svg+xml;base64,AAAA', 'DATA:image/png,x', 'data:']) {
      expect(
        refusal(() => inline(showing(image(PNG_URL), image(url)))),
        url,
      ).deep.equal({
        code: 'schema_validation_failed',
        status: 422,
        param: 'messages.0.content.1',
      })
    }
  })

  it('by file_id are checked before the first download', () => {
    const request = showing(image(`${base}/a.png`), image('', { fileId: 'file-1' }))
    expect(refusal(() => inline(request, { zdr: true }))).include({
      code: 'file_id_not_allowed_with_zdr',
      param: 'messages.0.content.1',
    })
    expect(asked).deep.equal([])
  })

  describe('by file_id, from the chain', () => {
    const content = Buffer.concat([PNG, Buffer.alloc(100)])
    const file: StoredFile = {
      id: 'file-1',
      bytes: content.length,
      type: 'image/png',
      filename: 'a.png',
      purpose: 'vision',
      createdAt: 0,
      expiresAt: Number.MAX_SAFE_INTEGER,
    }
    const owner = fileOwner(keyOf())!
    const files = {
      ...testServices().files,
      find: async (who: string, id: string) => (who === owner && id === file.id ? file : undefined),
      content: async () => content,
    }
    const config = { brand: 'service', image_fetch: { allow: [] } } as unknown as Config
    const param = 'messages.0.content.0'

    async function playing(
      fileId: string,
      { caller = keyOf(), zdr = false, more = {} }: { caller?: Key; zdr?: boolean; more?: Partial<Scene> },
    ) {
      const request = showing(image('', { fileId }))
      const given = [
        [chat, request],
        [key, caller],
        [target, { ...targetOf(model({ vision: true })), zdr }],
      ] as const
      const { error } = await play(images, { given, services: { config, files }, ...more })
      return { urls: urls(request), refusal: error && [error.status, error.code, error.details.param] }
    }

    it("become data of the detected type, of the owner's files alone", async () => {
      const { urls, refusal } = await playing('file-1', {})
      expect([urls, refusal]).deep.equal([[`data:image/png;base64,${content.toString('base64')}`], undefined])
      const unknown = [400, 'model_request_rejected', param]
      expect((await playing('file-2', {})).refusal).deep.equal(unknown)
      expect((await playing('file-1', { caller: keyOf({}, { user: 'bob' }) })).refusal).deep.equal(unknown)
      expect((await playing('file-1', { caller: keyOf({ id: 'x' }) })).refusal).deep.equal(unknown)
    })

    it('are loaded once each', async () => {
      const request = showing(image('', { fileId: 'file-1' }), image(PNG_URL), image('', { fileId: 'file-1' }))
      const found: string[] = []
      const find = async (who: string, id: string) => {
        found.push(id)
        return files.find(who, id)
      }
      const given = [
        [chat, request],
        [key, keyOf()],
        [target, targetOf(model({ vision: true }))],
      ] as const
      await play(images, { given, services: { config, files: { ...files, find } } })
      const url = `data:image/png;base64,${content.toString('base64')}`
      expect([found, urls(request)]).deep.equal([['file-1'], [url, PNG_URL, url]])
    })

    it('count in the limit of bytes', async () => {
      const limit = (max_bytes: number) => playing('file-1', { more: { options: { max_bytes } } })
      expect((await limit(1024)).refusal).equal(undefined)
      const large = { ...file, bytes: 1025 }
      const own = { services: { config, files: { ...files, find: async () => large } }, options: { max_bytes: 1024 } }
      expect((await playing('file-1', { more: own })).refusal).deep.equal([400, 'model_request_rejected', param])
    })

    it('that are deleted meanwhile are unknown', async () => {
      const gone = { services: { config, files: { ...files, content: async () => undefined } } }
      expect((await playing('file-1', { more: gone })).refusal).deep.equal([400, 'model_request_rejected', param])
    })

    it('are refused if references to files are not allowed', async () => {
      expect((await playing('file-1', { zdr: true })).refusal).deep.equal([400, 'file_id_not_allowed_with_zdr', param])
      const legacy = keyOf({}, { user: undefined })
      expect((await playing('file-1', { caller: legacy })).refusal).deep.equal([403, 'files_require_user_key', param])
      const dedicated = { more: { surface: 'dedicated' } } as const
      expect((await playing('file-1', dedicated)).refusal).deep.equal([400, 'unsupported_parameter', param])
    })

    it('do not wait forever for the disk', async () => {
      const stuck = { ...files, find: () => new Promise<undefined>(() => {}) }
      const more = { services: { config, files: stuck }, options: { timeout_ms: 20 } }
      const thrown = await playing('file-1', { more }).catch((error: unknown) => error)
      expect(thrown).include({ code: 'internal_error', status: 503 })
    })
  })

  it('are fetched and replace their URLs, each URL once', async () => {
    const request = chatRequest({
      messages: [
        { role: 'user', content: [image(`${base}/a.png`), image(PNG_URL), image(`${base}/b.png`)] },
        { role: 'tool', toolCallId: 'a', content: [image(`${base}/a.png`)] },
      ],
    })
    await inline(request)
    expect(urls(request)).deep.equal([PNG_URL, PNG_URL, PNG_URL, PNG_URL])
    expect(asked.sort()).deep.equal(['/a.png', '/b.png'])
  })

  it('are refused with one message for all reasons', async () => {
    const closed = base.replace(/\d+$/, '1')
    const messages = new Set<string>()
    for (const url of [`${base}/missing.png`, 'http://10.0.0.1/', closed]) {
      const request = showing(image(PNG_URL), image(url, { origin: 'messages.4.content.2' }))
      expect(await refusalOf(inline(request)), url).deep.equal(rejected('messages.4.content.2'))
      await inline(request)!.catch((error: Error) => messages.add(error.message))
    }
    expect([...messages]).deep.equal(['The image could not be fetched.'])
  })

  it('say which addresses are possible instead of any other', async () => {
    for (const url of ['ftp://example.com/', 'file:///etc/passwd', '', 'nonsense', PNG.toString('base64')]) {
      const request = showing(image(url, { origin: 'messages.4.content.2' }))
      expect(await refusalOf(inline(request)), url).deep.equal(rejected('messages.4.content.2'))
      const problem = await inline(request)!.catch((error: Error) => error.message)
      expect(problem).equal('The address of an image must be an http, https or data: URL.')
    }
    expect(asked).deep.equal([])
  })

  it('are limited in number', async () => {
    const request = showing(...Array.from({ length: 4 }, (_, i) => image(`${base}/${i}.png`)))
    expect(await refusalOf(inline(request, { limits: { max_urls: 3 } }))).deep.equal(rejected('messages.0.content.3'))
    expect(asked).deep.equal([])
    await inline(request, { limits: { max_urls: 4 } })
  })

  it('share one limit of bytes and one of time', async () => {
    const two = showing(image(`${base}/a.png`), image(`${base}/b.png`))
    expect((await refusalOf(inline(two, { limits: { max_bytes: PNG.length * 2 - 1 } })))?.code).equal(
      'model_request_rejected',
    )
    asked = []
    const slow = showing(
      ...Array.from({ length: 9 }, (_, i) => image(`${base}/slow.png?${i}`)),
      image(`${base}/slow.png`),
    )
    expect((await refusalOf(inline(slow, { limits: { timeout_ms: 100 } })))?.code).equal('model_request_rejected')
    // With a limit of time for each, the others would have been fetched as well.
    expect(asked.length).below(10)
  })

  it('are counted per occurrence: the backend receives each of them', async () => {
    const thrice = showing(...['/a.png', '/a.png', '/a.png'].map(path => image(`${base}${path}`)))
    const refused = await refusalOf(inline(thrice, { limits: { max_bytes: PNG.length * 3 - 1 } }))
    expect(refused?.code).equal('model_request_rejected')
    expect(asked).deep.equal(['/a.png'])

    let charged = 0
    const charge = (bytes: number) => {
      charged += bytes
    }
    await inline(thrice, { charge })
    expect(urls(thrice)).deep.equal([PNG_URL, PNG_URL, PNG_URL])
    expect(charged).least(PNG.length * 3 * 3)
  })

  it('stop all other fetches when one fails, and when the client disconnects', async () => {
    const request = showing(image(`${base}/slow.png`), image(`${base}/missing.png`))
    expect(await refusalOf(inline(request))).deep.equal(rejected('messages.0.content.1'))
    while (left.length === 0) await delay(5)
    expect(left).deep.equal(['/slow.png'])
    const client = new AbortController()
    const pending = refusalOf(inline(showing(image(`${base}/slow.png`)), { signal: client.signal }))
    client.abort()
    expect((await pending)?.code).equal('model_request_rejected')
  })

  it('are never sent as URLs', async () => {
    const request = showing(image(`${base}/a.png`))
    const config = { brand: 'service', image_fetch: { allow: ['127.0.0.0/8'] } } as unknown as Config
    const given = [
      [chat, request],
      [target, targetOf(model({ vision: true }))],
      [key, keyOf()],
    ] as const
    expect((await play(images, { given, services: { config } })).error).equal(undefined)
    expect(urls(request)).deep.equal([PNG_URL])

    const closed = { brand: 'service', image_fetch: { allow: [] } } as unknown as Config
    const inner = showing(image(`${base}/a.png`))
    const refused = await play(images, { given: [[chat, inner], given[1], given[2]], services: { config: closed } })
    expect(refused.error?.code).equal('model_request_rejected')
  })
})

describe('images as data URLs', () => {
  const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

  /** The URL in its usual spelling; undefined: it is refused. */
  function read(url: string, request = showing(image(url))): string | undefined {
    const refused = refusal(() => inline(request))
    if (refused === undefined) return urls(request)[0]
    expect(refused.code).equal('schema_validation_failed')
    return undefined
  }

  const readInLarge = (url: string) => read(url, lazyRequest(showing(image(url))))

  it('of the four types pass as they are', () => {
    for (const type of ['png', 'jpeg', 'gif', 'webp']) {
      const url = `data:image/${type};base64,${PIXEL}`
      expect(read(url)).equal(url)
    }
    expect(read(`DATA:image/PNG;BASE64,${PIXEL}`)).equal(`data:image/png;base64,${PIXEL}`)
  })

  it('with the common wrong type of JPEG get the right one', () => {
    expect(read(`data:image/jpg;base64,${PIXEL}`)).equal(`data:image/jpeg;base64,${PIXEL}`)
  })

  it('of other types, or not in base64, are refused', () => {
    const refused = [
      'data:',
      'data:,x',
      'data:image/png,x',
      `data:text/html;base64,${PIXEL}`,
      `data:image/svg+xml;base64,${PIXEL}`,
    ]
    refused.push(
      `data:image/png;base32,${PIXEL}`,
      `data:image/png;base64;base64,${PIXEL}`,
      `data: image/png;base64,${PIXEL}`,
    )
    refused.push(`data:image/bmp;base64,${PIXEL}`, `data:image/png;base64,`)
    for (const url of refused) expect(read(url), url).equal(undefined)
  })

  it('with other characters are refused, at the start as at the end', () => {
    const long = 'A'.repeat(100_000)
    for (const text of ['A B=', 'AA\n', '=AAA', 'AA==AA', 'A===', 'http://x', `@${long}`, `${long}@`, `${long}=A`]) {
      expect(read(`data:image/png;base64,${text}`), text.slice(0, 9)).equal(undefined)
    }
    expect(read(`data:image/png;base64,${long}==`)).include(long)
  })

  it('are checked in a large body as in a small one', () => {
    const long = 'A'.repeat(100_000)
    for (const reading of [read, readInLarge]) {
      expect(reading(`data:image/jpg;base64,${long}`)).equal(`data:image/jpeg;base64,${long}`)
      expect(reading(`DATA:image/png;base64,${long}`)).equal(`data:image/png;base64,${long}`)
      expect(reading(`data:image/png;base64,${long}`)).equal(`data:image/png;base64,${long}`)
      for (const text of [`@${long}`, `${long}@`, `${long}=A`])
        expect(reading(`data:image/png;base64,${text}`)).equal(undefined)
    }
  })

  it('are distinguished from other URLs by their scheme', async () => {
    expect(read('DATA:x')).equal(undefined)
    for (const url of ['ftp://127.0.0.1/data:', `xdata:image/png;base64,${PIXEL}`]) {
      expect((await refusalOf(inline(showing(image(url)))))?.code, url).equal('model_request_rejected')
    }
  })

  it('of many megabytes are not read as a whole', () => {
    const make = (size: number) => showing(image(`data:image/png;base64,${'A'.repeat(size)}`))
    expect(inline(make(40_000_000))).equal(undefined)
    expectBounded({ make, work: request => inline(request) }, 5_000_000)
  })
})
