/** Who has tried to sign in and was refused, for the audit log. */

export interface RefusedSignIn {
  /** What was given: `key`, `link`, `oidc`. Never what it was. */
  readonly by: string
  /** IP address of the client. */
  readonly address: string | null
}

/** `attempts`: how many since the entry before; `last` of them. */
export type NoteRefusals = (attempts: number, last: RefusedSignIn) => Promise<unknown>

const EVERY_MS = 60_000

/** Notes the first at once, and what follows within a minute together: attempts cannot fill the audit log, which is never pruned. */
export class RefusedSignIns {
  readonly #note: NoteRefusals
  readonly #everyMs: number
  #attempts = 0
  #last: RefusedSignIn | undefined
  #timer: NodeJS.Timeout | undefined

  /** `note` must not reject. */
  constructor(note: NoteRefusals, everyMs = EVERY_MS) {
    this.#note = note
    this.#everyMs = everyMs
  }

  add(refused: RefusedSignIn): void {
    this.#attempts++
    this.#last = refused
    if (this.#timer === undefined) this.#flush()
  }

  #flush(): void {
    this.#timer = undefined
    if (this.#last === undefined) return
    void this.#note(this.#attempts, this.#last)
    this.#attempts = 0
    this.#last = undefined
    this.#timer = setTimeout(() => this.#flush(), this.#everyMs).unref()
  }
}
