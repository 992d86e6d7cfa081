/**
 * Writes a language model of about 470 KB with random weights in the GGUF format, which real servers load in a moment.
 * Run it to create the file: `node test/support/tiny-gguf.ts FILE`.
 *
 * - Architecture `llama`, two layers. Every byte is a token, so that tokens can be counted by hand.
 * - It generates lower-case letters, spaces, full stops, line breaks, and the marks of reasoning and tool calls. At
 *   temperature 0 it rarely ends by itself. Above 0, it ends after about twenty tokens.
 * - The chat template supports system messages, tools, calls, results and reasoning. With `enable_thinking` (default),
 *   an answer begins with think tags.
 *
 * Format: version 3, little endian. A header, metadata, names and shapes of the tensors, then their numbers (float32).
 */
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type Random, seededRandom } from '../../simulator/random.ts'

const CONTEXT = 32_768
const WIDTH = 64
const FEED_FORWARD = 128
const HEADS = 2
const LAYERS = 2

/** Tokens in addition to the 256 bytes. */
const SPECIAL = ['<|endoftext|>', '<|im_start|>', '<|im_end|>', '<think>', '</think>', '<tool_call>', '</tool_call>']
const END_OF_TEXT = 256
const END_OF_TURN = 258
const END_OF_THINKING = 260
const TOOL_CALL = 261

const CHAT_TEMPLATE = `
{%- if tools or (messages and messages[0].role == 'system') -%}
  {{- '<|im_start|>system\\n' -}}
  {%- if messages and messages[0].role == 'system' -%}{{- messages[0].content + '\\n' -}}{%- endif -%}
  {%- if tools -%}
    {{- 'You may call these functions:\\n<tools>\\n' -}}
    {%- for tool in tools -%}{{- tool | tojson + '\\n' -}}{%- endfor -%}
    {{- '</tools>\\nA call is written as\\n<tool_call>{"name": NAME, "arguments": ARGUMENTS}</tool_call>\\n' -}}
  {%- endif -%}
  {{- '<|im_end|>\\n' -}}
{%- endif -%}
{%- for message in messages -%}
  {%- if message.role == 'system' -%}
    {%- if not loop.first -%}{{- raise_exception('System message must be at the beginning.') -}}{%- endif -%}
  {%- elif message.role == 'tool' -%}
    {{- '<|im_start|>user\\n<tool_response>\\n' + message.content + '\\n</tool_response><|im_end|>\\n' -}}
  {%- elif message.role == 'assistant' -%}
    {{- '<|im_start|>assistant\\n' -}}
    {%- if message.reasoning_content -%}
      {{- '<think>\\n' + message.reasoning_content + '\\n</think>\\n\\n' -}}
    {%- endif -%}
    {%- if message.content -%}{{- message.content -}}{%- endif -%}
    {%- for call in message.tool_calls or [] -%}
      {{- '<tool_call>{"name": "' + call.function.name + '", "arguments": ' -}}
      {{- call.function.arguments | tojson -}}
      {{- '}</tool_call>' -}}
    {%- endfor -%}
    {{- '<|im_end|>\\n' -}}
  {%- else -%}
    {{- '<|im_start|>' + message.role + '\\n' + message.content + '<|im_end|>\\n' -}}
  {%- endif -%}
{%- endfor -%}
{%- if add_generation_prompt -%}
  {{- '<|im_start|>assistant\\n' -}}
  {%- if enable_thinking is defined and not enable_thinking -%}
    {{- '<think>\\n\\n</think>\\n\\n' -}}
  {%- else -%}
    {{- '<think>\\n' -}}
  {%- endif -%}
{%- endif -%}`

interface Tensor {
  readonly name: string
  /** Length of a row first. */
  readonly shape: readonly number[]
  readonly numbers: Float32Array
}

/**
 * The whole file. The same seed gives the same bytes. With this seed the model soon begins a tool call at temperature
 * 0, which it does with few others.
 */
