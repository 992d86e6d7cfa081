/**
 * A request body as schemas/bodies/responses.json lets it through (docs/api/responses.md#request). Members that are
 * accepted without effect are left out. Optional members may be null, which means absent.
 */
import type { Json } from '../../base/json.ts'

export type Maybe<T> = T | null | undefined

export interface ResponsesBody {
  readonly model: string
  /** Anything may stand among the items: what is no object has no type either. */
  readonly input: string | readonly Maybe<Item>[]
  readonly instructions?: Maybe<string>
  readonly max_output_tokens?: Maybe<number>
  readonly reasoning?: Maybe<{ effort?: Json }>
  readonly text?: Maybe<{ format?: Maybe<TextFormat> }>
  readonly tools?: Maybe<readonly Tool[]>
  readonly tool_choice?: Maybe<'auto' | 'none' | 'required' | { type: 'function'; name: string }>
  readonly parallel_tool_calls?: Maybe<boolean>
  readonly temperature?: Maybe<number>
  readonly top_p?: Maybe<number>
  readonly seed?: Maybe<number>
  readonly stream?: Maybe<boolean>
  readonly previous_response_id?: Maybe<Json>
}

export interface TextFormat {
  readonly type: string
  readonly name?: Maybe<string>
  readonly schema?: Maybe<Json>
  readonly strict?: Maybe<boolean>
  readonly description?: Maybe<string>
}

export type Tool = FunctionTool | NamespaceTool | HostedTool

export interface FunctionTool {
  readonly type: 'function'
  readonly name: string
  readonly description?: Maybe<string>
  readonly parameters?: Maybe<Json>
  readonly strict?: Maybe<boolean>
}

export interface NamespaceTool {
  readonly type: 'namespace'
  readonly name: string
  readonly tools: readonly Tool[]
}

/** Any other type: the name of something that a provider would run by itself. */
export interface HostedTool {
  readonly type: 'web_search' | 'file_search'
}

export type Item = Message | FunctionCall | FunctionCallOutput | OtherItem

export interface Message {
  readonly type: 'message'
  readonly role: 'user' | 'assistant' | 'system' | 'developer'
  readonly content: string | readonly Part[]
}

export interface FunctionCall {
  readonly type: 'function_call'
  readonly call_id: string
  readonly name: string
  readonly namespace?: Maybe<string>
  readonly arguments: string
}

export interface FunctionCallOutput {
  readonly type: 'function_call_output'
  readonly call_id?: Maybe<string>
  readonly output: Maybe<string | readonly Part[]>
}

/** Skipped or refused by its type, which may be any JSON; `item_reference` stands for all of them. */
export interface OtherItem {
  readonly type?: 'item_reference' | null
}

export type Part = TextPart | RefusalPart | OtherPart

export interface TextPart {
  readonly type: 'input_text' | 'output_text'
  readonly text: string
}

export interface RefusalPart {
  readonly type: 'refusal'
  readonly refusal: string
}

export interface OtherPart {
  readonly type: 'input_image' | 'input_file' | 'input_audio'
}
