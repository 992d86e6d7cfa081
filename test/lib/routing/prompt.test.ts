import { expect } from 'chai'
import type { JsonObject } from '../../../lib/base/json.ts'
import { JsonBody, type RequestBody } from '../../../lib/body/index.ts'
import type { ChatRequest, Message } from '../../../lib/canonical/request.ts'
import { formatOf } from '../../../lib/formats/index.ts'
import { CHUNK_BYTES, hashKey } from '../../../lib/routing/chunk-hash.ts'
import { type Prompt, type PromptOptions, promptOf, promptOfLength } from '../../../lib/routing/prompt.ts'
import { bodyOf } from '../../support/bodies.ts'
import { chatRequest, textRequest, tool } from '../../support/canonical.ts'
import { OPTIONS as DEFAULTS } from '../../support/encoders.ts'

const OPTIONS: PromptOptions = {
  key: hashKey(Buffer.alloc(16, 5)),
  seed: 'm',
  session: undefined,
  isSystemFirst: true,
  isPrivate: false,
}

const text = (name: string, bytes = 5000) =>
  `${name} "said"\n`.repeat(Math.ceil(bytes / (name.length + 8))).slice(0, bytes)

const of = (members: Partial<ChatRequest>, options: Partial<PromptOptions> = {}) =>
  promptOf(chatRequest(members), { ...OPTIONS, ...options })

/** Number of chunks at the start that both prompts have. */
function shared(a: Prompt, b: Prompt): number {
  let chunks = 0
  while (
    2 * chunks < a.hashes.length &&
    a.hashes[2 * chunks] === b.hashes[2 * chunks] &&
    a.hashes[2 * chunks + 1] === b.hashes[2 * chunks + 1]
  )
    chunks++
  return chunks
}

const conversation: Message[] = [
  { role: 'system', content: text('rules') },
  { role: 'user', content: text('question') },
  { role: 'assistant', content: text('answer') },
]

describe('promptOf', () => {
  it('shares all complete chunks with a longer conversation', () => {
    const before = of({ messages: conversation })
    const after = of({ messages: [...conversation, { role: 'user', content: text('more') }] })
    expect(before.hashes.length / 2).equal(Math.floor(before.length / CHUNK_BYTES))
    expect(shared(before, after)).equal(before.hashes.length / 2)
  })

  it('shares nothing between models, tenants and template switches', () => {
    const one = of({ messages: conversation })
    const reasoning = { enabled: true, effort: undefined, param: 'reasoning', byDefault: 'off' } as const
    for (const other of [
      of({ messages: conversation }, { seed: 'other' }),
      of({ messages: conversation, reasoning }),
      of({ messages: conversation, tools: [tool({ description: text('use', 2000) })] }),
    ])
      expect(shared(one, other)).equal(0)
  })

  it('has tools and system texts first, as templates do', () => {
    const late = { role: 'system', content: 'late' } as const
    const one = of({ messages: [...conversation, late] })
    const two = of({ messages: [conversation[0]!, late, ...conversation.slice(1)] })
    expect(shared(one, two)).equal(one.hashes.length / 2)
    expect(shared(one, of({ messages: [...conversation, late] }, { isSystemFirst: false }))).equal(4)
  })

  it('distinguishes roles, tool calls and reasoning', () => {
    const call = (json: string): Message[] => [
      { role: 'user', content: 'x' },
      {
        role: 'assistant',
        content: null,
        reasoning: text('why'),
        toolCalls: [{ id: 'c', name: 'f', arguments: json }],
      },
      { role: 'tool', toolCallId: 'c', content: [{ type: 'text', text: text('result') }] },
    ]
    const one = of({ messages: call('{"a":1}') })
    expect(shared(one, of({ messages: call('{"a":1}') }))).equal(one.hashes.length / 2)
    expect(shared(one, of({ messages: call('{"a":2}') }))).equal(0)
    const preserveThinking = { asked: true, param: 'preserve_thinking' }
    expect(of({ messages: call('{}'), preserveThinking }).length).above(of({ messages: call('{}') }).length + 4000)
    const roles = (['user', 'assistant'] as const).map(role => of({ messages: [{ role, content: text('same') }] }))
    expect(shared(roles[0]!, roles[1]!)).equal(0)
  })

  it('has a digest of images, which distinguishes two of the same size', () => {
    const withImage = (data: string) =>
      of({
        messages: [
          {
            role: 'user',
            content: [
              { type: 'image', url: `data:image/png;base64,${data}` },
              { type: 'text', text: text('what') },
            ],
          },
        ],
      })
    const one = withImage(`${'A'.repeat(300_000)}END1`)
    expect(one.length).below(8000)
    expect(shared(one, withImage(`${'A'.repeat(300_000)}END1`))).equal(one.hashes.length / 2)
    expect(shared(one, withImage(`${'A'.repeat(300_000)}END2`))).equal(0)
  })

  it('hashes text completions: texts, batches, token ids', () => {
    const hashed = (prompt: string | string[] | number[] | number[][]) => promptOf(textRequest({ prompt }), OPTIONS)
    expect(hashed(text('a')).hashes.length).equal(8)
    const ids = Array.from({ length: 1000 }, (_, i) => i)
    expect(shared(hashed(ids), hashed([ids, [1, 2]]))).equal(hashed(ids).hashes.length / 2)
    expect(hashed(['one', 'two']).length).equal(6)
  })

  it('has a session as a hash of fixed size', () => {
    const [one, same, other] = ['s1', 's1', 's2'].map(session => of({}, { session }).session!)
    expect([...one!]).deep.equal([...same!])
    expect([...one!]).not.deep.equal([...other!])
    expect(of({}, { session: 'é'.repeat(5000) }).session!.length).equal(2)
    expect(of({}).session).equal(null)
  })

  for (const [format, body] of Object.entries<JsonObject>({
    chat: {
      model: 'm',
      messages: [
        { role: 'system', content: text('rules') },
        { role: 'user', content: text('q') },
      ],
    },
    completions: { model: 'm', prompt: text('prompt', 9000) },
    messages: { model: 'm', max_tokens: 5, system: text('rules'), messages: [{ role: 'user', content: text('q') }] },
    responses: {
      model: 'm',
      instructions: text('rules'),
      input: [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: text('q') }] }],
    },
  })) {
    it(`has the same hashes of a ${format} body with and without lazy texts`, () => {
      const hashesOf = (body: RequestBody) => [
        ...promptOf(body.translate(formatOf(format as 'chat'), DEFAULTS), OPTIONS).hashes,
      ]
      const hashes = hashesOf(new JsonBody(structuredClone(body)))
      expect(hashes.length / 2).above(7)
      expect(hashesOf(bodyOf(body))).deep.equal(hashes)
    })
  }
})

describe('promptOfLength', () => {
  it('has a length and no prefix', () => {
    expect(promptOfLength(5000)).include({ length: 5000, isStreamed: false, session: null })
    expect(promptOfLength(5000).hashes.length).equal(0)
  })
})
