import { expect } from 'chai'
import type { JsonObject } from '../../lib/base/json.ts'
import { at, CLOCK, chat, useSimulatedChat, WEATHER } from '../support/simulator.ts'

describe('simulator/tool-calls', () => {
  const { message } = useSimulatedChat()

  it('calls the tool that is forced or named in the prompt, with arguments of its schema', async () => {
    const tools = [CLOCK, WEATHER]
    const calls = async (content: string, more: JsonObject = {}) => {
      const { message: said, choice } = await message(chat(content, { tools, ...more }))
      const list = at(said, 'tool_calls')
      return [Array.isArray(list) ? list.map(item => at(item, 'function', 'name')) : [], at(choice, 'finish_reason')]
    }
    expect(await calls('Hello')).deep.equal([[], 'stop'])
    expect(await calls('use get_weather please')).deep.equal([['get_weather'], 'tool_calls'])
    expect(await calls('use get_weather, get_time')).deep.equal([['get_time', 'get_weather'], 'tool_calls'])
    expect(await calls('get_weather get_time', { parallel_tool_calls: false })).deep.equal([['get_time'], 'tool_calls'])
    expect(await calls('use get_weather_now', { tool_choice: 'auto' })).deep.equal([[], 'stop'])
    expect(await calls('use get_weather', { tool_choice: 'none' })).deep.equal([[], 'stop'])
    expect(await calls('Hello', { tool_choice: 'required' })).deep.equal([['get_time'], 'tool_calls'])
    // vLLM reports stop after a named call.
    const named = { tool_choice: { type: 'function', function: { name: 'get_weather' } } }
    expect(await calls('Hello', named)).deep.equal([['get_weather'], 'stop'])
    expect(await calls('simulate: tool=get_weather calls=2')).deep.equal([['get_weather', 'get_weather'], 'tool_calls'])

    const { message: said } = await message(chat('get_weather', { tools }))
    expect(at(said, 'content')).equal(null)
    const args = JSON.parse(String(at(said, 'tool_calls', 0, 'function', 'arguments')))
    expect(args.city).a('string')
    expect(args.days).a('number')
  })

  it('answers a tool result with text, so that an agent ends', async () => {
    const messages = [
      { role: 'user', content: 'use get_weather' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'a', type: 'function', function: { name: 'get_weather', arguments: '{}' } }],
      },
      { role: 'tool', tool_call_id: 'a', content: 'sunny' },
    ]
    const { message: said } = await message({ model: 'simulated', messages, tools: [WEATHER] })
    expect(at(said, 'tool_calls')).deep.equal([])
    expect(at(said, 'content')).match(/^You wrote/)
  })
})
