/** Builds the spans of requests with OpenTelemetry. Only this module loads the SDK. */
import {
  type Context,
  createTraceState,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  type Tracer,
  trace,
} from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources'
import { AlwaysOnSampler, BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base'
import type { AttemptPhase, CanonicalRequest, FinishPhase, Key, Services, TraceContext } from '../../../lib/plugin.ts'
import type { ReplyUsage } from '../../slots.ts'
import {
  type Address,
  addressOf,
  attemptAttributes,
  attemptError,
  operationAttributes,
  operationOf,
  requestAttributes,
  requestError,
  requestedAttributes,
  type SpanError,
} from './attributes.ts'
import { CountedExporter } from './counted-exporter.ts'
import type { Options } from './generated/options.ts'
import type { RequestSpans } from './request-spans.ts'
import { timeOf } from './token-watch.ts'

/** `service.name` of the spans, unless OTEL_SERVICE_NAME is set. */
const SERVICE = 'sluiceway'

/** Timeout of an export, retries included. */
const EXPORT_MS = 3000

/** Queued spans: about 10 MB. */
const MAX_QUEUE = 4096

/** Spans in one export. Serialising them takes a millisecond of the event loop. */
const BATCH = 128

/** Delay after which an incomplete batch is exported. */
const INTERVAL_MS = 1000

type Request = Pick<FinishPhase, 'route' | 'startedMicros' | 'trace'>

export class Tracing {
  readonly #options: Options
  readonly #provider: BasicTracerProvider
  readonly #tracer: Tracer
  /** By URL of the backend. */
  readonly #addresses = new Map<string, Address>()

  constructor(options: Options, services: Pick<Services, 'log' | 'metrics' | 'clock'>) {
    this.#options = options
    const otlp = new OTLPTraceExporter({
      url: tracesUrl(options.endpoint),
      timeoutMillis: EXPORT_MS,
      // A shutdown exports the whole queue at once.
      concurrencyLimit: MAX_QUEUE / BATCH + 1,
    })
    const exporter = new CountedExporter(otlp, options.endpoint, services)
    this.#provider = new BasicTracerProvider({
      resource: defaultResource()
        .merge(resourceFromAttributes({ 'service.name': SERVICE, 'process.pid': process.pid }))
        .merge(detectResources({ detectors: [envDetector] })),
      // begin() samples, so that the SDK does nothing for a request that is not traced.
      sampler: new AlwaysOnSampler(),
      spanProcessors: [
        new BatchSpanProcessor(exporter, {
          maxQueueSize: MAX_QUEUE,
          maxExportBatchSize: BATCH,
          scheduledDelayMillis: INTERVAL_MS,
        }),
      ],
    })
    this.#tracer = this.#provider.getTracer(SERVICE)
  }

  /**
   * Decides whether the request is traced, and starts its SERVER span. Under zero data retention the request has a
   * trace of its own, because the ids of the client's trace must not be kept.
   */
  begin(spans: RequestSpans, request: Request, model: string | undefined, zdr: boolean): void {
    const sent = this.#options.parent === 'trust' && !zdr ? request.trace : null
    spans.isSampled = sent === null ? Math.random() < this.#options.sample : isSampled(sent)
    spans.isContinued = sent !== null
    if (!spans.isSampled) return
    const operation = operationOf(request.route)
    const name = spanName(operation, model)
    const attributes = operationAttributes(operation, SERVICE, model)
    const span = { kind: SpanKind.SERVER, startTime: timeOf(request.startedMicros), attributes }
    spans.server = this.#tracer.startSpan(name, span, sent === null ? ROOT_CONTEXT : remoteParent(sent))
  }

  /** Starts the CLIENT span of an attempt, and makes it the parent of the engine's spans. */
  beginAttempt(spans: RequestSpans, exchange: AttemptPhase): void {
    const { server } = spans
    if (server === null) {
      // Headers of a trusted client already say so. Without headers an engine would start traces of its own.
      if (!spans.isContinued) exchange.setTrace(unsampled(exchange.id))
      return
    }
    const { attempt, route, startedMicros } = exchange
    const operation = operationOf(route)
    const { host, port } = this.#address(attempt.backend)
    const attributes = {
      ...operationAttributes(operation, attempt.engine, attempt.model),
      'server.address': host,
      'server.port': port,
    }
    const client = this.#tracer.startSpan(
      spanName(operation, attempt.model),
      { kind: SpanKind.CLIENT, startTime: timeOf(startedMicros + attempt.startedMs * 1000), attributes },
      trace.setSpan(ROOT_CONTEXT, server),
    )
    spans.clients.push(client)
    const { traceId, spanId } = client.spanContext()
    exchange.setTrace(`00-${traceId}-${spanId}-01`, spans.isContinued ? exchange.trace?.tracestate : undefined)
  }

  /**
   * Ends all spans of the request. `account`: undefined if it is not known. `request`: undefined under zero data
   * retention.
   */
  end(
    { server, clients }: RequestSpans,
    exchange: FinishPhase,
    account: Key['account'] | undefined,
    request: CanonicalRequest | undefined,
    usage: ReplyUsage | undefined,
  ): void {
    if (server === null) return
    const { attemptFacts, startedMicros, durationMs } = exchange
    const requested = requestedAttributes(request)
    for (const [i, client] of clients.entries()) {
      const facts = attemptFacts[i]!
      const isLast = i === clients.length - 1
      client.setAttributes(requested)
      client.setAttributes(attemptAttributes(facts, i, isLast ? usage : undefined))
      endSpan(client, attemptError(facts), startedMicros + facts.endedMs * 1000)
    }
    server.setAttributes(requested)
    server.setAttributes(requestAttributes(exchange, account, usage))
    endSpan(server, requestError(exchange), startedMicros + durationMs * 1000)
  }

  /** Exports the remaining spans, for a few seconds at most. */
  async close(): Promise<void> {
    // A failed export rejects, and has been counted and logged.
    await this.#provider.shutdown().catch(() => {})
  }

  #address(backend: string): Address {
    const known = this.#addresses.get(backend)
    if (known !== undefined) return known
    const address = addressOf(backend)
    this.#addresses.set(backend, address)
    return address
  }
}

