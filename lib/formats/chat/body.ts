/**
 * The body of POST /v1/chat/completions as schemas/bodies/chat-completions.json lets it through: types without code.
 * Optional members may be null, which means absent. Members without effect are left out.
 */
import type { Json, JsonObject } from '../../base/json.ts'

type Maybe<T> = T | null | undefined

export interface ChatBody {
  readonly model: string
  readonly messages: readonly BodyMessage[]
  readonly stream?: Maybe<boolean>
  readonly n?: Maybe<number>
  readonly max_tokens?: Maybe<number>
  readonly max_completion_tokens?: Maybe<number>
  readonly stop?: Maybe<string | string[]>
  readonly temperature?: Maybe<number>
  readonly top_p?: Maybe<number>
  readonly top_k?: Maybe<number>
  readonly min_p?: Maybe<number>
  readonly presence_penalty?: Maybe<number>
  readonly frequency_penalty?: Maybe<number>
  readonly repetition_penalty?: Maybe<number>
  readonly seed?: Maybe<number>
  readonly logit_bias?: Maybe<JsonObject>
  readonly logprobs?: Maybe<boolean>
  readonly top_logprobs?: Maybe<number>
  readonly regex?: Maybe<string>
  readonly response_format?: Maybe<BodyResponseFormat>
  readonly tools?: Maybe<readonly BodyTool[]>
  readonly tool_choice?: Maybe<'auto' | 'none' | 'required' | { readonly function: { readonly name: string } }>
  readonly parallel_tool_calls?: Maybe<boolean>
  readonly reasoning_effort?: Maybe<BodyEffort>
  readonly reasoning?: Maybe<{ readonly effort?: Maybe<BodyEffort>; readonly enabled?: Maybe<boolean> }>
  readonly thinking?: Maybe<{ readonly type: 'enabled' | 'disabled'; readonly keep?: Maybe<'all'> }>
  readonly chat_template_kwargs?: Maybe<{ readonly enable_thinking?: Maybe<boolean> }>
  readonly preserve_thinking?: Maybe<boolean>
}

export type BodyEffort = 'none' | 'low' | 'medium' | 'high' | 'max'

export interface BodyMessage {
  readonly role: 'system' | 'developer' | 'user' | 'assistant' | 'tool'
  readonly content?: Maybe<string | readonly BodyPart[]>
  readonly name?: Maybe<string>
  readonly reasoning_content?: Maybe<string>
  readonly reasoning?: Maybe<string>
  readonly refusal?: Maybe<string>
  readonly tool_calls?: Maybe<readonly BodyToolCall[]>
  readonly tool_call_id?: Maybe<string>
}

/** `type` decides which other members are there; of unknown types nothing else is known. */
export interface BodyPart {
  readonly type: string
  readonly text?: string
  readonly refusal?: string
  readonly image_url?: BodyImage
}

export interface BodyImage {
  readonly url?: Maybe<string>
  readonly file_id?: Maybe<string>
  readonly detail?: Maybe<string>
}

export interface BodyToolCall {
  readonly id: string
  readonly function: { readonly name: string; readonly arguments: string }
}

/** `function` is there where `type` says so; other types have no place here. */
export interface BodyTool {
  readonly type: string
  readonly function?: {
    readonly name: string
    readonly description?: Maybe<string>
    readonly parameters?: Maybe<Json>
    readonly strict?: Maybe<boolean>
  }
}

/** `json_schema` is there where `type` says so. */
export interface BodyResponseFormat {
  readonly type: string
  readonly json_schema?: {
    readonly name: string
    readonly schema?: Maybe<Json>
    readonly strict?: Maybe<boolean>
    readonly description?: Maybe<string>
  }
  readonly grammar?: Json
}
