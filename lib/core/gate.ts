import { type GatewayError, toGatewayError } from '../errors/errors.ts'

/** One decision, and the plugin whose hook requested it. */
interface Hold {
  plugin: string | undefined
  readonly decision: Promise<void>
}

/** Outside decisions, such as limits in Redis. Hooks run meanwhile; dispatch and response wait (docs/adr/0016). */
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

  /** Waits for all decisions, so that none counts after the end. Resolves with the topmost refusal; undefined: open. */
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
