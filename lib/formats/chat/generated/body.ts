/** Generated from schemas/bodies/chat-completions.json by `npm run generate`. Do not edit. */
import type { Json, JsonObject } from '../../../base/json.ts'

/** Messages are history, often handed back just as some server wrote it: members that are not named here are ignored and named in a response header, and those that would change what the model does are refused. */

export type BodyMessage =
  | {
      readonly role: 'system' | 'developer'
      /** Text, or a list of parts. Types of parts that are not known here are unsupported_feature, which the format says. */
      readonly content: string | readonly BodyPart[]
      readonly name?: string | null
    }
  | {
      readonly role: 'user'
      /** Text, or a list of parts. Types of parts that are not known here are unsupported_feature, which the format says. */
      readonly content: string | readonly BodyPart[]
      readonly name?: string | null
    }
  | {
      readonly role: 'assistant'
      /** Text, or a list of parts. Types of parts that are not known here are unsupported_feature, which the format says. */
      readonly content?: (string | readonly BodyPart[]) | null
      readonly name?: string | null
      /** Used as the content where there is none. */
      readonly refusal?: string | null
      /** Reasoning of this turn; sent on only where thinking is preserved. */
      readonly reasoning_content?: string | null
      /** Another name of reasoning_content. */
      readonly reasoning?: string | null
      readonly tool_calls?: readonly BodyToolCall[] | null
    }
  | {
      readonly role: 'tool'
      /** Without it: missing_tool_call_id. */
      readonly tool_call_id?: string | null
      /** null is an empty result. */
      readonly content?: (string | readonly BodyPart[]) | null
      readonly name?: string | null
    }

export type BodyPart =
  | {
      readonly type: 'text'
      readonly text: string
    }
  | {
      readonly type: 'refusal'
      readonly refusal: string
    }
  | {
      readonly type: 'image_url'
      /** Either an address or data of an image (url), or a file that was uploaded before (file_id). */
      readonly image_url: BodyImage
    }
  | {
      readonly type: 'input_audio' | 'file'
    }

/** Other types than function are unsupported_tool_type, and parameters that are no schema tool_schema_invalid: neither is refused here. */
export type BodyTool =
  | {
      readonly type: 'function'
      readonly function: {
        readonly name: string
        readonly description?: string | null
        readonly parameters?: Json
        readonly strict?: boolean | null
      }
    }
  | {
      readonly type: 'custom'
    }

/** Other types, and types that a model cannot do, are unsupported_response_format: not refused here. Few models take grammars, so what stands beside that type is judged after it. */
export type BodyResponseFormat =
  | {
      readonly type: 'text'
      readonly grammar?: Json
    }
  | {
      readonly type: 'json_object'
      readonly grammar?: Json
      /** JSON Schema that the reply follows, as llama.cpp takes it. */
      readonly schema?: JsonObject | null
    }
  | {
      readonly type: 'json_schema'
      readonly grammar?: Json
      readonly json_schema: {
        readonly name?: string | null
        readonly description?: string | null
        readonly schema?: JsonObject | null
        readonly strict?: boolean | null
      }
    }
  | {
      readonly type: 'grammar'
      /** Text of the grammar. */
      readonly grammar?: Json
    }
  | {
      readonly type: 'regex'
    }

/** Optional members may be null, which means absent. Members marked x-no-effect are accepted and change nothing. */
export interface ChatBody {
  /** An id or alias of the model list. */
  readonly model: string
  /** Items: Messages are history, often handed back just as some server wrote it: members that are not named here are ignored and named in a response header, and those that would change what the model does are refused. */
  readonly messages: readonly BodyMessage[]
  readonly stream?: boolean | null
  readonly n?: number | null
  readonly max_tokens?: number | null
  /** Another name of max_tokens. */
  readonly max_completion_tokens?: number | null
  readonly stop?: (string | readonly string[]) | null
  readonly temperature?: number | null
  readonly top_p?: number | null
  /** -1 or 0: all tokens. */
  readonly top_k?: number | null
  readonly min_p?: number | null
  readonly presence_penalty?: number | null
  readonly frequency_penalty?: number | null
  readonly repetition_penalty?: number | null
  readonly seed?: number | null
  /** Token ids and what is added to their logits. */
  readonly logit_bias?: {
    readonly [k: string]: number
  } | null
  readonly logprobs?: boolean | null
  readonly top_logprobs?: number | null
  readonly tools?: readonly BodyTool[] | null
  readonly tool_choice?:
    | (
        | ('auto' | 'none' | 'required')
        | {
            readonly type: 'function'
            readonly function: {
              readonly name: string
            }
          }
      )
    | null
  readonly parallel_tool_calls?: boolean | null
  /** Other types, and types that a model cannot do, are unsupported_response_format: not refused here. Few models take grammars, so what stands beside that type is judged after it. */
  readonly response_format?: BodyResponseFormat | null
  /** The whole answer matches this expression. */
  readonly regex?: string | null
  readonly reasoning_effort?: (('none' | 'low' | 'medium' | 'high' | 'max') | ('minimal' | 'xhigh')) | null
  readonly reasoning?: {
    readonly effort?: (('none' | 'low' | 'medium' | 'high' | 'max') | ('minimal' | 'xhigh')) | null
    readonly enabled?: boolean | null
  } | null
  readonly thinking?: {
    readonly type: 'enabled' | 'disabled'
    /** all: like preserve_thinking. */
    readonly keep?: 'all' | null
  } | null
  readonly chat_template_kwargs?: {
    readonly enable_thinking?: boolean | null
  } | null
  /** Carries reasoning_content of earlier turns into the prompt. */
  readonly preserve_thinking?: boolean | null
  /** Name of the client's session, a hint for routing. Not sent to backends. */
  readonly prompt_cache_key?: Json
}

/** Either an address or data of an image (url), or a file that was uploaded before (file_id). */
export interface BodyImage {
  readonly url?: string | null
  readonly file_id?: string | null
  readonly detail?: ('auto' | 'low' | 'high' | 'original') | null
}

export interface BodyToolCall {
  readonly id: string
  readonly type?: 'function' | null
  readonly function: {
    readonly name: string
    /** JSON text, as the model wrote it. */
    readonly arguments: string
  }
}
