/** The examples of docs/start/plugin.md and docs/PLUGINS.md, in files outside this repository. */
import { mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const repository = fileURLToPath(new URL('../..', import.meta.url))
/** Both pages, in the order in which they are read. */
export const page = ['docs/start/plugin.md', 'docs/PLUGINS.md']
  .map(file => readFileSync(join(repository, file), 'utf8'))
  .join('\n')

/** Code blocks of the page in this language, top to bottom. */
export function codeBlocks(language: string): readonly string[] {
  return [...page.matchAll(/^```(\w+)\n(.*?)^```$/gms)].flatMap(([, name, code]) => (name === language ? code! : []))
}

/** TypeScript blocks by the path in their first line. Throws if a block has none. */
export function exampleFiles(): ReadonlyMap<string, string> {
  return new Map(
    codeBlocks('ts').map(code => {
      const [, path, text] = /^\/\/ (\S+\.ts)\n(.*)$/s.exec(code) ?? []
      if (path === undefined || text === undefined) throw new Error(`a block does not begin with its path:\n${code}`)
      return [path, text]
    }),
  )
}

/** A temporary directory with every example, in which the gateway and the types of Node are linked. */
export function exampleDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'sluiceway-plugins-'))
  mkdirSync(join(directory, 'node_modules/@types'), { recursive: true })
  symlinkSync(repository, join(directory, 'node_modules/sluiceway'))
  symlinkSync(join(repository, 'node_modules/@types/node'), join(directory, 'node_modules/@types/node'))
  const [options, tsconfig] = codeBlocks('json')
  const files = new Map([
    ['package.json', '{ "type": "module" }'],
    ['max-output/options.json', options!],
    ['tsconfig.json', tsconfig!],
    ...exampleFiles(),
  ])
  for (const [path, text] of files) {
    mkdirSync(dirname(join(directory, path)), { recursive: true })
    writeFileSync(join(directory, path), text)
  }
  return directory
}
