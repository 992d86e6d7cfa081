/** An OTLP collector for tests: keeps the received spans, and answers as the test sets. */
import http from 'node:http'
import type { AddressInfo } from 'node:net'

export interface CollectedSpan {
  readonly traceId: string
  readonly spanId: string
  /** Empty: none. */
  readonly parentSpanId: string
  readonly traceState: string
  readonly name: string
  readonly kind: 'SERVER' | 'CLIENT' | number
  readonly startMs: number
  readonly endMs: number
  readonly attributes: Readonly<Record<string, unknown>>
  readonly events: readonly { readonly name: string; readonly attributes: Readonly<Record<string, unknown>> }[]
  /** 0 unset, 1 ok, 2 error. */
  readonly status: number
}

export interface Collector {
  readonly url: string
  readonly spans: CollectedSpan[]
  /** Bodies, as received. */
  readonly bodies: string[]
  /** Attributes of the resource of the last spans. */
  resource: Readonly<Record<string, unknown>>
  /** Status of the next responses. */
  status: number
  close(): Promise<void>
}

export async function collector(port = 0): Promise<Collector> {
  const server = http.createServer((req, res) => {
    const parts: Buffer[] = []
    req.on('data', (part: Buffer) => parts.push(part))
    req.on('end', () => {
      const text = Buffer.concat(parts).toString()
      if (self.status === 200 && req.url === '/v1/traces' && req.method === 'POST') take(self, text)
      res.writeHead(self.status, { 'content-type': 'application/json' }).end('{}')
    })
  })
  await new Promise<void>(resolve => server.listen(port, '127.0.0.1', resolve))
  const self: Collector = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans: [],
    bodies: [],
    resource: {},
    status: 200,
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return self
}

/** https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding */
interface Exported {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly KeyValue[] }
    readonly scopeSpans: readonly { readonly spans: readonly ExportedSpan[] }[]
  }[]
}

interface KeyValue {
  readonly key: string
  readonly value: Value
}

interface Value {
  readonly stringValue?: string
  readonly intValue?: string | number
  readonly doubleValue?: number
  readonly boolValue?: boolean
  readonly arrayValue?: { readonly values: readonly Value[] }
}

interface ExportedSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly traceState?: string
  readonly name: string
  readonly kind: number
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly attributes: readonly KeyValue[]
  readonly events: readonly { readonly name: string; readonly attributes?: readonly KeyValue[] }[]
  readonly status: { readonly code?: number }
}

function take(self: Collector, text: string): void {
  self.bodies.push(text)
  const { resourceSpans } = JSON.parse(text) as Exported
  for (const { resource, scopeSpans } of resourceSpans) {
    self.resource = valuesOf(resource.attributes)
    for (const { spans } of scopeSpans) self.spans.push(...spans.map(collected))
  }
}

const KINDS: Readonly<Record<number, 'SERVER' | 'CLIENT'>> = { 2: 'SERVER', 3: 'CLIENT' }

function collected(span: ExportedSpan): CollectedSpan {
  return {
    traceId: span.traceId,
    spanId: span.spanId,
    parentSpanId: span.parentSpanId ?? '',
    traceState: span.traceState ?? '',
    name: span.name,
    kind: KINDS[span.kind] ?? span.kind,
    startMs: Number(span.startTimeUnixNano) / 1e6,
    endMs: Number(span.endTimeUnixNano) / 1e6,
    attributes: valuesOf(span.attributes),
    events: span.events.map(({ name, attributes = [] }) => ({ name, attributes: valuesOf(attributes) })),
    status: span.status.code ?? 0,
  }
}

function valuesOf(attributes: readonly KeyValue[]): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, plain(value)]))
}

function plain({ stringValue, intValue, doubleValue, boolValue, arrayValue }: Value): unknown {
  if (arrayValue !== undefined) return arrayValue.values.map(plain)
  return stringValue ?? (intValue === undefined ? (doubleValue ?? boolValue) : Number(intValue))
}
