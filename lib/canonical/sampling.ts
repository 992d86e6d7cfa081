import type { JsonObject } from '../base/json.ts'

/** Sampling parameters under the names of OpenAI and vLLM. An absent member was not sent. */
export interface Sampling {
  temperature?: number
  top_p?: number
  /** 0: all tokens. */
  top_k?: number
  min_p?: number
  presence_penalty?: number
  frequency_penalty?: number
  repetition_penalty?: number
  seed?: number
  /** Bias by token id. */
  logit_bias?: JsonObject
  /** Chat: whether log probabilities are returned. Text completions: for how many alternatives. */
  logprobs?: boolean | number
  /** Chat: for how many alternatives. */
  top_logprobs?: number
}

export type SamplingName = keyof Sampling

/** All of them, in the order in which requests to backends carry them: equal requests give equal bytes. */
export const SAMPLING_NAMES = [
  'temperature',
  'top_p',
  'top_k',
  'min_p',
  'presence_penalty',
  'frequency_penalty',
  'repetition_penalty',
  'seed',
  'logit_bias',
  'logprobs',
  'top_logprobs',
] as const satisfies readonly SamplingName[]

/** Sampling parameters as a body carries them: null means absent. */
type SamplingMembers = { readonly [Name in SamplingName]?: Sampling[Name] | null | undefined }

/** The named parameters of a body that its schema accepted; null and absent ones are left out. */
export function readSampling(body: SamplingMembers, names: readonly SamplingName[] = SAMPLING_NAMES): Sampling {
  const sampling: Sampling = {}
  for (const name of names) copy(body, sampling, name)
  return sampling
}

function copy<Name extends SamplingName>(body: SamplingMembers, sampling: Sampling, name: Name): void {
  const value = body[name]
  if (value != null) sampling[name] = value
}
