import { PassThrough } from 'node:stream'
import { expect } from 'chai'
import { systemClock } from '../../../lib/base/clock.ts'
import { failure } from '../../../lib/errors/errors.ts'
import { parserFailure, reject, targetIn } from '../../../lib/http/rejection.ts'
import { answersIn } from '../../support/connection.ts'
import { eventually } from '../../support/gateway.ts'

const HOST = { clock: systemClock, docsBase: null, secure: false, authority: 'a.test:80' }
const error = failure('http_431', {}, { headers: { 'x-more': '1' } })

/** The bytes that a client reads. */
function rejection(path: string) {
  const socket = new PassThrough()
  let text = ''
  socket.on('data', (bytes: Buffer) => (text += bytes.toString()))
  reject(socket, error, path, HOST)
  const [answer] = answersIn((socket.read() as Buffer | null)?.toString() ?? text)
  return { answer: answer!, socket }
}

describe('http/rejection', () => {
  it('has a status for each error of the parser', () => {
    const codes = ['HPE_HEADER_OVERFLOW', 'ERR_HTTP_REQUEST_TIMEOUT', 'HPE_INVALID_METHOD', undefined]
    const failures = codes.map(code => parserFailure(Object.assign(new Error(''), code === undefined ? {} : { code })))
    expect(failures.map(({ code }) => code)).deep.equal(['http_431', 'http_408', 'http_400', 'http_400'])
  })

  it('finds the target of a request in its first bytes', () => {
    const targets: Readonly<Record<string, string>> = {
      'POST /v1/messages HTTP/1.1\r\nbad header': '/v1/messages',
      'GET /a?b=c HTTP/9.9\r\n': '/a?b=c',
      'GET /a': '',
      'bad header: 1\r\n': '',
      '\x16\x03\x01': '',
      [`GET /${'a'.repeat(300)} HTTP/1.1`]: '',
    }
    for (const [text, target] of Object.entries(targets)) expect(targetIn(Buffer.from(text)), text).equal(target)
    expect(targetIn(undefined)).equal('')
  })

  // docs/api/errors.md#envelope
  it('writes the envelope of the format that the path belongs to', () => {
    for (const path of ['', '/v1/chat/completions', '/v1/messages', '/v1/messages/count_tokens']) {
      const { answer } = rejection(path)
      const { headers, status, json } = answer
      expect(status).equal(431)
      expect(headers).include({ 'content-type': 'application/json', connection: 'close', 'x-more': '1' })
      expect(json.type, path).equal(path.startsWith('/v1/messages') ? 'error' : undefined)
      expect(json.error).deep.equal({
        type: 'invalid_request_error',
        code: 'http_431',
        message: error.message,
        request_id: headers['x-request-id'],
        docs_url: 'http://a.test:80/docs/errors/http_431',
      })
    }
  })

  it('ends the connection, and closes it if the client does not', async () => {
    const { socket } = rejection('')
    expect(socket.writableEnded).equal(true)
    expect(socket.destroyed).equal(false)
    socket.on('error', () => {})
    await eventually(() => socket.destroyed, 'the close')
  })
})
