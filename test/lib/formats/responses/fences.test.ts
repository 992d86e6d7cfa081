import { expect } from 'chai'
import { withoutFences } from '../../../../lib/formats/responses/fences.ts'

describe('withoutFences', () => {
  const cases: readonly (readonly [shows: string, text: string, json: string])[] = [
    ['leaves bare JSON alone', '{"a":1}', '{"a":1}'],
    ['takes the space around it away', ' \n{"a":1}\n', '{"a":1}'],
    ['takes a fence with a language away', '```json\n{"a":1}\n```', '{"a":1}'],
    ['takes a fence without a language away', '```\n{"a":1}\n```\n', '{"a":1}'],
    ['takes a fence with other line ends away', '```json\r\n{"a":1}\r\n```', '{"a":1}'],
    ['takes the opening fence of a cut reply away', '```json\n{"a":', '{"a":'],
    ['takes a fence on one line away', '```{"a":1}```', '{"a":1}'],
    ['keeps a fence inside a string', '{"code":"```js\\n1\\n```"}', '{"code":"```js\\n1\\n```"}'],
    ['takes nothing from nothing', '', ''],
    ['copes with a lone fence', '```', ''],
  ]
  for (const [shows, text, json] of cases) {
    it(shows, () => expect(withoutFences(text)).equal(json))
  }
})
