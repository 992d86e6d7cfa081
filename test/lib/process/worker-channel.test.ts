import type { Worker } from 'node:cluster'
import { EventEmitter } from 'node:events'
import { expect } from 'chai'
import { Counter, Registry } from 'prom-client'
import { Metrics } from '../../../lib/base/metrics.ts'
import { answerPrimary, askAboutRoute, askWorkers, metricsOfWorkers } from '../../../lib/process/worker-channel.ts'
import { eventually } from '../../support/gateway.ts'

type Read = () => unknown

interface Question {
  readonly id: number
  readonly topic: string
  readonly question: string
}

/**
 * A worker that reacts to each question, with answers by topic or by an exit. test/lib/cli/backends.slow.test.ts and
 * workers.slow.test.ts ask real workers.
 */
function worker(
  react: (answer: (read: Readonly<Record<string, Read>>) => void, emitter: EventEmitter, question: Question) => void,
  connected = true,
): Worker & EventEmitter {
  const emitter = new EventEmitter()
  let dead = false
  emitter.on('exit', () => {
    dead = true
  })
  return Object.assign(emitter, {
    id: 1,
    isConnected: () => connected && !dead,
    isDead: () => dead,
    send: (question: Question) => {
      const answer = async (read: Readonly<Record<string, Read>>) =>
        emitter.emit('message', { kind: 'answer', id: question.id, answer: await read[question.topic]!() })
      setImmediate(() => react(read => void answer(read), emitter, question))
    },
  }) as unknown as Worker & EventEmitter
}

describe('questions to workers', () => {
  it('get the answers of the workers that answer in time', async () => {
    const workers = [
      worker((answer, emitter, { id }) => {
        emitter.emit('message', { kind: 'readiness', unready: [], notes: [] })
        emitter.emit('message', { kind: 'answer', id: id - 1000, answer: [{ model: 'of another question' }] })
        answer({ backends: () => [{ model: 'm' }] })
      }),
      worker(() => {}),
      worker(answer => answer({ backends: () => [{ model: 'n' }] }), false),
    ]
    expect(await askWorkers('backends', workers, 300)).deep.equal([[{ model: 'm' }]])
    expect(workers.map(one => one.listenerCount('message'))).deep.equal([0, 0, 0])
  })

  it('get the answer that belongs to them, and leave no listener', async () => {
    const asked: Question[] = []
    const one = worker((_answer, _emitter, question) => asked.push(question))
    const [first, second] = [askAboutRoute(one, 'a'), askAboutRoute(one, 'b')]
    await eventually(() => asked.length === 2, 'both questions')
    one.emit('message', 'noise')
    for (const { id, question } of asked.toReversed())
      one.emit('message', { kind: 'answer', id, answer: `to ${question}` })
    expect(await Promise.all([first, second])).deep.equal(['to a', 'to b'])
    expect(one.listenerCount('message')).equal(0)
  })

  it('about routes are rejected if the worker ends', async () => {
    const ends = worker((_answer, emitter) => emitter.emit('exit'))
    expect(await askAboutRoute(ends, 'a').catch(String)).equal('Error: no worker has answered.')
  })

  it('are answered by a worker', async () => {
    const before = process.listeners('message')
    const { send } = process
    const sent: unknown[] = []
    process.send = (message: unknown) => sent.push(message) > 0
    try {
      answerPrimary({
        metrics: () => [],
        backends: async () => [],
        live: () => ({ backends: [], failures: [] }),
        route: question => question.toUpperCase(),
      })
      const [listener] = process.listeners('message').filter(one => !before.includes(one))
      const question = { kind: 'question', id: 3, topic: 'route', question: 'yes' }
      for (const message of [null, { ...question, kind: 'config' }, question]) listener!(message, undefined)
      process.off('message', listener!)
      await new Promise(setImmediate)
      expect(sent).deep.equal([{ kind: 'answer', id: 3, answer: 'YES' }])
    } finally {
      if (send === undefined) delete process.send
      else process.send = send
    }
  })
})

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

const answering = (read: Read) => worker(answer => answer({ metrics: read }))
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
    const ends = worker((_answer, emitter) => emitter.emit('exit'))
    expect(await metricsOfWorkers([answers(2), ends], 2 ** 30)).match(/^asked_total 2$/m)
    expect([ends.listenerCount('message'), ends.listenerCount('exit')]).deep.equal([0, 1])
  })

  it('are refused while a live worker is silent: counters would seem to be reset', async () => {
    const silent = worker(() => {})
    const thrown = await metricsOfWorkers([answers(2), silent], 20).catch(String)
    expect(thrown).equal('Error: worker 1 has not sent its metrics in 20 ms')
  })
})
