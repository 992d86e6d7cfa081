export const MAX_REASON = 300

/** Characters of a text that are read. Bounds the cost of the patterns. */
const MAX_INPUT = 2000

/** Words that are kept inside quotes: names of the API, which contain nothing of a client. */
const PARAMETERS: ReadonlySet<string> = new Set(
  `model messages role user assistant system developer tool content text image image_url url name prompt suffix echo
  best_of tools tool_choice tool_calls tool_call_id function functions parameters arguments strict description type id
  index object auto none required parallel_tool_calls max_tokens max_completion_tokens stop n stream stream_options
  include_usage temperature top_p top_k min_p presence_penalty frequency_penalty repetition_penalty seed logit_bias
  logprobs top_logprobs reasoning_effort chat_template_kwargs enable_thinking thinking
  minimal low medium high xhigh max stop_token_ids cache_salt priority response_format
  json_object json_schema schema structured_outputs regex grammar ebnf properties items input_tokens`.split(/\s+/),
)

/** Whether the path consists of API names and indices: `messages.0.role`, `tools[1].function`. */
export function isParameter(path: string): boolean {
  if (path.length > 100) return false
  const [first = '', ...words] = path.split(/[.[\]]+/)
  return PARAMETERS.has(first) && words.every(word => /^\d{0,6}$/.test(word) || PARAMETERS.has(word))
}

export const GAP = '…'

const TEMPLATE_SAYS = 'Jinja Exception: '

/** The beginning of a dump of the request, or of a stack, in the text of an error. */
const DUMP =
  /traceback \(most recent|\n\s+at |\n\s*file "|\[type=|input_value|['"]?\binput['"]?\s*[:=]|for further information/i

/** Quotes have no letter or digit on their outside, so that the apostrophe of "model's" is no quote. */
const QUOTED = /(?<!\w)(['"`])(.*?)\1(?!\w)/g

/** Addresses are removed first, because they could be split into words that are kept. */
const ADDRESS = /\b[a-z][a-z0-9+.-]*:\/\/[^\s'"]+|(?:[0-9a-f]{0,4}:){2,7}[0-9a-f]{0,4}/gi

/** A word may contain dots, slashes and digits, so that hosts, paths, files and keys are matched as a whole. */
const WORD = /[^\s"'`()[\]{}<>,;:=|!?…]+/g

/** English words, short acronyms and numbers up to a billion. */
const PLAIN = /^(?:[A-Za-z]?[a-z]{1,20}|non-[a-z]{1,20}|[A-Z]{1,5}|-?\d{1,9}(?:\.\d{1,6})?%?|[-+*&])$/

/**
 * A backend's reason for refusing a request: plain words, numbers and names of the API (docs/DESIGN.md#privacy). An
 * ellipsis replaces addresses, files, keys, stacks, and text in quotes or braces. Empty if no words are left.
 */
export function scrubbed(text: string): string {
  return shortReason(
    withoutDumps(text, isParameter)
      .replace(WORD, safeWord)
      .replace(/…:\d+/g, GAP)
      .replace(/…(?:[^\w'"`…]*…)+/g, GAP),
  )
}

/** The text on one line, without stacks, objects and addresses. Of quotes, it keeps those that `keepQuote` accepts. */
export function withoutDumps(text: string, keepQuote: (inner: string) => boolean): string {
  const start = withoutTemplate(text.slice(0, MAX_INPUT))
  const end = start.search(DUMP)
  return withoutBraces(end < 0 ? start : start.slice(0, end))
    .replace(/\s+/g, ' ')
    .replace(QUOTED, (quoted, _, inner: string) => (keepQuote(inner) ? quoted : GAP))
    .replace(ADDRESS, GAP)
}

/** Cuts the text at MAX_REASON characters. Empty if it has no words. */
export function shortReason(text: string): string {
  const reason = text.trim()
  if (!/[a-z]{2}/i.test(reason)) return ''
  return reason.length > MAX_REASON ? `${reason.slice(0, MAX_REASON - 1).trimEnd()}${GAP}` : reason
}

/** llama-server prints a part of the chat template before the message of its exception. */
function withoutTemplate(text: string): string {
  const at = text.lastIndexOf(TEMPLATE_SAYS)
  return at < 0 ? text : text.slice(at + TEMPLATE_SAYS.length)
}

function safeWord(word: string): string {
  const bare = word.replace(/^\.+|\.+$/g, '')
  const safe = bare === '' || ((PLAIN.test(bare) || isParameter(bare)) && bare !== 'localhost')
  return safe ? word : GAP + (word.endsWith('.') ? '.' : '')
}

/** Removes text in braces, nested ones included: engines print objects of the request. */
function withoutBraces(text: string): string {
  let depth = 0
  let kept = ''
  for (const char of text) {
    if (char === '{' && depth++ === 0) kept += GAP
    if (depth === 0) kept += char
    if (char === '}' && depth > 0) depth--
  }
  return kept
}
