/**
 * The body of POST /v1/completions as schemas/bodies/completions.json lets it through. Optional members may be null,
 * which means absent. Members without effect are left out.
 */
import type { Json, JsonObject } from '../../base/json.ts'

export type Maybe<T> = T | null | undefined

export interface CompletionsBody {
  readonly model: string
  readonly prompt: string | string[] | number[] | number[][]
  readonly stream?: Maybe<boolean>
  readonly n?: Maybe<number>
  readonly best_of?: Maybe<number>
  readonly echo?: Maybe<boolean>
  readonly suffix?: Maybe<string>
  readonly max_tokens?: Maybe<number>
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
  readonly logprobs?: Maybe<number>
  readonly regex?: Maybe<string>
  readonly grammar?: Maybe<string>
  readonly response_format?: Maybe<BodyResponseFormat>
  readonly structured_outputs?: Maybe<StructuredOutputs>
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

/** vLLM's own way to say the same. */
export interface StructuredOutputs {
  readonly json?: Maybe<Json>
  readonly json_object?: Maybe<boolean>
  readonly regex?: Maybe<string>
  readonly grammar?: Maybe<string>
}
