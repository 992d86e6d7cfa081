/** Messages between the primary and its workers, over the IPC channel of node:cluster. */
import type { Worker } from 'node:cluster'
import { type Aggregator, AggregatorRegistry } from 'prom-client'
import type { LivePeriod } from '../admin/live/counts.ts'
import type { ModelSnapshot } from '../backends/pool.ts'
import { isObject } from '../base/json.ts'
import type { Config } from '../config/config.ts'

/** A metric as `getMetricsAsJSON()` of a worker's registry returns it. */
interface WorkerMetric {
  readonly name: string
  readonly aggregator: Aggregator
}

/** The topics of questions that the primary asks a worker, with the type of each answer. */
interface Answers {
  readonly metrics: readonly WorkerMetric[]
  /** The backends of the worker's pool. */
  readonly backends: readonly ModelSnapshot[]
  /** Its counts for the operators' pages. */
  readonly live: LivePeriod
  /** Its answer to a question about routing (explain-route.ts). */
  readonly route: string
}

type Topic = keyof Answers

/** How a worker answers each topic. `question`: '' unless the topic needs one. */
type Answerers = { readonly [T in Topic]: (question: string) => Answers[T] | Promise<Answers[T]> }

/** Sent by a worker after a change of its readiness. */
export interface WorkerReadiness {
  readonly unready: readonly string[]
  readonly notes: readonly string[]
}

type Message =
  /** A new worker needs its configuration. */
  | { readonly kind: 'config-request' }
  /** The configuration to run: the answer to that, and sent again after each reload. */
  | { readonly kind: 'config'; readonly config: Config }
  /** A worker listens. Node emits no `listening` event if each worker has its own socket (`reuse_port`). */
  | { readonly kind: 'listening'; readonly url: string }
  | ({ readonly kind: 'readiness' } & WorkerReadiness)
  | { readonly kind: 'question'; readonly id: number; readonly topic: Topic; readonly question: string }
  | { readonly kind: 'answer'; readonly id: number; readonly answer: unknown }

export function isMessage<K extends Message['kind']>(
  message: unknown,
  kind: K,
): message is Extract<Message, { readonly kind: K }> {
  return isObject(message) && message.kind === kind
}

/** In a worker. Does nothing if the primary has ended. */
export function sendToPrimary(message: Message): void {
  process.send?.(message)
}

export function sendToWorker(worker: Worker, message: Message): void {
  worker.send(message)
}

/** How long the primary waits for an answer. A worker that still starts does not answer. */
const ANSWER_MS = 1000

/** How long the primary waits for metrics, which take a worker longer, and for an answer about routing. */
const LONG_ANSWER_MS = 5000

/** In a worker: answers the questions of the primary. */
export function answerPrimary(answerers: Answerers): void {
  process.on('message', async (message: unknown) => {
    if (!isMessage(message, 'question')) return
    const answer: unknown = await answerers[message.topic](message.question)
    sendToPrimary({ kind: 'answer', id: message.id, answer })
  })
}

/** In the primary: the answers of the workers that answer in time. */
export async function askWorkers<T extends Exclude<Topic, 'route'>>(
  topic: T,
  workers: readonly Worker[],
  timeoutMs = ANSWER_MS,
): Promise<readonly Answers[T][]> {
  const answers = await Promise.all(workers.map(worker => ask(topic, worker, timeoutMs)))
  return answers.filter(answer => answer !== undefined)
}

/** In the primary: the answer of one worker to a question about routing. Rejects if it does not answer in time. */
export async function askAboutRoute(worker: Worker, question: string): Promise<string> {
  const answer = await ask('route', worker, LONG_ANSWER_MS, question)
  if (answer === undefined) throw new Error('no worker has answered.')
  return answer
}

/**
 * Adds up metrics of live workers, and `own` of this process. Rejects if a worker does not answer in time: without it,
 * counters would seem reset.
 */
export async function metricsOfWorkers(
  workers: readonly Worker[],
  timeoutMs = LONG_ANSWER_MS,
  own: readonly WorkerMetric[] = [],
): Promise<string> {
  const all = await Promise.all(
    workers.map(async worker => {
      const metrics = await ask('metrics', worker, timeoutMs)
      if (metrics === undefined && worker.isConnected() && !worker.isDead())
        throw new Error(`worker ${worker.id} has not sent its metrics in ${timeoutMs} ms`)
      return metrics ?? []
    }),
  )
  return AggregatorRegistry.aggregate([own, ...all].map(metrics => metrics.map(withWorstDelay))).metrics()
}

/** Takes the maximum of event-loop delays. prom-client takes their average, which hides a blocked worker. */
function withWorstDelay(metric: WorkerMetric): WorkerMetric {
  const isAverage = metric.aggregator === 'average' && metric.name.startsWith('nodejs_eventloop_lag')
  return isAverage ? { ...metric, aggregator: 'max' } : metric
}

let lastId = 0

/** undefined: the worker has not answered in time, or has ended. */
function ask<T extends Topic>(
  topic: T,
  worker: Worker,
  timeoutMs: number,
  question = '',
): Promise<Answers[T] | undefined> {
  const id = ++lastId
  return new Promise(resolve => {
    const settle = (answer?: Answers[T]) => {
      worker.off('message', onMessage)
      worker.off('exit', onExit)
      clearTimeout(timer)
      resolve(answer)
    }
    const onMessage = (message: unknown) => {
      if (isMessage(message, 'answer') && message.id === id) settle(message.answer as Answers[T])
    }
    const onExit = () => settle()
    const timer = setTimeout(settle, timeoutMs)
    worker.on('message', onMessage)
    worker.on('exit', onExit)
    if (worker.isConnected()) sendToWorker(worker, { kind: 'question', id, topic, question })
    else settle()
  })
}
