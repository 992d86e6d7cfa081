import { expect } from 'chai'
import type { JsonObject } from '../../../../lib/base/json.ts'
import { checkPricing } from '../../../../lib/config/checks/pricing.ts'

function problems(model: JsonObject): readonly string[] {
  const found: string[] = []
  checkPricing(model, 'models.0', (path, problem) => void found.push(`${path} ${problem}`))
  return found
}

describe('the prices of a model', () => {
  it('are pairs of tokens, or the unit of the kind, or both', () => {
    expect(problems({ pricing: { input: 1, cached_input: 1, output: 2 } })).deep.equal([])
    expect(problems({ kind: 'speech', pricing: { per_million_characters: 1 } })).deep.equal([])
    expect(problems({ kind: 'moderation', pricing: { per_million_characters: 1 } })).deep.equal([])
    expect(problems({ kind: 'image', pricing: { input: 1, output: 2, per_image: 1 } })).deep.equal([])
    expect(problems({ kind: 'transcription', pricing: { per_minute: 1 } })).deep.equal([])
    expect(problems({})).deep.equal([])
  })

  it('are no half of a pair', () => {
    expect(problems({ pricing: { input: 1 } })).deep.equal([
      "models.0.pricing.output is required, because there is 'input'",
    ])
    expect(problems({ pricing: { output: 1 } })).deep.equal([
      "models.0.pricing.input is required, because there is 'output'",
    ])
    expect(problems({ kind: 'image', pricing: { cached_input: 1, per_image: 2 } })).deep.equal([
      "models.0.pricing.input is required, because there is 'cached_input'",
    ])
  })

  it('are no unit of another kind', () => {
    expect(problems({ pricing: { per_image: 1 } })).deep.equal([
      'models.0.pricing.per_image is for models of kind image, and this one is of kind chat',
    ])
    expect(problems({ kind: 'image', pricing: { per_million_characters: 1 } })).deep.equal([
      'models.0.pricing.per_million_characters is for models of kind speech or moderation, and this one is of kind image',
    ])
  })
})
