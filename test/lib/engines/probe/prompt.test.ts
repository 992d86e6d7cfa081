import { expect } from 'chai'
import type { JsonObject } from '../../../../lib/base/json.ts'
import { probePrompt } from '../../../../lib/engines/probe/prompt.ts'
import { sessionWith } from '../../../support/probe.ts'
import { closeSimulators, simulatorWith } from '../../../support/simulator.ts'
import { closeStubs, stubServer } from '../../../support/stub.ts'

/** A template that drops messages of other roles, and cuts reasoning out of earlier turns. */
function templateServer(roles: readonly string[]) {
  return stubServer({
    'POST /v1/chat/completions'({ messages }: JsonObject) {
      const turns = (Array.isArray(messages) ? messages : []) as JsonObject[]
      const used = turns.filter(({ role }) => roles.includes(String(role)))
      const texts = used.map(turn => String(turn.content).replace(/^<think>.*<\/think>\s*/s, ''))
      return { body: { choices: [{}], usage: { prompt_tokens: texts.join(' ').split(' ').length } } }
    },
  })
}

describe('engines/probe/prompt', () => {
  afterEach(async () => {
    await closeSimulators()
    await closeStubs()
  })

  it('finds the roles and places that a chat template takes', async () => {
    const found = async (system_inline: boolean, developer_role: boolean) => {
      const { root } = await simulatorWith({ system_inline, developer_role })
      return probePrompt(sessionWith(root), true)
    }
    expect(await found(false, false)).include({ system_inline: false, developer_role: false })
    expect(await found(true, false)).include({ system_inline: true, developer_role: false })
    expect(await found(false, true)).include({ system_inline: false, developer_role: true })
  })

  it('finds out whether reasoning of earlier turns can be carried on', async () => {
    const { root } = await simulatorWith()
    expect(await probePrompt(sessionWith(root), true)).include({ preserve_thinking: true })
    expect(await probePrompt(sessionWith(root), false)).include({ preserve_thinking: false })
  })

  it('does not count as supported what is accepted and dropped', async () => {
    const root = await templateServer(['user', 'assistant'])
    expect(await probePrompt(sessionWith(root), true)).deep.equal({
      system_inline: false,
      developer_role: false,
      preserve_thinking: false,
    })
  })

  it("keeps the engine's profile where the server counts no tokens", async () => {
    const session = sessionWith(await stubServer({ 'POST /v1/chat/completions': { body: { choices: [{}] } } }))
    expect(await probePrompt(session, true)).deep.equal({
      system_inline: false,
      developer_role: false,
      preserve_thinking: false,
    })
    expect(session.notes.join(' ')).match(/Does not count prompt tokens/)
  })
})
