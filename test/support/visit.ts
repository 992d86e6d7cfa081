/** One request of a browser, through the header hook of a console plugin. */
import { Readable, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { RouteName } from '../../lib/console.ts'
import { type GatewayError, toGatewayError } from '../../lib/errors/errors.ts'
import type { Plugin, Services } from '../../lib/plugin.ts'
import { testServices } from '../../lib/testing.ts'

export interface Visit {
  readonly route: RouteName | 'console-missing'
  readonly cookie?: string
  /** A form body, which play() of lib/testing.ts does not support. */
  readonly form?: string
  readonly query?: string
  readonly params?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly surface?: 'gateway' | 'api'
  /** Aborted when the browser disconnects. */
  readonly signal?: AbortSignal
}

export interface Visited {
  readonly status: number | undefined
  /** The body as text; empty for a stream. */
  readonly page: string
  readonly stream: Readable | undefined
  readonly headers: Readonly<Record<string, string>>
  readonly error: GatewayError | undefined
}

/** Sends the request, by default with the cookie of session `good`. */
export async function visit(plugin: Plugin, services: Partial<Services>, request: Visit): Promise<Visited> {
  const headers: Record<string, string> = {}
  const replies: { readonly status: number; readonly body: unknown }[] = []
  const exchange = {
    headers: { cookie: request.cookie ?? 'service_session=good', ...request.headers },
    route: { name: request.route },
    query: request.query ?? '',
    params: request.params ?? {},
    surface: request.surface ?? 'gateway',
    origin: 'http://acme.test',
    id: '01938a0b-0000-7000-8000-000000000001',
    signal: request.signal ?? new AbortController().signal,
    setHeader: (name: string, value: string) => void Object.assign(headers, { [name]: value }),
    reply: (status: number, body: unknown) => void replies.push({ status, body }),
    feedBody: (sink: Writable) => pipeline(Readable.from([Buffer.from(request.form ?? '')]), sink),
  }
  const hooks = await plugin.setup({} as never, testServices([], services))
  let error: GatewayError | undefined
  try {
    await hooks.onHeaders!(exchange as never)
  } catch (thrown) {
    error = toGatewayError(thrown)
  }
  const { status, body } = replies.at(-1) ?? {}
  return {
    status,
    page: typeof body === 'string' ? body : '',
    stream: body instanceof Readable ? body : undefined,
    headers,
    error,
  }
}
