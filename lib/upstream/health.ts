import http, { type ClientRequest } from 'node:http'
import https from 'node:https'
import type { Backend } from './backend.ts'

export interface HealthOptions {
  readonly intervalMs: number
  readonly timeoutMs: number
}

/**
 * Asks one backend again and again whether it is well, until close(). A server error, a broken connection and silence
 * mean no. Any other answer means that somebody is at home: not every server has a health page, or shows it to everyone.
 * Each check opens a connection of its own, which is part of what it checks.
 */
export class HealthCheck {
  readonly #backend: Backend
  readonly #options: HealthOptions
  readonly #random: () => number
  #timer: NodeJS.Timeout
  #request: ClientRequest | undefined
  #closed = false

  constructor(backend: Backend, options: HealthOptions, random: () => number) {
    this.#backend = backend
    this.#options = options
    this.#random = random
    // The first request should find out what is wrong with a backend, not the first check.
    this.#timer = this.#checkIn(options.intervalMs * (1 + random()))
  }

  close(): void {
    this.#closed = true
    clearTimeout(this.#timer)
    this.#request?.destroy()
  }

  /** Never all backends at the same moment: the interval varies by a fifth to either side. */
  #next(): void {
    if (!this.#closed) this.#timer = this.#checkIn(this.#options.intervalMs * (0.8 + 0.4 * this.#random()))
  }

  #checkIn(ms: number): NodeJS.Timeout {
    return setTimeout(() => this.#check(), ms).unref()
  }

  #check(): void {
    const { url, profile } = this.#backend.config
    if (profile.health_path === null) return this.#done(true)
    try {
      this.#request = this.#ask(new URL(profile.health_path, url))
    } catch {
      // A header that cannot be sent, such as a key with a line break in it.
      this.#done(false)
    }
  }

  #ask(url: URL): ClientRequest {
    const { get } = url.protocol === 'https:' ? https : http
    const request = get(url, { agent: false, headers: this.#headers() })
    const deadline = setTimeout(() => request.destroy(), this.#options.timeoutMs).unref()
    let healthy = false
    request.on('socket', socket => socket.unref())
    request.on('response', response => {
      healthy = (response.statusCode ?? 500) < 500
      response.on('error', ignore)
      request.destroy()
    })
    request.on('error', ignore)
    request.on('close', () => {
      clearTimeout(deadline)
      this.#done(healthy)
    })
    return request
  }

  #done(healthy: boolean): void {
    if (this.#closed) return
    this.#backend.checked(healthy)
    this.#next()
  }

  #headers(): Record<string, string> {
    const { api_key, headers } = this.#backend.config
    return { ...(api_key !== undefined && { authorization: `Bearer ${api_key}` }), ...headers }
  }
}

function ignore(): void {}
