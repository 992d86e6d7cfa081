import { expect } from 'chai'
import type { JsonObject } from '../../../lib/json.ts'
import { at, chat, closeSimulators, type Running, simulatorWith } from '../../support/simulator.ts'

const PATH = '/v1/chat/completions'

describe('simulate/content', () => {
  let vllm: Running

  beforeEach(async () => {
    vllm = await simulatorWith({ answer_tokens: 40 })
  })
  afterEach(closeSimulators)

  async function message(body: JsonObject) {
    const { json } = await vllm.post(PATH, body)
    return {
      message: at(json, 'choices', 0, 'message'),
      choice: at(json, 'choices', 0),
      usage: at(json, 'usage'),
      json,
    }
  }

  it('says stop, and which string it was, where a stop string ends it', async () => {
    const { choice, message: said } = await message(chat('simulate: say=one two three', { stop: ['three', ' two'] }))
    expect(choice).include({ finish_reason: 'stop', stop_reason: ' two' })
    expect(at(said, 'content')).equal('one')
  })

  it('goes on to exactly max_tokens where the end of the text is ignored, and to min_tokens', async () => {
    expect(at((await message(chat('Hello', { ignore_eos: true, max_tokens: 300 }))).usage, 'completion_tokens')).equal(
      300,
    )
    expect(at((await message(chat('Hello', { min_tokens: 77 }))).usage, 'completion_tokens')).equal(77)
  })
})
