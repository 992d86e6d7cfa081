/** Embeddings, reranking, scores and classes, which are computed from the texts. All functions throw Refusals. */
import type { Json, JsonObject } from '../lib/base/json.ts'
import type { PoolingContext, PoolingRoute } from './engine-traits.ts'
import { wholeNumber } from './plan.ts'
import { seededRandom } from './random.ts'
import { badRequest } from './refusal.ts'
import { countTokens, hashText, textOfIds } from './tokens.ts'

/** Default length of vectors. */
const DIMENSIONS = 64
const CREATED = 1_700_000_000
const LABELS = ['negative', 'neutral', 'positive']

interface Input {
  readonly text: string
  readonly tokens: number
}

interface Inputs {
  readonly model: string
  readonly seed: number
  readonly inputs: readonly Input[]
  readonly usage: JsonObject
}

/** `head`: members of the engine before the data. */
export function embeddings(head: (hash: string) => JsonObject): PoolingRoute {
  return (body, context) => {
    const { model, seed, inputs, usage } = readInputs(body.input, 'input', context)
    const dimensions = wholeNumber(body, 'dimensions', 1) ?? DIMENSIONS
    const base64 = body.encoding_format === 'base64'
    const data = inputs.map(({ text }, index) => {
      const vector = vectorOf(text, dimensions, seed)
      const embedding = base64 ? Buffer.from(vector.buffer).toString('base64') : Array.from(vector)
      return { index, object: 'embedding', embedding }
    })
    return { ...head(hashOf(body)), object: 'list', model, data, usage }
  }
}

/** vLLM: usage is before the results. */
export const rerankUsageFirst: PoolingRoute = (body, context) => {
  const { model, usage, results } = ranked(body, context)
  return {
    id: `rerank-${hashOf(body)}`,
    model,
    usage,
    results: results.map(({ index, text, score }) => ({ index, document: { text }, relevance_score: score })),
  }
}

/** SGLang: a list without usage. */
export const rerankList: PoolingRoute = (body, context) =>
  ranked(body, context).results.map(({ index, text, score }) => ({
    score,
    ...(body.return_documents === false ? null : { document: text }),
    index,
    meta_info: {},
  }))

/** llama.cpp: the documents are not returned. */
export const rerankIndexes: PoolingRoute = (body, context) => {
  const { model, usage, results } = ranked(body, context)
  const scores = results.map(({ index, score }) => ({ index, relevance_score: score }))
  return { model, object: 'list', usage, results: scores }
}

/** vLLM. */
export const scorePairs: PoolingRoute = (body, context) => {
  const first = textsOf(body.text_1, 'text_1')
  const second = textsOf(body.text_2, 'text_2')
  if (first.length > 1 && first.length !== second.length)
    throw badRequest('Input lengths must be either 1:1, 1:N or N:N', 'text_1')
  const pairs = second.map((text, i) => pairOf((first[i] ?? first[0])!, text))
  const { model, seed, usage } = readInputs(pairs, 'text_1', context)
  const data = pairs.map((pair, index) => ({ index, object: 'score', score: scoreOf(pair, seed) }))
  return { id: `score-${hashOf(body)}`, object: 'list', created: CREATED, model, data, usage }
}

/** SGLang: the probabilities of labels after the query and each item. */
export const scoreLabels: PoolingRoute = (body, context) => {
  const query = textsOf(body.query, 'query')[0]!
  const labels = body.label_token_ids
  if (!Array.isArray(labels) || labels.length === 0) throw badRequest('label_token_ids must be provided.')
  const pairs = textsOf(body.items, 'items').map(item => pairOf(query, item))
  const { model, seed, usage } = readInputs(pairs, 'items', context)
  const scores = pairs.map(pair => labels.map((_, label) => scoreOf(`${label} ${pair}`, seed)))
  return { scores, model, usage, object: 'scoring' }
}

export const classify: PoolingRoute = (body, context) => {
  const { model, seed, inputs, usage } = readInputs(body.input, 'input', context)
  const data = inputs.map(({ text }, index) => {
    const weights = LABELS.map(label => scoreOf(`${label} ${text}`, seed))
    const sum = weights.reduce((total, weight) => total + weight, 0)
    const probs = weights.map(weight => weight / sum)
    return { index, label: LABELS[probs.indexOf(Math.max(...probs))]!, probs, num_classes: LABELS.length }
  })
  return { id: `classify-${hashOf(body)}`, object: 'list', created: CREATED, model, data, usage }
}

function ranked(body: JsonObject, context: PoolingContext) {
  const query = textsOf(body.query, 'query')[0]!
  const documents = textsOf(body.documents, 'documents')
  const pairs = documents.map(document => pairOf(query, document))
  const { model, seed, usage } = readInputs(pairs, 'documents', context)
  const all = documents.map((text, index) => ({ index, text, score: scoreOf(pairs[index]!, seed) }))
  const best = all.toSorted((a, b) => b.score - a.score)
  return { model, usage, results: best.slice(0, (wholeNumber(body, 'top_n', 0) ?? 0) || best.length) }
}

/** Checks the length of each input, and counts the tokens. */
function readInputs(value: Json | undefined, name: string, { model, seed, checkLength }: PoolingContext): Inputs {
  const inputs = inputsOf(value, name)
  let tokens = 0
  for (const input of inputs) {
    checkLength(input.tokens)
    tokens += input.tokens
  }
  return { model, seed, inputs, usage: { prompt_tokens: tokens, total_tokens: tokens } }
}

function inputsOf(value: Json | undefined, name: string): Input[] {
  if (typeof value === 'string') return [{ text: value, tokens: countTokens(value) }]
  if (!Array.isArray(value) || value.length === 0) throw badRequest(`${name} must be provided.`, name)
  if (typeof value[0] === 'number') return [ofIds(value as number[])]
  return value.map(item => {
    if (typeof item === 'string') return { text: item, tokens: countTokens(item) }
    if (Array.isArray(item) && typeof item[0] === 'number') return ofIds(item as number[])
    throw badRequest(`${name} must be a string, a list of strings, or token ids`, name)
  })
}

function ofIds(ids: readonly number[]): Input {
  return { text: textOfIds(ids), tokens: ids.length }
}

function textsOf(value: Json | undefined, name: string): readonly string[] {
  return inputsOf(value, name).map(({ text }) => text)
}

function pairOf(query: string, document: string): string {
  return `${query} ${document}`
}

/** Unit vector of a text. */
function vectorOf(text: string, dimensions: number, seed: number): Float32Array {
  const random = seededRandom(hashText(text, seed + 1))
  const vector = Float32Array.from({ length: dimensions }, () => random() * 2 - 1)
  const norm = Math.hypot(...vector)
  return vector.map(value => value / norm)
}

/** 0 to 1. */
function scoreOf(text: string, seed: number): number {
  return seededRandom(hashText(text, seed + 1))()
}

function hashOf(body: JsonObject): string {
  return hashText(JSON.stringify(body)).toString(16)
}
