import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { expect } from 'chai'
import { fileOwner, type StoredFile } from '../../../lib/console.ts'
import type { ChatRequest, Config, ImagePart, Key } from '../../../lib/plugin.ts'
import { play, type Scene, testServices } from '../../../lib/testing.ts'
import { AddressGuard } from '../../../plugins/images/addresses.ts'
import { ImageFetcher } from '../../../plugins/images/fetch.ts'
import images, { collectSources, inlineImages, loadByUrl } from '../../../plugins/images/images/index.ts'
import { chat, key, target } from '../../../plugins/slots.ts'
import { chatRequest, model, refusal, refusalOf, targetOf, textRequest } from '../../support/canonical.ts'
import { keyOf } from '../../support/key.ts'

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')
const PNG_URL = `data:image/png;base64,${PNG.toString('base64')}`
/** Files may be referred to. */
const anyFile = () => {}
const LIMITS = { max_urls: 32, max_bytes: 1_000_000, timeout_ms: 5000 }

const image = (url: string, members: Partial<ImagePart> = {}): ImagePart => ({ type: 'image', url, ...members })
const showing = (...parts: ImagePart[]): ChatRequest => chatRequest({ messages: [{ role: 'user', content: parts }] })
const urls = ({ messages }: ChatRequest) =>
  messages
    .flatMap(({ content }) => (Array.isArray(content) ? content : []))
    .map(part => (part.type === 'image' ? part.url : ''))

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

  const fetcher = new ImageFetcher(new AddressGuard(['127.0.0.1']), () => Promise.resolve([]))
  const inline = (request: ChatRequest, limits: Partial<typeof LIMITS> = {}, signal = AbortSignal.timeout(5000)) =>
    inlineImages(collectSources(request, anyFile)!, loadByUrl(fetcher), { ...LIMITS, ...limits }, signal)

  const rejected = (param: string) => ({ code: 'model_request_rejected', status: 400, param })

  it('are processed synchronously without URLs', () => {
    expect(collectSources(chatRequest(), anyFile)).equal(undefined)
    expect(collectSources(textRequest(), anyFile)).equal(undefined)
    const request = showing(image(PNG_URL), image(PNG_URL.replace('png', 'jpg')))
    expect(collectSources(request, anyFile)).equal(undefined)
    expect(urls(request)).deep.equal([PNG_URL, PNG_URL.replace('png', 'jpeg')])
  })

  it('are refused as data: URLs of another kind', () => {
    for (const url of ['data:text/html;base64,AAAA', 'data:image/svg+xml;base64,AAAA', 'DATA:image/png,x', 'data:']) {
      expect(
        refusal(() => collectSources(showing(image(PNG_URL), image(url)), anyFile)),
        url,
      ).deep.equal({
        code: 'schema_validation_failed',
        status: 422,
        param: 'messages.0.content.1',
      })
    }
  })

  it('by file_id are loaded like those by URL, each file once', async () => {
    const request = showing(image('', { fileId: 'file-1' }), image(PNG_URL), image('', { fileId: 'file-1' }))
    const loaded: unknown[] = []
    const load = async ({ fileId, param }: { readonly fileId: string | undefined; readonly param: string }) => {
      loaded.push([fileId, param])
      return PNG_URL
    }
    await inlineImages(collectSources(request, anyFile)!, load, LIMITS, AbortSignal.timeout(5000))
    expect(loaded).deep.equal([['file-1', 'messages.0.content.0']])
    expect(urls(request)).deep.equal([PNG_URL, PNG_URL, PNG_URL])
  })

  it('by file_id are checked before anything is loaded', () => {
    const request = showing(image(`${base}/a.png`), image('', { fileId: 'file-1' }))
    const params: string[] = []
    collectSources(request, param => void params.push(param))
    expect(params).deep.equal(['messages.0.content.1'])
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

    it('are refused where files may not be referred to', async () => {
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

  it('are refused in the same words, whatever the reason', async () => {
    const closed = base.replace(/\d+$/, '1')
    const messages = new Set<string>()
    for (const url of [
      `${base}/missing.png`,
      'http://10.0.0.1/',
      'ftp://example.com/',
      closed,
      '',
      'nonsense',
      'http://x.invalid',
    ]) {
      const request = showing(image(PNG_URL), image(url, { origin: 'messages.4.content.2' }))
      expect(await refusalOf(inline(request)), url).deep.equal(rejected('messages.4.content.2'))
      await inline(request).catch((error: Error) => messages.add(error.message))
    }
    expect([...messages]).deep.equal(['The image could not be fetched.'])
  })

  it('are limited in number', async () => {
    const request = showing(...Array.from({ length: 4 }, (_, i) => image(`${base}/${i}.png`)))
    expect(await refusalOf(inline(request, { max_urls: 3 }))).deep.equal(rejected('messages.0.content.3'))
    expect(asked).deep.equal([])
    await inline(request, { max_urls: 4 })
  })

  it('share one limit of bytes and one of time', async () => {
    const two = showing(image(`${base}/a.png`), image(`${base}/b.png`))
    expect((await refusalOf(inline(two, { max_bytes: PNG.length * 2 - 1 })))?.code).equal('model_request_rejected')
    asked = []
    const slow = showing(
      ...Array.from({ length: 9 }, (_, i) => image(`${base}/slow.png?${i}`)),
      image(`${base}/slow.png`),
    )
    expect((await refusalOf(inline(slow, { timeout_ms: 100 })))?.code).equal('model_request_rejected')
    // With a limit of time for each, the others would have been fetched as well.
    expect(asked.length).below(10)
  })

  it('count as often as they are shown: the backend gets each of them', async () => {
    const thrice = showing(...['/a.png', '/a.png', '/a.png'].map(path => image(`${base}${path}`)))
    const refused = await refusalOf(inline(thrice, { max_bytes: PNG.length * 3 - 1 }))
    expect(refused?.code).equal('model_request_rejected')
    expect(asked).deep.equal(['/a.png'])

    let charged = 0
    const sources = collectSources(thrice, anyFile)!
    await inlineImages(sources, loadByUrl(fetcher), LIMITS, new AbortController().signal, bytes => {
      charged += bytes
    })
    expect(urls(thrice)).deep.equal([PNG_URL, PNG_URL, PNG_URL])
    expect(charged).least(PNG.length * 3 * 3)
  })

  it('stop all other fetches when one fails, and when the client disconnects', async () => {
    const request = showing(image(`${base}/slow.png`), image(`${base}/missing.png`))
    expect(await refusalOf(inline(request))).deep.equal(rejected('messages.0.content.1'))
    while (left.length === 0) await delay(5)
    expect(left).deep.equal(['/slow.png'])
    const client = new AbortController()
    const pending = refusalOf(inline(showing(image(`${base}/slow.png`)), {}, client.signal))
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
