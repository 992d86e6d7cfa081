import { expect } from 'chai'
import { SseDecoder } from '../../../lib/base/sse.ts'

export interface Call {
  readonly id: string
  readonly name: string
  /** JSON text, as the surface gave it; an input that came as an object is written as JSON. */
  readonly arguments: string
}

/** The content of a reply, whatever surface it was read from. */
export interface Told {
  readonly text: string
  /** undefined: this surface does not show it. */
  readonly reasoning: string | undefined
  readonly calls: readonly Call[]
  /** In the words of the surface. */
  readonly finish: string
  /** Zeros where the surface says nothing. */
  readonly usage: { readonly input: number; readonly output: number; readonly cached: number }
}

/** A failure: `status` where it came instead of an answer, `text` where it came in the middle of one. */
export interface Failed {
  readonly failed: string
  readonly status?: number
  readonly text?: string
}

export type Outcome = Told | Failed

export interface Frame {
  readonly event: string | undefined
  readonly data: string
}

/** The frames of a stream that ended properly. Comments are no frames. */
export function framesOf(text: string): readonly Frame[] {
  const frames: Frame[] = []
  const decoder = new SseDecoder((data, event) => frames.push({ event, data }))
  decoder.feed(Buffer.from(text))
  decoder.end()
  expect(decoder.pending, 'the stream ended inside an event').equal(false)
  return frames
}
