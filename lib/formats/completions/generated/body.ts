/** Generated from schemas/bodies/completions.json by `npm run generate`. Do not edit. */
import type { Json, JsonObject } from '../../../base/json.ts'

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
export interface CompletionsBody {
  /** An id or alias of the model list. */
  readonly model: string
  /** Text or token ids; a list of either is a batch, and each of its prompts gets choices of its own. */
  readonly prompt: string | readonly string[] | readonly number[] | readonly number[][]
  readonly stream?: boolean | null
  readonly n?: number | null
  /** Not less than n. */
  readonly best_of?: number | null
  /** The prompt stands before the answer. */
  readonly echo?: boolean | null
  /** What follows the text that is to be written. */
  readonly suffix?: string | null
  /** Without it the backend's own limit holds, usually 16. */
  readonly max_tokens?: number | null
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
  /** How many alternatives for each token. */
  readonly logprobs?: number | null
  /** The whole text matches this expression. */
  readonly regex?: string | null
  /** The whole text follows this grammar. */
  readonly grammar?: string | null
  /** Other types, and types that a model cannot do, are unsupported_response_format: not refused here. Few models take grammars, so what stands beside that type is judged after it. */
  readonly response_format?: BodyResponseFormat | null
  /** Another way to say regex, grammar or response_format. One of them may be used. */
  readonly structured_outputs?: StructuredOutputs | null
  /** Name of the client's session, a hint for routing. Not sent to backends. */
  readonly prompt_cache_key?: Json
}

/** Another way to say regex, grammar or response_format. One of them may be used. */
export interface StructuredOutputs {
  /** A JSON Schema. */
  readonly json?: JsonObject | null
  readonly json_object?: boolean | null
  readonly regex?: string | null
  readonly grammar?: string | null
}
