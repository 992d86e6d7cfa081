import { once } from 'node:events'
import type { Readable, Writable } from 'node:stream'
import { expect } from 'chai'
import { readForm } from '../../../../plugins/images/files/form.ts'
import { refusalOf } from '../../../support/canonical.ts'

const TYPE = 'multipart/form-data; boundary=b'
const PURPOSE = 'content-disposition: form-data; name="purpose"\r\n\r\nvision'
const FILE = 'content-disposition: form-data; name="file"; filename="a.png"\r\ncontent-type: image/png\r\n\r\nabc'
const part = (name: string, value = 'x') => `content-disposition: form-data; name="${name}"\r\n\r\n${value}`
const bodyOf = (...parts: string[]) => `${parts.map(one => `--b\r\n${one}\r\n`).join('')}--b--\r\n`

/** Writes a text to a stream, in pieces of this many bytes; `cause`: the error with which the client ends it. */
function feeding(body: string, size = body.length, cause?: Error) {
  return async (sink: Writable): Promise<void> => {
    const over = once(sink, 'finish')
    const bytes = Buffer.from(body)
    for (let at = 0; at < bytes.length && sink.writable; at += size) {
      if (!sink.write(bytes.subarray(at, at + size))) await Promise.race([once(sink, 'drain'), over])
    }
    if (cause !== undefined) throw cause
    sink.end()
    await over
  }
}

async function textOf(file: Readable): Promise<string> {
  const pieces: Buffer[] = []
  for await (const piece of file) pieces.push(piece as Buffer)
  return Buffer.concat(pieces).toString()
}

describe('plugins/images/files/form', () => {
  const read = async (body: string, { type = TYPE, size = body.length }: { type?: string; size?: number } = {}) => {
    let text: string | undefined
    const { fields, filename } = await readForm(type, feeding(body, size), async file => {
      text = await textOf(file)
    })
    return { fields: Object.fromEntries(fields), filename, text }
  }
  const refused = (body: string, type = TYPE) => refusalOf(read(body, { type }))

  it('returns the fields and the file, in any order and however they arrive', async () => {
    const expected = { fields: { purpose: 'vision' }, filename: 'a.png', text: 'abc' }
    for (const size of [1, 7, 64, 10_000]) {
      expect(await read(bodyOf(PURPOSE, FILE), { size }), String(size)).deep.equal(expected)
      expect(await read(bodyOf(FILE, PURPOSE), { size }), String(size)).deep.equal(expected)
    }
    expect(await read(bodyOf(FILE), { type: 'Multipart/Form-Data; boundary="b"' })).deep.equal({
      ...expected,
      fields: {},
    })
  })

  it('drops directories from the name', async () => {
    for (const name of ['/etc/a.png', '../../a.png', 'C:\\x\\a.png'])
      expect((await read(bodyOf(FILE.replace('a.png', name)))).filename, name).equal('a.png')
  })

  it('is multipart/form-data with a boundary', async () => {
    const wrong = { code: 'http_400', status: 400, param: undefined }
    for (const type of ['application/json', 'multipart/form-data', 'multipart/mixed; boundary=b', 'text/plain', ''])
      expect(await refused(bodyOf(FILE), type), type).include(wrong)
    expect(await refusalOf(readForm(undefined, feeding(''), async () => {}))).include(wrong)
    for (const body of [
      '',
      'abc',
      '--b',
      '--b\r\n',
      `--b\r\n${FILE}`,
      `--b\r\n${PURPOSE}\r\n--b\r\n`,
      `--c\r\n${FILE}\r\n--c--`,
    ])
      expect(await refused(body), body).include({ code: 'http_400' })
  })

  it('has exactly one file', async () => {
    const missing = { code: 'invalid_json_request', status: 400, param: 'file' }
    expect(await refused(bodyOf(PURPOSE))).deep.equal(missing)
    const wrong = { code: 'schema_validation_failed', status: 422, param: 'file' }
    expect(await refused(bodyOf(FILE, FILE))).deep.equal(wrong)
    expect(await refused(bodyOf(part('file')))).deep.equal(wrong)
    const named = FILE.replace('name="file"', 'name="image"')
    expect(await refused(bodyOf(named))).deep.equal({ code: 'unsupported_parameter', status: 400, param: 'image' })
  })

  it('has only known fields, each once and short', async () => {
    expect(await refused(bodyOf(FILE, part('model')))).deep.equal({
      code: 'unsupported_parameter',
      status: 400,
      param: 'model',
    })
    const wrong = { code: 'schema_validation_failed', status: 422, param: 'purpose' }
    expect(await refused(bodyOf(FILE, PURPOSE, PURPOSE))).deep.equal(wrong)
    expect(await refused(bodyOf(FILE, part('purpose', 'v'.repeat(257))))).deep.equal(wrong)
    const long = await refused(bodyOf(part('n'.repeat(3000))))
    expect(long?.param).length(65)
    expect((await refused(bodyOf(...Array.from({ length: 20 }, () => 'x: y\r\n\r\n'))))?.code).equal('http_400')
  })

  it('fails if the store fails, also while the file arrives', async () => {
    const full = Object.assign(new Error('no space'), { code: 'ENOSPC', syscall: 'write' })
    const body = bodyOf(FILE.replace('abc', 'x'.repeat(300_000)))
    const thrown = await readForm(TYPE, feeding(body, 1000), async file => {
      await once(file, 'readable')
      throw full
    }).catch((error: unknown) => error)
    expect(thrown).include({ code: 'internal_error', status: 503 }).and.nested.include({ 'details.cause': full })
    const late = await readForm(TYPE, feeding(body), async file => {
      await textOf(file)
      throw full
    }).catch((error: unknown) => error)
    expect(late).include({ code: 'internal_error', status: 503 }).and.nested.include({ 'details.cause': full })
  })

  it('ends saving when the body ends too early', async () => {
    let saving = 'not begun'
    const body = `--b\r\n${FILE}`
    const pending = readForm(TYPE, feeding(body, 10, new Error('gone')), async file => {
      saving = 'going on'
      await textOf(file).catch(() => {
        saving = 'ended'
      })
    })
    expect((await refusalOf(pending))?.code).equal('http_400')
    expect(saving).equal('ended')
  })

  it('quotes no content', async () => {
    const secret = 'my own words'
    for (const body of [bodyOf(FILE, part('purpose', secret.repeat(30))), bodyOf(part('file', secret)), secret]) {
      const thrown = await read(body).catch((error: Error) => error.message)
      expect(thrown).a('string').and.not.contain(secret)
    }
  })
})
