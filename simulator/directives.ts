/** Instructions to the simulator in a prompt, in lines such as `simulate: status=503` (docs/SIMULATOR.md). */
export interface Directives {
  /** Answer with this HTTP status and an error body. */
  readonly status?: number
  /** Seconds, sent as Retry-After with `status`. */
  readonly retry_after?: number
  /** The body of the response with `status`. */
  readonly body?: 'json' | 'html' | 'empty'
  /** Close the connection before the response head. */
  readonly drop?: boolean
  /** Behave as if the queue were full. */
  readonly queue_full?: boolean
  /** Milliseconds to the first token. */
  readonly first_token?: number
  readonly tokens_per_second?: number
  /** Length of the answer in tokens. */
  readonly tokens?: number
  /** Tokens of reasoning; also switches reasoning on. */
  readonly reasoning?: number
  /** The exact text of the answer. */
  readonly say?: string
  /** Names of the tools to call. */
  readonly tool?: readonly string[]
  /** Calls of each tool. */
  readonly calls?: number
  readonly finish?: string
  readonly usage?: 'none' | 'null'
  /** False: omit `data: [DONE]`. */
  readonly done?: boolean
  /** Milliseconds of a pause. */
  readonly stall?: number
  /** Number of tokens before the pause. Default: 1. */
  readonly stall_after?: number
  /** Number of tokens after which the socket is closed. */
  readonly break_after?: number
  /** Number of tokens after which the socket is reset. */
  readonly reset_after?: number
  /** Number of tokens after which the body ends without a finish reason. */
  readonly end_after?: number
  /** Number of tokens after which an error is sent. */
  readonly error_after?: number
}

/** An unknown or invalid directive. The message lists the known ones. */
export class DirectiveError extends Error {
  override readonly name = 'DirectiveError'
}

type Value = Directives[keyof Directives]
/** undefined: the value is invalid. */
type Reader = (text: string) => Value

const MAX_NUMBER = 1_000_000
const count: Reader = text => (/^\d{1,7}$/.test(text) && Number(text) <= MAX_NUMBER ? Number(text) : undefined)
const flag: Reader = text => (text === 'true' ? true : text === 'false' ? false : undefined)
const status: Reader = text => (/^[2-5]\d\d$/.test(text) ? Number(text) : undefined)
const oneOf =
  (...words: readonly string[]): Reader =>
  text =>
    words.find(word => word === text)

const READERS: { readonly [name in keyof Directives]-?: Reader } = {
  status,
  retry_after: count,
  body: oneOf('json', 'html', 'empty'),
  drop: flag,
  queue_full: flag,
  first_token: count,
  tokens_per_second: count,
  tokens: count,
  reasoning: count,
  say: text => text,
  tool: text => text.split(',').filter(name => name !== ''),
  calls: count,
  finish: oneOf('stop', 'length', 'tool_calls', 'content_filter', 'repetition', 'abort', 'error'),
  usage: oneOf('none', 'null'),
  done: flag,
  stall: count,
  stall_after: count,
  break_after: count,
  reset_after: count,
  end_after: count,
  error_after: count,
}

const LINE = /^[ \t]*simulate:[ \t]*(.*)$/gm

/** The directives of a prompt; later ones override earlier ones. Throws DirectiveError. */
export function parseDirectives(text: string): Directives {
  if (!text.includes('simulate:')) return {}
  const directives: Record<string, Value> = {}
  for (const [, line = ''] of text.matchAll(LINE)) {
    // The text of `say` may contain blanks and equal signs, so it extends to the end of the line.
    const said = /(?:^|\s)say=(.*)$/.exec(line)
    if (said !== null) directives.say = said[1]!
    const words = said === null ? line : line.slice(0, said.index)
    for (const word of words.split(/\s+/)) {
      if (word !== '') read(word, directives)
    }
  }
  return directives as Directives
}

/** The text without the lines that contain directives. */
export function withoutDirectives(text: string): string {
  return text.includes('simulate:') ? text.replace(LINE, '').trim() : text
}

function read(word: string, into: Record<string, Value>): void {
  const equals = word.indexOf('=')
  const name = equals === -1 ? word : word.slice(0, equals)
  const reader = Object.hasOwn(READERS, name) ? READERS[name as keyof Directives] : undefined
  if (reader === undefined) {
    throw new DirectiveError(`Unknown directive "${name}". Known directives: ${Object.keys(READERS).join(', ')}.`)
  }
  const value = reader(equals === -1 ? 'true' : word.slice(equals + 1))
  if (value === undefined) throw new DirectiveError(`"${word}" is no valid value of the directive "${name}".`)
  into[name] = value
}
