import { type Chunk, type GatewayError, type StreamPhase, Transformer, type Usage } from '../../../lib/plugin.ts'

interface GuardedReplyOptions {
  readonly exchange: Pick<StreamPhase, 'holdReply'>
  /** Size of a window of text, in tokens. */
  readonly holdTokens: number
  /** Never rejects. */
  isAllowed(text: string): Promise<boolean>
}

/** Holds chunks back until their text is allowed. Stops the reply at the first text that is not. */
export class GuardedReply extends Transformer {
  readonly #options: GuardedReplyOptions
  #held: Chunk[] = []
  #tokens = 0
  /** The last counts that the backend has reported. */
  #usage: Usage | undefined
  /** A finish reason or a tool call is held: the window is judged at once. */
  #isDue = false
  #isJudging = false
  #isOver = false
  /** The window before the held one, which is judged again with it: a phrase may be in both. */
  #before = ''

  constructor(options: GuardedReplyOptions) {
    super()
    this.#options = options
  }

  override chunk(chunk: Chunk): void {
    if (this.#isOver) return
    this.#usage = chunk.usage ?? this.#usage
    const tokens = tokensOf(chunk)
    if (tokens === 0 && this.#held.length === 0 && !this.#isJudging) return this.next.chunk(chunk)
    this.#held.push(chunk)
    this.#tokens += tokens
    if (chunk.finish !== undefined || chunk.toolCalls !== undefined) this.#isDue = true
    if (!this.#isJudging) this.#judgeIfDue()
  }

  override fail(error: GatewayError): void {
    this.#isOver = true
    this.#held = []
    this.next.fail(error)
  }

  #judgeIfDue(): void {
    if (!this.#isDue && this.#tokens < this.#options.holdTokens) return
    const held = this.#held
    const text = textOf(held)
    this.#held = []
    this.#tokens = 0
    this.#isDue = false
    this.#isJudging = true
    this.#options.exchange.holdReply(this.#judge(held, text))
  }

  async #judge(held: readonly Chunk[], text: string): Promise<void> {
    const isAllowed = await this.#options.isAllowed(this.#before + text)
    this.#isJudging = false
    if (this.#isOver) return
    if (!isAllowed) {
      this.#isOver = true
      this.#held = []
      return this.stop('content_filter', this.#usage)
    }
    this.#before = text
    for (const chunk of held) this.next.chunk(chunk)
    if (this.#held.length > 0) this.#judgeIfDue()
  }
}

/** The generated text of these chunks, choice by choice. A tool call is a JSON object with its name and arguments. */
function textOf(chunks: readonly Chunk[]): string {
  const byChoice = Map.groupBy(chunks, ({ choice }) => choice)
  return Array.from(byChoice.values(), own => own.map(partOf).join('')).join('\n')
}

function partOf({ text = '', reasoning = '', refusal = '', toolCalls = [] }: Chunk): string {
  const calls = toolCalls.map(({ name, arguments: args }) => JSON.stringify({ name, arguments: args }))
  return [reasoning + text + refusal, ...calls].filter(part => part !== '').join('\n')
}

/** Characters per token, approximately. */
const CHARACTERS = 4

/** Tokens of a chunk, at least one if it has generated text. */
function tokensOf(chunk: Chunk): number {
  return Math.ceil(partOf(chunk).length / CHARACTERS)
}
