/** Requests and replies between the benchmark and its helper processes. */
import type { Pinned } from './processes.ts'

interface Question {
  readonly id: number
  readonly name: string
  readonly argument: unknown
}

interface Answer {
  readonly id: number
  readonly result?: unknown
  readonly error?: string
}

/** Time limit of a reply. */
const PATIENCE_MS = 180_000

/** The client side, in the benchmark's process. */
export class Helper {
  readonly #process: Pinned
  readonly #waiting = new Map<number, (answer: Answer) => void>()
  #next = 0

  constructor(process: Pinned) {
    this.#process = process
    process.child.on('message', (answer: Answer) => {
      this.#waiting.get(answer.id)?.(answer)
      this.#waiting.delete(answer.id)
    })
  }

  ask<Result>(name: string, argument: unknown = null): Promise<Result> {
    const id = this.#next++
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`${name}: no answer in ${PATIENCE_MS} ms`)), PATIENCE_MS)
      this.#waiting.set(id, ({ result, error }) => {
        clearTimeout(timer)
        if (error === undefined) resolve(result as Result)
        else reject(new Error(`${name}: ${error}`))
      })
      this.#process.child.send({ id, name, argument } satisfies Question)
    })
  }

  stop(): Promise<void> {
    return this.#process.stop()
  }
}

export type Answers = Readonly<Record<string, (argument: never) => unknown>>

/** The server side, called once in a helper process. The process ends with its parent. */
export function answer(answers: Answers): void {
  process.on('disconnect', () => process.exit(0))
  process.on('message', async ({ id, name, argument }: Question) => {
    const reply: Answer = await Promise.resolve()
      .then(() => answers[name]!(argument as never))
      .then(
        result => ({ id, result }),
        error => ({ id, error: error instanceof Error ? error.message : String(error) }),
      )
    process.send!(reply)
  })
}
