import { expect } from 'chai'
import { DetachedTexts } from '../../../../lib/body/large/texts.ts'
import { textsOf } from '../../../support/bodies.ts'

describe('body/large/texts', () => {
  it('are found by their numbers, in however many parts they came', () => {
    const texts = new DetachedTexts()
    const bytes = Buffer.from('one two three')
    texts.begin(bytes, 0, 3)
    texts.begin(bytes, 4, 5)
    for (let i = 5; i < 7; i++) texts.append(bytes, i, i + 1)
    texts.begin(bytes, 7, 7)
    texts.append(bytes, 8, 13)
    expect(texts.count).equal(3)
    expect(textsOf(texts)).deep.equal(['one', 'two', 'three'])
  })

  it('keep small parts together and large ones where they are', () => {
    const texts = new DetachedTexts()
    const large = Buffer.alloc(5000, 'l')
    texts.begin(Buffer.from('b'), 0, 1)
    for (let i = 0; i < 3000; i++) texts.append(Buffer.from('s'), 0, 1)
    texts.append(large, 0, 5000)
    expect(texts.slices).equal(3)
    expect(textsOf(texts)).deep.equal([`b${'s'.repeat(3000)}${'l'.repeat(5000)}`])
  })
})
