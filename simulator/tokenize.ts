import type { JsonObject } from '../lib/base/json.ts'
import { countChat } from './chat.ts'
import type { EngineTraits } from './engine-traits.ts'
import { findModel, type Simulation } from './plan.ts'
import { badRequest } from './refusal.ts'
import { splitTokens, textOfIds, tokenId } from './tokens.ts'

/** POST /tokenize in the engine's format. Throws a Refusal. */
export function tokenize(body: JsonObject, simulation: Simulation): JsonObject {
  if (simulation.engine.tokenize === 'content') return tokenizeContent(body)
  const model = findModel(body, simulation)
  const isChat = body.messages !== undefined
  const { text, tokens: count } = isChat ? countChat(body, simulation) : { text: promptOf(body), tokens: undefined }
  const strings = splitTokens(text)
  return {
    count: count ?? strings.length,
    max_model_len: model.max_model_len,
    tokens: strings.map(tokenId),
    token_strs: body.return_token_strs === true ? strings : null,
  }
}

/** POST /detokenize. Throws a Refusal. */
export function detokenize({ tokens }: JsonObject, { detokenized }: EngineTraits): JsonObject {
  const ids = Array.isArray(tokens) ? tokens.filter(id => typeof id === 'number') : undefined
  if (ids === undefined) throw badRequest('tokens must be a list of token ids', 'tokens')
  return { [detokenized]: textOfIds(ids) }
}

/** llama.cpp's POST /apply-template. Throws a Refusal. */
export function applyTemplate(body: JsonObject, simulation: Simulation): JsonObject {
  return { prompt: countChat(body, simulation).text }
}

/** POST /tokenize of llama.cpp. It returns no count, and a body without content has no tokens. */
function tokenizeContent(body: JsonObject): JsonObject {
  const strings = splitTokens(typeof body.content === 'string' ? body.content : '')
  if (body.with_pieces === true) return { tokens: strings.map(piece => ({ id: tokenId(piece), piece })) }
  return { tokens: strings.map(tokenId) }
}

function promptOf(body: JsonObject): string {
  if (typeof body.prompt !== 'string') throw badRequest('prompt must be a string', 'prompt')
  return body.prompt
}
