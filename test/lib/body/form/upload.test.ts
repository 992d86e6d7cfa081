import { expect } from 'chai'
import type { Upload } from '../../../../lib/body/index.ts'
import type { GatewayError } from '../../../../lib/errors/errors.ts'
import { type FormOptions, formBytes, upload as post } from '../../../support/audio.ts'
import { type FormServer, formServer } from '../../../support/form.ts'
import { eventually } from '../../../support/gateway.ts'

const LIMITS = { limit: 2_000_000, bufferBytes: 100_000 }
const MODEL = [['model', 'm']] as const

describe('body/form/upload', () => {
  let server: FormServer
  let then: (upload: Upload) => Promise<unknown>

  before(async () => {
    server = await formServer(LIMITS, upload => then(upload))
  })

  beforeEach(() => {
    then = async () => {}
    server.read.length = 0
  })

  after(() => server.close())

  const send = async (options: FormOptions, headers?: Record<string, string>) => {
    await post(server.url, 'k', formBytes(options), headers).answer
    return server.read.at(-1)!
  }

  const refused = async (options: FormOptions, headers?: Record<string, string>) => {
    const { code, details } = (await send(options, headers)) as GatewayError
    return `${code} ${details.param}`
  }

  it('buffers a short form as a whole', async () => {
    const read = (await send({ bytes: 5000, after: MODEL, filename: 'x.mp3' })) as Upload
    expect(read).include({ isBuffered: true, isRepeatable: true })
    expect(read.fields).deep.equal({ file: 'x.mp3', model: 'm' })
    const head = '; filename="x.mp3"\r\nContent-Type: audio/wav\r\n\r\n'
    const text = read.buffered.toString('latin1')
    expect(text.slice(text.indexOf(head) + head.length)).length(5000)
  })

  it('stops reading a long form until next() is called, which drops the buffer', async () => {
    let bytes = 0
    const waits: string[] = []
    then = async upload => {
      bytes = upload.buffered.length
      expect(bytes).within(100_000, 300_000)
      expect(upload.isBuffered).equal(false)
      upload.watch({ onWait: side => waits.push(side), onSent: () => waits.push('sent'), onRefused() {} })
      for (;;) {
        const piece = await upload.next()
        if (piece === null) return
        bytes += piece.length
      }
    }
    const read = (await send({ before: MODEL, bytes: 1_500_000, after: [['language', 'en']] })) as Upload
    // With the head of the part.
    expect(bytes).within(1_500_000, 1_500_300)
    expect(read.isRepeatable).equal(false)
    expect(read.late).deep.equal([['language', 'en']])
    expect(waits.at(-1)).equal('sent')
    expect(waits).include('client')
  })

  it('refuses other media types and unknown fields', async () => {
    expect(await refused({ bytes: 1 }, { 'content-type': 'text/plain' })).equal('http_400 undefined')
    expect(await refused({ bytes: 1 }, { 'content-type': 'multipart/form-data' })).equal('http_400 undefined')
    expect(await refused({ bytes: 200_000 })).equal('invalid_json_request model')
    expect(await refused({ before: [['file', 'x']] })).equal('schema_validation_failed file')
    expect(await refused({ before: [['prompt', 'x'.repeat(20_000)]] })).equal('schema_validation_failed prompt')
    const many = Array.from({ length: 40 }, (_, i) => [`f${i}`, ''] as const)
    expect(await refused({ before: many })).equal('http_400 undefined')
    expect(await refused({ before: MODEL, bytes: 3_000_000 }, { 'content-length': '3000000' })).match(/^request_body/)
  })

  it('refuses a form without an end', async () => {
    const cut = [...formBytes({ before: MODEL, bytes: 100 })].slice(0, -1)
    await post(server.url, 'k', cut).answer
    expect((server.read.at(-1) as GatewayError).code).equal('http_400')
  })

  it('reports errors after the buffered part to the listener', async () => {
    for (const [options, code] of [
      [{ bytes: 500_000, after: [['nonsense', 'x']] }, 'unsupported_parameter'],
      [{ bytes: 3_000_000 }, 'request_body_too_large'],
    ] as const) {
      const errors: string[] = []
      then = async upload => {
        upload.watch({ onWait() {}, onSent() {}, onRefused: error => errors.push(error.code) })
        void (async () => {
          while ((await upload.next()) !== null);
        })()
        await eventually(() => errors.length > 0)
      }
      await send({ before: MODEL, ...options })
      expect(errors).deep.equal([code])
    }
  })

  it('stops and drops its buffer if the body is abandoned', async () => {
    then = async upload => expect(upload.isRepeatable).equal(true)
    const read = (await send({ before: MODEL, bytes: 1_000_000 })) as Upload
    expect(read.isRepeatable).equal(false)
    expect(read.buffered).length(0)
  })
})
