/** The modules that plugin authors import, read as text: the exports of types are not there at run time. */
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect } from 'chai'
import { repository } from './plugins-page.ts'

interface Export {
  readonly name: string
  readonly isType: boolean
  /** Module that it is exported from. */
  readonly from: string
}

function read(door: string): readonly Export[] {
  const text = readFileSync(join(repository, door), 'utf8')
  return [...text.matchAll(/^export (type )?\{([^}]+)\} from '([^']+)'/gm)].flatMap(([, all, names, from]) =>
    namesIn(names!).map(name => ({
      name: name.replace('type ', ''),
      isType: all !== undefined || name.startsWith('type '),
      from: from!,
    })),
  )
}

/** Names with commas or line breaks between them, sorted. */
export function namesIn(list: string): readonly string[] {
  return list
    .split(/[,\n]/)
    .map(name => name.trim())
    .filter(name => name !== '')
    .toSorted()
}

/** The exports of a module, sorted; types are marked. With `module`, checks that the values are there. */
export function exportsOf(door: string, module?: object): readonly string[] {
  const all = read(door)
  if (module !== undefined) {
    const values = all.filter(({ isType }) => !isType).map(({ name }) => name)
    expect(Object.keys(module).toSorted()).deep.equal(values.toSorted())
  }
  return all.map(({ name, isType }) => (isType ? `type ${name}` : name)).toSorted()
}

/** Exports without a docstring where they are declared. */
export function undocumented(door: string): readonly string[] {
  return read(door).flatMap(({ name, from }) => {
    // docs/CONFIG.md documents members of the configuration.
    if (from.startsWith('./config/')) return []
    const text = declaring(join(repository, 'lib', from), name)
    const declared = `\\nexport (?:abstract |async )?(?:const|function\\*?|class|interface|type) ${name}\\b`
    return new RegExp(`\\*/${declared}`).test(text) ? [] : `${name} of ${from}`
  })
}

/** Text of the file that declares `name`: this one, or the one that it exports it from. */
function declaring(file: string, name: string): string {
  const text = readFileSync(file, 'utf8')
  const from = new RegExp(`\\nexport (?:type )?\\{[^}]*\\b${name}\\b[^}]*\\} from '([^']+)'`).exec(text)?.[1]
  return from === undefined ? text : declaring(join(dirname(file), from), name)
}
