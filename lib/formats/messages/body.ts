/**
 * The body of POST /v1/messages as schemas/bodies/messages.json lets it through: types without code. Optional members
 * may be null, which means absent. Members without effect are left out. See docs/api/messages.md#request.
 */
import type { Json, JsonObject } from '../../base/json.ts'

export type Maybe<T> = T | null | undefined

export interface MessagesBody {
  readonly model: string
  /** Absent when tokens are counted. */
  readonly max_tokens?: Maybe<number>
  readonly messages: readonly BodyMessage[]
  readonly system?: Maybe<string | readonly TextBlock[]>
  readonly tools?: Maybe<readonly BodyTool[]>
  readonly tool_choice?: Maybe<BodyToolChoice>
  readonly thinking?: Maybe<{ readonly type: 'enabled' | 'disabled' | 'adaptive' }>
  readonly output_config?: Maybe<{ readonly effort?: Json }>
  readonly stop_sequences?: Maybe<readonly string[]>
  readonly temperature?: Maybe<number>
  readonly top_p?: Maybe<number>
  readonly top_k?: Maybe<number>
  readonly stream?: Maybe<boolean>
  readonly thread?: Json
}

export interface BodyMessage {
  readonly role: 'user' | 'assistant' | 'system'
  readonly content: string | readonly Block[]
}

export type Block =
  | TextBlock
  | ImageBlock
  | ToolUseBlock
  | ToolResultBlock
  | ThinkingBlock
  | RedactedThinkingBlock
  | ToolReferenceBlock
  | DocumentBlock

export interface TextBlock {
  readonly type: 'text'
  readonly text: string
}

export interface ImageBlock {
  readonly type: 'image'
  readonly source: ImageSource
}

export type ImageSource =
  | { readonly type: 'base64'; readonly media_type: string; readonly data: string }
  | { readonly type: 'url'; readonly url: string }
  | { readonly type: 'file'; readonly file_id: string }

export interface ToolUseBlock {
  readonly type: 'tool_use'
  readonly id: string
  readonly name: string
  readonly input?: Maybe<JsonObject>
}

export interface ToolResultBlock {
  readonly type: 'tool_result'
  /** Its absence is missing_tool_call_id. */
  readonly tool_use_id?: Maybe<string>
  readonly content?: Maybe<string | readonly Block[]>
  readonly is_error?: Maybe<boolean>
}

export interface ThinkingBlock {
  readonly type: 'thinking'
  readonly thinking: string
}

export interface RedactedThinkingBlock {
  readonly type: 'redacted_thinking'
}

/** A tool that was searched for and found: only its name. */
export interface ToolReferenceBlock {
  readonly type: 'tool_reference'
  readonly tool_name: string
}

/** Refused, like every type that is not named here. */
export interface DocumentBlock {
  readonly type: 'document'
}

/** `type` is absent or `custom` for the client's own tools; any other is a tool that its vendor would run. */
export interface BodyTool {
  readonly type?: Maybe<string>
  readonly name?: Maybe<string>
  readonly description?: Maybe<string>
  readonly input_schema?: Maybe<Json>
  readonly strict?: Maybe<boolean>
}

export interface BodyToolChoice {
  readonly type: 'auto' | 'none' | 'any' | 'tool'
  /** There where the type is `tool`. */
  readonly name?: Maybe<string>
  readonly disable_parallel_tool_use?: Maybe<boolean>
}
