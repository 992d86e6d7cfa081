import { expect } from 'chai'
import { type Scope, scopeName, scopeOf } from '../../../lib/limits/scope.ts'

describe('scopes of limits', () => {
  const scopes: readonly (readonly [Scope, string | undefined])[] = [
    [{}, undefined],
    [{ key: 'k1' }, 'k1'],
    [{ model: 'org/m:1=a' }, 'model=org/m:1=a'],
    [{ key: 'k1', model: 'm' }, 'k1:model=m'],
    [{ endUser: '0123456789abcdef' }, 'user=0123456789abcdef'],
    [{ key: 'k1', endUser: 'none' }, 'k1:user=none'],
  ]
  for (const [scope, name] of scopes)
    it(`are named and read: ${name}`, () => {
      expect(scopeName(scope)).equal(name)
      expect(scopeOf(name)).deep.equal({ key: undefined, model: undefined, endUser: undefined, ...scope })
    })
})
