import { request } from 'node:http'
import type { Socket } from 'node:net'

/** A connection through a proxy was not open in time, or the proxy has refused it. */
export class TunnelError extends Error {
  readonly isTimeout: boolean

  constructor(message: string, isTimeout = false) {
    super(message)
    this.isTimeout = isTimeout
  }
}

/**
 * Opens a connection through an HTTP proxy, by CONNECT (RFC 9110, section 9.3.6). `proxy`: `http://host:port`.
 * `authority`: host and port to which the proxy connects. Rejects if that takes more than `timeoutMs`.
 */
export function openTunnel(proxy: string, authority: string, timeoutMs: number, signal?: AbortSignal): Promise<Socket> {
  const { hostname, port } = new URL(proxy)
  return new Promise((resolve, reject) => {
    const asked = request({
      host: hostname.replace(/^\[|\]$/g, ''),
      port: port === '' ? 80 : Number(port),
      method: 'CONNECT',
      path: authority,
      headers: { host: authority },
      agent: false,
      ...(signal !== undefined && { signal }),
    })
    const timer = setTimeout(() => {
      asked.destroy(new TunnelError(`the proxy has opened no connection in ${timeoutMs} ms`, true))
    }, timeoutMs)
    asked.on('connect', ({ statusCode }, socket: Socket, head) => {
      clearTimeout(timer)
      if (statusCode !== 200) {
        socket.destroy()
        reject(new TunnelError(`the proxy answers ${statusCode}`))
        return
      }
      if (head.length > 0) socket.unshift(head)
      resolve(socket)
    })
    // A proxy that answers without a tunnel.
    asked.on('response', response => {
      response.destroy()
      asked.destroy(new TunnelError(`the proxy answers ${response.statusCode}`))
    })
    asked.on('error', error => {
      clearTimeout(timer)
      reject(error)
    })
    asked.end()
  })
}

/** Host and port of a URL, as CONNECT names them. */
export function authorityOf({ hostname, port, protocol }: Pick<URL, 'hostname' | 'port' | 'protocol'>): string {
  return `${hostname}:${port === '' ? (protocol === 'https:' ? 443 : 80) : port}`
}
