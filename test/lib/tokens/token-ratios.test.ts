import { expect } from 'chai'
import { type PromptSize, promptSize } from '../../../lib/tokens/prompt-size.ts'
import { ModelTokens, TokenRatios } from '../../../lib/tokens/token-ratios.ts'
import { seededRandom } from '../../../simulator/random.ts'
import { chatRequest } from '../../support/canonical.ts'
import { EMPTY_SIZE } from '../../support/prompt-size.ts'

const user = (content: string) => promptSize(chatRequest({ messages: [{ role: 'user', content }] }))

/** Prompts of all kinds, and their tokens by a tokenizer whose ratios differ from the first ones. */
function traffic(seed: number) {
  const random = seededRandom(seed)
  const normal = () => random() + random() + random() + random() - 2
  return (): { readonly size: PromptSize; readonly tokens: number } => {
    const bytes = Math.exp(4 + 6 * random())
    const kind = Math.floor(random() * 4)
    const size = { ...EMPTY_SIZE, requests: 1, pieces: 1 + Math.floor(random() * 9) }
    if (kind === 0) Object.assign(size, { letters: bytes * 0.94, symbols: bytes * 0.05, digits: bytes * 0.01 })
    if (kind === 1) Object.assign(size, { letters: bytes * 0.6, symbols: bytes * 0.3, digits: bytes * 0.1 })
    if (kind === 2) Object.assign(size, { wide: bytes * 0.95, symbols: bytes * 0.05 })
    if (kind === 3) Object.assign(size, { letters: bytes, tools: 2000 * random(), images: Math.floor(random() * 3) })
    const { letters, symbols, digits, wide, tools, pieces, images } = size
    const mean = 60 + letters / 3.1 + symbols * 0.62 + digits + wide * 0.5 + tools * 0.4 + pieces * 4 + images * 1300
    return { size, tokens: Math.max(1, Math.round(mean * Math.exp(0.12 * normal()))) }
  }
}

describe('measured tokens', () => {
  it('start high: a digit is a token, and Japanese has more tokens than prose', () => {
    const tokens = new ModelTokens()
    expect(tokens.upperBound(user('1 2 3 4 5 6 7 8 9 0 '.repeat(40)))).least(800)
    expect(tokens.upperBound(user('日本語'.repeat(100)))).above(tokens.upperBound(user('abc'.repeat(100))))
    expect(tokens.upperBound(user('prose of letters '.repeat(100)))).least(
      tokens.expected(user('prose of letters '.repeat(100))),
    )
  })

  it('follow the counts of backends, and are then high for 999 of 1,000 requests of all kinds', () => {
    const next = traffic(1)
    const tokens = new ModelTokens()
    for (let i = 0; i < 5000; i++) {
      const { size, tokens: reported } = next()
      tokens.learn(size, reported)
    }
    let low = 0
    let expected = 0
    let bounds = 0
    let sum = 0
    for (let i = 0; i < 20_000; i++) {
      const { size, tokens: reported } = next()
      if (reported > tokens.upperBound(size)) low++
      expected += tokens.expected(size)
      bounds += tokens.upperBound(size)
      sum += reported
      tokens.learn(size, reported)
    }
    expect(low).most(20)
    expect(expected / sum).within(0.9, 1.1)
    // Not many times too high: a reservation of this size must fit into the balance.
    expect(bounds / sum).within(1.05, 2)
  })

  it('keep the first, high ratio of each kind until enough tokens are measured', () => {
    const tokens = new ModelTokens()
    for (let i = 0; i < 1000; i++) tokens.learn(user('plain words here '.repeat(20)), 80)
    const unknown = user('漢'.repeat(300))
    expect(tokens.upperBound(unknown)).least(Math.floor(unknown.wide * 0.67))
    expect(tokens.upperBound(user('plain words here '.repeat(20)))).within(80, 110)
  })

  it('forget: a model that is replaced under its name is measured again', () => {
    const tokens = new ModelTokens()
    const prompt = user('plain words here '.repeat(200))
    for (let i = 0; i < 3000; i++) tokens.learn(prompt, 800)
    expect(tokens.expected(prompt)).within(780, 820)
    for (let i = 0; i < 5000; i++) tokens.learn(prompt, 1600)
    expect(tokens.expected(prompt)).within(1400, 1650)
    expect(tokens.upperBound(prompt)).least(1600)
  })

  it('stay within bounds if the counts of a backend are wrong, and never change the count of token ids', () => {
    const tokens = new ModelTokens()
    const prompt = user('x'.repeat(1000))
    for (let i = 0; i < 3000; i++) tokens.learn(prompt, 1e9)
    expect(tokens.expected(prompt)).below(2000)
    for (let i = 0; i < 9000; i++) tokens.learn(prompt, 1)
    expect(tokens.expected(prompt)).above(5)
    const ids = { ...EMPTY_SIZE, ids: 77 }
    tokens.learn(ids, 5)
    expect(tokens.expected(ids)).equal(77)
    expect(tokens.upperBound(ids)).equal(77)
    tokens.learn(prompt, 0)
  })

  it('are kept per model, with one ratio over all text for texts of known length', () => {
    const ratios = new TokenRatios()
    const own = ratios.of('m')
    expect(ratios.of('m')).equal(own)
    expect(ratios.of('other')).not.equal(own)
    expect(own.tokensPerByte).closeTo(0.22, 1e-9)
    for (let i = 0; i < 2000; i++) own.learn(user('plain words here '.repeat(50)), 425)
    expect(own.tokensPerByte).within(0.4, 0.55)
    expect(own.ofText(1000)).within(400, 550)
  })
})
