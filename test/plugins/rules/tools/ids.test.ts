import { expect } from 'chai'
import type { AssistantMessage, Message, ToolMessage } from '../../../../lib/canonical/request.ts'
import { play } from '../../../../lib/testing.ts'
import tools from '../../../../plugins/rules/tools/index.ts'
import { chat } from '../../../../plugins/slots.ts'
import { chatRequest } from '../../../support/canonical.ts'

const turn = (...ids: string[]): AssistantMessage => ({
  role: 'assistant',
  content: null,
  toolCalls: ids.map(id => ({ id, name: 'look_up', arguments: '{}' })),
})
const result = (toolCallId: string): ToolMessage => ({ role: 'tool', toolCallId, content: '' })

/** The ids of calls and results as a backend is sent them, by message. */
async function restored(...messages: Message[]): Promise<string[]> {
  await play(tools, { route: 'chat', given: [[chat, chatRequest({ messages })]] })
  return messages.map(message =>
    message.role === 'tool' ? message.toolCallId! : (message as AssistantMessage).toolCalls!.map(({ id }) => id).join(),
  )
}

describe('ids of tool calls', () => {
  it('lose the ending if an earlier call of the turn has the bare id, and so do those of their results', async () => {
    const ids = await restored(turn('A', 'b', 'A_dup2', 'A_dup13'), result('A_dup2'), result('A'), result('A_dup13'))
    expect(ids).deep.equal(['A,b,A,A', 'A', 'A', 'A'])
  })

  it('stay byte by byte otherwise', async () => {
    const ids = ['A_dup2', 'A', 'A_dup1', 'A_dup02', 'A_dup', 'B_dup2', '_dup2', 'A_dup2 ']
    expect(await restored(turn(...ids), ...ids.map(result))).deep.equal([ids.join(), ...ids])
  })

  it('belong to the turn before the result', async () => {
    const ids = await restored(turn('A', 'A_dup2'), result('A_dup2'), turn('A_dup2'), result('A_dup2'), turn('A'))
    expect(ids).deep.equal(['A,A', 'A', 'A_dup2', 'A_dup2', 'A'])
  })
})
