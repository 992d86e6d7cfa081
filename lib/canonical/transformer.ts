import type { GatewayError } from '../errors/errors.ts'
import type { ChatChunk, Sink } from './reply.ts'

/**
 * A stage of the reply: passes everything on, and subclasses override what they care about. Synchronous by design:
 * a linked call costs a five-hundredth of a web stream (docs/adr/0003). One instance serves one exchange.
 */
export abstract class Transformer implements Sink {
  next!: Sink
  chunk(chunk: ChatChunk): void {
    this.next.chunk(chunk)
  }
  end(): void {
    this.next.end()
  }
  fail(error: GatewayError): void {
    this.next.fail(error)
  }
}

/** Links stages in the order they are given in front of the last sink; returns the first. */
export function link(stages: readonly Transformer[], last: Sink): Sink {
  let next = last
  for (let i = stages.length - 1; i >= 0; i--) {
    const stage = stages[i]!
    stage.next = next
    next = stage
  }
  return next
}
