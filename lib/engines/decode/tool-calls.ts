import { randomBytes } from 'node:crypto'
import { isObject, type Json, type JsonObject } from '../../base/json.ts'
import type { ToolCallDelta } from '../../canonical/reply.ts'

interface Call {
  /** The gateway's index: unique in the choice, ascending. */
  readonly index: number
  /** The backend's index, which several calls may share. */
  readonly at: number
  /** undefined until the backend has sent one, or the gateway has made one for the first delta. */
  id: string | undefined
  name: string
  /** Its first delta has been emitted. */
  sent: boolean
}

/**
 * Normalises the tool calls of one choice: engines split them differently. Each call gets an index of its own; its first
 * delta has the id and the whole name, later ones have arguments only. The first delta is held until the first arguments
 * arrive, because the name may come in pieces.
 */
export class ToolCalls {
  readonly #calls: Call[] = []
  readonly #latest = new Map<number, Call>()

  /** Fragments of a stream's `delta.tool_calls`. */
  read(fragments: readonly Json[]): ToolCallDelta[] | undefined {
    const deltas: ToolCallDelta[] = []
    for (const fragment of fragments) if (isObject(fragment)) this.#fragment(fragment, deltas)
    return deltas.length > 0 ? deltas : undefined
  }

  /** `message.tool_calls` of a whole reply: each entry is a call. */
  readWhole(calls: readonly Json[]): ToolCallDelta[] {
    return calls.filter(isObject).map(entry => {
      const call = this.#open(this.#calls.length, idOf(entry))
      call.name = nameOf(entry)
      return first(call, argumentsOf(entry))
    })
  }

  /** Calls without any arguments; emitted when the choice has finished. */
  rest(): ToolCallDelta[] | undefined {
    const unsent = this.#calls.filter(call => !call.sent)
    return unsent.length > 0 ? unsent.map(call => first(call, '')) : undefined
  }

  #fragment(fragment: JsonObject, deltas: ToolCallDelta[]): void {
    const id = idOf(fragment)
    const name = nameOf(fragment)
    const piece = argumentsOf(fragment)
    const call = this.#find(fragment.index, id, name)
    if (call.sent) {
      if (piece !== '') deltas.push({ index: call.index, id: undefined, name: undefined, arguments: piece })
      return
    }
    call.id ??= id
    // Some engines repeat the name in every fragment, others split it.
    if (name !== call.name) call.name += name
    if (piece !== '') deltas.push(first(call, piece))
  }

  #find(index: Json | undefined, id: string | undefined, name: string): Call {
    const at = typeof index === 'number' ? index : this.#guessIndex(id)
    const latest = this.#latest.get(at)
    if (latest === undefined) return this.#open(at, id)
    if (id === undefined) {
      const another = latest.sent && name !== '' && name !== latest.name
      return another ? this.#open(at, id) : latest
    }
    if (latest.id === id || latest.id === undefined) return latest
    // A new id at the same index is a new call (SGLang and others send every call as index 0).
    return this.#calls.find(call => call.at === at && call.id === id) ?? this.#open(at, id)
  }

  /** Without an index, the id identifies the call; a fragment with neither belongs to the last one. */
  #guessIndex(id: string | undefined): number {
    const known = id === undefined ? this.#calls.at(-1) : this.#calls.find(call => call.id === id)
    return known?.at ?? this.#calls.length
  }

  #open(at: number, id: string | undefined): Call {
    const call: Call = { index: this.#calls.length, at, id, name: '', sent: false }
    this.#calls.push(call)
    this.#latest.set(at, call)
    return call
  }
}

function first(call: Call, piece: string): ToolCallDelta {
  call.sent = true
  call.id ??= `call_${randomBytes(12).toString('hex')}`
  return { index: call.index, id: call.id, name: call.name, arguments: piece }
}

function idOf({ id }: JsonObject): string | undefined {
  return typeof id === 'string' && id !== '' ? id : undefined
}

function nameOf({ function: inner }: JsonObject): string {
  return isObject(inner) && typeof inner.name === 'string' ? inner.name : ''
}

function argumentsOf({ function: inner }: JsonObject): string {
  const value = isObject(inner) ? inner.arguments : undefined
  if (typeof value === 'string') return value
  return isObject(value) ? JSON.stringify(value) : ''
}
