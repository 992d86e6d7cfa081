import { tokenEnd } from './tokens.ts'

/** A part of the generated output. */
export interface Segment {
  /** `hidden`: generated and counted, but not sent. */
  readonly kind: 'content' | 'reasoning' | 'hidden' | 'tool'
  /** The text, or the arguments of a tool call. Only arguments may be empty. */
  readonly text: string
  readonly call?: { readonly index: number; readonly id: string; readonly name: string }
}

/** Arguments of tool calls are sent token by token or two characters at a time. */
type ArgumentPieces = 'tokens' | 'characters'

/** The complete content of one choice. */
export interface Script {
  readonly segments: readonly Segment[]
  readonly finish: string
  /** The stop string that ended the choice; null: none. */
  readonly matchedStop: string | null
  readonly argumentPieces: ArgumentPieces
  /** Tokens of all segments. A tool call has one for its name and one per piece of its arguments. */
  readonly tokens: number
  readonly reasoningTokens: number
}

export interface ScriptLimits {
  readonly maxTokens: number
  readonly stop: readonly string[]
  /** The stop string is kept in the text. */
  readonly keepStop: boolean
  readonly argumentPieces: ArgumentPieces
}

/** Cuts the segments at the first stop string or at the token limit. */
export function writeScript(planned: readonly Segment[], finish: string, limits: ScriptLimits): Script {
  const stop = applyStop(planned, limits)
  const segments: Segment[] = []
  let tokens = 0
  let reasoningTokens = 0
  let isCut = false
  for (const segment of stop.segments) {
    if (segment.text === '' && segment.kind !== 'tool') continue
    isCut = tokens >= limits.maxTokens
    if (isCut) break
    const part = firstPieces(segment, limits.maxTokens - tokens, limits.argumentPieces)
    segments.push({ ...segment, text: segment.text.slice(0, part.end) })
    tokens += part.pieces
    if (segment.kind === 'reasoning' || segment.kind === 'hidden') reasoningTokens += part.pieces
    isCut = part.end < segment.text.length
    if (isCut) break
  }
  return {
    segments,
    finish: isCut ? 'length' : stop.matched === null ? finish : 'stop',
    matchedStop: isCut ? null : stop.matched,
    argumentPieces: limits.argumentPieces,
    tokens,
    reasoningTokens,
  }
}

function applyStop(
  planned: readonly Segment[],
  limits: ScriptLimits,
): { segments: readonly Segment[]; matched: string | null } {
  for (const [i, segment] of planned.entries()) {
    if (segment.kind !== 'content') continue
    let at = -1
    let matched = ''
    for (const stop of limits.stop) {
      const found = segment.text.indexOf(stop)
      if (found === -1 || (at !== -1 && found >= at)) continue
      at = found
      matched = stop
    }
    if (at === -1) continue
    const text = segment.text.slice(0, limits.keepStop ? at + matched.length : at)
    return { segments: [...planned.slice(0, i), { ...segment, text }], matched }
  }
  return { segments: planned, matched: null }
}

/** The end of the segment's first `limit` pieces, and their number. */
function firstPieces(segment: Segment, limit: number, style: ArgumentPieces): { end: number; pieces: number } {
  let pieces = 0
  let end = 0
  while (pieces < limit && (end < segment.text.length || (pieces === 0 && segment.kind === 'tool'))) {
    end = pieceEnd(segment, end, pieces === 0, style)
    pieces++
  }
  return { end, pieces }
}

function pieceEnd(segment: Segment, at: number, isOpening: boolean, style: ArgumentPieces): number {
  const { text } = segment
  if (segment.kind !== 'tool') return tokenEnd(text, at)
  if (isOpening) return style === 'characters' ? Math.min(1, text.length) : 0
  if (style === 'tokens') return tokenEnd(text, at)
  const end = Math.min(at + 2, text.length)
  const splitsPair = end < text.length && (text.charCodeAt(end - 1) & 0xfc00) === 0xd800
  return splitsPair ? end + 1 : end
}

/** Iterates over a script token by token. */
export class Cursor {
  readonly script: Script
  segment: Segment
  /** Text of the current token. */
  text = ''
  /** The current token is the first of its segment. */
  isOpening = true
  /** Number of tokens so far. */
  count = 0
  #index = -1
  #at = 0

  constructor(script: Script) {
    this.script = script
    this.segment = { kind: 'content', text: '' }
  }

  get isDone(): boolean {
    return this.count >= this.script.tokens
  }

  /** Advances to the next token, which must exist. */
  advance(): void {
    this.isOpening = this.#at >= this.segment.text.length
    if (this.isOpening) {
      this.segment = this.script.segments[++this.#index]!
      this.#at = 0
    }
    const end = pieceEnd(this.segment, this.#at, this.isOpening, this.script.argumentPieces)
    this.text = this.segment.text.slice(this.#at, end)
    this.#at = end
    this.count++
  }
}
