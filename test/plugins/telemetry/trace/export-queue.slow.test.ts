import type { ReadableSpan } from '@opentelemetry/sdk-trace-base'
import { expect } from 'chai'
import { pino } from 'pino'
import { Metrics } from '../../../../lib/base/metrics.ts'
import { BATCH, ExportQueue, MOST_WAITING } from '../../../../plugins/telemetry/trace/export-queue.ts'
import { eventually } from '../../../support/gateway.ts'

type Settle = (error?: Error) => void

/** A queue in front of an exporter that settles its exports when the test says so. */
function queue() {
  const lines: Record<string, unknown>[] = []
  const exports: { readonly size: number; readonly settle: Settle }[] = []
  const metrics = new Metrics()
  const exporter = {
    export: (spans: readonly ReadableSpan[], done: (result: { code: number; error?: Error }) => void) => {
      exports.push({
        size: spans.length,
        settle: error => done(error === undefined ? { code: 0 } : { code: 1, error }),
      })
    },
    shutdown: () => Promise.resolve(),
  }
  const log = pino({ level: 'info' }, { write: line => void lines.push(JSON.parse(line) as Record<string, unknown>) })
  const made = new ExportQueue({ exporter, endpoint: 'http://collector', log, metrics })
  const add = (count: number) => {
    for (let i = 0; i < count; i++) made.onEnd({} as ReadableSpan)
  }
  const next = async () => {
    await eventually(() => exports.length > 0, 'an export')
    return exports.shift()!
  }
  const counted = async (name: string, reason?: string) => {
    const { values } = await metrics.registry.getSingleMetric(`sluiceway_trace_spans_${name}_total`)!.get()
    return values.find(({ labels }) => reason === undefined || labels.reason === reason)?.value ?? 0
  }
  return { made, add, next, exports, lines, counted }
}

describe('ExportQueue', () => {
  it('exports a full batch at once, one at a time, and never while a span ends', async () => {
    const { made, add, next, exports, counted } = queue()
    add(2 * BATCH + 1)
    expect(exports).deep.equal([])
    const sizes: number[] = []
    for (let i = 0; i < 3; i++) {
      const { size, settle } = await next()
      expect(exports).deep.equal([])
      sizes.push(size)
      settle()
    }
    expect(sizes).deep.equal([BATCH, BATCH, 1])
    await made.shutdown()
    expect(await counted('exported')).equal(2 * BATCH + 1)
  })

  it('exports a few spans after a while', async () => {
    const { made, add, next } = queue()
    add(1)
    const { size, settle } = await next()
    expect(size).equal(1)
    settle()
    await made.shutdown()
  })

  it('drops and counts what does not fit', async () => {
    const { made, add, next, counted } = queue()
    add(BATCH)
    const { settle } = await next()
    add(MOST_WAITING + 3)
    expect(await counted('dropped', 'queue_full')).equal(3)
    settle()
    void next().then(last => last.settle(new Error()))
    await made.shutdown()
  })

  it('logs once that the collector is down, and once that it is back', async () => {
    const { made, add, next, lines, counted } = queue()
    for (const error of [new Error('refused'), new Error('refused'), undefined, undefined]) {
      add(BATCH)
      const { settle } = await next()
      settle(error)
    }
    await made.shutdown()
    expect(lines.map(({ level, reason, endpoint }) => [level, reason, endpoint])).deep.equal([
      [40, 'refused', 'http://collector'],
      [30, undefined, 'http://collector'],
    ])
    expect(await counted('dropped', 'export_failed')).equal(2 * BATCH)
    expect(await counted('exported')).equal(2 * BATCH)
  })

  it('exports what is left at the end, and counts what a collector that hangs does not take', async () => {
    const { made, add, next, counted } = queue()
    add(1)
    const ending = made.shutdown()
    const { settle } = await next()
    settle()
    await ending
    expect(await counted('exported')).equal(1)

    const hanging = queue()
    hanging.add(BATCH + 5)
    await hanging.made.shutdown()
    expect(await hanging.counted('dropped', 'shutdown')).equal(5)
  })
})
