import { expect } from 'chai'
import { PEER_PLANS } from '../../../bench/routing/peer-workloads.ts'
import { tokensOf } from '../../../bench/routing/prepared.ts'

const turnsOf = (name: keyof typeof PEER_PLANS, requests: number) =>
  PEER_PLANS[name](requests, 3).sessions.flatMap(session => session.turns)

describe("peers' workloads", () => {
  it('share 150 system prompts among five questions each', () => {
    const turns = turnsOf('shared-prompts', 600).slice(0, 750)
    const prompts = Map.groupBy(turns, ({ pieces }) => pieces[0]!.id)
    expect(prompts.size).equal(150)
    expect(new Set(Array.from(prompts.values(), ({ length }) => length))).deep.equal(new Set([5]))
    expect(new Set(turns.map(tokensOf))).deep.equal(new Set([7200]))
    expect(new Set(turns.map(({ pieces }) => pieces[1]!.id)).size).equal(750)
  })

  it('ask prompts with long answers three times', () => {
    const turns = turnsOf('long-answers', 600).slice(0, 600)
    const times = Map.groupBy(turns, ({ pieces }) => pieces[0]!.id)
    expect(new Set(Array.from(times.values(), ({ length }) => length))).deep.equal(new Set([3]))
    const answers = turns.map(({ answerTokens }) => answerTokens)
    expect(answers.reduce((a, b) => a + b, 0) / answers.length).within(7200, 8800)
  })

  it('have agents that begin with long prompts and grow by 632 tokens a turn', () => {
    const { sessions } = PEER_PLANS['long-agents'](6000, 3)
    const first = sessions.map(({ turns }) => turns[0]!.pieces[0]!.tokens).sort((a, b) => a - b)
    expect(first[0]).least(10_000)
    expect(first.at(-1)).most(780_000)
    expect(first[first.length >> 1]).within(120_000, 180_000)
    const grown = sessions.flatMap(({ turns }) => turns.slice(1).map((turn, i) => tokensOf(turn) - tokensOf(turns[i]!)))
    expect(grown.reduce((a, b) => a + b, 0) / grown.length).within(600, 664)
  })
})
