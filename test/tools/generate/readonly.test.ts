import { expect } from 'chai'
import { asReadonly } from '../../../tools/generate/readonly.ts'

describe('asReadonly', () => {
  it('protects members and arrays', () => {
    const cases = {
      'export interface A {\n  a: string\n  b?: B[]\n}':
        'export interface A {\n  readonly a: string\n  readonly b?: readonly B[]\n}',
      "  'a b': string | number[][]": "  readonly 'a b': string | readonly number[][]",
      "  a: ('x' | 'y')[] | null": "  readonly a: readonly ('x' | 'y')[] | null",
      '  a: {\n    [k: string]: {\n      b: number\n    }[]\n  }':
        '  readonly a: {\n    readonly [k: string]: readonly {\n      readonly b: number\n    }[]\n  }',
    }
    for (const [code, wanted] of Object.entries(cases)) expect(asReadonly(code)).equal(wanted)
  })

  it('leaves comments as they are, on one line', () => {
    expect(asReadonly('  /**\n   * Of endpoints[] alone: all.\n   */\n  a: string')).equal(
      '  /** Of endpoints[] alone: all. */\n  readonly a: string',
    )
  })
})
