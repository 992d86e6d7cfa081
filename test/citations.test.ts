import { existsSync, globSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { anchorsOf } from './support/markdown.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

const FOLDERS = 'bench,bin,config,deploy,docs,lib,plugins,schemas,simulator,test'
const TEXT = 'ts,mjs,js,json,yaml,md,txt,sse'

/** Every text file of the repository, by its path from the root. */
const texts: ReadonlyMap<string, string> = new Map(
  [...globSync(`{${FOLDERS}}/**/*.{${TEXT}}`, { cwd: root }), ...globSync(`*.{${TEXT}}`, { cwd: root })]
    .filter(file => file !== 'package-lock.json' && file !== 'test/citations.test.ts')
    .map(file => [file, readFileSync(join(root, file), 'utf8')]),
)

/** A path that is no piece of a URL, a template or a pattern. */
const START = '(?<![\\w/.:$}{*<>%@=-])'
const PAGE = new RegExp(`${START}((?:[\\w.-]+/)*[\\w.-]+\\.md)(?:#([\\p{L}\\p{N}_-]+))?(?![\\w<*])`, 'gu')
const SOURCE = new RegExp(
  `${START}((?:\\.\\./)*(?:${FOLDERS.replaceAll(',', '|')})/[\\w./-]*\\w\\.(?:${TEXT.replaceAll(',', '|')}))\\b`,
  'gu',
)

/** NAME or a single letter in a path stands for any name. */
const PLACEHOLDER = /(?:^|\/)(?:NAME|[a-z])[./]/

/** Files that exist elsewhere or not at all, by the file that mentions them. */
const MADE: Readonly<Record<string, readonly string[]>> = {
  // What `plugin new` writes.
  'docs/start/plugin.md': ['test/index.test.ts'],
  'lib/cli/plugin.ts': ['page.md', 'package/README.md'],
  'test/tools/release/release.slow.test.ts': ['notes.md'],
  'test/lib/cli/plugin.slow.test.ts': ['docs/plugins/audit-log.md', 'max-output/README.md'],
  'test/plugins/_template.test.ts': ['docs/plugins/audit-log.md'],
  // Copied to docs/plugins, where the page is.
  'plugins/_template/page.md': ['translate.md'],
  // Names within docs/api.
  'test/api-pages.test.ts': ['errors.md'],
  'test/e2e/api-examples.test.ts': ['serverless-keys.md'],
  // Built from the name of its folder.
  'bin/config-reference.mjs': ['CONFIG.md'],
  // Names within docs/, as pages of the site link to them.
  'test/tools/docs/markdown.test.ts': ['models.md', '../CONFIG.md', '../README.md'],
  'test/tools/docs/pages.test.ts': ['auth.md', 'http_404.md'],
  'test/tools/docs/reference.test.ts': ['models.md', '../errors/model_not_found.md'],
  // A name that must lead to no page.
  'test/plugins/pages/error-docs.test.ts': ['invalid_api_key.md'],
}

/** The comments of a source; a page as a whole, less the words of links, whose targets are looked at. */
function prose(file: string, text: string): string {
  if (file.endsWith('.md')) return text.replace(/\[[^\]]*\](?=\()/g, '[]')
  if (!/\.(?:ts|mjs)$/.test(file)) return ''
  return [...text.matchAll(/(?:^|\s)(?:\/\/|\/?\*\*?) .*$/gm)].join('\n')
}

/** Files that a citation may mean: from the root, or from the file that makes it, as links of Markdown do. */
function targets(from: string, path: string): readonly string[] {
  const places = [normalize(path), normalize(join(dirname(from), path))]
  return places.filter(place => existsSync(join(root, place)) && statSync(join(root, place)).isFile())
}

/** Decisions that no longer hold name files of their time. */
const citing = [...texts].filter(([file]) => !file.startsWith('docs/adr/archive/'))

describe('citations', () => {
  it('of pages lead to a page and a heading of this repository', () => {
    const broken = citing.flatMap(([file, text]) =>
      [...(file.endsWith('.md') ? prose(file, text) : text).matchAll(PAGE)].flatMap(([whole, path, anchor]) => {
        if (PLACEHOLDER.test(path!) || MADE[file]?.includes(path!)) return []
        const found = targets(file, path!).some(
          page => anchor === undefined || anchorsOf(texts.get(page)!).includes(anchor),
        )
        return found ? [] : `${file}: ${whole}`
      }),
    )
    expect(broken).deep.equal([])
  })

  it('of sources lead to a file of this repository', () => {
    const broken = citing.flatMap(([file, text]) =>
      [...prose(file, text).matchAll(SOURCE)].flatMap(([, path]) =>
        PLACEHOLDER.test(path!) || MADE[file]?.includes(path!) || targets(file, path!).length > 0
          ? []
          : `${file}: ${path}`,
      ),
    )
    expect(broken).deep.equal([])
  })
})
