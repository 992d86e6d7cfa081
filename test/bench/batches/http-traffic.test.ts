import { expect } from 'chai'
import { lineBodies, questions } from '../../../bench/batches/http-traffic.ts'

describe('requests over HTTP of the benchmark of batches', () => {
  it('are questions of the rate that is asked for, equal apart from their texts if only names differ', () => {
    const of = (name: string) => questions({ rate: 20, seconds: 50, seed: 1, name })
    const [one, other] = [of('a/'), of('b/')]
    expect(one.length).within(850, 1150)
    expect(one.every(({ at }) => at >= 0 && at < 50_000)).equal(true)
    const shape = (sessions: typeof one) =>
      sessions.map(({ at, turns }) => [at, turns[0]!.answerTokens, turns[0]!.pieces.map(({ tokens }) => tokens)])
    expect(shape(one)).deep.equal(shape(other))
    const texts = [...one, ...other].map(({ turns }) => turns[0]!.pieces[1]!.id)
    expect(new Set(texts)).length(one.length + other.length)
  })

  it('are lines with a common beginning, and a rest of their own', () => {
    const shape = { promptTokens: 100, equalTokens: 60, answerTokens: 7 }
    const bodies = [...lineBodies(shape, 0, 2), ...lineBodies(shape, 2, 2)].map(text => JSON.parse(text))
    expect(new Set(bodies.map(({ messages }) => messages[0].content))).length(1)
    expect(new Set(bodies.map(({ messages }) => messages[1].content))).length(4)
    const lengths = lineBodies({ ...shape, promptTokens: 101, answerTokens: 100 }, 0, 500).map(
      text => JSON.parse(text).max_tokens,
    )
    expect([Math.min(...lengths), Math.max(...lengths)]).deep.equal([20, 180])
    expect(lengths.reduce((a, b) => a + b) / 500).within(95, 105)
    expect(bodies[0].messages[0].content.length + bodies[0].messages[1].content.length).equal(400)
  })
})
