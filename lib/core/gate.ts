import { type GatewayError, toGatewayError } from '../errors/errors.ts'

/** One decision, and the plugin whose hook requested it. */
interface Hold {
  plugin: string | undefined
  readonly decision: Promise<void>
}

/**
 * Decisions that are made outside the process, such as limits in Redis. The hooks below run in the meantime. The
 * exchange is neither dispatched nor answered before all decisions are made (docs/adr/0016).
 */
export class Gate {
  #holds: Hold[] | null = null

  /** Closes the gate until the promise resolves. A rejection refuses the exchange. */
  hold(decision: Promise<void>): void {
    // #decide() handles rejections, but may run later. Without this, Node would report an unhandled rejection.
    decision.catch(ignore)
    const hold = { plugin: undefined, decision }
    if (this.#holds === null) this.#holds = [hold]
    else this.#holds.push(hold)
  }

  /** Sets the plugin of the decisions added since the last call. Their refusals name it. */
  attribute(plugin: string): void {
    if (this.#holds === null) return
    for (let i = this.#holds.length - 1; i >= 0 && this.#holds[i]!.plugin === undefined; i--)
      this.#holds[i]!.plugin = plugin
  }

  /**
   * Waits for every decision, so that no limit counts the request after its exchange has ended. Resolves with the
   * refusal of the topmost plugin that refused; undefined: the gate is open.
   */
  decision(): Promise<GatewayError | undefined> | undefined {
    return this.#holds === null ? undefined : this.#decide(this.#holds)
  }

  /** Waits for every decision, and rejects with the refusal. undefined: the gate is open. */
  opened(): Promise<void> | undefined {
    return this.decision()?.then(refusal => {
      if (refusal !== undefined) throw refusal
    })
  }

  async #decide(holds: Hold[]): Promise<GatewayError | undefined> {
    let refusal: GatewayError | undefined
    // A hook that is still running may add decisions to this list.
    for (const hold of holds) {
      try {
        await hold.decision
      } catch (thrown) {
        refusal ??= toGatewayError(thrown, hold.plugin)
      }
    }
    if (refusal === undefined) this.#holds = null
    return refusal
  }
}

function ignore(): void {}
