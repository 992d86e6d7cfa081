import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import { configReference } from '../../../lib/config/reference.ts'

describe('docs/CONFIG.md', () => {
  const text = configReference()

  it('is current', () => {
    const written = readFileSync(new URL('../../../docs/CONFIG.md', import.meta.url), 'utf8')
    expect(written === text, 'run: node bin/config-reference.mjs').equal(true)
  })

  it('has a row for every kind of member', () => {
    expect(text).contain('| `brand` | text | `service` | ')
    expect(text).contain('| `port` | whole number, 0 to 65535 | `8080` | ')
    expect(text).contain('| [`admin`](#admin) | block or `false` |  | ')
    expect(text).contain('| `reasoning` | `false`, `true`, `always` | `false` | ')
    expect(text).contain(
      '| `clamp_max_tokens` | list of `chat`, `completions`, `messages`, `responses` | `["messages"]` | ',
    )
    expect(text).contain('| `headers` | map of texts | `{}` | ')
    expect(text).contain('| `url` | text | required | ')
    expect(text).contain('## `accounts[].keys[]`\n')
    expect(text).contain('## `plans.<name>.requests`\n')
  })

  it('links only to sections it has', () => {
    const anchors = new Set(
      [...text.matchAll(/^## (.*)$/gm)].map(([, title]) => title!.toLowerCase().replace(/[^a-z0-9_-]/g, '')),
    )
    const links = [...text.matchAll(/\]\(#([^)]*)\)/g)].map(([, anchor]) => anchor!)
    expect(links).lengthOf.above(10)
    for (const link of links) expect(anchors, link).include(link)
  })
})
