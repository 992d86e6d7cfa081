import { definePlugin, fail, quoted } from '../../../lib/plugin.ts'
import { requestTags } from '../../slots.ts'

const TAG = /^[a-z0-9_-]{1,32}$/
const MAX_TAGS = 8

/**
 * The tags in order of first use, without duplicates (docs/api/README.md#request-tags). Node joins repeated headers
 * with commas, so splitting at commas covers both ways to send several tags.
 */
function parseTags(header: string): readonly string[] {
  const tags = new Set<string>()
  for (const part of header.split(',')) {
    const tag = part.trim()
    if (tag === '') refuse(tag, 'a value before, between or after commas is empty.')
    if (!TAG.test(tag)) refuse(tag, 'use 1 to 32 of a-z, 0-9, dash and underscore.')
    tags.add(tag)
    if (tags.size > MAX_TAGS) refuse(tag, `at most ${MAX_TAGS} different tags are allowed.`)
  }
  return [...tags]
}

function refuse(tag: string, problem: string): never {
  fail('invalid_request_tag', { tag: quoted(tag), problem })
}

export default definePlugin({
  name: 'request-tags',
  summary: 'Reads the tags of a request on a dedicated endpoint.',
  routes: { surface: ['dedicated'], proxied: true },
  provides: [requestTags],

  setup(_options, { config }) {
    const name = `${config.brand}-request-tag`.toLowerCase()
    return {
      onHeaders(exchange) {
        const header = exchange.headers[name]
        exchange.set(requestTags, header === undefined ? null : parseTags(String(header)))
      },
    }
  },
})
