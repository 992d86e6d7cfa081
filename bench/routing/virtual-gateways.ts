import type { Backend } from '../../lib/backends/pool.ts'
import { hashKey } from '../../lib/routing/chunk-hash.ts'
import { ModelRouting } from '../../lib/routing/model-routing.ts'
import { type Prompt, promptOf } from '../../lib/routing/prompt.ts'
import type { RoutedBackend } from '../../lib/routing/routed-backend.ts'
import { Sharing } from '../../lib/routing/sharing/sharing.ts'
import { ModelTokens } from '../../lib/tokens/token-ratios.ts'
import { chatRequest } from '../../test/support/canonical.ts'
import { messagesOf } from './text.ts'
import type { VirtualTime } from './virtual-time.ts'
import { hashed, type Random, type Turn } from './workloads.ts'

export interface VirtualGatewaysOptions {
  readonly count: number
  /** All requests of a session are sent to the same gateway. */
  readonly sticky: boolean
  /** Milliseconds until a message reaches the other gateways; undefined: gateways do not share. */
  readonly sharedAfterMs: number | undefined
}

/** One process, which learns and decides on its own. */
export interface VirtualGateway {
  readonly routing: ModelRouting
  readonly tokens: ModelTokens
  /** Expected time to the first token of the last answered request that had a prediction; 0: it was read. */
  predictedMs: number
  /** Called when the load of a backend changes. */
  onChanged: (() => void) | undefined
}

const KEY = hashKey(new Uint8Array(16).map((_, i) => i * 7 + 1))

/** The processes of one gateway, or several gateways, in virtual time, with the real policy and the real messages. */
export class VirtualGateways {
  readonly #options: VirtualGatewaysOptions
  readonly #random: Random
  readonly #all: VirtualGateway[]

  constructor(options: VirtualGatewaysOptions, time: VirtualTime, backends: Iterable<Backend>, random: Random) {
    this.#options = options
    this.#random = random
    const { count, sharedAfterMs } = options
    const sharings: Sharing[] = []
    this.#all = Array.from({ length: count }, (_, i) => {
      const tokens = new ModelTokens()
      const observer = {
        decided() {},
        cached() {},
        firstToken: (_routed: RoutedBackend, predictedMs: number) => {
          gateway.predictedMs = predictedMs
        },
        placed: (...placed: Parameters<Sharing['placed']>) => {
          sharings[i]?.placed(...placed)
          gateway.onChanged?.()
        },
        changed: (...changed: Parameters<Sharing['changed']>) => {
          sharings[i]?.changed(...changed)
          gateway.onChanged?.()
        },
      }
      const routing = new ModelRouting('m', time, tokens, observer, random)
      const gateway: VirtualGateway = { routing, tokens, predictedMs: 0, onChanged: undefined }
      for (const backend of backends) routing.of(backend)
      if (sharedAfterMs !== undefined && count > 1) {
        const publish = (message: string) => {
          time.after(sharedAfterMs, () => {
            for (const sharing of sharings) sharing.receive(message)
          })
        }
        const secret = 'of all processes of this run'
        const { after } = time
        const hasLines = () => gateway.onChanged !== undefined
        const backends = () => routing.backends
        sharings.push(new Sharing({ clock: time, id: String(i), secret, backends, publish, hasLines, after }))
      }
      return gateway
    })
  }

  get all(): readonly VirtualGateway[] {
    return this.#all
  }

  /** The first gateway. */
  get first(): VirtualGateway {
    return this.#all[0]!
  }

  /** The engines report the sizes of their caches. */
  reported(backend: Backend, cacheTokens: number): void {
    for (const { routing } of this.#all) routing.of(backend).cache.setReported(cacheTokens)
  }

  /** The backend is down. */
  lost(backend: Backend): void {
    for (const { routing } of this.#all) routing.of(backend).forget()
  }

  /** The gateway for the next request of this session. */
  of(session: string): VirtualGateway {
    const { count, sticky } = this.#options
    return this.#all[sticky ? hashed(`at ${session}`) % count : Math.floor(this.#random() * count)]!
  }
}

export function promptOfTurn(turn: Turn): Prompt {
  return promptOf(requestOf(turn), { key: KEY, seed: 'm', session: undefined, isSystemFirst: false, isPrivate: false })
}

export function requestOf(turn: Turn): ReturnType<typeof chatRequest> {
  return chatRequest({ messages: messagesOf(turn), stream: true })
}
