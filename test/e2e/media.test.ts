/** Speech, images, translations and moderations: byte pipes that are priced per character, image or minute. */
import { expect } from 'chai'
import type { JsonObject } from '../../lib/base/json.ts'
import { type Script, type ScriptedBackend, scriptedBackend } from '../support/backend.ts'
import { eventually, KEY, type TestGateway, testGateway } from '../support/gateway.ts'

const ENDPOINT = 'media.localhost'

const json =
  (body: JsonObject): Script =>
  res =>
    void res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
const bytes =
  (type: string, body: string): Script =>
  res =>
    void res.writeHead(200, { 'content-type': type }).end(body)

describe('speech, images, translations and moderations', () => {
  let backend: ScriptedBackend
  let gateway: TestGateway

  const served = (id: string, kind: string, pricing: JsonObject, zdr = false) => ({
    id,
    kind,
    pricing,
    capabilities: { zdr: {} },
    backends: [{ url: backend.url, model: `up-${id}`, engine: 'vllm', zdr }],
  })

  beforeEach(async () => {
    backend = await scriptedBackend()
    const models = [
      served('tts', 'speech', { per_million_characters: 1500 }, true),
      served('whisper', 'transcription', { per_minute: 0.6 }),
      served('flux', 'image', { per_image: 4 }),
      served('gpt-image', 'image', { input: 500, output: 4000, per_image: 4 }),
      served('guardian', 'moderation', { per_million_characters: 100 }),
    ]
    gateway = await testGateway({
      backends: [],
      account: {
        credits_cents: 1000,
        keys: [{ id: 'k1', user: 'alice@test', kind: 'serverless', secret: KEY, endpoints: [ENDPOINT] }],
      },
      more: {
        models,
        image_limit_bytes: 3_000_000,
        rate_limits_per_minute: { usage: 100_000 },
        endpoints: [{ host: ENDPOINT, models: ['tts'] }],
      },
    })
  })

  afterEach(async () => {
    await gateway?.close()
    await backend.close()
  })

  const record = async (at = 0) => {
    await eventually(() => gateway.records().length > at, 'a record')
    return gateway.records()[at]!
  }

  const form = (path: string, fields: readonly (readonly [string, string | Blob, string?])[]) => {
    const body = new FormData()
    for (const [name, value, filename] of fields) {
      if (typeof value === 'string') body.append(name, value)
      else body.append(name, value, filename)
    }
    return fetch(gateway.url + path, { method: 'POST', headers: { authorization: `Bearer ${KEY}` }, body })
  }
  const file = (size: number, fill = 'x') => new Blob([Buffer.alloc(size, fill)], { type: 'image/png' })
  const partsOf = (at = -1) => {
    const text = backend.requests.at(at)!.bytes.toString('latin1')
    return [...text.matchAll(/; name="([^"]+)"(?:; filename="([^"]*)")?/g)].map(([, name, filename]) =>
      filename === undefined ? name : `${name}=${filename}`,
    )
  }

  it('speech: the bytes pass, and characters of the input are charged', async () => {
    backend.script = bytes('audio/mpeg', 'ID3 "usage": {"prompt_tokens": 9} audio')
    const reply = await gateway.post('/v1/audio/speech', { model: 'tts', input: 'Hällo 🌊!', voice: 'anna' })
    expect(reply.status, await reply.clone().text()).equal(200)
    expect(reply.headers.get('content-type')).equal('audio/mpeg')
    expect(await reply.text()).contain('ID3')
    expect(backend.requests[0]).deep.include({ path: '/v1/audio/speech' })
    expect(backend.requests[0]!.body).deep.equal({ model: 'up-tts', input: 'Hällo 🌊!', voice: 'anna' })
    expect(await record()).include({
      unit: 'characters',
      units: 8,
      input_tokens: null,
      output_tokens: null,
      cost_microcents: 8 * 1500,
    })
  })

  it('images: n images are charged, or tokens if the engine counts them and they have a price', async () => {
    backend.script = json({ created: 1, data: [{ b64_json: 'aGk=' }, { b64_json: 'aGk=' }] })
    const made = await gateway.post('/v1/images/generations', {
      model: 'flux',
      prompt: 'A cat.',
      n: 2,
      size: '512x512',
    })
    expect(made.status).equal(200)
    expect(await record()).include({ unit: 'images', units: 2, cost_microcents: 8_000_000 })
    backend.script = json({
      data: [{ b64_json: 'aGk=' }],
      usage: { input_tokens: 10, output_tokens: 100, total_tokens: 110 },
    })
    await gateway.post('/v1/images/generations', { model: 'gpt-image', prompt: 'A cat.' })
    expect(await record(1)).include({
      unit: null,
      units: null,
      input_tokens: 10,
      cost_microcents: 10 * 500 + 100 * 4000,
    })
    await gateway.post('/v1/images/generations', { model: 'flux', prompt: 'A cat.' })
    expect(await record(2)).include({ unit: 'images', units: 1, input_tokens: 10, cost_microcents: 4_000_000 })
  })

  it('images: usage reports have the cost of units', async () => {
    backend.script = json({ data: [{ b64_json: 'aGk=' }] })
    await gateway.post('/v1/images/generations', { model: 'flux', prompt: 'A cat.', n: 3 })
    await eventually(
      async () => {
        const usage = (await (await gateway.get('/v1/usage/me?period=1d')).json()) as {
          total_estimated_cost_cents?: number
        }
        return JSON.stringify(usage).includes('"total_estimated_cost_cents":12')
      },
      'the cost',
      8000,
    )
  })

  it('edits: several images and a mask pass as they arrive, and the number of images is charged', async () => {
    backend.script = json({ data: [{ b64_json: 'aGk=' }] })
    const edited = await form('/v1/images/edits', [
      ['model', 'flux'],
      ['image[]', file(600_000, 'a'), 'a.png'],
      ['image[]', file(700_000, 'b'), 'b.png'],
      ['mask', file(200_000, 'm'), 'm.png'],
      ['prompt', 'Red.'],
      ['n', '2'],
    ])
    expect(edited.status, await edited.text()).equal(200)
    expect(partsOf()).deep.equal(['model', 'image[]=a.png', 'image[]=b.png', 'mask=m.png', 'prompt', 'n'])
    const sent = backend.requests[0]!.bytes.toString('latin1')
    expect(sent).contain('\r\n\r\nup-flux\r\n')
    for (const [letter, size] of [
      ['a', 600_000],
      ['b', 700_000],
      ['m', 200_000],
    ] as const)
      expect(sent).match(new RegExp(`\\r\\n\\r\\n${letter}{${size}}\\r\\n--`))
    expect(await record()).include({ unit: 'images', units: 2, cost_microcents: 8_000_000 })
  })

  it('edits: a short form may have any order, one image, and is sent with a length', async () => {
    backend.script = json({ data: [] })
    const edited = await form('/v1/images/edits', [
      ['image', file(5000), 'a.png'],
      ['prompt', 'Red.'],
      ['model', 'flux'],
    ])
    expect(edited.status).equal(200)
    expect(partsOf()).deep.equal(['prompt', 'model', 'image=a.png'])
    expect(Number(backend.requests[0]!.headers['content-length'])).equal(backend.requests[0]!.bytes.length)
  })

  it('edits: limits', async () => {
    const code = async (...fields: Parameters<typeof form>[1]) => {
      const refused = await form('/v1/images/edits', fields)
      return `${refused.status} ${((await refused.json()) as { error: { code: string } }).error.code}`
    }
    expect(await code(['model', 'flux'], ['image', file(4_000_000), 'a.png'])).equal('413 request_body_too_large')
    expect(await code(['image', file(2_000_000), 'a.png'], ['model', 'flux'])).equal('400 invalid_json_request')
    const many = Array.from({ length: 17 }, (_, i) => ['image[]', file(10), `${i}.png`] as const)
    expect(await code(['model', 'flux'], ...many)).equal('422 schema_validation_failed')
    expect(await code(['model', 'flux'], ['prompt', 'Red.'])).equal('400 invalid_json_request')
    expect(await code(['model', 'flux'], ['image', file(10), 'a.png'], ['file', file(10), 'b.png'])).equal(
      '400 unsupported_parameter',
    )
    expect(await code(['model', 'tts'], ['image', file(10), 'a.png'])).equal('400 unsupported_feature')
    expect(backend.requests).length(0)
  })

  it('translations: seconds that the engine reports are charged, otherwise an estimate by size', async () => {
    backend.script = json({ text: 'Hello', usage: { type: 'duration', seconds: 90 } })
    const audio: Parameters<typeof form>[1] = [
      ['model', 'whisper'],
      ['file', file(100_000), 'a.mp3'],
    ]
    expect((await form('/v1/audio/translations', audio)).status).equal(200)
    expect(backend.requests[0]).include({ path: '/v1/audio/translations' })
    expect(await record()).include({ unit: 'seconds', units: 90, cost_microcents: 900_000, input_tokens: null })
    backend.script = json({ duration: '7.3', language: 'en', text: 'Hello' })
    await form('/v1/audio/transcriptions', [...audio, ['response_format', 'verbose_json']])
    expect(await record(1)).include({ unit: 'seconds', units: 8 })
    backend.script = bytes('text/plain', 'Hello')
    await form('/v1/audio/translations', [...audio, ['response_format', 'text']])
    expect(await record(2)).include({ unit: 'seconds', units: 7 })
  })

  it('moderations: characters of all inputs are charged', async () => {
    backend.script = json({
      id: 'modr-1',
      model: 'up',
      results: [{ flagged: false, categories: {}, category_scores: {} }],
    })
    const input = [
      { type: 'text', text: 'four' },
      { type: 'image_url', image_url: { url: 'data:image/png;base64,aGk=' } },
    ]
    const reply = await gateway.post('/v1/moderations', { model: 'guardian', input })
    expect(reply.status).equal(200)
    expect(backend.requests[0]!.body).deep.equal({ model: 'up-guardian', input })
    expect(await record()).include({ unit: 'characters', units: 4, cost_microcents: 400 })
    const remote = [{ type: 'image_url', image_url: { url: 'http://10.0.0.1/' } }]
    expect((await gateway.post('/v1/moderations', { model: 'guardian', input: remote })).status).equal(422)
  })

  it('reserve what they may cost: a balance that does not cover it is 402', async () => {
    const refused = await gateway.post('/v1/images/generations', { model: 'flux', prompt: 'A cat.', n: 10 })
    expect(refused.status).equal(200)
    const speech = await gateway.post('/v1/audio/speech', { model: 'tts', input: 'x'.repeat(700_000) })
    expect(speech.status).equal(402)
    expect(backend.requests).length(1)
  })

  it('failures cost nothing', async () => {
    backend.script = res =>
      void res.writeHead(400, { 'content-type': 'application/json' }).end('{"error":{"message":"no"}}')
    expect((await gateway.post('/v1/audio/speech', { model: 'tts', input: 'Hello' })).status).equal(400)
    expect(await record()).include({ unit: null, units: null, cost_microcents: null })
  })

  it('run on dedicated hosts, and under zero data retention only at backends that are marked for it', async () => {
    backend.script = bytes('audio/mpeg', 'ID3')
    const headers = { 'service-zdr': 'required' }
    const speech = await gateway.post('/v1/audio/speech', { model: 'tts', input: 'Hello' }, { headers })
    expect(speech.status).equal(200)
    const image = await gateway.post('/v1/images/generations', { model: 'flux', prompt: 'A cat.' }, { headers })
    expect(image.status).equal(400)
    expect(await image.json()).nested.property('error.code', 'model_zdr_not_supported')
    const http = await import('node:http')
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const options = {
        method: 'POST',
        headers: { host: ENDPOINT, authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
      }
      const request = http.request(`${gateway.url}/v1/audio/speech`, options, response => {
        response.resume()
        resolve(response.statusCode)
      })
      request.on('error', reject)
      request.end(JSON.stringify({ model: 'tts', input: 'Hello' }))
    })
    expect(status).equal(200)
  })
})
