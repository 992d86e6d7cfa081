import { type GatewayError, toGatewayError } from '../errors/errors.ts'

/** One decision, and the plugin whose hook asked for it. */
interface Hold {
  plugin: string | undefined
  readonly decision: Promise<void>
}

/**
 * What an exchange waits for before it is dispatched or answered: decisions that are made elsewhere, such as limits in
 * Redis. Hooks below run meanwhile (docs/adr/0016).
 */
export class Gate {
  #holds: Hold[] | null = null

  /** Nothing is being decided, and nothing was refused. */
  get isOpen(): boolean {
    return this.#holds === null
  }

  /** Closes the gate until this resolves. A rejection is the refusal of the exchange. undefined: decided already. */
  hold(decision: Promise<void> | void): void {
    if (decision === undefined) return
    // The rejection is handled when the gate is waited for, which may be later.
    decision.catch(ignore)
    const hold = { plugin: undefined, decision }
    if (this.#holds === null) this.#holds = [hold]
    else this.#holds.push(hold)
  }

  /** Names the plugin whose hook has run since the last call: its decisions refuse in its name. */
  attribute(plugin: string): void {
    if (this.#holds === null) return
    for (let i = this.#holds.length - 1; i >= 0 && this.#holds[i]!.plugin === undefined; i--)
      this.#holds[i]!.plugin = plugin
  }

  /**
   * Waits for every decision, so that nothing is taken after the exchange has ended. Returns the refusal of the topmost
   * plugin that refused; undefined: the gate is open.
   */
  decision(): Promise<GatewayError | undefined> | undefined {
    return this.#holds === null ? undefined : this.#decide(this.#holds)
  }

  /** The same, but rejects with the refusal. */
  opened(): Promise<void> | undefined {
    return this.decision()?.then(refusal => {
      if (refusal !== undefined) throw refusal
    })
  }

  async #decide(holds: Hold[]): Promise<GatewayError | undefined> {
    let refusal: GatewayError | undefined
    // A hook that is still running may add more.
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
