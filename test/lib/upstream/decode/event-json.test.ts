import { expect } from 'chai'
import fc from 'fast-check'
import { isObject, type Json, type JsonObject, parseJson } from '../../../../lib/base/json.ts'
import { EventJson } from '../../../../lib/upstream/decode/event-json.ts'
import { anyText } from '../../../support/any-text.ts'
import { collectGarbage } from '../../../support/garbage.ts'

/** An event as an engine writes it, with this piece of text and this number of tokens. */
type Shape = (piece: string, tokens: number) => string

const text = (value: Json) => JSON.stringify(value)
const vllm: Shape = (piece, tokens) =>
  `{"id":"c1","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"content":${text(piece)}},"logprobs":null,"finish_reason":null,"token_ids":null}],"usage":{"prompt_tokens":12,"total_tokens":${12 + tokens},"completion_tokens":${tokens}}}`
const reasoning: Shape = (piece, tokens) => vllm(piece, tokens).replace('"content"', '"reasoning"')
const sglang: Shape = piece =>
  `{"id":"c1","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"role":null,"content":null,"reasoning_content":${text(piece)},"tool_calls":null},"logprobs":null,"finish_reason":null,"matched_stop":null}],"usage":null}`
const llama: Shape = (piece, tokens) =>
  `{"choices":[{"finish_reason":null,"index":0,"delta":{"content":${text(piece)}}}],"created":1,"id":"c1","model":"m","system_fingerprint":"b1","object":"chat.completion.chunk","timings":{"cache_n":14,"prompt_n":23,"prompt_ms":101.5,"predicted_n":${tokens},"predicted_ms":${tokens * 7.25}}}`
const completion: Shape = piece =>
  `{"id":"c1","object":"text_completion","created":1,"model":"m","choices":[{"index":0,"text":${text(piece)},"logprobs":null,"finish_reason":null,"stop_reason":null}],"usage":null}`
const python: Shape = (piece, tokens) =>
  `{"id": "c1", "choices": [{"index": 0, "delta": {"content": ${text(piece)}}, "finish_reason": null}], "usage": {"prompt_tokens": 12, "completion_tokens": ${tokens}}}`
/** The least that is learned from. */
const plain: Shape = piece => `{"choices":[{"delta":{"content":${text(piece)}}}]}`

const SHAPES: Readonly<Record<string, Shape>> = { vllm, reasoning, sglang, llama, completion, python, plain }

/** An event with this text in place of the piece and its quotes. */
const raw = (written: string, shape: Shape = vllm) => shape('@', 7).replace('"@"', () => written)

/** Compares the value of each event with what it is alone, before the next. Returns whether it is the value of the one before. */
function reusesOf(events: readonly string[], json = new EventJson()): boolean[] {
  let before: Json | undefined
  return events.map(event => {
    const value = json.parse(event)
    // JSON.parse, but for names with escapes, which it may confuse (https://github.com/nodejs/node/issues/63785).
    const expected = parseJson(event)
    expect(value, event).deep.equal(expected)
    // The order of members, and names such as `__proto__`.
    expect(JSON.stringify(value), event).equal(JSON.stringify(expected))
    const isReused = isObject(value) && value === before
    before = value
    return isReused
  })
}

/** A reader that has learned this event. */
function learned(event: string): EventJson {
  const json = new EventJson()
  expect(isReused(json, event), event).equal(true)
  return json
}

/** Whether an event reads the same object twice: the second is not parsed as a whole. */
function isReused(json: EventJson, event: string): boolean {
  return reusesOf([event, event], json)[1]!
}

