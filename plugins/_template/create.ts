/** `npm run new-plugin NAME`: a copy of this folder under another name, with its test and its page. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const TEMPLATE = '_template'

/** Files of this folder and what they become. */
const FILES: Readonly<Record<string, (name: string) => string>> = {
  'index.ts': name => `plugins/${name}/index.ts`,
  'options.json': name => `plugins/${name}/options.json`,
  'plugin.test.ts': name => `test/plugins/${name}.test.ts`,
  'page.md': name => `docs/plugins/${name}.md`,
}

/** Writes the files below `root` and returns their paths. Throws, before anything is written, when one is there. */
export function createPlugin(root: string, name: string): readonly string[] {
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name)) {
    throw new Error(`'${name}' is no name for a plugin: use lower-case words joined by hyphens, such as audit-log`)
  }
  const copies = Object.entries(FILES).map(([file, target]) => ({ file, target: target(name) }))
  for (const { target } of copies) if (existsSync(join(root, target))) throw new Error(`${target} is there already`)
  for (const { file, target } of copies) {
    const text = readFileSync(new URL(file, import.meta.url), 'utf8')
    mkdirSync(dirname(join(root, target)), { recursive: true })
    writeFileSync(join(root, target), text.replaceAll(TEMPLATE, name))
  }
  return copies.map(({ target }) => target)
}

if (import.meta.main) {
  const [name, ...rest] = process.argv.slice(2)
  if (name === undefined || rest.length > 0) {
    process.stderr.write('Usage: npm run new-plugin NAME\n')
    process.exit(2)
  }
  try {
    const files = createPlugin(fileURLToPath(new URL('../..', import.meta.url)), name)
    process.stdout.write(`${files.join('\n')}

Its test passes: npm run unit -- test/plugins/${name}.test.ts
To run it, write \`- use: ${name}\` into config/default-chain.yaml, where it belongs. docs/PLUGINS.md tells more.
`)
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`)
    process.exit(1)
  }
}
