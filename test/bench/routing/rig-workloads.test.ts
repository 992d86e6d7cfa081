import { expect } from 'chai'
import { tokensOf } from '../../../bench/routing/prepared.ts'
import { type RigName, rigPlan } from '../../../bench/routing/rig-workloads.ts'

const mean = (values: readonly number[]) => values.reduce((a, b) => a + b, 0) / values.length

function shapeOf(name: RigName) {
  const { sessions } = rigPlan(name, 2000, 7)
  const turns = sessions.flatMap(session => session.turns)
  return { sessions, turns, prompt: mean(turns.map(tokensOf)), answer: mean(turns.map(turn => turn.answerTokens)) }
}

describe('workloads of the rig', () => {
  it('are chats of two to eight turns with a common system prompt', () => {
    const { sessions, turns, prompt, answer } = shapeOf('chat')
    expect(prompt).within(3700, 4800)
    expect(answer).within(36, 46)
    expect(turns.every(({ pieces }) => pieces[0]!.id === 'rig-chat/system' && pieces[0]!.tokens === 1500)).equal(true)
    expect(Math.max(...sessions.map(session => session.turns.length))).equal(8)
    const pasted = turns.filter(({ pieces }) => pieces.at(-1)!.tokens > 1500)
    expect(pasted.length / turns.length).within(0.18, 0.32)
    expect(Math.max(...turns.map(tokensOf))).most(14_000)
  })

  it('are agents of three kinds', () => {
    const { turns, prompt, answer } = shapeOf('agent')
    expect(prompt).within(10_000, 12_000)
    expect(answer).within(29, 38)
    expect(new Set(turns.map(({ pieces }) => pieces[0]!.id)).size).equal(3)
    expect(new Set(turns.map(({ pieces }) => pieces[0]!.tokens))).deep.equal(new Set([4000]))
  })

  it('are questions about 60 documents', () => {
    const { turns, prompt, answer } = shapeOf('rag')
    expect(prompt).within(7500, 9500)
    expect(answer).within(38, 52)
    const documents = Map.groupBy(turns, ({ pieces }) => pieces[1]!.id)
    expect(documents.size).within(55, 60)
    const most = Math.max(...Array.from(documents.values(), ({ length }) => length))
    expect(most / turns.length).within(0.13, 0.22)
    for (const { pieces } of turns) expect(pieces[1]!.tokens).within(4000, 12_000)
  })
})
