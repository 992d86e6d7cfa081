/** How the primary process asks all of its workers what each of them has. */
import type { Worker } from 'node:cluster'
import type { Aggregator } from 'prom-client'
import type { LivePeriod } from '../admin/live/counts.ts'
import type { ModelSnapshot } from '../backends/pool.ts'
import { isObject } from '../base/json.ts'

/** A metric as `getMetricsAsJSON()` of a worker's registry returns it. */
export interface WorkerMetric {
  readonly name: string
  readonly aggregator: Aggregator
}

/** What it asks for: the backends of their pools, what they have counted for the operators' pages, and their metrics. */
interface Answers {
  readonly metrics: readonly WorkerMetric[]
  readonly backends: readonly ModelSnapshot[]
  readonly live: LivePeriod
}

/** Longest wait for the workers. One that starts does not answer. */
const TIMEOUT_MS = 1000

/** In a worker: answers the primary. */
export function answerPrimaryAbout<K extends keyof Answers>(
  what: K,
  read: () => Answers[K] | Promise<Answers[K]>,
): void {
  process.on('message', async (message: unknown) => {
    if (isObject(message) && message.wants === what) process.send?.({ about: what, value: await read() })
  })
}

/** In the primary: an answer from each worker that answers in time. */
export async function askWorkersAbout<K extends keyof Answers>(
  what: K,
  workers: readonly Worker[],
  timeoutMs = TIMEOUT_MS,
): Promise<readonly Answers[K][]> {
  const answers = await Promise.all(workers.map(worker => ask(what, worker, timeoutMs)))
  return answers.filter(answer => answer !== undefined)
}

function ask<K extends keyof Answers>(what: K, worker: Worker, timeoutMs: number): Promise<Answers[K] | undefined> {
  return new Promise(resolve => {
    const onMessage = (message: unknown) => {
      if (isAnswer(what, message)) settle(message.value)
    }
    const onEnd = () => settle()
    const settle = (answer?: Answers[K]) => {
      worker.off('message', onMessage)
      worker.off('exit', onEnd)
      clearTimeout(timer)
      resolve(answer)
    }
    const timer = setTimeout(settle, timeoutMs)
    worker.on('message', onMessage)
    worker.on('exit', onEnd)
    if (worker.isConnected()) worker.send({ wants: what })
    else settle()
  })
}

function isAnswer<K extends keyof Answers>(what: K, message: unknown): message is { readonly value: Answers[K] } {
  return isObject(message) && message.about === what && typeof message.value === 'object'
}
