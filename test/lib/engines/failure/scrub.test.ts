import { expect } from 'chai'
import { isParameter, scrubbed } from '../../../../lib/engines/failure/scrub.ts'
import { expectLinear } from '../../../support/cost.ts'

describe('scrubbed reasons', () => {
  const kept = [
    'temperature must be non-negative, got -1.0.',
    "Input should be 'user' or 'assistant'",
    "The model's limit is 4096 tokens.",
    'tools[0].function.parameters is not valid JSON',
    "'messages.0.role': Field required",
    'top_p must be in (0, 1], got 2.',
  ]
  for (const text of kept) it(`keeps: ${text}`, () => expect(scrubbed(text)).equal(text))

  const removed: readonly [what: string, text: string, rest: string][] = [
    ['addresses', 'Cannot fetch https://user:pw@internal.example/x?k=1 now', 'Cannot fetch … now'],
    ['host names', 'Worker gpu-node-3.cluster.local:8000 on localhost said no', 'Worker … on … said no'],
    ['IP addresses', 'Connection to 10.0.0.7:8000 and [fe80::1] failed', 'Connection to … and […] failed'],
    [
      'paths and files',
      'Error in /usr/lib/vllm/engine.py:33 and C:\\models\\x and config.json',
      'Error in … and C:… and …',
    ],
    ['quoted text', 'The value "my secret plan" is bad and \'hunter2\' too', 'The value … is bad and … too'],
    ['keys', 'Bearer sk-abcdef0123456789 is not known', 'Bearer … is not known'],
    ['objects', "Bad tool {'name': {'deep': 'secret'}} given", 'Bad tool … given'],
    ['what is not English', 'Bad prompt: Größe ist 7 ∞ 日本', 'Bad prompt: … ist 7 …'],
    ['stacks', 'It failed.\n  File "/x.py", line 3\nsecret', 'It failed.'],
    ['JavaScript stacks', 'It failed.\n    at secret (x.js:1)', 'It failed.'],
    ['Python stacks', 'It failed. Traceback (most recent call last): secret', 'It failed.'],
    [
      'dumps of the input',
      "Input should be a string [type=string_type, input_value='secret']",
      'Input should be a string',
    ],
    ['advertisements', 'No. For further information visit us', 'No.'],
    ['long numbers', 'Card 4111111111111111 refused', 'Card … refused'],
    ['words that are no words', 'Sentinel CANARY_7f3a and SHOUTING leaked', 'Sentinel … and … leaked'],
    ['an object that never ends', 'Bad request: {"a": "secret', 'Bad request: …'],
  ]
  for (const [what, text, rest] of removed) it(`lose ${what}`, () => expect(scrubbed(text)).equal(rest))

  it('are empty if no words are left', () => {
    for (const text of ['', '   ', '{"a": 1}', '10.0.0.1', 'Traceback (most recent call last)', '日本語', '"secret"']) {
      expect(scrubbed(text), text).equal('')
    }
  })

  it('are short', () => {
    const reason = scrubbed('word '.repeat(1000))
    expect(reason.length).within(290, 300)
    expect(reason.endsWith('…')).equal(true)
  })

  it('take linear time for any input', () => {
    for (const piece of ['a', '"', "'a", '{', '…', 'a.', '[type', 'http://', '\n ', '`a`'])
      expectLinear({ make: size => piece.repeat(size), work: scrubbed }, 10_000, piece)
  })
})

describe('parameters', () => {
  it('are names of the API and numbers', () => {
    for (const path of ['messages', 'messages.0.role', 'tools[1].function.name', 'max_tokens']) {
      expect(isParameter(path), path).equal(true)
    }
    for (const path of [
      '',
      '.',
      'secret',
      'messages.secret',
      'messages.0.hunter2',
      'a b',
      'constructor',
      `tools${'.0'.repeat(60)}`,
    ]) {
      expect(isParameter(path), path).equal(false)
    }
  })
})
