import type { GatewayError } from '../errors/errors.ts'
import type { Chunk, Sink } from './reply.ts'

/**
 * Base of the sinks that plugins put between decoder and encoder: passes everything on to `next`; subclasses override
 * what they change. One instance serves one exchange. Synchronous by design: a linked call costs a five-hundredth of
 * a web stream (docs/adr/0003).
 */
export abstract class Transformer implements Sink {
  /** Set by link(), before the first chunk. */
  next!: Sink
  chunk(chunk: Chunk): void {
    this.next.chunk(chunk)
  }
  end(): void {
    this.next.end()
  }
  fail(error: GatewayError): void {
    this.next.fail(error)
  }
}

/** Links transformers, in the order given, in front of the last sink. Returns the first sink of the line. */
export function link(transformers: readonly Transformer[], last: Sink): Sink {
  let next = last
  for (let i = transformers.length - 1; i >= 0; i--) {
    const transformer = transformers[i]!
    transformer.next = next
    next = transformer
  }
  return next
}
