import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { expect } from 'chai'
import type { ChatRequest, ImagePart } from '../../lib/chat.ts'
import type { Config } from '../../lib/config/config.ts'
import { AddressGuard } from '../../lib/images/addresses.ts'
import { ImageFetcher } from '../../lib/images/fetch.ts'
import { play } from '../../lib/testing.ts'
import images, { inlineImages, sortImages } from '../../plugins/images/index.ts'
import { chat, target } from '../../plugins/slots.ts'
import { chatRequest, model, refusal, refusalOf, targetOf, textRequest } from '../support/canonical.ts'

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')
const PNG_URL = `data:image/png;base64,${PNG.toString('base64')}`
const LIMITS = { max_urls: 32, max_bytes: 1_000_000, timeout_ms: 5000 }

const image = (url: string, members: Partial<ImagePart> = {}): ImagePart => ({ type: 'image', url, ...members })
const showing = (...parts: ImagePart[]): ChatRequest => chatRequest({ messages: [{ role: 'user', content: parts }] })
const urls = ({ messages }: ChatRequest) =>
  messages
    .flatMap(({ content }) => (Array.isArray(content) ? content : []))
    .map(part => (part.type === 'image' ? part.url : ''))

describe('images', () => {
  let asked: string[] = []
  /** Requests that the fetcher gave up. */
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
    inlineImages(sortImages(request, false)!, fetcher, { ...LIMITS, ...limits }, signal)

  const rejected = (param: string) => ({ code: 'model_request_rejected', status: 400, param })

  it('have nothing to wait for without URLs', () => {
    expect(sortImages(chatRequest(), false)).equal(undefined)
    expect(sortImages(textRequest(), false)).equal(undefined)
    const request = showing(image(PNG_URL), image(PNG_URL.replace('png', 'jpg')))
    expect(sortImages(request, true)).equal(undefined)
    expect(urls(request)).deep.equal([PNG_URL, PNG_URL.replace('png', 'jpeg')])
  })

  it('are refused as data: URLs of another kind', () => {
    for (const url of ['data:text/html;base64,AAAA', 'data:image/svg+xml;base64,AAAA', 'DATA:image/png,x', 'data:']) {
      expect(
        refusal(() => sortImages(showing(image(PNG_URL), image(url)), false)),
        url,
      ).deep.equal({
        code: 'schema_validation_failed',
        status: 422,
        param: 'messages.0.content.1',
      })
    }
  })

  it('by file_id are refused, under ZDR with a code of their own', () => {
    const request = showing(image('', { fileId: 'file-1' }))
    const param = 'messages.0.content.0'
    expect(refusal(() => sortImages(request, true))).deep.equal({
      code: 'file_id_not_allowed_with_zdr',
      status: 400,
      param,
    })
    expect(refusal(() => sortImages(request, false))).deep.equal({ code: 'unsupported_parameter', status: 400, param })
  })

  it('are fetched and put in the place of their URLs, each URL once', async () => {
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
    const started = performance.now()
    const slow = showing(
      ...Array.from({ length: 9 }, (_, i) => image(`${base}/slow.png?${i}`)),
      image(`${base}/slow.png`),
    )
    expect((await refusalOf(inline(slow, { timeout_ms: 100 })))?.code).equal('model_request_rejected')
    expect(performance.now() - started).lessThan(1000)
  })

  it('stop all other fetches when one fails, and when the client leaves', async () => {
    const request = showing(image(`${base}/slow.png`), image(`${base}/missing.png`))
    expect(await refusalOf(inline(request))).deep.equal(rejected('messages.0.content.1'))
    while (left.length === 0) await delay(5)
    expect(left).deep.equal(['/slow.png'])
    const client = new AbortController()
    const pending = refusalOf(inline(showing(image(`${base}/slow.png`)), {}, client.signal))
    client.abort()
    expect((await pending)?.code).equal('model_request_rejected')
  })

  it('never go on as URLs from the chain', async () => {
    const request = showing(image(`${base}/a.png`))
    const config = { brand: 'service', image_fetch: { allow: ['127.0.0.0/8'] } } as unknown as Config
    const given = [
      [chat, request],
      [target, targetOf(model({ vision: true }))],
    ] as const
    expect((await play(images, { given, services: { config } })).error).equal(undefined)
    expect(urls(request)).deep.equal([PNG_URL])

    const closed = { brand: 'service', image_fetch: { allow: [] } } as unknown as Config
    const inner = showing(image(`${base}/a.png`))
    const refused = await play(images, { given: [[chat, inner], given[1]], services: { config: closed } })
    expect(refused.error?.code).equal('model_request_rejected')
  })
})