describe('EventJson', () => {
  describe('a stream of an engine', () => {
    for (const [name, shape] of Object.entries(SHAPES)) {
      it(`reuses the value of an event like the one before: ${name}`, () => {
        const pieces = ['Hm', ' – é', '', 'x', 'longer than a slice', '\n\n', '"', 'end']
        expect(reusesOf(pieces.map((piece, i) => shape(piece, i + 1)))).deep.equal(pieces.map((_, i) => i > 0))
      })
    }

    it('of vLLM is read from its role to its end', () => {
      const role = vllm('', 0).replace('"content"', '"role":"assistant","content"')
      const finish = vllm('', 4).replace('"finish_reason":null', '"finish_reason":"stop"')
      const counts = vllm('', 4).replace(/"choices":\[.*\]/, '"choices":[]')
      const events = [role, vllm('One', 1), vllm(' two', 2), vllm(' three', 3), finish, counts]
      expect(reusesOf(events)).deep.equal([false, false, true, true, false, false])
    })

    it('of SGLang goes from reasoning to content', () => {
      const content: Shape = piece =>
        sglang('', 0)
          .replace('"content":null', `"content":${text(piece)}`)
          .replace('"reasoning_content":""', '"reasoning_content":null')
      const events = [sglang('Hm', 1), sglang('.', 2), content('Yes', 3), content('!', 4), sglang('', 5)]
      expect(reusesOf(events)).deep.equal([false, true, false, true, false])
    })

    it('of llama.cpp ends with usage and timings', () => {
      const end = llama('', 3).replace('"timings"', '"usage":{"completion_tokens":3},"timings"')
      const next = llama('c', 4).replace('"timings"', '"usage":{"completion_tokens":4},"timings"')
      expect(reusesOf([llama('a', 1), llama('b', 2), end, end, next])).deep.equal([false, true, false, true, false])
    })

    it('may have counts in some events only, or details in some', () => {
      const uncounted = (piece: string) => vllm(piece, 1).replace(/,"usage":.*/, '}')
      const detailed = (tokens: number) =>
        vllm('a', tokens).replace('"total_tokens"', `"details":{"cached":[${tokens},null,{}]},"total_tokens"`)
      expect(reusesOf([uncounted('a'), uncounted('b'), vllm('c', 1), detailed(2), vllm('d', 3)])).deep.equal([
        ...[false, true, false, true, true],
      ])
    })

    it('may have the counts of any JSON that was an object', () => {
      const counted = (value: string) => vllm('a', 1).replace(/"usage":.*/, `"usage":${value}}`)
      const values = ['{}', 'null', '0', '-0', '[]', '"a"', '"\\u00e9"', ' {"a":1} ', '{"a":{"usage":{"b":1}}}']
      expect(reusesOf([vllm('a', 1), ...values.map(counted)])).deep.equal([false, ...values.map(() => true)])
    })

    it('is not confused by another stream', () => {
      const [one, other] = [new EventJson(), new EventJson()]
      const value = one.parse(vllm('a', 1))
      expect(other.parse(vllm('b', 2))).not.equal(value)
      expect(value).deep.equal(JSON.parse(vllm('a', 1)))
    })
  })

  describe('a piece of text', () => {
    const QUOTED = [
      '"},"logprobs":null',
      '"content":"',
      '{"choices":[{"delta":{"content":"b"}}],"usage":{"prompt_tokens":1}}',
      '"},"logprobs":null,"finish_reason":null,"token_ids":null}],"usage":',
      '"}}],"usage":{"a":1}}',
      'a\\',
      '\\"',
      '\\\\',
    ]
    const PIECES = [
      '',
      'a',
      '123456789012',
      '1234567890123',
      'x'.repeat(400),
      'ü',
      'é\u0000\u001f',
      '\b\f\n\r\t',
      '\u2028\u2029',
      '\u007f\u0080\u009f',
      '🙂',
      '👩‍👩‍👧‍👦🇪🇺',
      '\ufeff',
      '/',
      '?',
      '__proto__',
      ...QUOTED,
    ]

    for (const [name, shape] of Object.entries(SHAPES)) {
      it(`may be any text: ${name}`, () => {
        const later = PIECES.map(piece => shape(piece, 2))
        for (const first of ['a', '"a"', ''])
          expect(reusesOf([shape(first, 1), ...later])).deep.equal([false, ...later.map(() => true)])
      })
    }

    it('may be learned from, but the one that stands for the piece while a pattern is made', () => {
      for (const piece of PIECES) {
        const reuses = reusesOf([vllm(piece, 1), vllm('next', 2), vllm('last', 3)])
        expect(reuses, piece).deep.equal([false, piece !== '?', true])
      }
    })

    it('may be written with escapes that it does not need', () => {
      const written = [
        '"\\u0061"',
        '"\\/"',
        '"\\ud83d\\ude42"',
        '"\\ud83d"',
        '"\\udE42\\ud83d"',
        '"\\u0022"',
        '"\\u005c"',
      ]
      expect(reusesOf(written.map(one => raw(one)))).deep.equal(written.map((_, i) => i > 0))
    })

    it('is not JSON with characters that must be escaped, or escapes that are none', () => {
      const written = ['"\n"', '"\u0000"', '"a\tb"', '"\u001f"', '"\\x"', '"\\u00"', '"\\"', '"""', '"a"b"', '"a"",""']
      for (const one of written) {
        for (const json of [new EventJson(), learned(vllm('a', 1))]) {
          expect(json.parse(raw(one)), one).equal(undefined)
          reusesOf([vllm('b', 2), vllm('c', 3)], json)
        }
      }
    })

    it('leaves the value as it was where an event is not JSON', () => {
      const json = learned(vllm('a', 1))
      const value = json.parse(vllm('b', 2))
      for (const event of [raw('"\n"'), vllm('c', 3).slice(0, -1), vllm('c', 3).replace(':12,', ':,')]) {
        expect(json.parse(event), event).equal(undefined)
        expect(value).deep.equal(JSON.parse(vllm('b', 2)))
      }
    })

    it('may become something else than a string', () => {
      for (const other of ['null', '1', '[{"type":"text","text":"a"}]', '{"content":"a"}', '"a","refusal":"b"'])
        reusesOf([vllm('a', 1), raw(other), vllm('b', 2), raw(other), vllm('c', 3)])
    })

    it('may stand beside members that change', () => {
      const member = (value: string) => raw(`"a","refusal":${value}`)
      reusesOf([member('"b"'), member('"c"'), member('null'), member('"c","content":"d"'), member('"e"')])
    })
  })

  describe('what looks like a pattern and is another event', () => {
    const after: readonly [name: string, event: string][] = [
      ['an error behind the counts', vllm('b', 2).replace(/\}$/, ',"error":{"message":"x"}}')],
      ['an error in place of the choice', '{"error":{"message":"x","code":500}}'],
      ['an error before the choices', vllm('b', 2).replace('"id"', '"error":{"message":"x"},"id"')],
      ['a member behind the counts', vllm('b', 2).replace(/\}$/, ',"metrics":{}}')],
      ['counts that stand twice', vllm('b', 2).replace(/\}$/, ',"usage":{"prompt_tokens":1}}')],
      ['counts that are no JSON', vllm('b', 2).replace(':12,', ':12,,')],
      ['counts that are missing', vllm('b', 2).replace(/"usage":.*/, '"usage":}')],
      ['a bracket in place of the last brace', vllm('b', 2).replace(/\}$/, ']')],
      ['a blank in place of the last brace', vllm('b', 2).replace(/\}$/, ' ')],
      ['a digit in place of the last brace', vllm('b', 2).replace(/"usage":.*/, '"usage":12')],
      ['a quote in place of the last brace', vllm('b', 2).replace(/"usage":.*/, '"usage":""')],
      ['a blank behind the last brace', `${vllm('b', 2)} `],
      ['a brace more', `${vllm('b', 2)}}`],
      ['a second event', vllm('b', 2) + vllm('c', 3)],
      ['a second choice', vllm('b', 2).replace('],"usage"', ',{"index":1,"delta":{"content":"c"}}],"usage"')],
      ['a piece that stands twice', raw('"b","content":"c"')],
      ['a piece that stands twice, with the pattern in between', raw(`"b"},"logprobs":null,"delta":{"content":"c"`)],
      ['a finish reason', vllm('b', 2).replace('"finish_reason":null', '"finish_reason":"stop"')],
      ['another id', vllm('b', 2).replace('c1', 'c2')],
      ['another id of another length', vllm('b', 2).replace('c1', 'c10')],
      ['a byte order mark', `\ufeff${vllm('b', 2)}`],
      ['nothing', ''],
      ['null', 'null'],
      ['a number', '1'],
      ['an array', '[]'],
      ['no object', `[${vllm('b', 2)}]`],
      ['no choice', '{"choices":[]}'],
      ['choices that are no list', '{"choices":{"0":{"delta":{"content":"a"}}}}'],
      ['a delta that is no object', '{"choices":[{"delta":"content","text":"a"}]}'],
    ]
    for (const [name, event] of after) {
      it(`has its own value: ${name}`, () => {
        const json = learned(vllm('a', 1))
        expect(reusesOf([vllm('a', 1), event], json)).deep.equal([false, false])
        reusesOf([vllm('c', 3), event, event, vllm('d', 4)], json)
      })
    }

    it('is cut anywhere', () => {
      for (const shape of Object.values(SHAPES)) {
        const json = learned(shape('a', 1))
        const whole = shape('b"c', 2)
        for (let end = 0; end < whole.length; end++) {
          expect(json.parse(whole.slice(0, end)), `cut at ${end}`).equal(undefined)
          // Otherwise nothing is learned any more.
          reusesOf([whole, whole], json)
        }
      }
    })

    it('lacks one character anywhere, or has one more', () => {
      for (const shape of Object.values(SHAPES)) {
        for (const piece of ['', 'b"c']) {
          const whole = shape(piece, 2)
          const json = learned(whole)
          for (let at = 0; at < whole.length; at++) {
            for (const other of ['', '"', '\\', '}', ',', '0', ' '])
              reusesOf([whole.slice(0, at) + other + whole.slice(at + 1), whole, whole], json)
          }
        }
      }
    })
  })

  describe('a pattern', () => {
    const sameTwice: readonly [name: string, event: Shape][] = [
      ['of duplicate members', piece => raw(`"a","content":${text(piece)}`)],
      ['of duplicate deltas', piece => raw(`"a"},"delta":{"content":${text(piece)}`)],
      ['of duplicate choices', piece => `{"choices":[{"delta":{"content":"a"}}],${plain(piece, 0).slice(1)}`],
      ['of duplicate counts', (piece, tokens) => vllm(piece, 1).replace(/\}$/, `,"usage":{"a":${tokens}}}`)],
      ['of a piece in the choice and one in its delta', piece => raw(`"a"},"content":{"text":${text(piece)}`)],
      ['of two pieces, of which the first changes', piece => raw(`${text(piece)},"reasoning":"?"`)],
      ['of a second choice that stays', piece => raw(text(piece)).replace('}],', '},{"delta":{"content":"b"}}],')],
      ['of blanks', piece => ` { "choices" : [ { "delta": { "content": ${text(piece)} } } ] } \n`],
      ['of names with escapes', piece => raw(`${text(piece)},"\\n":{"\\"":1},"\\\\":"\\\\"`)],
      ['of a name that ends as the counts do', piece => vllm(piece, 1).replace('"usage"', '"the\\"usage"')],
      ['of members named __proto__', piece => raw(`${text(piece)},"__proto__":{"content":"a","usage":1}`)],
      [
        'of a delta that has a member named __proto__ alone',
        piece => raw(`"a"},"text":${text(piece)},"__proto__":{"b":1`),
      ],
    ]
    for (const [name, shape] of sameTwice) {
      it(`${name} is used as JSON is read`, () => {
        const [first, second, third] = [shape('b', 1), shape('c"', 2), shape('a longer piece', 3)]
        reusesOf([first, second, third, first, first])
        const json = new EventJson()
        reusesOf([first, second, vllm('a', 1), third, third], json)
      })
    }

    it('of the last of duplicate members is used', () => {
      const doubled = (piece: string) => raw(`"a","content":${text(piece)}`)
      expect(reusesOf([doubled('b'), doubled('c')])).deep.equal([false, true])
    })

    it('of two counts is used with the last of them', () => {
      const twice = (tokens: number) => vllm('a', 1).replace(/\}$/, `,"usage":{"a":${tokens}}}`)
      expect(reusesOf([twice(1), twice(2)])).deep.equal([false, true])
    })

    it('takes no other member for the counts', () => {
      // The value that stands for the counts while a pattern is made is 0.
      const other = (value: string) =>
        `{"choices":[{"delta":{"content":"a"}}],"usage":0,"the\\"usage":${value},"more\\"timings":{}}`
      reusesOf(['{"a":1}', '{"a":2}', '{"a":3}'].map(value => other(value).replace(',"more\\"timings":{}', '')))
      reusesOf(['{"a":1}', '{"a":2}', '{"a":3}'].map(other))
    })

    it('does not take the prototype of an object for its members', () => {
      const event = (piece: string) => raw(`${text(piece)},"__proto__":{"polluted":true}`)
      const json = new EventJson()
      for (const piece of ['a', 'b', 'c']) {
        const { choices } = json.parse(event(piece)) as { choices: { delta: JsonObject }[] }
        expect(choices[0]!.delta.polluted).equal(undefined)
        expect(Object.getPrototypeOf(choices[0]!.delta)).equal(Object.prototype)
        expect(Object.hasOwn(choices[0]!.delta, '__proto__')).equal(true)
      }
      expect(({} as JsonObject).polluted).equal(undefined)
    })

    it('is not made of a tool call, of logprobs or of a prompt', () => {
      const others = [
        raw('null,"tool_calls":[{"index":0,"function":{"arguments":"{"}}]'),
        vllm('a', 1).replace('"logprobs":null', '"logprobs":{"content":[{"token":"a"}]}').replace('"a"', 'null'),
        '{"prompt":{"content":"a"},"choices":[]}',
        '{"content":"a"}',
        '{"choices":["text","content"]}',
      ]
      for (const event of others) expect(isReused(new EventJson(), event), event).equal(false)
    })

    it('is not made of a piece in a second choice', () => {
      const event = (piece: string) => `{"choices":[{"delta":{}},{"delta":{"content":${text(piece)}}}]}`
      expect(reusesOf([event('a'), event('b'), event('c')])).not.include(true)
    })

    it('is not made of an event of more than 1024 characters, nor used for one', () => {
      const longest = vllm('x'.repeat(1024 - vllm('', 1).length), 1)
      expect(longest.length).equal(1024)
      expect(reusesOf([longest, vllm('a', 2)])).deep.equal([false, true])
      expect(reusesOf([vllm('a', 2), longest])).deep.equal([false, true])
      const longer = vllm('x'.repeat(1025 - vllm('', 1).length), 1)
      expect(reusesOf([longer, vllm('a', 2), vllm('b', 3)])).deep.equal([false, false, true])
      expect(reusesOf([vllm('a', 2), longer, longer])).deep.equal([false, false, false])
      const other = llama('x'.repeat(5000), 1)
      expect(reusesOf([vllm('a', 1), other, other, other, other, other, vllm('b', 2), vllm('c', 3)])).deep.equal([
        ...[false, false, false, false, false, false, false, true],
      ])
    })

    it('keeps no text in memory that was read with it', () => {
      const bytes = Buffer.alloc(16 * 1024 * 1024, ' ')
      const json = new EventJson()
      const read = (event: string) => {
        // A slice of a text, as of what a socket received.
        bytes.write(event)
        json.parse(bytes.toString('latin1').slice(0, event.length))
      }
      const used = () => {
        collectGarbage()
        const { heapUsed, external } = process.memoryUsage()
        return heapUsed + external
      }
      const before = used()
      for (const event of [vllm('a', 1), vllm('12 letters..', 2), vllm('1234567890123', 3)]) {
        read(event)
        expect(used() - before, event).below(bytes.length / 2)
      }
      expect(json.parse(vllm('b', 4))).deep.equal(JSON.parse(vllm('b', 4)))
    })
  })

  describe('events that do not repeat', () => {
    const numbered = (id: number, piece = 'a') => vllm(piece, id).replace('c1', `c${id}`)

    it('are learned from four times', () => {
      const three = [1, 2, 3].map(id => numbered(id))
      expect(reusesOf([...three, numbered(4), numbered(4, 'b')])).deep.equal([false, false, false, false, true])
      const four = [...three, numbered(4)]
      expect(reusesOf([...four, numbered(5), numbered(5, 'b'), numbered(5, 'c')])).not.include(true)
    })

    it('are learned from once more for sixteen events that repeat the last pattern', () => {
      const json = new EventJson()
      reusesOf(
        [1, 2, 3, 4].map(id => numbered(id)),
        json,
      )
      const repeated = (count: number) =>
        reusesOf(
          Array.from({ length: count }, () => numbered(4)),
          json,
        )
      repeated(15)
      expect(reusesOf([numbered(5), numbered(5, 'b')], json)).deep.equal([false, false])
      repeated(1)
      expect(reusesOf([numbered(5), numbered(5, 'b')], json)).deep.equal([false, true])
    })

    it('cost a stream nothing whose other events have no piece of text', () => {
      const calls = Array.from({ length: 20 }, (_, i) => numbered(i).replace('"content":"a"', '"tool_calls":[]'))
      expect(reusesOf([...calls, numbered(1), numbered(1, 'b')]))
        .lengthOf(22)
        .and.property('21', true)
    })

    it('are those with log probabilities, which belong to their chunk', () => {
      const event = numbered(1).replace('"logprobs":null', '"logprobs":{"content":[]}')
      expect(event).include('[]}')
      expect(reusesOf([event, event])).not.include(true)
    })

    it('are read right for ever', () => {
      const events = Array.from({ length: 200 }, (_, i) => numbered(i, `piece ${i}`))
      expect(reusesOf(events)).not.include(true)
    })

    it('are those of choices that take turns', () => {
      const choice = (index: number, piece: string, tokens: number) =>
        vllm(piece, tokens).replace('"index":0', `"index":${index}`)
      for (const choices of [2, 3, 5]) {
        reusesOf(Array.from({ length: 60 }, (_, i) => choice(i % choices, `piece ${i}`, i)))
        reusesOf(Array.from({ length: 60 }, (_, i) => choice(Math.floor(i / 3) % choices, `piece ${i}`, i)))
      }
    })
  })

  it('reads any events as JSON is read', () => {
    const often = <T>(usual: fc.Arbitrary<T>, ...others: fc.Arbitrary<T>[]) =>
      fc.oneof({ weight: 9, arbitrary: usual }, ...others)
    const piece = often(
      // What was decoded from UTF-8 has no halves of pairs.
      anyText(20).map(one => text(one.toWellFormed())),
      fc.constantFrom(
        '"?"',
        '"a\\"},\\"logprobs\\":null"',
        '"\\u0061"',
        '"a","content":"b"',
        '"a\\\\"',
        'null',
        '"\\"',
      ),
    )
    const counts = often(
      fc.nat(99).map(tokens => `{"prompt_tokens":12,"completion_tokens":${tokens}}`),
      fc.json({ maxDepth: 2 }),
      fc.constantFrom('null', '{}', '0', '{"a":1},"error":{"message":"x"}', '{"a":1},"usage":{"b":2}', '{"usage":{}}'),
    )
    const characters = [...'"\\{}[]:,0 a?\n\u2028', '"content":"', '"usage":', '"__proto__":', '"\\n":', '"\\"usage":']
    const change = often(
      fc.constant(null),
      fc.record({
        kind: fc.constantFrom('cut', 'spliced', 'replaced', 'another end'),
        place: fc.nat(),
        length: fc.nat(8),
        other: fc.constantFrom(...characters),
      }),
    )
    const shapes = Object.values(SHAPES)
    const shape = fc.nat(shapes.length - 1)
    const events = fc.tuple(
      shape,
      fc.array(fc.tuple(often(fc.constant(-1), shape), piece, counts, change), { minLength: 2, maxLength: 25 }),
    )
    const runs = Number(process.env.RUNS ?? 500)
    let reused = 0
    fc.assert(
      fc.property(events, ([usual, stream]) => {
        let before = ''
        const texts = stream.map(([other, written, counted, changed]) => {
          const whole = raw(written, shapes[other < 0 ? usual : other]).replace(
            /("(?:usage|timings)": ?)\{.*/,
            (_, name) => `${name}${counted}}`,
          )
          const last = before
          before = whole
          if (changed === null) return whole
          const at = changed.place % (whole.length + 1)
          const rests = {
            cut: '',
            spliced: last.slice(at),
            replaced: changed.other + whole.slice(at + changed.length),
            'another end': whole.slice(at, -1) + changed.other,
          }
          return (whole.slice(0, at) + rests[changed.kind]).toWellFormed()
        })
        reused += reusesOf(texts).filter(Boolean).length
      }),
      { numRuns: runs },
    )
    expect(reused).above(runs)
  })
})
