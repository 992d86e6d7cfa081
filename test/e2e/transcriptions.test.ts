/** Audio files over real sockets. */
import { readdirSync } from 'node:fs'
import { expect } from 'chai'
import OpenAI, { toFile } from 'openai'
import type { JsonObject } from '../../lib/base/json.ts'
import {
  type AudioBackend,
  audioBackend,
  type FormOptions,
  formBuffer,
  formBytes,
  TRANSCRIPTION,
  upload,
} from '../support/audio.ts'
import { collectGarbage } from '../support/garbage.ts'
import { eventually, KEY, type TestGateway, testGateway } from '../support/gateway.ts'
import { closeSimulators, simulatorWith } from '../support/simulator.ts'

const MB = 1024 * 1024
const MODEL = [['model', 'whisper']] as const

/** Bytes of buffers of this process, without garbage. */
function heldBytes(): number {
  collectGarbage()
  return process.memoryUsage().arrayBuffers
}

/** A form with a file, of which the client sends at most `until` bytes. Records the maximum memory. */
async function* untilAborted(bytes: number, until: number, most: { bytes: number }): AsyncGenerator<Buffer> {
  let sent = 0
  let looked = 0
  for (const piece of formBytes({ before: MODEL, bytes })) {
    if (sent - looked > 20 * MB) {
      looked = sent
      most.bytes = Math.max(most.bytes, heldBytes())
    }
    if (sent > until) await new Promise(() => {})
    sent += piece.length
    yield piece
  }
}

