/** Remote calls from the benchmark to its helper processes, over the IPC channel of Node. */
import type { Pinned } from './processes.ts'

interface CallMessage {
  readonly id: number
  readonly name: string
  readonly argument: unknown
}

interface ResultMessage {
  readonly id: number
  readonly result?: unknown
  readonly error?: string
}

/** Time limit of a call. */
const TIMEOUT_MS = 180_000

/** The client side, in the benchmark's process. */
export class Helper {
  readonly #process: Pinned
  readonly #waiting = new Map<number, (message: ResultMessage) => void>()
  #next = 0

  constructor(process: Pinned) {
    this.#process = process
    process.child.on('message', (message: ResultMessage) => {
      this.#waiting.get(message.id)?.(message)
      this.#waiting.delete(message.id)
    })
  }

  ask<Result>(name: string, argument: unknown = null): Promise<Result> {
    const id = this.#next++
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`${name}: no result in ${TIMEOUT_MS} ms`)), TIMEOUT_MS)
      this.#waiting.set(id, ({ result, error }) => {
        clearTimeout(timer)
        if (error === undefined) resolve(result as Result)
        else reject(new Error(`${name}: ${error}`))
      })
      this.#process.child.send({ id, name, argument } satisfies CallMessage)
    })
  }

  stop(): Promise<void> {
    return this.#process.stop()
  }
}

export type Handlers = Readonly<Record<string, (argument: never) => unknown>>

/** The server side, called once in a helper process. The process ends with its parent. */
export function serveCalls(handlers: Handlers): void {
  process.on('disconnect', () => process.exit(0))
  process.on('message', async ({ id, name, argument }: CallMessage) => {
    const reply: ResultMessage = await Promise.resolve()
      .then(() => handlers[name]!(argument as never))
      .then(
        result => ({ id, result }),
        error => ({ id, error: error instanceof Error ? error.message : String(error) }),
      )
    process.send!(reply)
  })
}