export function tinyGguf(seed = 37): Buffer {
  const metadata = metadataOf(vocabulary())
  const tensors = tensorsOf(seededRandom(seed))
  const infos: Buffer[] = []
  const data: Buffer[] = []
  let offset = 0
  for (const { name, shape, numbers } of tensors) {
    infos.push(text(name), u32(shape.length), ...shape.map(u64), u32(F32), u64(offset))
    // Every tensor has a multiple of 32 bytes, the alignment of the format.
    data.push(Buffer.from(numbers.buffer))
    offset += numbers.byteLength
  }
  const head = Buffer.concat([
    Buffer.from('GGUF'),
    u32(3),
    u64(tensors.length),
    u64(metadata.length),
    ...metadata,
    ...infos,
  ])
  return Buffer.concat([head, Buffer.alloc(-head.length & 31), ...data])
}

function metadataOf(tokens: readonly string[]): readonly Buffer[] {
  const types = tokens.map((_, index) => (index < 256 ? NORMAL : index < 259 ? CONTROL : USER_DEFINED))
  return [
    pair('general.architecture', STRING, text('llama')),
    pair('general.name', STRING, text('tiny')),
    pair('llama.context_length', UINT32, u32(CONTEXT)),
    pair('llama.embedding_length', UINT32, u32(WIDTH)),
    pair('llama.block_count', UINT32, u32(LAYERS)),
    pair('llama.feed_forward_length', UINT32, u32(FEED_FORWARD)),
    pair('llama.attention.head_count', UINT32, u32(HEADS)),
    pair('llama.attention.head_count_kv', UINT32, u32(HEADS)),
    pair('llama.attention.layer_norm_rms_epsilon', FLOAT32, f32(1e-6)),
    pair('llama.rope.dimension_count', UINT32, u32(WIDTH / HEADS)),
    pair('llama.vocab_size', UINT32, u32(tokens.length)),
    pair('tokenizer.ggml.model', STRING, text('gpt2')),
    pair('tokenizer.ggml.pre', STRING, text('gpt-2')),
    pair('tokenizer.ggml.tokens', ARRAY, array(STRING, tokens.map(text))),
    pair('tokenizer.ggml.token_type', ARRAY, array(INT32, types.map(u32))),
    pair('tokenizer.ggml.merges', ARRAY, array(STRING, [])),
    pair('tokenizer.ggml.bos_token_id', UINT32, u32(END_OF_TEXT)),
    pair('tokenizer.ggml.eos_token_id', UINT32, u32(END_OF_TURN)),
    pair('tokenizer.ggml.add_bos_token', BOOL, Buffer.from([0])),
    pair('tokenizer.chat_template', STRING, text(CHAT_TEMPLATE)),
  ]
}

/** Byte-level tokens in GPT-2's encoding: a byte that is not printable is a character from U+0100. */
function vocabulary(): readonly string[] {
  let hidden = 0
  const bytes = Array.from({ length: 256 }, (_, byte) => {
    const printable = (byte > 0x20 && byte < 0x7f) || (byte > 0xa0 && byte !== 0xad)
    return String.fromCodePoint(printable ? byte : 0x100 + hidden++)
  })
  return [...bytes, ...SPECIAL]
}

/** Frequency of each token, as an addition to its score. Other tokens are generated only if a grammar requires it. */
function leanings(): readonly number[] {
  const leanings: number[] = new Array(256 + SPECIAL.length).fill(-12)
  for (let letter = 0x61; letter <= 0x7a; letter++) leanings[letter] = 0
  leanings[' '.charCodeAt(0)] = 0.5
  leanings['.'.charCodeAt(0)] = -1
  leanings['\n'.charCodeAt(0)] = -3
  // A string must end before the limit of the answer, even if a grammar allows it to continue.
  for (const closing of '"}]0') leanings[closing.charCodeAt(0)] = -6
  leanings[END_OF_TURN] = 0
  leanings[END_OF_THINKING] = -1
  leanings[TOOL_CALL] = 0
  return leanings
}