describe('transcriptions', () => {
  let gateway: TestGateway
  let backend: AudioBackend

  const start = async (
    more: JsonObject = {},
    account: JsonObject = {},
    others: readonly string[] = [],
    model: JsonObject = {},
  ) => {
    backend = await audioBackend()
    const on = (url: string, weight: number) => ({ url, model: 'up', engine: 'vllm', api_key: 'inner', weight })
    const backends = [on(backend.url, 1_000_000), ...others.map(url => on(url, 0.001))]
    const models = [
      {
        id: 'whisper',
        aliases: ['w'],
        kind: 'transcription',
        pricing: { input: 100, output: 100 },
        backends,
        ...model,
      },
      { id: 'm', backends },
    ]
    gateway = await testGateway({ backends: [], more: { models, audio_limit_bytes: 400 * MB, ...more }, account })
  }

  afterEach(async () => {
    await gateway?.close()
    await backend?.close()
    await closeSimulators()
  })

  const send = (options: FormOptions, headers?: Record<string, string>) =>
    upload(gateway.url, KEY, formBytes(options), headers).answer

  const record = () => gateway.records().at(-1)

  const errorOf = (text: string) => (JSON.parse(text) as { error: JsonObject }).error

  it('pass a form on with the model of the backend, and none of the headers of the client', async () => {
    await start()
    const before = [
      ['model', 'w'],
      ['timestamp_granularities[]', 'word'],
      ['timestamp_granularities[]', 'segment'],
      ['temperature', '0.5'],
    ] as const
    const answer = await send({ before, bytes: 1000, after: [['language', 'en']], filename: 'a "b".wav' })
    expect(answer.status, answer.text).equal(200)
    expect(JSON.parse(answer.text)).deep.equal(TRANSCRIPTION)
    const [form] = backend.forms
    expect(form!.fields).deep.equal([['model', 'up'], ...before.slice(1), ['language', 'en']])
    expect(form).include({ bytes: 1000, mediaType: 'audio/wav', isWhole: true })
    expect(form!.headers.authorization).equal('Bearer inner')
    expect(form!.headers['content-length']).not.equal(undefined)
    expect(record()).include({ path: '/v1/audio/transcriptions', model_requested: 'w', status_code: 200 })
    expect(record()).include({ input_tokens: null, usage_present: false })
  })

  it('send a long file while it arrives, and check the fields behind it', async () => {
    await start()
    const long = { before: MODEL, bytes: 5 * MB }
    const answer = await send({
      ...long,
      after: [
        ['language', 'en'],
        ['stream', 'true'],
      ],
    })
    expect(answer.status, answer.text).equal(200)
    expect(backend.forms[0]).include({ bytes: 5 * MB, isWhole: true })
    expect(backend.forms[0]!.headers['transfer-encoding']).equal('chunked')
    expect(backend.forms[0]!.fields).deep.equal([
      ['model', 'up'],
      ['language', 'en'],
      ['stream', 'true'],
    ])
    for (const [field, code] of [
      [['nonsense', 'x'], 'unsupported_parameter'],
      [['temperature', 'warm'], 'schema_validation_failed'],
      [['model', 'whisper'], 'schema_validation_failed'],
    ] as const) {
      const refused = await send({ ...long, after: [field] })
      expect(errorOf(refused.text), field[0]).include({ code, param: field[0] })
    }
    await eventually(() => backend.forms.slice(1).every(({ isAborted }) => isAborted))
    expect(backend.forms).length(4)
  })

  it('take the file before the model as long as it is short, and say what to do where it is not', async () => {
    await start()
    expect((await send({ bytes: 500_000, after: MODEL })).status).equal(200)
    const answer = await send({ bytes: 3 * MB, after: MODEL })
    expect(answer.status).equal(400)
    expect(errorOf(answer.text)).include({ code: 'invalid_json_request', param: 'model' })
    expect(errorOf(answer.text).message).contain("send 'model' before 'file'")
    expect(backend.forms).length(1)
  })

  it('check forms before a backend hears of them', async () => {
    await start({ audio_limit_bytes: MB })
    const refused = async (options: FormOptions, headers?: Record<string, string>) => {
      const { status, text } = await send(options, headers)
      const { code, param } = errorOf(text)
      return `${status} ${code} ${param}`
    }
    const file = { before: MODEL, bytes: 100 }
    expect(await refused({ before: MODEL })).equal('400 invalid_json_request file')
    expect(await refused({ bytes: 10 })).equal('400 invalid_json_request model')
    expect(await refused({ ...file, after: [['response_format', 'docx']] })).equal(
      '422 schema_validation_failed response_format',
    )
    expect(await refused({ ...file, after: [['nonsense', 'x']] })).equal('400 unsupported_parameter nonsense')
    expect(await refused({ ...file, after: [['__proto__', 'x']] })).equal('400 unsupported_parameter __proto__')
    expect(await refused({ ...file, after: [['file', 'x']] })).equal('422 schema_validation_failed file')
    expect(await refused({ before: [['model', 'no']], bytes: 1 })).equal('404 model_not_found model')
    expect(await refused({ before: [['model', 'm']], bytes: 1 })).equal('400 unsupported_feature model')
    expect(await refused(file, { 'content-type': 'application/json' })).equal('400 http_400 undefined')
    expect(await refused(file, { 'content-type': 'multipart/form-data' })).equal('400 http_400 undefined')
    expect(await refused({ ...file, bytes: 2 * MB })).equal('413 request_body_too_large undefined')
    expect(await refused(file, { 'content-length': String(2 * MB) }).catch(() => 'closed')).match(/^413|closed/)
    const chat = await gateway.post('/v1/chat/completions', {
      model: 'whisper',
      messages: [{ role: 'user', content: 'x' }],
    })
    expect(((await chat.json()) as { error: JsonObject }).error).include({
      code: 'unsupported_feature',
      param: 'model',
    })
    expect(backend.forms).length(0)
  })

  it('refuse a file above the limit in the middle of its upload', async () => {
    await start({ audio_limit_bytes: 4 * MB })
    const { status, text } = await send({ before: MODEL, bytes: 6 * MB })
    expect(`${status} ${errorOf(text).code}`).equal('413 request_body_too_large')
    await eventually(() => backend.forms[0]!.isAborted)
  })

  it('leave nothing behind of an upload of 200 MB that is aborted', async () => {
    await start({}, {}, [], { max_concurrency: 1 })
    const files = () => readdirSync(gateway.dir, { recursive: true }).length
    expect((await send({ before: MODEL, bytes: 1000 })).status).equal(200)
    const before = files()
    const most = { bytes: 0 }
    const heldBefore = heldBytes()
    const { call } = upload(gateway.url, KEY, untilAborted(200 * MB, 150 * MB, most))
    call.on('error', () => {})
    await eventually(() => (backend.forms[1]?.bytes ?? 0) > 140 * MB, 'most of the upload', 60_000)
    expect(backend.forms[1]!.isAborted).equal(false)
    call.destroy()
    // The writer moves records into the store within a moment.
    await eventually(() => record()?.status_code === 499, 'the record')
    await eventually(() => backend.forms[1]!.isAborted, 'the end of the request to the backend')
    await eventually(async () => (await gateway.metric('sluiceway_requests_in_flight')) === 0)
    expect(backend.forms[1]!.isWhole).equal(false)
    // Buffers of client, gateway, backend and sockets, all in this process. The upload is not among them.
    expect(most.bytes).above(0)
    expect(most.bytes - heldBefore).below(80 * MB)
    expect(files()).equal(before)
    // Connections of the first request, of health checks and of metrics.
    await eventually(async () => (await backend.connections()) <= 2)
    // The lease is released.
    expect((await send({ before: MODEL, bytes: 1000 })).status).equal(200)
  })

  it('read no more of a file than the backend takes', async () => {
    await start({ timeouts: { idle_ms: 2000 } })
    backend.isStalled = true
    let sent = 0
    const { call } = upload(
      gateway.url,
      KEY,
      (function* () {
        for (const piece of formBytes({ before: MODEL, bytes: 300 * MB })) {
          sent += piece.length
          yield piece
        }
      })(),
    )
    call.on('error', () => {})
    await eventually(() => backend.forms.length === 1)
    let last = -1
    await eventually(async () => {
      const same = sent === last
      last = sent
      await new Promise(resolve => setTimeout(resolve, 200))
      return same
    })
    // At most the socket buffers of both connections.
    expect(sent).below(40 * MB)
    call.destroy()
    // Nothing is read, so the disconnect is noticed only after the timeout of the backend.
    await eventually(async () => (await gateway.metric('sluiceway_requests_in_flight')) === 0)
  })

  it('end an upload that does not get on, and say who is waited for', async () => {
    await start({ timeouts: { client_idle_ms: 300, idle_ms: 600, first_byte_ms: 100 } })
    const whole = formBuffer({ before: MODEL, bytes: 2 * MB })
    const silent = async function* () {
      yield whole.subarray(0, whole.length - 10)
      await new Promise(() => {})
    }
    const answer = await upload(gateway.url, KEY, silent()).answer
    expect(`${answer.status} ${errorOf(answer.text).code}`).equal('408 http_408')
    backend.isStalled = true
    const stuck = await send({ before: MODEL, bytes: 60 * MB })
    expect(`${stuck.status} ${errorOf(stuck.text).code}`).equal('504 backend_timeout')
    await eventually(() => backend.forms[0]!.isAborted)
  })

  it('do not count the time of an upload as time of the backend', async () => {
    await start({ timeouts: { first_byte_ms: 700 } })
    const whole = formBuffer({ before: MODEL, bytes: 2 * MB })
    const slow = async function* () {
      yield whole.subarray(0, 1.5 * MB)
      for (let at = 1.5 * MB; at < whole.length; at += 100_000) {
        await new Promise(resolve => setTimeout(resolve, 200))
        yield whole.subarray(at, at + 100_000)
      }
    }
    expect((await upload(gateway.url, KEY, slow()).answer).status).equal(200)
    backend.reply = () => {}
    const { status } = await send({ before: MODEL, bytes: 2 * MB })
    expect(status).equal(504)
  })

  it('pass a reply on that comes before the end of the upload, and take the next request', async () => {
    await start()
    backend.onHead = (_req, res) => {
      res.writeHead(200, { 'content-type': 'application/json' })
      res.end(JSON.stringify(TRANSCRIPTION))
      return true
    }
    const early = await send({ before: MODEL, bytes: 8 * MB })
    expect(early.status).equal(200)
    expect(JSON.parse(early.text)).deep.equal(TRANSCRIPTION)
    backend.onHead = (_req, res) => {
      res.writeHead(400, { 'content-type': 'application/json' })
      res.end(JSON.stringify({ error: { message: 'Invalid or unsupported audio file.', code: 400 } }))
      return true
    }
    const refused = await send({ before: MODEL, bytes: 8 * MB })
    expect(`${refused.status} ${errorOf(refused.text).code}`).equal('400 model_request_rejected')
    backend.onHead = () => false
    expect((await send({ before: MODEL, bytes: 8 * MB })).status).equal(200)
    await eventually(async () => (await gateway.metric('sluiceway_requests_in_flight')) === 0)
  })

  it('try another backend as long as everything that was sent is held', async () => {
    const other = await audioBackend()
    await start({}, {}, [other.url])
    backend.onHead = req => {
      req.socket.destroy()
      return true
    }
    const short = await send({ before: MODEL, bytes: 500_000 })
    expect(short.status, short.text).equal(200)
    expect(other.forms[0]).include({ bytes: 500_000, isWhole: true })
    backend.onHead = req => {
      let bytes = 0
      req.on('data', (piece: Buffer) => {
        bytes += piece.length
        if (bytes > 4 * MB) req.socket.destroy()
      })
      return true
    }
    const long = await send({ before: MODEL, bytes: 16 * MB })
    expect(`${long.status} ${errorOf(long.text).code}`).equal('502 backend_connect_error')
    expect(other.forms).length(1)
    await other.close()
  })

  it('answer Expect: 100-continue after the head has been accepted', async () => {
    await start()
    const { call, answer } = upload(gateway.url, KEY, [], { expect: '100-continue' })
    let isAsked = false
    call.on('continue', () => {
      isAsked = true
    })
    const body = formBuffer({ before: MODEL, bytes: 2 * MB })
    const refusedCall = upload(gateway.url, 'wrong', [body], { expect: '100-continue' })
    expect((await refusedCall.answer).status).equal(401)
    call.destroy()
    await answer.catch(() => {})
    const second = upload(
      gateway.url,
      KEY,
      (async function* () {
        await eventually(() => isAsked)
        yield body
      })(),
      { expect: '100-continue' },
    )
    second.call.on('continue', () => {
      isAsked = true
    })
    second.call.flushHeaders()
    expect((await second.answer).status).equal(200)
    expect(backend.forms.at(-1)!.headers.expect).equal(undefined)
  })

  it('charge tokens where the backend reports them, and nothing where it reports seconds', async () => {
    await start({}, { credits_cents: 1000 })
    expect((await send({ before: MODEL, bytes: 2 * MB })).status).equal(200)
    expect(record()).include({ cost_microcents: null })
    const usage = { type: 'tokens', input_tokens: 30, output_tokens: 5, total_tokens: 35 }
    backend.reply = res =>
      void res.setHeader('content-type', 'application/json').end(JSON.stringify({ text: '', usage }))
    expect((await send({ before: MODEL, bytes: 2 * MB })).status).equal(200)
    expect(record()).include({ input_tokens: 30, output_tokens: 5, cost_microcents: 3500 })
    backend.reply = res => void res.setHeader('content-type', 'text/plain').end('"usage": {"prompt_tokens": 9}')
    expect((await send({ before: MODEL, bytes: 1000 })).status).equal(200)
    expect(record()).include({ input_tokens: null })
  })

  describe('with the openai package, in front of the simulated engines', () => {
    const simulated = async (engine: 'vllm' | 'llama.cpp') => {
      const { root } = await simulatorWith({ engine, models: [{ id: 'up' }] })
      const backends = [{ url: `${root}/v1`, model: 'up', engine }]
      gateway = await testGateway({
        backends: [],
        more: { models: [{ id: 'whisper', kind: 'transcription', backends }] },
      })
      return new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: KEY, maxRetries: 0 })
    }
    const file = () => toFile(Buffer.alloc(64_000), 'speech.wav', { type: 'audio/wav' })

    it('transcribe, whole and as a stream', async () => {
      const client = await simulated('llama.cpp')
      const whole = await client.audio.transcriptions.create({ file: await file(), model: 'whisper' })
      expect(whole.text).equal('Simulated words of 64000 bytes in speech.wav')
      expect(record()).include({ input_tokens: 50, output_tokens: 7 })
      const stream = await client.audio.transcriptions.create({ file: await file(), model: 'whisper', stream: true })
      let text = ''
      for await (const event of stream) if (event.type === 'transcript.text.delta') text += event.delta
      expect(text).equal(whole.text)
      expect(record()).include({ input_tokens: 50, output_tokens: 7 })
    })

    it('pass what vLLM replies, in every format', async () => {
      const client = await simulated('vllm')
      const { create } = client.audio.transcriptions
      const ask = create.bind(client.audio.transcriptions)
      const verbose = await ask({ file: await file(), model: 'whisper', response_format: 'verbose_json' })
      expect(verbose.segments).length(1)
      const text = (await ask({ model: 'whisper', file: await file(), response_format: 'text' })) as unknown
      expect(text).equal('Simulated words of 64000 bytes in speech.wav\n')
      const form = formBytes({
        before: [...MODEL, ['stream', 'true'], ['stream_include_usage', 'true']],
        bytes: 64_000,
      })
      const streamed = await upload(gateway.url, KEY, form).answer
      expect(streamed.headers).include({
        ...{
          'content-type': 'text/event-stream; charset=utf-8',
          'cache-control': 'no-cache',
          'x-accel-buffering': 'no',
        },
      })
      expect(streamed.text).match(/data: \[DONE\]\n\n$/)
      expect(record()).include({ input_tokens: 100, output_tokens: 7 })
    })
  })
})
