/** Transcriptions: texts that are computed from the length and the name of the file. */
import type { JsonObject } from '../lib/base/json.ts'
import type { AudioForm } from './form.ts'

interface AudioReply {
  readonly mediaType: string
  /** Written separately, in order. */
  readonly parts: readonly string[]
}

/** The reply of a model to a form. */
export type AudioRoute = (form: AudioForm, model: string) => AudioReply

/** 16 kHz, one channel, 16 bits. */
const BYTES_PER_SECOND = 32_000
const CREATED = 1_700_000_000

const wordsOf = ({ bytes, filename }: AudioForm) => ['Simulated', 'words', 'of', `${bytes}`, 'bytes', 'in', filename]
const isTrue = (value: unknown) => value === 'true'

/** vLLM: usage in seconds; streams have vLLM's own events, with usage if requested. */
export const transcribeSeconds: AudioRoute = (form, model) => {
  const { fields } = form
  const words = wordsOf(form)
  if (isTrue(fields.stream)) {
    const head = { id: 'trsc-1', object: 'transcription.chunk', created: CREATED, model }
    const chunks: JsonObject[] = words.map((word, i) => ({
      ...head,
      choices: [{ delta: { content: `${i === 0 ? '' : ' '}${word}` }, finish_reason: null }],
    }))
    chunks.push({ ...head, choices: [{ delta: { content: '' }, finish_reason: 'stop', stop_reason: null }] })
    if (isTrue(fields.stream_include_usage)) {
      const prompt = Math.ceil(form.bytes / BYTES_PER_SECOND) * 50
      const usage = { prompt_tokens: prompt, total_tokens: prompt + words.length, completion_tokens: words.length }
      chunks.push({ ...head, choices: [], usage })
    }
    return events(chunks, 'data: [DONE]\n\n')
  }
  const text = words.join(' ')
  const seconds = Math.ceil(form.bytes / BYTES_PER_SECOND)
  if (fields.response_format === 'text') return whole('text/plain; charset=utf-8', `${text}\n`)
  if (fields.response_format !== 'verbose_json')
    return whole('application/json', JSON.stringify({ text, usage: { type: 'duration', seconds } }))
  const segments = [{ id: 0, start: 0, end: seconds, text, tokens: [], temperature: 0 }]
  return whole('application/json', JSON.stringify({ duration: String(seconds), language: 'en', text, segments }))
}

/** llama.cpp: usage in tokens; streams have OpenAI's events. */
export const transcribeTokens: AudioRoute = form => {
  const words = wordsOf(form)
  const text = words.join(' ')
  const input = Math.ceil(form.bytes / BYTES_PER_SECOND) * 25
  const output = words.length
  const usage = { type: 'tokens', input_tokens: input, output_tokens: output, total_tokens: input + output }
  const done = { type: 'transcript.text.done', text, usage }
  if (!isTrue(form.fields.stream)) return whole('application/json', JSON.stringify(done))
  const deltas = words.map((word, i) => ({ type: 'transcript.text.delta', delta: `${i === 0 ? '' : ' '}${word}` }))
  return events([...deltas, done], '')
}

function whole(mediaType: string, text: string): AudioReply {
  return { mediaType, parts: [text] }
}

function events(data: readonly JsonObject[], end: string): AudioReply {
  const parts = data.map(each => `data: ${JSON.stringify(each)}\n\n`)
  return { mediaType: 'text/event-stream; charset=utf-8', parts: end === '' ? parts : [...parts, end] }
}
