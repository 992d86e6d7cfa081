import {
  type BodyPhase,
  type CanonicalRequest,
  type Config,
  type JsonObject,
  type PromptSize,
  pipeSize,
  promptCount,
  promptSize,
  requestedUnits,
  type Services,
} from '../../lib/plugin.ts'

/** Upper estimate of the tokens of a request, and its units. */
export interface Estimate {
  readonly input: number
  readonly output: number
  /** Characters, images or seconds; 0: the model counts tokens alone. */
  readonly units: number
}

/** `tokens`: upper estimate of the input. `context`: the window, if known. `assumed`: output without a limit. */
export function estimate(
  request: CanonicalRequest,
  tokens: number,
  context: number | undefined,
  assumed: number,
): Omit<Estimate, 'units'> {
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

/** Size of the prompt of a request; null: a form with files. */
export function measure(
  { route, bodyBytes }: Exchange,
  request: CanonicalRequest | undefined,
  body: JsonObject | undefined,
): PromptSize | null {
  if (request !== undefined) return promptSize(request)
  return route.form !== false ? null : pipeSize(body ?? {}, bodyBytes)
}

/** Inputs of an estimate other than the request. */
interface EstimateInputs {
  readonly tokens: Services['tokens']
  readonly model: string
  /** Size of the model's window; undefined: not known. */
  readonly context: number | undefined
  /** Output if nothing limits it. */
  readonly assumed: number
  readonly config: Pick<Config, 'audio_limit_bytes' | 'image_limit_bytes'>
}

/** Upper estimate of the tokens and units of a request. `size`: the result of measure(). `pipe`: of a byte pipe. */
export function expectedUse(
  { headers, route, bodyBytes }: Exchange,
  request: CanonicalRequest | undefined,
  pipe: JsonObject | undefined,
  size: PromptSize | null,
  { tokens, model, context, assumed, config }: EstimateInputs,
): Estimate {
  // A form may not have arrived completely.
  const bytes =
    route.form === false ? bodyBytes : Number(headers['content-length'] ?? config[`${route.form}_limit_bytes`])
  const units = requestedUnits(route.kind, pipe ?? {}, bytes)?.units ?? 0
  if (size === null) return { ...estimateFiles(bytes), units }
  const input = tokens.of(model).upperBound(size)
  return { units, ...(request === undefined ? { input, output: 0 } : estimate(request, input, context, assumed)) }
}

/** Upper estimate of a form by bytes: the length of audio in seconds is not known before the reply. */
function estimateFiles(bytes: number): Omit<Estimate, 'units'> {
  const { perInputToken, perOutputToken } = AUDIO_BYTES
  return { input: Math.ceil(bytes / perInputToken), output: Math.ceil(bytes / perOutputToken) }
}
