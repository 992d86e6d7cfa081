import type { Placement } from '../../backends/backend.ts'
import type { Usage } from '../../canonical/reply.ts'
import { type LoadedRequest, loadedRequest } from '../backend-load.ts'
import { CHUNK_BYTES } from '../chunk-hash.ts'
import type { PlacementContext } from '../placement.ts'
import type { Prompt } from '../prompt.ts'
import type { RoutedBackend } from '../routed-backend.ts'
import type { MovingMean } from '../samples.ts'
import { noticedMs } from './rule.ts'

/** A line of a batch at the backend that was chosen for it. It teaches nothing about the backend's speed. */
export class LinePlacement implements Placement {
  readonly request: LoadedRequest
  readonly #context: PlacementContext
  readonly #routed: RoutedBackend
  readonly #prompt: Prompt
  readonly #answerTokens: MovingMean
  /** Chunks that the backend had cached, and the life of the index in which the prompt is pinned. */
  readonly #expected: number
  readonly #life: number
  #hasEnded = false

  /** The line is sent to the backend now. `answerTokens`: gets the length of its answer. */
  constructor(context: PlacementContext, routed: RoutedBackend, prompt: Prompt, answerTokens: MovingMean) {
    const { backend, index, lines } = routed
    const { hashes, length } = prompt
    const { profile } = backend.config
    const { tokensPerByte } = context.tokens
    const now = context.clock.monotonic()
    this.#context = context
    this.#routed = routed
    this.#prompt = prompt
    this.#answerTokens = answerTokens
    this.#expected = index.match(hashes, true)
    const promptTokens = length * tokensPerByte
    const knownTokens = Math.min(this.#expected * CHUNK_BYTES * tokensPerByte, promptTokens)
    const prefillMs = routed.prefillMs(knownTokens, promptTokens)
    const begunBy =
      prompt.isStreamed || profile.always_stream
        ? Number.POSITIVE_INFINITY
        : now + lines.load.wait(now) + prefillMs + context.beliefs.floor.value
    this.request = loadedRequest({ promptTokens, newTokens: promptTokens - knownTokens, prefillMs }, begunBy)
    lines.load.sent(this.request, now)
    lines.sent(prefillMs, noticedMs(prefillMs, context.firstMs.value), now)
    routed.hasServed = true
    this.#life = index.pin(hashes, now, true)
    context.observer.placed(routed, prompt, true)
  }

  begun(): void {
    if (this.#hasEnded) return
    this.#routed.lines.load.begun(this.request, this.#context.clock.monotonic())
    this.#context.observer.changed(this.#routed)
  }

  ended(usage: Usage | undefined): void {
    if (this.#hasEnded) return
    this.#hasEnded = true
    const { lines, index } = this.#routed
    const { hashes } = this.#prompt
    const now = this.#context.clock.monotonic()
    const hadBegun = lines.load.ended(this.request, now)
    if (hadBegun || usage !== undefined) index.unpin(hashes, now, this.#life)
    else index.withdraw(hashes, this.request.sentAt, this.#life, this.#expected)
    if (usage !== undefined) this.#answerTokens.add(usage.completionTokens)
    this.#context.observer.changed(this.#routed)
  }
}
