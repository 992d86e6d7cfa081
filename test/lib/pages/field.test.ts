import { expect } from 'chai'
import { htmlField } from '../../../lib/pages/field.ts'
import { html } from '../../../lib/pages/html.ts'

describe('a field of a form', () => {
  const render = (refused: string | null, id?: string) =>
    htmlField(
      { name: 'amount', label: 'Amount', ...(id !== undefined && { id }) },
      refused === null ? null : { field: refused, text: 'It must be < 5.' },
      own => html`<input${own} value="7">`,
    ).toString()

  it('has a label, and says nothing unless its own value was refused', () => {
    const field = '<label for="amount">Amount</label>\n<input id="amount" name="amount" value="7">'
    for (const refused of [null, 'note']) expect(render(refused)).contain(field).and.not.contain('problem')
  })

  it('says why its value was refused, and has the focus', () => {
    expect(render('amount', 'k1')).contain(
      '<input id="k1" name="amount" aria-invalid="true" aria-describedby="k1-problem" autofocus value="7">' +
        '<small class="problem" id="k1-problem">It must be &lt; 5.</small>',
    )
  })
})
