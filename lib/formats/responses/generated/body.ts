/** Generated from schemas/bodies/responses.json by `npm run generate`. Do not edit. */
import type { Json, JsonObject } from '../../../base/json.ts'

/** What has no type, or one that is not known here, is an unsupported_input_item: not refused here. Items are history, often handed back as some server wrote them: members that are not named are ignored and named in a response header. */

export type Item =
  | MessageItem
  | FunctionCallItem
  | FunctionCallOutputItem
  | {
      readonly type?: 'item_reference' | 'reasoning' | 'web_search_call' | null
    }
  | null

/** Types that are not known here are refused by the format. */
export type Part =
  | {
      readonly type: 'input_text' | 'output_text'
      readonly text: string
    }
  | {
      readonly type: 'refusal'
      readonly refusal: string
    }
  | {
      readonly type: 'input_image' | 'input_file' | 'input_audio'
    }

/** Other types are invalid_tool, and parameters that are no schema tool_schema_invalid: neither is refused here. */
export type Tool = FunctionTool | NamespaceTool | WebSearchTool | FileSearchTool

/** Other types, and types that a model cannot do, are unsupported_response_format: not refused here. */
export type TextFormat =
  | {
      readonly type: 'text' | 'json_object'
    }
  | {
      readonly type: 'json_schema'
      readonly name: string
      readonly description?: string | null
      readonly schema?: JsonObject | null
      readonly strict?: boolean | null
    }
  | {
      readonly type: 'grammar'
    }

/** Optional members may be null, which means absent. Members marked x-no-effect are accepted and change nothing. */
export interface ResponsesBody {
  /** An id or alias of the model list. */
  readonly model: string
  /** One message of the user, or a list of items. */
  readonly input: string | readonly Item[]
  /** A system message before everything else. */
  readonly instructions?: string | null
  readonly stream?: boolean | null
  /** Most tokens to generate, reasoning included. */
  readonly max_output_tokens?: number | null
  readonly temperature?: number | null
  readonly top_p?: number | null
  readonly seed?: number | null
  readonly tools?: readonly Tool[] | null
  readonly tool_choice?:
    | (
        | ('auto' | 'none' | 'required')
        | {
            readonly type: 'function'
            readonly name: string
          }
      )
    | null
  readonly parallel_tool_calls?: boolean | null
  readonly reasoning?: {
    /** low, medium, high, xhigh and max turn reasoning on; any other value turns it off. */
    readonly effort?: Json
  } | null
  readonly text?: {
    /** Other types, and types that a model cannot do, are unsupported_response_format: not refused here. */
    readonly format?: TextFormat | null
  } | null
  /** Refused with unsupported_parameter, which the format says. */
  readonly previous_response_id?: Json
  /** Repeated in the response. Name of the client's session, a hint for routing. */
  readonly metadata?: Json
  /** Repeated in the response, no other effect. */
  readonly prompt_cache_key?: Json
  /** Repeated in the response, no other effect. */
  readonly safety_identifier?: Json
  /** Repeated in the response, no other effect. */
  readonly truncation?: Json
  /** Repeated in the response, no other effect. */
  readonly user?: Json
}

export interface MessageItem {
  readonly type: 'message'
  readonly role: 'user' | 'assistant' | 'system' | 'developer'
  readonly content: string | readonly Part[]
}

export interface FunctionCallItem {
  readonly type: 'function_call'
  readonly call_id: string
  readonly name: string
  readonly namespace?: string | null
  /** JSON text, as the model wrote it. */
  readonly arguments: string
}

export interface FunctionCallOutputItem {
  readonly type: 'function_call_output'
  /** Its absence is missing_tool_call_id. */
  readonly call_id?: string | null
  /** null is an empty result. */
  readonly output: string | readonly Part[] | null
}

export interface FunctionTool {
  readonly type: 'function'
  readonly name: string
  readonly description?: string | null
  readonly parameters?: Json
  readonly strict?: boolean | null
}

export interface NamespaceTool {
  readonly type: 'namespace'
  readonly name: string
  readonly tools: readonly (
    | {
        readonly type: 'function'
        readonly name: string
        readonly description?: string | null
        readonly parameters?: Json
        readonly strict?: boolean | null
      }
    | {
        readonly type: 'web_search'
      }
  )[]
}

export interface WebSearchTool {
  readonly type: 'web_search'
}

export interface FileSearchTool {
  readonly type: 'file_search'
}
