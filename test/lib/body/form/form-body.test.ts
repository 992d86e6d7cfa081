import { expect } from 'chai'
import { FormBody, type Upload } from '../../../../lib/body/index.ts'
import type { OutgoingBody } from '../../../../lib/body/request-body.ts'
import { type FormOptions, formBytes, upload as post } from '../../../support/audio.ts'
import { type FormServer, formServer } from '../../../support/form.ts'

const MODEL = [['model', 'm']] as const

describe('body/form/form-body', () => {
  let server: FormServer
  let then: (upload: Upload) => Promise<unknown>

  before(async () => {
    server = await formServer({ limit: 2_000_000, bufferBytes: 100_000 }, upload => then(upload))
  })

  after(() => server.close())

  const send = (options: FormOptions) => post(server.url, 'k', formBytes(options)).answer

  const textOf = async (body: OutgoingBody) => {
    const pieces: Buffer[] = []
    for await (const piece of body.open() as AsyncIterable<Buffer>) pieces.push(piece)
    return Buffer.concat(pieces).toString('latin1')
  }

  const names = (text: string) => [...text.matchAll(/; name="([^"]+)"/g)].map(([, name]) => name)

  it('is sent with its length, any number of times, if it is buffered', async () => {
    let texts: string[] = []
    then = async upload => {
      const form = new FormBody(upload)
      const body = () => form.outgoing(() => ({ ...form.value, model: 'up' }))
      texts = [await textOf(body()), await textOf(body())]
      expect(body().length).equal(texts[0]!.length)
      expect(body().arriving).equal(undefined)
      expect(form.isRepeatable).equal(true)
    }
    expect((await send({ bytes: 90_000, after: [...MODEL, ['stream', 'true']] })).text).equal('ok')
    expect(names(texts[0]!)).deep.equal(['model', 'stream', 'file'])
    expect(texts[0]).contain('\r\n\r\nup\r\n')
    expect(texts[0]).equal(texts[1])
  })

  it('is sent once, without a length, with later fields after the file, if it is not buffered', async () => {
    let text = ''
    then = async upload => {
      const form = new FormBody(upload)
      const body = form.outgoing(() => ({ ...form.value, model: 'up' }))
      expect(body.length).equal(undefined)
      expect(body.arriving).equal(upload)
      text = await textOf(body)
      expect(form.isRepeatable).equal(false)
    }
    await send({ before: MODEL, bytes: 700_000, after: [['language', 'en']] })
    expect(names(text)).deep.equal(['model', 'file', 'language'])
    expect(text.length).greaterThan(700_000)
    expect(text).match(/--\r\n$/)
  })

  it('is empty for plugins after release()', async () => {
    then = async upload => {
      const form = new FormBody(upload)
      expect(form.value).deep.equal({ model: 'm', file: 'a.wav' })
      form.release()
      expect(form.value).deep.equal({})
    }
    await send({ before: MODEL, bytes: 10 })
  })

  it('has a part for each value of a list, and none for the name of a file', async () => {
    let text = ''
    then = async upload => {
      const sent = {
        ...upload,
        late: [],
        buffered: Buffer.alloc(0),
        isBuffered: true,
        isFile: (name: string) => name === 'file',
      }
      text = await textOf(
        new FormBody(sent as unknown as Upload).outgoing(() => ({ 'l[]': ['x', 'y'], n: 0.5, file: 'a' })),
      )
    }
    await send({ before: MODEL, bytes: 10 })
    const [boundary] = text.match(/^--sluiceway-[0-9a-f]{32}\r\n/)!
    const parts = text
      .slice(0, -(boundary.length + 4))
      .split(boundary)
      .slice(1)
    expect(parts).deep.equal([
      'Content-Disposition: form-data; name="l[]"\r\n\r\nx\r\n',
      'Content-Disposition: form-data; name="l[]"\r\n\r\ny\r\n',
      'Content-Disposition: form-data; name="n"\r\n\r\n0.5\r\n',
    ])
  })
})
