/** What the router and the engines need of a prompt. Computed once per turn, because all runs have the same turns. */
import type { Prompt } from '../../lib/routing/prompt.ts'
import { type PromptSize, promptSize } from '../../lib/tokens/prompt-size.ts'
import { promptOfTurn, requestOf } from './virtual-gateways.ts'
import type { Piece, Turn } from './workloads.ts'

export interface PreparedPrompt {
  readonly prompt: Prompt
  readonly size: PromptSize
}

const prompts = new WeakMap<Turn, PreparedPrompt>()

export function preparedPrompt(turn: Turn): PreparedPrompt {
  let found = prompts.get(turn)
  if (found === undefined) {
    found = { prompt: promptOfTurn(turn), size: promptSize(requestOf(turn)) }
    prompts.set(turn, found)
  }
  return found
}

export function tokensOf({ pieces }: Turn): number {
  return pieces.reduce((sum, { tokens }) => sum + tokens, 0)
}

const allBlocks = new Map<number, PieceBlocks>()

/** The keys of the complete blocks of a prompt. Equal keys mean equal prompts up to the end of the block. */
export function blocksOfTurn(turn: Turn, blockTokens: number): readonly number[] {
  let blocks = allBlocks.get(blockTokens)
  if (blocks === undefined) {
    blocks = new PieceBlocks(blockTokens)
    allBlocks.set(blockTokens, blocks)
  }
  return blocks.of(turn)
}

/** The blocks that end within a piece, when it follows certain other pieces. */
interface Place {
  readonly id: number
  readonly firstKey: number
}

/** Numbers the blocks of prompts without their texts: a block is determined by all pieces up to its end. */
class PieceBlocks {
  readonly #blockTokens: number
  /** By the place of the piece before, and the piece. */
  readonly #places = new Map<string, Place>()
  readonly #known = new WeakMap<Turn, readonly number[]>()
  #keys = 0

  constructor(blockTokens: number) {
    this.#blockTokens = blockTokens
  }

  of(turn: Turn): readonly number[] {
    let keys = this.#known.get(turn)
    if (keys === undefined) {
      keys = this.#computed(turn.pieces)
      this.#known.set(turn, keys)
    }
    return keys
  }

  #computed(pieces: readonly Piece[]): readonly number[] {
    const keys: number[] = []
    let before = -1
    let end = 0
    for (const piece of pieces) {
      const first = Math.floor(end / this.#blockTokens)
      end += piece.tokens
      const count = Math.floor(end / this.#blockTokens) - first
      const place = this.#place(`${before} ${piece.id} ${piece.tokens}`, count)
      for (let i = 0; i < count; i++) keys.push(place.firstKey + i)
      before = place.id
    }
    return keys
  }

  #place(name: string, blocks: number): Place {
    let place = this.#places.get(name)
    if (place === undefined) {
      place = { id: this.#places.size, firstKey: this.#keys }
      this.#keys += blocks
      this.#places.set(name, place)
    }
    return place
  }
}
