import type { Worker } from 'node:cluster'
import { EventEmitter } from 'node:events'
import { expect } from 'chai'
import { Counter, Registry } from 'prom-client'
import { metricsOfWorkers } from '../../../lib/process/worker-metrics.ts'

/** A worker that has counted to `count` and answers after `ask` has been called with it. */
function worker(count: number, ask: (worker: EventEmitter, answer: () => void) => void): Worker & EventEmitter {
  const registry = new Registry()
  new Counter({ name: 'asked_total', help: 'Asked.', registers: [registry] }).inc(count)
  const emitter = new EventEmitter()
  let dead = false
  emitter.on('exit', () => {
    dead = true
  })
  const answer = async () => emitter.emit('message', { about: 'metrics', value: await registry.getMetricsAsJSON() })
  return Object.assign(emitter, {
    id: 1,
    isConnected: () => !dead,
    isDead: () => dead,
    send: () => setImmediate(() => ask(emitter, () => void answer())),
  }) as unknown as Worker & EventEmitter
}

const answers = (count: number) => worker(count, (_, answer) => answer())

describe('metrics of workers', () => {
  it('are added up', async () => {
    expect(await metricsOfWorkers([answers(2), answers(3)])).match(/^asked_total 5$/m)
    expect((await metricsOfWorkers([])).trim()).equal('')
  })

  it('leave out one that ends while it is asked, at once', async () => {
    const ends = worker(3, emitter => emitter.emit('exit'))
    expect(await metricsOfWorkers([answers(2), ends], 2 ** 30)).match(/^asked_total 2$/m)
    expect([ends.listenerCount('message'), ends.listenerCount('exit')]).deep.equal([0, 1])
  })

  it('are not told while one that lives is silent: counters would seem to be reset', async () => {
    const silent = worker(3, () => {})
    const told = await metricsOfWorkers([answers(2), silent], 20).catch(String)
    expect(told).equal('Error: worker 1 has not told its metrics in 20 ms')
  })
})
