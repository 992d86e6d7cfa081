/**
 * Prompts of many kinds, with their number of tokens by real tokenizers: documentation, code, JSON, Base64, hashes,
 * digits, emoji, and prose in about forty languages. The texts are from installed packages and ICU, or generated.
 */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import type { Message } from '../../lib/canonical/request.ts'
import { type PromptSize, promptSize } from '../../lib/tokens/prompt-size.ts'
import { seededRandom } from '../../simulator/random.ts'
import { chatRequest, tool } from './canonical.ts'

type Count = (text: string) => number

/** Tokenizers of OpenAI, on which those of Llama 3 and Qwen are based, and one with a token per digit, like Qwen's. */
export const TOKENIZERS = ['o200k', 'cl100k', 'single digits'] as const
export type Tokenizer = (typeof TOKENIZERS)[number]

export interface VariedPrompt {
  readonly size: PromptSize
  readonly tokens: Readonly<Record<Tokenizer, number>>
}

interface Passage {
  readonly text: string
  readonly tokens: Readonly<Record<Tokenizer, number>>
}

const installed = (path: string) => readFileSync(new URL(`../../node_modules/${path}`, import.meta.url), 'utf8')
const repeated = (count: number, text: (i: number) => string) => Array.from({ length: count }, (_, i) => text(i))
const hash = (i: number) => createHash('sha256').update(String(i))

/** Texts by kind, with their frequency. */
function texts(random: () => number): (readonly [text: string, weight: number])[] {
  const digit = () => String(Math.floor(random() * 10))
  const hashes = repeated(900, i => hash(i).digest('hex'))
  const schema = JSON.parse(installed('ajv/lib/refs/json-schema-draft-07.json')) as object
  const locale = (name: string) => JSON.parse(installed(`axe-core/locales/${name}`)) as unknown
  const english = installed('playwright-core/types/types.d.ts').slice(50_000, 170_000)
  return [
    [english, 12],
    [installed('lodash/lodash.js').slice(100_000, 200_000), 12],
    [installed('uplot/dist/uPlot.iife.min.js'), 1],
    [JSON.stringify(schema, null, 2) + JSON.stringify(locale('fr.json'), null, 2).slice(0, 20_000), 6],
    [JSON.stringify(schema) + JSON.stringify(locale('de.json')).slice(0, 20_000), 4],
    [repeated(900, i => hash(i).digest('base64')).join(''), 1],
    [hashes.join(''), 1],
    [hashes.map(text => text.slice(0, 32).replace(/(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')).join('\n'), 1],
    [repeated(9000, digit).join(' '), 1],
    [repeated(3000, () => (random() * 10 ** Math.floor(random() * 9)).toFixed(Math.floor(random() * 4))).join(', '), 1],
    [
      repeated(900, i => `2026-11-0${1 + (i % 9)}T08:${10 + (i % 50)}:12Z,${i},${(random() * 1e4).toFixed(2)},ok`).join(
        '\n',
      ),
      2,
    ],
    [repeated(2000, () => String.fromCodePoint(0x1f300 + Math.floor(random() * 0x250))).join(''), 0.5],
    [english.slice(0, 30_000).toUpperCase(), 0.3],
    [repeated(3000, () => '!@#$%^&*()_+-=[]{}|;:,.<>?/~`"\''[Math.floor(random() * 31)]!).join(''), 0.2],
    ...readdirSync(new URL('../../node_modules/axe-core/locales', import.meta.url))
      .filter(name => name.endsWith('.json'))
      .map(name => [strings(locale(name)).join(' '), 1] as const),
    ...SCRIPTS.map(language => [countries(language), 0.3] as const),
  ]
}

/** Languages without prose: names of countries are used, which have the same letters. */
const SCRIPTS = ['hi', 'ar', 'th', 'bn', 'ta', 'ka', 'am', 'vi', 'fa', 'zh-Hant', 'km', 'my']

function countries(language: string): string {
  const names = new Intl.DisplayNames(language, { type: 'region', fallback: 'none' })
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
  return letters.flatMap(one => letters.flatMap(other => names.of(one + other) ?? [])).join(', ')
}

function strings(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(strings) : []
}

async function tokenizers(): Promise<Readonly<Record<Tokenizer, Count>>> {
  const [o200k, cl100k] = await Promise.all([
    import('gpt-tokenizer/encoding/o200k_base'),
    import('gpt-tokenizer/encoding/cl100k_base'),
  ])
  const single: Count = text =>
    text.split(/(\d)/).reduce((sum, piece) => sum + (/^\d$/.test(piece) ? 1 : cl100k.countTokens(piece)), 0)
  return { o200k: o200k.countTokens, cl100k: cl100k.countTokens, 'single digits': single }
}

const PASSAGES_OF_EACH = 40
const TOOL = tool({
  name: 'get_weather',
  description: 'Gets the weather of a city, now or on a day.',
  parameters: {
    type: 'object',
    properties: { city: { type: 'string', description: 'Name of the city' }, day: { type: 'string', format: 'date' } },
    required: ['city'],
    additionalProperties: false,
  },
})
/** Tokens of a chat template: per message, per prompt, and for the instructions on tool calls. */
const MARKS = { message: 4, prompt: 11, tools: 150 }

/** The next prompt of the traffic. `kinds`: number of kinds of text to use. */
export async function variedPrompts(seed: number): Promise<(kinds?: number) => VariedPrompt> {
  const random = seededRandom(seed)
  const counts = await tokenizers()
  const each = (count: (name: Tokenizer) => number) =>
    Object.fromEntries(TOKENIZERS.map(name => [name, count(name)])) as Record<Tokenizer, number>
  const counted = (text: string): Passage => ({ text, tokens: each(name => counts[name](text)) })
  const kinds = texts(random).map(([text, weight]) => ({
    weight,
    // From a few characters up to eight thousand.
    passages: repeated(PASSAGES_OF_EACH, () => {
      const length = Math.floor(Math.exp(2 + 7 * random()))
      const at = Math.floor(random() * Math.max(1, text.length - length))
      return text.slice(at, at + length).toWellFormed()
    }).map(counted),
  }))
  const system = counted('You are a helpful assistant.')
  const described = counted(JSON.stringify({ type: 'function', function: { ...TOOL } }))

  const kindOf = (most: number) => {
    let left = random() * kinds.slice(0, most).reduce((sum, { weight }) => sum + weight, 0)
    for (const kind of kinds) {
      left -= kind.weight
      if (left < 0) return kind
    }
    return kinds[0]!
  }
  const passageOf = ({ passages }: (typeof kinds)[number]) => passages[Math.floor(random() * passages.length)]!

  return (most = kinds.length) => {
    const main = kindOf(most)
    const said = random() < 0.6 ? [system] : []
    // Most messages of a conversation are of one kind.
    for (let turns = 1 + Math.floor(random() * random() * 12); turns > 0; turns--)
      said.push(passageOf(random() < 0.75 ? main : kindOf(most)))
    const messages = said.map(({ text }, i): Message => ({ role: i % 2 === 0 ? 'user' : 'assistant', content: text }))
    const tools = random() < 0.25 ? repeated(1 + Math.floor(random() * 5), () => '').map(() => TOOL) : []
    const marks = MARKS.prompt + MARKS.message * said.length + (tools.length > 0 ? MARKS.tools : 0)
    return {
      size: promptSize(chatRequest({ messages, tools })),
      tokens: each(name =>
        said.reduce((sum, { tokens }) => sum + tokens[name], marks + tools.length * described.tokens[name]),
      ),
    }
  }
}