function endSpan(span: Span, error: SpanError | undefined, micros: number): void {
  if (error !== undefined) span.setAttribute('error.type', error.type)
  if (error?.isFault === true) span.setStatus({ code: SpanStatusCode.ERROR })
  span.end(timeOf(micros))
}

function tracesUrl(endpoint: string): string {
  const base = endpoint.replace(/\/+$/, '')
  return base.endsWith('/v1/traces') ? base : `${base}/v1/traces`
}

function spanName(operation: string, model: string | undefined): string {
  return model === undefined ? operation : `${operation} ${model}`
}

/** The flags have a fixed position in a traceparent (https://www.w3.org/TR/trace-context/#traceparent-header). */
function isSampled({ traceparent }: TraceContext): boolean {
  return (Number.parseInt(traceparent.slice(53, 55), 16) & TraceFlags.SAMPLED) !== 0
}

function remoteParent({ traceId, traceparent, tracestate }: TraceContext): Context {
  return trace.setSpanContext(ROOT_CONTEXT, {
    traceId,
    spanId: traceparent.slice(36, 52),
    traceFlags: TraceFlags.SAMPLED,
    isRemote: true,
    ...(tracestate === undefined ? null : { traceState: createTraceState(tracestate) }),
  })
}

/** A traceparent without the sampled flag. The id of the exchange is a UUIDv7, which is random enough. */
function unsampled(id: string): string {
  const digits = id.replaceAll('-', '')
  return `00-${digits}-${digits.slice(16)}-00`
}
