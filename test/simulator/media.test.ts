import { expect } from 'chai'
import { draw, edit, moderate, speak } from '../../simulator/media.ts'

const CONTEXT = { model: 'm', seed: 0, checkLength() {} }

describe('simulator/media', () => {
  it('speaks bytes by the length of the text', () => {
    expect(speak({ input: 'ab' }, CONTEXT)).deep.include({ mediaType: 'audio/mpeg', bytes: Buffer.alloc(266) })
    expect(speak({ input: 'ab', response_format: 'wav' }, CONTEXT)).deep.include({ mediaType: 'audio/wav' })
    expect(() => speak({}, CONTEXT)).throw()
  })

  it('draws n images', () => {
    expect(draw({ n: 2 }, CONTEXT))
      .property('data')
      .length(2)
    const { parts } = edit({ fields: { n: '3' }, filename: 'a.png', mediaType: 'image/png', bytes: 1 }, 'm')
    expect(JSON.parse(parts[0]!)).property('data').length(3)
  })

  it('flags a word', () => {
    const flagged = (input: string | string[]) =>
      (moderate({ input }, CONTEXT) as { results: { flagged: boolean }[] }).results.map(one => one.flagged)
    expect(flagged('harm')).deep.equal([true])
    expect(flagged(['harm', 'none'])).deep.equal([true, false])
  })
})
