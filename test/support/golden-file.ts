/**
 * A golden file: a description, then sections. A section starts with a line `=== name word …` and contains everything
 * up to the next such line, byte for byte.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, extname, join } from 'node:path'
import { expect } from 'chai'

/** UPDATE_GOLDEN=1 rewrites expectations instead of checking them. The diff is the review. */
const UPDATE = process.env.UPDATE_GOLDEN === '1'

export interface Section {
  readonly name: string
  /** The words after the name on its first line. */
  readonly words: readonly string[]
  text: string
}

export class GoldenFile {
  readonly name: string
  readonly #path: string
  readonly #intro: string
  readonly #sections: Section[]

  constructor(path: string) {
    this.name = basename(path, extname(path))
    this.#path = path
    const [intro, ...parts] = readFileSync(path, 'utf8').split(/^=== /m)
    this.#intro = intro ?? ''
    this.#sections = parts.map(part => {
      const [head = '', ...rest] = part.split('\n')
      const [name = '', ...words] = head.trim().split(' ')
      return { name, words, text: rest.join('\n') }
    })
  }

  all(name: string): readonly Section[] {
    return this.#sections.filter(section => section.name === name)
  }

  has(name: string): boolean {
    return this.all(name).length > 0
  }

  get(name: string): Section {
    const [section] = this.all(name)
    if (section === undefined) throw new Error(`${this.#path} has no section '=== ${name}'.`)
    return section
  }

  /** JSON of a section, or the fallback if it is missing. */
  json<T>(name: string, fallback: T): T {
    return this.has(name) ? (JSON.parse(this.get(name).text) as T) : fallback
  }

  /** Compares the section, or rewrites or adds it. */
  expect(actual: string, name: string, section: Section | undefined = this.all(name)[0]): void {
    if (!UPDATE) {
      expect(actual).equal(section?.text ?? `(no section '=== ${name}')`)
      return
    }
    if (section === undefined) this.#sections.push({ name, words: [], text: actual })
    else section.text = actual
    const parts = this.#sections.map(({ name, words, text }) => `=== ${[name, ...words].join(' ')}\n${text}`)
    writeFileSync(this.#path, this.#intro + parts.join(''))
  }
}

/** Every golden file of a folder below test/golden. */
export function goldenFiles(folder: string, ending: string): GoldenFile[] {
  const directory = join(import.meta.dirname, '..', 'golden', folder)
  const names = readdirSync(directory).filter(name => name.endsWith(ending))
  if (names.length === 0) throw new Error(`${directory} holds no golden file.`)
  return names.sort().map(name => new GoldenFile(join(directory, name)))
}

export function indented(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`
}