/** The first number of every token's embedding. No layer changes it, so that the last layer can read it. */
const ANCHOR = 8

function tensorsOf(random: Random): readonly Tensor[] {
  const tokens = 256 + SPECIAL.length
  const embedding = matrix(random, WIDTH, tokens, 1)
  for (let token = 0; token < tokens; token++) embedding[token * WIDTH] = ANCHOR
  // An embedding is normalised to a mean square of 1 before it is multiplied with the output.
  const scale = Math.sqrt((ANCHOR ** 2 + WIDTH) / WIDTH)
  const output = matrix(random, WIDTH, tokens, 0.2)
  for (const [token, leaning] of leanings().entries()) output[token * WIDTH] = (leaning * scale) / ANCHOR
  const layers = Array.from({ length: LAYERS }, (_, layer) => layerOf(random, `blk.${layer}`))
  return [
    { name: 'token_embd.weight', shape: [WIDTH, tokens], numbers: embedding },
    ...layers.flat(),
    { name: 'output_norm.weight', shape: [WIDTH], numbers: new Float32Array(WIDTH).fill(1) },
    { name: 'output.weight', shape: [WIDTH, tokens], numbers: output },
  ]
}

function layerOf(random: Random, layer: string): readonly Tensor[] {
  const weights = (name: string, columns: number, rows: number): Tensor => {
    const numbers = matrix(random, columns, rows, 1 / Math.sqrt(columns))
    return { name: `${layer}.${name}.weight`, shape: [columns, rows], numbers }
  }
  const norm = (name: string): Tensor => {
    return { name: `${layer}.${name}.weight`, shape: [WIDTH], numbers: new Float32Array(WIDTH).fill(1) }
  }
  const attention = weights('attn_output', WIDTH, WIDTH)
  const down = weights('ffn_down', FEED_FORWARD, WIDTH)
  for (const { numbers, shape } of [attention, down]) numbers.fill(0, 0, shape[0])
  return [
    norm('attn_norm'),
    weights('attn_q', WIDTH, WIDTH),
    weights('attn_k', WIDTH, WIDTH),
    weights('attn_v', WIDTH, WIDTH),
    attention,
    norm('ffn_norm'),
    weights('ffn_gate', WIDTH, FEED_FORWARD),
    weights('ffn_up', WIDTH, FEED_FORWARD),
    down,
  ]
}

/** Evenly spread numbers with this mean square. */
function matrix(random: Random, columns: number, rows: number, deviation: number): Float32Array {
  const reach = deviation * Math.sqrt(12)
  return Float32Array.from({ length: columns * rows }, () => (random() - 0.5) * reach)
}

// Types of metadata, tensors and tokens.
const UINT32 = 4
const INT32 = 5
const FLOAT32 = 6
const BOOL = 7
const STRING = 8
const ARRAY = 9
const F32 = 0
const NORMAL = 1
const CONTROL = 3
const USER_DEFINED = 4

function pair(key: string, type: number, value: Buffer): Buffer {
  return Buffer.concat([text(key), u32(type), value])
}

function array(type: number, items: readonly Buffer[]): Buffer {
  return Buffer.concat([u32(type), u64(items.length), ...items])
}

function text(value: string): Buffer {
  const bytes = Buffer.from(value)
  return Buffer.concat([u64(bytes.length), bytes])
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

function u64(value: number): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(BigInt(value))
  return bytes
}

function f32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeFloatLE(value)
  return bytes
}

const [, script, file] = process.argv
if (script === fileURLToPath(import.meta.url)) {
  if (file === undefined) throw new Error('Usage: node test/support/tiny-gguf.ts FILE')
  writeFileSync(file, tinyGguf())
}
