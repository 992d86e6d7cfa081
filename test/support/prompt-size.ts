import type { PromptSize } from '../../lib/tokens/prompt-size.ts'

/** The size of an empty prompt. */
export const EMPTY_SIZE: PromptSize = {
  letters: 0,
  symbols: 0,
  digits: 0,
  mixed: 0,
  wide: 0,
  rare: 0,
  tools: 0,
  toolsets: 0,
  pieces: 0,
  images: 0,
  requests: 0,
  ids: 0,
}
