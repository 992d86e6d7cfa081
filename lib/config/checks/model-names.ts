import { matchesGlob } from '../../base/glob.ts'
import type { JsonObject } from '../../base/json.ts'
import { object, objects, text, texts } from './view.ts'

interface Names {
  readonly zdr: boolean
  matches(name: string): boolean
}

/** Ids and aliases of models, and the ids that entries with `discover` may find. */
export class ModelNames {
  readonly #known = new Map<string, string>()
  readonly #all: Names[] = []

  constructor(file: JsonObject) {
    for (const { value: model } of objects(file, 'models')) {
      const holder = model.discover === undefined ? model : object(model, 'defaults')
      const zdr = objects(holder, 'backends').some(({ value }) => value.zdr === true)
      const names = [text(model, 'id') ?? [], texts(model, 'aliases').map(({ value }) => value)].flat(2)
      for (const name of names) this.#known.set(name, names[0]!)
      const globs = texts(model, 'allow').map(({ value }) => value)
      const matches = (name: string) => names.includes(name) || globs.some(glob => matchesGlob(glob, name))
      this.#all.push({ zdr, matches })
    }
  }

  get isEmpty(): boolean {
    return this.#all.length === 0
  }

  /** The names that are certain. */
  get known(): Iterable<string> {
    return this.#known.keys()
  }

  /** The id of the model with this id or alias, or that may be found with this name. */
  idOf(name: string): string {
    return this.#known.get(name) ?? name
  }

  has(name: string): boolean {
    return this.#known.has(name) || this.#all.some(({ matches }) => matches(name))
  }

  /** Whether one of these models has a backend with zero data retention. `*`: all models. */
  hasZdr(names: readonly string[]): boolean {
    return this.#all.some(({ zdr, matches }) => zdr && (names.includes('*') || names.some(matches)))
  }
}
