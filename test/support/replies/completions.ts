import { expect } from 'chai'
import type OpenAI from 'openai'
import { usageOf } from './chat.ts'
import { type Frame, framesOf, type Outcome } from './outcome.ts'

type Event = OpenAI.Completion & { error?: { code: string } }

export function textReply(body: string): Outcome {
  const { choices, usage } = JSON.parse(body) as OpenAI.Completion
  const [{ text, finish_reason }] = choices as [OpenAI.CompletionChoice]
  return { text, reasoning: undefined, calls: [], finish: finish_reason, usage: usageOf(usage) }
}

export function textStream(body: string): Outcome {
  const frames = framesOf(body)
  const last = frames.at(-1) as Frame
  let text = ''
  let finish: string | null = null
  let usage: OpenAI.CompletionUsage | undefined
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
    text += choice.text
    finish = choice.finish_reason
  }
  expect(whole, 'a stream that did not fail ends with [DONE]').equal(true)
  return { text, reasoning: undefined, calls: [], finish: String(finish), usage: usageOf(usage) }
}
