import { expect } from 'chai'
import { DirectiveError, parseDirectives, withoutDirectives } from '../../simulator/directives.ts'

describe('simulator/directives', () => {
  it('reads every line that begins with the word; later ones override earlier ones', () => {
    const text = 'Hello\nsimulate: tokens=5 stall=10\n  simulate: tokens=7 done=false\nBye'
    expect(parseDirectives(text)).deep.equal({ tokens: 7, stall: 10, done: false })
    expect(withoutDirectives('Hello\nsimulate: tokens=5\nBye')).equal('Hello\n\nBye')
  })

  it('reads numbers, lists, words, and a text to the end of its line', () => {
    expect(parseDirectives('simulate: status=503 retry_after=2 body=html')).deep.equal({
      status: 503,
      retry_after: 2,
      body: 'html',
    })
    expect(parseDirectives('simulate: tool=a,b calls=2 say=x = y, status=1')).deep.equal({
      tool: ['a', 'b'],
      calls: 2,
      say: 'x = y, status=1',
    })
  })

  it('reads a word without a value as true', () => {
    expect(parseDirectives('simulate: drop queue_full')).deep.equal({ drop: true, queue_full: true })
  })

  it('ignores other texts', () => {
    expect(parseDirectives('please simulate: nothing')).deep.equal({})
    expect(withoutDirectives('plain')).equal('plain')
  })

  it('refuses unknown directives, and lists the known ones', () => {
    expect(() => parseDirectives('simulate: explode=1')).throw(DirectiveError, /"explode".*status.*error_after/)
    expect(() => parseDirectives('simulate: constructor=1')).throw(DirectiveError)
    for (const wrong of ['status=99', 'status=', 'tokens=-1', 'tokens=1.5', 'tokens=9999999', 'body=xml', 'drop=1']) {
      expect(() => parseDirectives(`simulate: ${wrong}`), wrong).throw(DirectiveError, wrong)
    }
  })
})
