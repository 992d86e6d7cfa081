import { expect } from 'chai'
import { object, objects, occurrences, text, texts, Unique } from '../../../../lib/config/checks/view.ts'

describe('the view of a file that its schema may have refused', () => {
  const file = { list: [{ a: 1 }, 'x', null, { b: 2 }], block: { t: 'text', n: 1 }, wrong: 7 }

  it('finds objects and texts in lists, with their paths', () => {
    expect(objects(file, 'list')).deep.equal([
      { path: 'list.0', value: { a: 1 } },
      { path: 'list.3', value: { b: 2 } },
    ])
    expect(texts(file, 'list', 'at')).deep.equal([{ path: 'at.list.1', value: 'x' }])
  })

  it('passes over what has the wrong type', () => {
    expect(objects(file, 'wrong')).deep.equal([])
    expect(texts(file, 'absent')).deep.equal([])
    expect(object(file, 'wrong')).deep.equal({})
    expect(text(file.block, 'n')).equal(undefined)
    expect(text(object(file, 'block'), 't')).equal('text')
  })
})

describe('occurrences()', () => {
  it('finds the values at a path, through arrays and objects', () => {
    const file = { a: [{ b: 1 }, { c: 2 }, { b: [3] }], d: { x: { b: 4 } } }
    expect(occurrences(file, ['a', '*', 'b'])).deep.equal([
      { path: 'a.0.b', value: 1 },
      { path: 'a.2.b', value: [3] },
    ])
    expect(occurrences(file, ['d', '*', 'b'])).deep.equal([{ path: 'd.x.b', value: 4 }])
    expect(occurrences(file, ['a', 'b'])).deep.equal([])
  })
})

describe('Unique', () => {
  it('reports the second use of a value, and where the first is', () => {
    const reports: string[] = []
    const unique = new Unique((path, message) => reports.push(`${path} ${message}`))
    unique.claim('a', 'one', first => `is ${first}`)
    unique.claim(undefined, 'two', first => `is ${first}`)
    unique.claim(undefined, 'three', first => `is ${first}`)
    unique.claim('a', 'four', first => `is ${first}`)
    expect(reports).deep.equal(['four is one'])
  })
})
