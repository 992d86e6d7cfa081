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

/** Upper estimate of the tokens of a request. */
export interface Estimate {
  readonly input: number
  readonly output: number
}

/** `tokens`: upper estimate of the input. `context`: the window, if known. `assumed`: output without a limit. */
export function estimate(
  request: CanonicalRequest,
  tokens: number,
  context: number | undefined,
  assumed: number,
): Estimate {
  const prompts = request.kind === 'chat' ? 1 : promptCount(request)
  const input = Math.min(tokens, context === undefined ? tokens : context * prompts)
  // Half of the input, which is an upper estimate: otherwise the rest of the window would be too small.
  const rest = context === undefined ? undefined : Math.max(0, context - Math.floor(input / prompts / 2))
  const max = Math.min(request.maxTokens ?? Number.POSITIVE_INFINITY, rest ?? Number.POSITIVE_INFINITY)
  const choices = request.kind === 'text' ? Math.max(request.n, request.bestOf ?? 1) : request.n
  return { input, output: (Number.isFinite(max) ? max : assumed) * choices * prompts }
}

/** Speech at 16 kbit/s has 2,000 bytes a second: ten to fifty tokens of input, about five of output. */
const AUDIO_BYTES = { perInputToken: 160, perOutputToken: 400 }

type Exchange = Pick<BodyPhase, 'route' | 'headers' | 'bodyBytes'>

/** Size of the prompt of a request; null: a form with audio, whose length is not known. */
export function measure(
  { route, bodyBytes }: Exchange,
  request: CanonicalRequest | undefined,
  body: JsonObject | undefined,
): PromptSize | null {
  if (request !== undefined) return promptSize(request)
  return route.form ? null : pipeSize(body ?? {}, bodyBytes)
}

/** Inputs of an estimate other than the request. */
interface EstimateInputs {
  readonly tokens: Services['tokens']
  readonly model: string
  /** Size of the model's window; undefined: not known. */
  readonly context: number | undefined
  /** Output if nothing limits it. */
  readonly assumed: number
  readonly config: Pick<Config, 'audio_limit_bytes'>
}

/** Upper estimate of the tokens of a request. `size`: the result of measure(). */
export function expectedTokens(
  { headers }: Pick<Exchange, 'headers'>,
  request: CanonicalRequest | undefined,
  size: PromptSize | null,
  { tokens, model, context, assumed, config }: EstimateInputs,
): Estimate {
  // A form may not have arrived completely.
  if (size === null) return estimateAudio(Number(headers['content-length'] ?? config.audio_limit_bytes))
  const input = tokens.of(model).upperBound(size)
  return request === undefined ? { input, output: 0 } : estimate(request, input, context, assumed)
}

/** Upper estimate of a transcription by bytes: its length in seconds is not known before the reply. */
function estimateAudio(bytes: number): Estimate {
  const { perInputToken, perOutputToken } = AUDIO_BYTES
  return { input: Math.ceil(bytes / perInputToken), output: Math.ceil(bytes / perOutputToken) }
}
