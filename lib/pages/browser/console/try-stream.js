// Reads the stream of a chat completion.

/** A failure with the error of the reply: `message`, `code`, `docs_url`. */
export class Problem extends Error {
  constructor({ message, code, docs_url: page }) {
    super(message)
    this.code = code
    this.page = page
  }
}

const BROKEN = { message: 'The connection broke: ask again.' }

/** The data of each event of a stream. */
async function* eventsOf(stream) {
  let rest = ''
  for await (const text of stream.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + text).split('\n')
    rest = lines.pop()
    for (const line of lines) if (line.startsWith('data: ')) yield line.slice('data: '.length)
  }
}

/**
 * Passes each piece of text and of reasoning on. Returns the tokens and the finish reason.
 * Throws a Problem if the request was refused, or its stream has not ended well.
 */
export async function readAnswer(response, { onText, onReasoning }) {
  if (!response.ok) throw new Problem(await errorOf(response))
  let usage = null
  let finish = null
  for await (const event of eventsOf(response.body)) {
    if (event === '[DONE]') return { usage: tokensOf(usage), finish }
    const { choices = [], error, usage: counted } = JSON.parse(event)
    if (error) throw new Problem(error)
    usage = counted ?? usage
    const [choice] = choices
    finish = choice?.finish_reason ?? finish
    const { content, reasoning_content: reasoning } = choice?.delta ?? {}
    if (reasoning) onReasoning(reasoning)
    if (content) onText(content)
  }
  throw new Problem(BROKEN)
}

async function errorOf(response) {
  try {
    return (await response.json()).error ?? BROKEN
  } catch {
    return BROKEN
  }
}

/** null: the server has not counted tokens. */
function tokensOf(usage) {
  if (!usage) return null
  return {
    input: usage.prompt_tokens,
    cachedInput: usage.prompt_tokens_details?.cached_tokens ?? 0,
    output: usage.completion_tokens,
    reasoning: usage.completion_tokens_details?.reasoning_tokens ?? 0,
  }
}
