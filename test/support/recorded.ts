/**
 * Responses of a real llama-server 0.7.0 (build 11669, Debian) with the model of tiny-gguf.ts, without ids, times and
 * constant names.
 */
import { readFileSync } from 'node:fs'
import type { Json, JsonObject } from '../../lib/base/json.ts'

type Whole = 'chat_whole' | 'chat_whole_reasoning' | 'chat_whole_tool' | 'text_whole' | 'text_whole_logprobs'
type Stream =
  | 'chat_stream'
  | 'chat_stream_reasoning'
  | 'chat_stream_tool'
  | 'chat_stream_two'
  | 'chat_stream_two_timed'
  | 'chat_stream_logprobs'
  | 'text_stream'
type Refused = 'too_long' | 'bad_grammar' | 'bad_json' | 'no_vision' | 'bad_system' | 'loading' | 'unauthorized'

export type Recorded = Readonly<Record<Whole, JsonObject>> &
  Readonly<Record<Stream, readonly JsonObject[]>> &
  Readonly<Record<'text_stream_batch', readonly Json[]>> &
  Readonly<Record<Refused, { readonly status: number; readonly body: JsonObject }>>

export const LLAMA_SERVER = JSON.parse(
  readFileSync(new URL('../fixtures/llama-server-0.7.json', import.meta.url), 'utf8'),
) as Recorded
