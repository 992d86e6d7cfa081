import { expect } from 'chai'
import { blocksOfTurn, tokensOf } from '../../../bench/routing/prepared.ts'
import { textOf } from '../../../bench/routing/text.ts'
import type { Piece, Turn } from '../../../bench/routing/workloads.ts'
import { blocksOf } from '../../../simulator/timed-engine.ts'

const turn = (...pieces: readonly Piece[]): Turn => ({ pieces, answerTokens: 1 })
const a = { id: 'a', tokens: 50 }
const b = { id: 'b', tokens: 70 }
const c = { id: 'c', tokens: 41 }

describe('prepared prompts', () => {
  it('have the blocks of their texts', () => {
    const turns = [turn(a, b), turn(a, b, c), turn(a, c, b), turn(b, a), turn(a), turn(a, { ...b, tokens: 71 })]
    const common = (one: readonly number[], other: readonly number[]) => one.filter(key => other.includes(key)).length
    for (const size of [16, 32]) {
      const byPieces = turns.map(one => blocksOfTurn(one, size))
      const byText = turns.map(({ pieces }) =>
        blocksOf(pieces.map(({ id, tokens }) => textOf(id, tokens)).join(''), size),
      )
      for (const [i] of turns.entries()) {
        expect(byPieces[i]).length(Math.floor(tokensOf(turns[i]!) / size))
        for (const [j] of turns.entries())
          expect(common(byPieces[i]!, byPieces[j]!)).equal(common(byText[i]!, byText[j]!))
      }
    }
  })
})
