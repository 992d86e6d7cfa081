/** Generated from schemas/bodies/messages.json by `npm run generate`. Do not edit. */
import type { Json, JsonObject } from '../../../base/json.ts'

export type Block =
  | TextBlock
  | ToolUseBlock
  | ToolResultBlock
  | ThinkingBlock
  | ToolReferenceBlock
  | ImageBlock
  | {
      readonly type: 'redacted_thinking' | 'document'
    }

export type ImageSource =
  | {
      readonly type: 'base64'
      readonly media_type: 'image/png' | 'image/jpeg' | 'image/jpg' | 'image/gif' | 'image/webp'
      readonly data: string
    }
  | {
      readonly type: 'url'
      readonly url: string
    }
  | {
      readonly type: 'file'
      readonly file_id: string
    }

/** Optional members may be null, which means absent. Members marked x-no-effect are accepted and change nothing. */
export interface MessagesBody {
  /** An id or alias of the model list. */
  readonly model: string
  readonly messages: readonly BodyMessage[]
  readonly system?:
    | (
        | string
        | readonly {
            readonly type: 'text'
            readonly text: string
          }[]
      )
    | null
  readonly tools?: readonly BodyTool[] | null
  readonly tool_choice?:
    | (
        | {
            readonly type: 'auto' | 'none' | 'any'
            readonly name?: string | null
            readonly disable_parallel_tool_use?: boolean | null
          }
        | {
            readonly type: 'tool'
            readonly name: string
            readonly disable_parallel_tool_use?: boolean | null
          }
      )
    | null
  readonly thinking?: {
    readonly type: 'enabled' | 'disabled' | 'adaptive'
  } | null
  readonly output_config?: {
    /** low, medium, high or max; any other value is ignored. */
    readonly effort?: Json
    /** Other types, and types that a model cannot do, are unsupported_response_format: not refused here. */
    readonly format?:
      | (
          | {
              readonly type: 'text' | 'json_object'
            }
          | {
              readonly type: 'json_schema'
              readonly name?: string | null
              readonly description?: string | null
              readonly schema?: JsonObject | null
              readonly strict?: boolean | null
            }
          | {
              readonly type: 'grammar'
            }
        )
      | null
  } | null
  /** An older name of output_config.format. */
  readonly output_format?:
    | (
        | {
            readonly type: 'text' | 'json_object'
          }
        | {
            readonly type: 'json_schema'
            readonly name?: string | null
            readonly description?: string | null
            readonly schema?: JsonObject | null
            readonly strict?: boolean | null
          }
        | {
            readonly type: 'grammar'
          }
      )
    | null
  readonly stop_sequences?: readonly string[] | null
  readonly temperature?: number | null
  readonly top_p?: number | null
  /** 0: all tokens. */
  readonly top_k?: number | null
  readonly stream?: boolean | null
  /** Refused with details of its own, which the format says. */
  readonly thread?: Json
  readonly max_tokens?: number | null
}

export interface BodyMessage {
  readonly role: 'user' | 'assistant' | 'system'
  /** Text, or blocks. Types that are unknown or cannot stand where they do are refused by the format. */
  readonly content: string | readonly Block[]
}

export interface TextBlock {
  readonly type: 'text'
  readonly text: string
}

export interface ToolUseBlock {
  readonly type: 'tool_use'
  readonly id: string
  readonly name: string
  readonly input?: JsonObject | null
}

export interface ToolResultBlock {
  readonly type: 'tool_result'
  /** Its absence is missing_tool_call_id. */
  readonly tool_use_id?: string | null
  /** null is an empty result. */
  readonly content?: (string | readonly Block[]) | null
  readonly is_error?: boolean | null
}

export interface ThinkingBlock {
  readonly type: 'thinking'
  readonly thinking: string
}

export interface ToolReferenceBlock {
  readonly type: 'tool_reference'
  readonly tool_name: string
}

export interface ImageBlock {
  readonly type: 'image'
  readonly source: ImageSource
}

/** A tool without type, or of type custom, is the client's own. Any other type is a tool that its vendor would run; here the client runs it, so settings of the vendor's side are ignored and named in a response header. A missing name and an input_schema that is no schema have codes of their own: neither is refused here. */
export interface BodyTool {
  readonly type?: string | null
  readonly name?: string | null
  readonly description?: string | null
  readonly strict?: boolean | null
  readonly input_schema?: Json
}
