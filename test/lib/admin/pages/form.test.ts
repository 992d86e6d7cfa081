import { expect } from 'chai'
import { type FormFields, filled, numberIn, refusalOf, wordsIn } from '../../../../lib/admin/pages/form.ts'
import { failure } from '../../../../lib/errors/errors.ts'

describe('fields of forms', () => {
  const form = new URLSearchParams({ a: ' x ', blank: '  ', n: '-5', f: '1.5', wrong: '1e5', words: 'a, b\nc,,d' })

  it('are trimmed texts, or undefined', () => {
    expect(['a', 'blank', 'absent'].map(name => filled(form, name))).deep.equal(['x', undefined, undefined])
  })

  it('are numbers, or unchanged text for the check of the operation', () => {
    expect(['n', 'f', 'wrong', 'absent'].map(name => numberIn(form, name))).deep.equal([-5, 1.5, '1e5', undefined])
  })

  it('are lists of words', () => {
    expect(wordsIn(form, 'words')).deep.equal(['a', 'b', 'c', 'd'])
    expect(wordsIn(form, 'absent')).deep.equal([])
  })

  it('are named in refusals by their labels', () => {
    const fields: FormFields = {
      name: ['name', 'Name'],
      models: ['models', 'Models'],
      'limits.budget_cents.window': ['window', 'Budget window'],
      'limits.budget_cents': ['amount', 'Budget'],
      session: ['session', 'Session', 'A session has 16 digits.'],
    }
    const refused = (param: string | undefined, problem: string) => {
      const { field, text } = refusalOf(failure('schema_validation_failed', { problem }, { param }), fields)
      return [field, text]
    }
    expect([
      refused('name', "'name' must be a string that is not empty."),
      refused('name', "'name' must be a string of at most 256 characters."),
      refused('models.1', "'models.1' is 'x', which is not a model."),
      refused('limits.budget_cents.0.window', "'limits.budget_cents.0.window' must be a number and d."),
      refused('limits.budget_cents.amount', "'limits.budget_cents.amount' must be a whole number or null."),
      refused('session', "'session' must be written like ^x$."),
      refused('name', "The body lacks the required field 'name'."),
      refused('url', "The body lacks the required field 'url'."),
      refused('names', "'names' must be a string."),
      refused(undefined, 'There is already an account with this name.'),
    ]).deep.equal([
      ['name', "'Name' must be filled in."],
      ['name', "'Name' must be at most 256 characters."],
      ['models', "'Models' is 'x', which is not a model."],
      ['window', "'Budget window' must be a number and d."],
      ['amount', "'Budget' must be a whole number, or empty."],
      ['session', 'A session has 16 digits.'],
      ['name', "'Name' must be filled in."],
      [null, "The form lacks 'url'."],
      [null, "'names' must be a string."],
      [null, 'There is already an account with this name.'],
    ])
  })
})
