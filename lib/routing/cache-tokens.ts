import { isObject, parseJson } from '../base/json.ts'

const BLOCKS = /num_gpu_blocks="(\d+)"/
const BLOCK_SIZE = /[{,]block_size="(\d+)"/

/**
 * Tokens that the KV cache of a server holds, by what it says of itself: vLLM's and SGLang's Prometheus metrics, one
 * series for each replica inside of the server, or llama-server's list of slots. undefined: it does not say.
 */
export function cacheTokensOf(page: string): number | undefined {
  const tokens = page.startsWith('[') ? ofSlots(page) : ofMetrics(page)
  return tokens > 0 ? tokens : undefined
}

function ofMetrics(page: string): number {
  let tokens = 0
  for (const line of seriesOf(page, 'vllm:cache_config_info')) {
    const blocks = BLOCKS.exec(line)?.[1]
    const size = BLOCK_SIZE.exec(line)?.[1]
    if (blocks !== undefined && size !== undefined) tokens += Number(blocks) * Number(size)
  }
  for (const line of seriesOf(page, 'sglang:max_total_num_tokens')) {
    const value = Number(line.slice(line.lastIndexOf(' ') + 1))
    if (Number.isFinite(value)) tokens += value
  }
  return tokens
}

/** The lines of a metric. A page has a hundred kilobytes: the others are not looked at. */
function* seriesOf(page: string, name: string): Iterable<string> {
  for (let at = page.indexOf(name); at >= 0; at = page.indexOf(name, at + name.length)) {
    if (at > 0 && page[at - 1] !== '\n') continue
    const next = page[at + name.length]
    if (next !== '{' && next !== ' ') continue
    const end = page.indexOf('\n', at)
    yield page.slice(at, end < 0 ? page.length : end).trimEnd()
  }
}

function ofSlots(page: string): number {
  const slots = parseJson(page)
  if (!Array.isArray(slots)) return 0
  let tokens = 0
  for (const slot of slots) if (isObject(slot) && typeof slot.n_ctx === 'number') tokens += slot.n_ctx
  return tokens
}
