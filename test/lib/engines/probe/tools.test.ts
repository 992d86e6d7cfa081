import { expect } from 'chai'
import { probeTools } from '../../../../lib/engines/probe/tools.ts'
import { sessionWith } from '../../../support/probe.ts'
import { closeSimulators, simulatorWith } from '../../../support/simulator.ts'
import { closeStubs, stubServer } from '../../../support/stub.ts'

describe('engines/probe/tools', () => {
  afterEach(async () => {
    await closeSimulators()
    await closeStubs()
  })

  it('distinguishes engines that apply a named tool choice from those that do not', async () => {
    const named = async (engine: 'vllm' | 'sglang' | 'llama.cpp') => {
      const { root } = await simulatorWith({ engine, reasoning_by_default: false })
      return probeTools(sessionWith(root, engine))
    }
    const able = { tools: true, streaming_tools: true }
    expect(await named('vllm')).deep.equal({ ...able, named_tool_choice: true, stream_tools_logprobs: true })
    expect(await named('sglang')).deep.equal({ ...able, named_tool_choice: true, stream_tools_logprobs: true })
    expect(await named('llama.cpp')).deep.equal({ ...able, named_tool_choice: false, stream_tools_logprobs: false })
  })

  it('concludes from a refusal of tool_choice auto that tools are unsupported, and says what vLLM needs', async () => {
    const refusal = { status: 400, body: { error: { message: 'no tool parser' } } }
    const session = sessionWith(await stubServer({ 'POST /v1/chat/completions': refusal }))
    expect(await probeTools(session)).include({ tools: false, streaming_tools: false, named_tool_choice: undefined })
    expect(session.notes.join(' ')).match(/--tool-call-parser/)
  })

  it('concludes nothing from a missing call, and says so', async () => {
    const text = { body: { choices: [{ message: { content: 'Hello' } }] } }
    const session = sessionWith(await stubServer({ 'POST /v1/chat/completions': text }))
    expect(await probeTools(session)).include({
      tools: true,
      streaming_tools: undefined,
      named_tool_choice: undefined,
      stream_tools_logprobs: false,
    })
    expect(session.notes.join(' ')).match(/"required" did not make the model call a tool: it is unknown/)
  })
})
