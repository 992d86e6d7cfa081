import {
  type BodyPhase,
  type CanonicalRequest,
  type Config,
  type JsonObject,
  type PromptSize,
  pipeSize,
  promptCount,
  promptSize,
  type Services,
} from '../../lib/plugin.ts'

/** Tokens of a request, estimated high. */
export interface Estimate {
  readonly input: number
  readonly output: number
}

/**
 * `tokens`: of the input, estimated high. `context`: the model's window; undefined: not known. `assumed`: output where
 * nothing limits it.
 */
export function estimate(
  request: CanonicalRequest,
  tokens: number,
  context: number | undefined,
  assumed: number,
): Estimate {
  const prompts = request.kind === 'chat' ? 1 : promptCount(request)
  const input = Math.min(tokens, context === undefined ? tokens : context * prompts)
  // The input is estimated high; halved, it does not make the rest of the window too small.
  const rest = context === undefined ? undefined : Math.max(0, context - Math.floor(input / prompts / 2))
  const most = Math.min(request.maxTokens ?? Number.POSITIVE_INFINITY, rest ?? Number.POSITIVE_INFINITY)
  const choices = request.kind === 'text' ? Math.max(request.n, request.bestOf ?? 1) : request.n
  return { input, output: (Number.isFinite(most) ? most : assumed) * choices * prompts }
}

/** 16 kbit/s of speech are 2,000 bytes a second, of which models make ten to fifty tokens, and write about five. */
const AUDIO_BYTES = { perInputToken: 160, perOutputToken: 400 }

type Sized = Pick<BodyPhase, 'route' | 'headers' | 'bodyBytes'>

/** The size of the prompt of a request; null: a form with audio, whose length is not known. */
export function measure(
  { route, bodyBytes }: Sized,
  request: CanonicalRequest | undefined,
  body: JsonObject | undefined,
): PromptSize | null {
  if (request !== undefined) return promptSize(request)
  return route.form ? null : pipeSize(body ?? {}, bodyBytes)
}

/** What estimates are made of, besides the request. */
export interface Expectation {
  readonly tokens: Services['tokens']
  readonly model: string
  /** The model's window; undefined: not known. */
  readonly context: number | undefined
  /** Output where nothing limits it. */
  readonly assumed: number
  readonly config: Pick<Config, 'audio_limit_bytes'>
}

/** The tokens of a request, estimated high. `size`: that of measure(). */
export function expectedTokens(
  { headers }: Sized,
  request: CanonicalRequest | undefined,
  size: PromptSize | null,
  { tokens, model, context, assumed, config }: Expectation,
): Estimate {
  // A form may not have arrived completely.
  if (size === null) return estimateAudio(Number(headers['content-length'] ?? config.audio_limit_bytes))
  const most = tokens.of(model).most(size)
  return request === undefined ? { input: most, output: 0 } : estimate(request, most, context, assumed)
}

/** What a transcription may take at most: its length in seconds is not known before the reply. */
export function estimateAudio(bytes: number): Estimate {
  const { perInputToken, perOutputToken } = AUDIO_BYTES
  return { input: Math.ceil(bytes / perInputToken), output: Math.ceil(bytes / perOutputToken) }
}
