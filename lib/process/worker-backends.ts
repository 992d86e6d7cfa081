/** How the primary process asks its workers for the backends of their pools. */
import type { Worker } from 'node:cluster'
import { isObject } from '../base/json.ts'
import type { ModelSnapshot } from '../upstream/pool.ts'

const REQUEST = 'backends'

/** Longest wait for the workers. One that ends or starts does not answer. */
const TIMEOUT_MS = 1000

interface Answer {
  readonly backends: readonly ModelSnapshot[]
}

/** In a worker: answers the primary. */
export function answerForBackends(snapshot: () => readonly ModelSnapshot[]): void {
  process.on('message', (message: unknown) => {
    if (isObject(message) && message.wants === REQUEST) process.send?.({ backends: snapshot() } satisfies Answer)
  })
}

/** In the primary: a snapshot from each worker that answers in time. */
export async function backendsOfWorkers(
  workers: readonly Worker[],
  timeoutMs = TIMEOUT_MS,
): Promise<readonly (readonly ModelSnapshot[])[]> {
  const answers = await Promise.all(workers.map(worker => ask(worker, timeoutMs)))
  return answers.filter(answer => answer !== undefined)
}

function ask(worker: Worker, timeoutMs: number): Promise<readonly ModelSnapshot[] | undefined> {
  return new Promise(resolve => {
    const onMessage = (message: unknown) => {
      if (isAnswer(message)) settle(message.backends)
    }
    const settle = (answer?: readonly ModelSnapshot[]) => {
      worker.off('message', onMessage)
      clearTimeout(timer)
      resolve(answer)
    }
    const timer = setTimeout(settle, timeoutMs)
    worker.on('message', onMessage)
    if (worker.isConnected()) worker.send({ wants: REQUEST })
    else settle()
  })
}

function isAnswer(message: unknown): message is Answer {
  return isObject(message) && Array.isArray(message.backends)
}
