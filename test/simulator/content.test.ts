import { expect } from 'chai'
import { at, chat, useSimulatedChat } from '../support/simulator.ts'

describe('simulator/content', () => {
  const { message } = useSimulatedChat()

  it('has the finish reason stop and the string if a stop string ends it', async () => {
    const { choice, message: said } = await message(chat('simulate: say=one two three', { stop: ['three', ' two'] }))
    expect(choice).include({ finish_reason: 'stop', stop_reason: ' two' })
    expect(at(said, 'content')).equal('one')
  })

  it('generates exactly max_tokens with ignore_eos, and at least min_tokens', async () => {
    expect(at((await message(chat('Hello', { ignore_eos: true, max_tokens: 300 }))).usage, 'completion_tokens')).equal(
      300,
    )
    expect(at((await message(chat('Hello', { min_tokens: 77 }))).usage, 'completion_tokens')).equal(77)
  })
})
