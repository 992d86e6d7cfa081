/** One request of a byte pipe and its response, over http-proxy-3. */
import { EventEmitter } from 'node:events'
import type { Agent, IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { Readable, type Writable } from 'node:stream'
import type { ProxyServer, ServerOptions } from 'http-proxy-3'
import type { ListMember } from '../base/swap-remove-list.ts'
import type { OutgoingBody } from '../body/index.ts'
import { Decompression, type DecompressionListener } from './decompress.ts'
import { type ResponseHandler, TransportError, type UpstreamCall } from './transport.ts'

export type PipeOptions = ServerOptions & { readonly agent: Agent }

/** What all calls to one backend share. */
export interface PipeLine {
  readonly proxy: ProxyServer
  /** For the `host` header. */
  readonly host: string
  readonly isSecure: boolean
  /** For a request that may meet a connection which others have used. */
  readonly kept: PipeOptions
  /** Opens a connection for each request. */
  readonly fresh: PipeOptions
  /** The call needs nothing of the connection any more. */
  onOver(call: PipeCall): void
}

export interface PipedRequest {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: OutgoingBody | null
}

/** What the proxy takes for the response to a client. `close` makes it close the connection. */
export class ProxiedResponse extends EventEmitter {
  readonly call: PipeCall
  readonly headersSent = false
  readonly finished = false
  readonly writableFinished = false

  constructor(call: PipeCall) {
    super()
    this.call = call
  }
}

/** A kept-alive connection that the backend has closed fails this early. Later than this the request has been read. */
const STALE_WITHIN_MS = 1000

/**
 * The proxy is given objects in place of the client's request and response: it copies all headers of the one, and leaves
 * listeners on both. What it does is to open the connection, to write the head, and to report the response.
 */
export class PipeCall implements UpstreamCall, DecompressionListener, ListMember {
  listIndex = -1
  readonly #line: PipeLine
  readonly #request: PipedRequest
  readonly #handler: ResponseHandler
  #startedAt = 0
  #isRepeat = false
  #isSent = false
  /** One for each time that the request is sent. */
  #abort: ProxiedResponse | null = null
  #outgoing: (Writable & { readonly reusedSocket?: boolean }) | null = null
  #incoming: IncomingMessage | null = null
  #decompression: Decompression | null = null
  /** The handler is called no more. */
  #isSilent = false

  constructor(line: PipeLine, request: PipedRequest, handler: ResponseHandler) {
    this.#line = line
    this.#request = request
    this.#handler = handler
  }

  start(): void {
    this.#startedAt = performance.now()
    this.#send()
  }

  #send(): void {
    const { proxy, host, isSecure, kept, fresh } = this.#line
    const { method, path, headers, body } = this.#request
    const abort = new ProxiedResponse(this)
    const request = {
      method,
      url: path,
      httpVersionMajor: 1,
      headers: {
        ...headers,
        host,
        ...(body?.length !== undefined && { 'content-length': String(body.length) }),
      },
      socket: { destroyed: false },
      on() {},
      pipe: (outgoing: Writable) => {
        this.#outgoing = outgoing
        outgoing.once('socket', (socket: Socket) => {
          const connected = () => {
            this.#isSent = true
          }
          if (!socket.connecting) connected()
          else socket.once(isSecure ? 'secureConnect' : 'connect', connected)
        })
        sendBody(body, outgoing)
      },
    }
    this.#abort = abort
    // A body that arrives cannot be sent again: it must not meet a connection that the backend has just closed.
    const options = this.#isRepeat || body?.arriving !== undefined ? fresh : kept
    proxy.web(request as unknown as IncomingMessage, abort as unknown as ServerResponse, options, error =>
      this.#onRequestError(abort, error),
    )
  }

  // ------------------------------------------------------------ UpstreamCall

  get isSent(): boolean {
    return this.#isSent
  }

  pause(): void {
    if (this.#decompression !== null) this.#decompression.pause()
    else this.#incoming?.pause()
  }

  resume(): void {
    if (this.#decompression !== null) this.#decompression.resume()
    else this.#incoming?.resume()
  }

  cancel(): void {
    this.#silence()
    this.#abort?.emit('close')
    this.#abort = null
  }

  /** The owner has had the end of the response, so there is no rest to wait for. */
  release(): void {
    this.#silence()
  }

  #silence(): void {
    if (this.#isSilent) return
    this.#isSilent = true
    this.#decompression?.close()
    this.#decompression = null
    this.#line.onOver(this)
  }

  // ------------------------------------------------------------ from the proxy

  /** The head of the response has come. */
  onResponse(incoming: IncomingMessage): void {
    if (this.#isSilent) return void incoming.destroy()
    this.#incoming = incoming
    incoming.on('error', ignore)
    // A connection that closes inside the body is reported by no other event where the proxy pipes.
    incoming.on('close', () => {
      if (!incoming.complete) this.#fail('broken', new Error('the connection closed inside the body'))
    })
    const encoding = incoming.headers['content-encoding']
    if (encoding !== undefined) this.#decompression = Decompression.of(encoding, this)
    this.#handler.onHead(incoming.statusCode ?? 0, incoming.headers)
    incoming.on('data', (chunk: Buffer) => this.#onData(chunk))
    incoming.on('end', () => {
      if (!incoming.complete) return
      if (this.#decompression === null) this.onPlainEnd()
      else this.#decompression.end()
    })
  }

  #onData(chunk: Buffer): void {
    if (this.#isSilent) return
    if (this.#decompression === null) this.onPlainData(chunk)
    else if (!this.#decompression.write(chunk)) this.#incoming?.pause()
  }

  #onRequestError(abort: ProxiedResponse, error: Error): void {
    if (this.#isSilent || abort !== this.#abort) return
    if (this.#incoming !== null) return this.#fail('broken', error)
    const isReused = this.#outgoing?.reusedSocket === true
    if (isReused && !this.#isRepeat && performance.now() - this.#startedAt < STALE_WITHIN_MS) {
      this.#isRepeat = true
      return this.#send()
    }
    this.#fail(isReused || wasConnected(error) ? 'reset' : 'connect', error)
  }

  // ------------------------------------------------------------ DecompressionListener

  onPlainData(chunk: Buffer): void {
    if (this.#isSilent) return
    try {
      this.#handler.onData(chunk)
    } catch (thrown) {
      this.onPlainError(thrown as Error)
    }
  }

  onPlainDrain(): void {
    this.#incoming?.resume()
  }

  onPlainEnd(): void {
    if (this.#isSilent) return
    this.#silence()
    // The response has come before the end of the request; the backend does not read the rest.
    if (!this.#outgoing!.writableFinished) this.#abort?.emit('close')
    this.#handler.onEnd()
  }

  onPlainError(error: Error): void {
    this.#fail('broken', error)
  }

  #fail(kind: TransportError['kind'], error: Error): void {
    if (this.#isSilent) return
    this.cancel()
    this.#handler.onError(new TransportError(kind, error))
  }
}

function sendBody(body: OutgoingBody | null, outgoing: Writable): void {
  const opened = body?.open()
  if (opened === undefined || Buffer.isBuffer(opened)) return void outgoing.end(opened)
  const pieces = Readable.from(opened, { objectMode: false })
  outgoing.on('close', () => pieces.destroy())
  pieces.pipe(outgoing)
}

/** Errors of an open connection; all others come while it is opened. */
function wasConnected(error: Error & { readonly code?: string }): boolean {
  return error.code === 'ECONNRESET' || error.code === 'EPIPE' || error.code?.startsWith('HPE_') === true
}

function ignore(): void {}
