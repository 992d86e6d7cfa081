/** Questions that the primary asks one of its workers, over the channel of the cluster. */
import type { Worker } from 'node:cluster'
import { isObject } from '../base/json.ts'
import { within } from '../base/timeout.ts'

const TIMEOUT_MS = 5000

let last = 0

/** Asks a worker. Rejects where it does not answer in five seconds. */
export function askWorker(worker: Worker, question: string): Promise<string> {
  const asked = ++last
  let stop = () => {}
  const answer = new Promise<string>(resolve => {
    const onMessage = (message: unknown) => {
      if (isObject(message) && message.answered === asked && typeof message.answer === 'string') resolve(message.answer)
    }
    stop = () => worker.off('message', onMessage)
    worker.on('message', onMessage)
    worker.send({ asked, question })
  })
  return within(TIMEOUT_MS, 'no worker has answered.', answer).finally(stop)
}

/** In a worker: answers the questions of the primary. */
export function answerPrimary(answer: (question: string) => string): void {
  process.on('message', (message: unknown) => {
    if (!isObject(message) || typeof message.asked !== 'number' || typeof message.question !== 'string') return
    process.send?.({ answered: message.asked, answer: answer(message.question) })
  })
}
