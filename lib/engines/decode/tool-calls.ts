import { randomBytes } from 'node:crypto'
import { isObject, type Json, type JsonObject } from '../../base/json.ts'
import type { ToolCallDelta } from '../../canonical/reply.ts'

interface Call {
  /** The gateway's index: unique in the choice, ascending. */
  readonly index: number
  /** The backend's index. Several calls may share it. */
  readonly at: number
  /** undefined until the backend has sent an id, or the gateway has generated one for the first delta. */
  id: string | undefined
  name: string
  /** The first delta has been emitted. */
  isSent: boolean
}

/**
 * Normalises the tool calls of one choice. Each gets a unique index and id; its first delta has the id and the whole
 * name, and waits for the first arguments, because the name may arrive in pieces. Later deltas have arguments only.
 */
export class ToolCalls {
  readonly #calls: Call[] = []
  readonly #latest = new Map<number, Call>()
  /** The number of calls by their id. */
  readonly #ids = new Map<string, number>()

  /** Reads the fragments in `delta.tool_calls` of a stream. */
  read(fragments: readonly Json[]): ToolCallDelta[] | undefined {
    const deltas: ToolCallDelta[] = []
    for (const fragment of fragments) if (isObject(fragment)) this.#fragment(fragment, deltas)
    return deltas.length > 0 ? deltas : undefined
  }

  /** Reads `message.tool_calls` of a JSON reply: each entry is a call. */
  readWhole(calls: readonly Json[]): ToolCallDelta[] {
    return calls.filter(isObject).map(entry => {
      const call = this.#open(this.#calls.length, idOf(entry))
      call.name = nameOf(entry)
      return this.#first(call, argumentsOf(entry))
    })
  }

  /** The first deltas of calls without arguments. To be emitted when the choice has finished. */
  rest(): ToolCallDelta[] | undefined {
    const unsent = this.#calls.filter(call => !call.isSent)
    return unsent.length > 0 ? unsent.map(call => this.#first(call, '')) : undefined
  }

  #fragment(fragment: JsonObject, deltas: ToolCallDelta[]): void {
    const id = idOf(fragment)
    const name = nameOf(fragment)
    const piece = argumentsOf(fragment)
    const call = this.#find(fragment.index, id, name)
    if (call.isSent) {
      if (piece !== '') deltas.push({ index: call.index, id: undefined, name: undefined, arguments: piece })
      return
    }
    call.id ??= id
    // Some engines repeat the name in every fragment, others split the name.
    if (name !== call.name) call.name += name
    if (piece !== '') deltas.push(this.#first(call, piece))
  }

  #find(index: Json | undefined, id: string | undefined, name: string): Call {
    const at = typeof index === 'number' ? index : this.#guessIndex(id)
    const latest = this.#latest.get(at)
    if (latest === undefined) return this.#open(at, id)
    if (id === undefined || latest.id === id || latest.id === undefined) {
      const another = latest.isSent && name !== '' && name !== latest.name
      return another ? this.#open(at, id) : latest
    }
    // A new id at the same index is a new call: SGLang and others send every call with index 0.
    return this.#calls.findLast(call => call.at === at && call.id === id) ?? this.#open(at, id)
  }

  /** The id identifies the call. A fragment without index and id belongs to the last call. */
  #guessIndex(id: string | undefined): number {
    const known = id === undefined ? this.#calls.at(-1) : this.#calls.find(call => call.id === id)
    return known?.at ?? this.#calls.length
  }

  #open(at: number, id: string | undefined): Call {
    const call: Call = { index: this.#calls.length, at, id, name: '', isSent: false }
    this.#calls.push(call)
    this.#latest.set(at, call)
    return call
  }

  #first(call: Call, piece: string): ToolCallDelta {
    call.isSent = true
    call.id ??= `call_${randomBytes(12).toString('hex')}`
    return { index: call.index, id: this.#uniqueId(call.id), name: call.name, arguments: piece }
  }

  /** The id; `<id>_dup<n>` for the n-th call with this id. The plugin `tools` removes the ending from requests. */
  #uniqueId(id: string): string {
    const count = (this.#ids.get(id) ?? 0) + 1
    this.#ids.set(id, count)
    if (count === 1) return id
    const unique = `${id}_dup${count}`
    return this.#ids.has(unique) ? this.#uniqueId(id) : this.#uniqueId(unique)
  }
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
