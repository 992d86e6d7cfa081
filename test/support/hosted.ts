/** Requests with any Host header, which fetch does not allow. */
import http from 'node:http'
import { type Json, parseJson } from '../../lib/base/json.ts'

export interface HostedRequest {
  readonly host: string
  readonly path: string
  readonly key?: string
  readonly headers?: http.OutgoingHttpHeaders
  /** Default: POST with a body, else GET. */
  readonly method?: string
  readonly body?: string
  /** Text after which the client disconnects. */
  readonly leaveAt?: string
}

export interface HostedAnswer {
  readonly status: number
  readonly headers: http.IncomingHttpHeaders
  readonly text: string
  /** undefined: the text is not JSON. */
  readonly json: Json | undefined
  /** The response was not complete. */
  readonly cut: boolean
}

/** `url`: of the gateway. */
export function hosted(url: string, request: HostedRequest): Promise<HostedAnswer> {
  const { host, path, key, headers, body, leaveAt, method = body === undefined ? 'GET' : 'POST' } = request
  const sent = http.request(url + path, {
    method,
    headers: {
      host,
      ...(key === undefined ? null : { authorization: `Bearer ${key}` }),
      ...(body === undefined ? null : { 'content-type': 'application/json' }),
      ...headers,
    },
  })
  return new Promise((resolve, reject) => {
    sent.on('error', reject)
    sent.on('response', res => {
      let text = ''
      const done = () =>
        resolve({ status: res.statusCode!, headers: res.headers, text, json: parseJson(text), cut: !res.complete })
      res.setEncoding('utf8')
      res.on('data', (piece: string) => {
        text += piece
        if (leaveAt !== undefined && text.includes(leaveAt)) sent.destroy()
      })
      res.on('error', () => {})
      res.on('close', done)
    })
    sent.end(body)
  })
}
