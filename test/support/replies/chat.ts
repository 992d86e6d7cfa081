import { expect } from 'chai'
import type OpenAI from 'openai'
import { type Call, type Frame, framesOf, type Outcome } from './outcome.ts'

type Message = OpenAI.ChatCompletionMessage & { reasoning_content?: string }
type Delta = OpenAI.ChatCompletionChunk.Choice.Delta & { reasoning_content?: string }
type Event = OpenAI.ChatCompletionChunk & { error?: { code: string } }

export function chatReply(body: string): Outcome {
  const { choices, usage } = JSON.parse(body) as OpenAI.ChatCompletion
  const [{ message, finish_reason }] = choices as [OpenAI.ChatCompletion.Choice]
  const { content, refusal, reasoning_content, tool_calls } = message as Message
  const calls = (tool_calls ?? []).flatMap(call =>
    call.type === 'function' ? [{ id: call.id, ...call.function }] : [],
  )
  return {
    text: (content ?? '') + (refusal ?? ''),
    reasoning: reasoning_content ?? '',
    calls,
    finish: finish_reason,
    usage: usageOf(usage),
  }
}

export function chatStream(body: string): Outcome {
  const frames = framesOf(body)
  const last = frames.at(-1) as Frame
  let text = ''
  let reasoning = ''
  let finish: string | null = null
  let usage: OpenAI.CompletionUsage | null | undefined
  const calls: Call[] = []
  const whole = last.data === '[DONE]'
  for (const frame of whole ? frames.slice(0, -1) : frames) {
    const event = JSON.parse(frame.data) as Event
    if (event.error !== undefined) {
      expect(frame, 'an error is the last event').equal(last)
      return { failed: event.error.code, text }
    }
    usage = event.usage ?? usage
    const [choice] = event.choices
    if (choice === undefined) continue
    expect(finish, 'nothing comes behind the finish').equal(null)
    const { content, refusal, reasoning_content, tool_calls } = choice.delta as Delta
    text += (content ?? '') + (refusal ?? '')
    reasoning += reasoning_content ?? ''
    if (tool_calls !== undefined) {
      // docs/api/chat-completions.md#stream: the whole array in one chunk.
      expect(calls, 'tool calls come once').deep.equal([])
      for (const [at, { index, id, type, function: called }] of tool_calls.entries()) {
        expect({ index, type }).deep.equal({ index: at, type: 'function' })
        calls.push({ id: id ?? '', name: called?.name ?? '', arguments: called?.arguments ?? '' })
      }
    }
    finish = choice.finish_reason
  }
  expect(whole, 'a stream that did not fail ends with [DONE]').equal(true)
  return { text, reasoning, calls, finish: String(finish), usage: usageOf(usage) }
}

export function usageOf(usage: OpenAI.CompletionUsage | null | undefined) {
  return {
    input: usage?.prompt_tokens ?? 0,
    output: usage?.completion_tokens ?? 0,
    cached: usage?.prompt_tokens_details?.cached_tokens ?? 0,
  }
}
