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
    ['takes a fence and its language on one line away', '```json {"a":1}```', '{"a":1}'],
    ['keeps JSON that begins on the line of the fence', '```json {\n"a":1\n}\n```', '{\n"a":1\n}'],
    ['keeps JSON that begins right behind the fence', '```[\n1\n]\n```', '[\n1\n]'],
    ['takes no word of JSON for a language', '```true```', 'true'],
    ['takes no number for a language', '```42```', '42'],
    ['keeps a fence inside a string', '{"code":"```js\\n1\\n```"}', '{"code":"```js\\n1\\n```"}'],
    ['takes nothing from nothing', '', ''],
    ['copes with a lone fence', '```', ''],
  ]
  for (const [shows, text, json] of cases) {
    it(shows, () => expect(withoutFences(text)).equal(json))
  }
})
