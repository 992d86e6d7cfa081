import { BasicTracerProvider, BatchSpanProcessor, type SpanExporter } from '@opentelemetry/sdk-trace-base'
import { expect } from 'chai'
import { pino } from 'pino'
import { Metrics } from '../../../../lib/base/metrics.ts'
import { CountedExporter } from '../../../../plugins/telemetry/trace/counted-exporter.ts'
import { ManualClock } from '../../../support/clock.ts'

type Done = Parameters<SpanExporter['export']>[1]

/** An exporter with a queue of two spans. The test settles exports. */
function exporting() {
  const lines: Record<string, unknown>[] = []
  const pending: Done[] = []
  const metrics = new Metrics()
  const clock = new ManualClock()
  const log = pino({ level: 'info' }, { write: line => void lines.push(JSON.parse(line) as Record<string, unknown>) })
  const inner: SpanExporter = { export: (_, done) => void pending.push(done), shutdown: () => Promise.resolve() }
  const exporter = new CountedExporter(inner, 'http://collector', { log, clock, metrics })
  const processor = new BatchSpanProcessor(exporter, { maxQueueSize: 2, maxExportBatchSize: 1 })
  const tracer = new BasicTracerProvider({ spanProcessors: [processor] }).getTracer('test')
  const end = (count: number) => {
    for (let i = 0; i < count; i++) tracer.startSpan('one').end()
  }
  const settle = async (error?: Error) => {
    pending.shift()!(error === undefined ? { code: 0 } : { code: 1, error })
    await new Promise(setImmediate)
  }
  const counted = async (name: string) => {
    const { values } = await metrics.registry.getSingleMetric(`sluiceway_trace_spans_${name}_total`)!.get()
    return values.map(({ value, labels }) => [value, labels.reason])
  }
  const reasons = () => lines.map(({ level, reason, endpoint, msg }) => [level, reason, endpoint, msg])
  return { end, settle, counted, reasons, clock }
}

const dropped = (reason: string) => [40, reason, 'http://collector', 'trace spans are dropped']

describe('CountedExporter', () => {
  it('counts accepted and refused spans, and logs refused ones once per minute', async () => {
    const { end, settle, counted, reasons, clock } = exporting()
    for (const error of [
      undefined,
      Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }),
      new Error('again'),
    ]) {
      end(1)
      await settle(error)
    }
    expect(await counted('exported')).deep.equal([[1, undefined]])
    expect(await counted('dropped')).deep.equal([[2, 'export_failed']])
    expect(reasons()).deep.equal([dropped('ECONNREFUSED: refused')])
    clock.advance(60_000)
    end(1)
    await settle(new Error('later'))
    expect(reasons()).deep.equal([dropped('ECONNREFUSED: refused'), dropped('later')])
  })

  it('logs what the full queue of the SDK drops', async () => {
    const { end, settle, reasons } = exporting()
    // One is being exported, two wait.
    end(3 + 4)
    expect(reasons()).deep.equal([])
    await settle()
    end(1)
    expect(reasons()).deep.equal([dropped('Dropped 4 spans because maxQueueSize reached')])
  })
})
