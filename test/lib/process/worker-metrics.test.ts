import type { Worker } from 'node:cluster'
import { EventEmitter } from 'node:events'
import { expect } from 'chai'
import { Counter, Registry } from 'prom-client'
import { Metrics } from '../../../lib/base/metrics.ts'
import { metricsOfWorkers } from '../../../lib/process/worker-metrics.ts'

type Read = () => Promise<readonly object[]>

/** A worker with these metrics, which answers after `ask` has been called with it. */
function worker(read: Read, ask: (worker: EventEmitter, answer: () => void) => void): Worker & EventEmitter {
  const emitter = new EventEmitter()
  let dead = false
  emitter.on('exit', () => {
    dead = true
  })
  const answer = async () => emitter.emit('message', { about: 'metrics', value: await read() })
  return Object.assign(emitter, {
    id: 1,
    isConnected: () => !dead,
    isDead: () => dead,
    send: () => setImmediate(() => ask(emitter, () => void answer())),
  }) as unknown as Worker & EventEmitter
}

function counted(count: number): Read {
  const registry = new Registry()
  new Counter({ name: 'asked_total', help: 'Asked.', registers: [registry] }).inc(count)
  return () => registry.getMetricsAsJSON()
}

/** Metrics of a process whose event loop is delayed by this time. */
function delayed(seconds: number): Read {
  const metrics = new Metrics()
  metrics.collectProcess()
  return async () =>
    (await metrics.registry.getMetricsAsJSON()).map(metric =>
      metric.name.startsWith('nodejs_eventloop_lag') ? { ...metric, values: [{ value: seconds, labels: {} }] } : metric,
    )
}

const answering = (read: Read) => worker(read, (_, answer) => answer())
const answers = (count: number) => answering(counted(count))

describe('metrics of workers', () => {
  it('are added up', async () => {
    expect(await metricsOfWorkers([answers(2), answers(3)])).match(/^asked_total 5$/m)
    expect((await metricsOfWorkers([])).trim()).equal('')
  })

  it('show the worst event loop, and not the average', async () => {
    const text = await metricsOfWorkers([answering(delayed(0.02)), answering(delayed(0.4))])
    const lags = [...text.matchAll(/^nodejs_eventloop_lag(\S*)_seconds (\S+)$/gm)].map(([, kind, value]) => [
      kind,
      value,
    ])
    expect(Object.fromEntries(lags)).deep.equal({
      '': '0.4',
      _min: '0.02',
      _max: '0.4',
      _mean: '0.4',
      _stddev: '0.4',
      _p50: '0.4',
      _p90: '0.4',
      _p99: '0.4',
    })
  })

  it('leave out one that ends while it is asked, at once', async () => {
    const ends = worker(counted(3), emitter => emitter.emit('exit'))
    expect(await metricsOfWorkers([answers(2), ends], 2 ** 30)).match(/^asked_total 2$/m)
    expect([ends.listenerCount('message'), ends.listenerCount('exit')]).deep.equal([0, 1])
  })

  it('are not told while one that lives is silent: counters would seem to be reset', async () => {
    const silent = worker(counted(3), () => {})
    const told = await metricsOfWorkers([answers(2), silent], 20).catch(String)
    expect(told).equal('Error: worker 1 has not told its metrics in 20 ms')
  })
})
