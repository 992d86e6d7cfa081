import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import type { FormatName } from '../../../lib/canonical/format.ts'
import { formatOf } from '../../../lib/formats/index.ts'
import { ROUTES } from '../../../lib/routes/routes.ts'

const folder = join(import.meta.dirname, '../../../lib/formats')

/** The compiler checks that this list is complete. */
const FORMATS = Object.keys({
  chat: true,
  completions: true,
  messages: true,
  responses: true,
} satisfies Record<FormatName, true>) as FormatName[]

/** The files of every format, and the values that each exports. */
const FILES: Readonly<Record<string, readonly string[]>> = {
  'generated/body.ts': [],
  'request.ts': ['toCanonical'],
  'response.ts': ['ResponseCollector'],
  'stream.ts': ['StreamEncoder'],
}

/** Helpers that not every format needs. A helper of two formats has the same file and the same name in both. */
const HELPERS: Readonly<Record<string, readonly string[]>> = {
  'conversation.ts': ['readConversation'],
  'errors.ts': ['toClientParam', 'toErrorBody'],
  'tools.ts': ['readToolChoice', 'readTools'],
}

async function exportsOf(file: string): Promise<string[]> {
  return Object.keys((await import(join(folder, file))) as object).sort()
}

describe('formats', () => {
  it('are the folders here, and openai, which two of them share', () => {
    const folders = readdirSync(folder, { withFileTypes: true }).filter(entry => entry.isDirectory())
    expect(folders.map(entry => entry.name).sort()).eql([...FORMATS, 'openai'].sort())
  })

  it('exist for every route, under their own name', () => {
    for (const { format } of ROUTES) expect(formatOf(format).name).equal(format)
  })

  for (const name of FORMATS) {
    describe(name, () => {
      for (const [file, names] of Object.entries(FILES)) {
        it(`${file} exports the same names as in the other formats`, async () => {
          expect(await exportsOf(`${name}/${file}`)).eql(names)
        })
      }

      for (const [file, names] of Object.entries(HELPERS)) {
        if (!readdirSync(join(folder, name)).includes(file)) continue
        it(`${file} exports the names that other formats use`, async () => {
          expect(await exportsOf(`${name}/${file}`)).include.members([...names])
        })
      }

      it('is built from its files', async () => {
        const ownErrors = join(folder, name, 'errors.ts')
        const errors = existsSync(ownErrors) ? ownErrors : join(folder, 'openai/errors.ts')
        const { toErrorBody, toClientParam } = await import(errors)
        const { toCanonical } = await import(join(folder, name, 'request.ts'))
        expect(formatOf(name)).include({ name, toCanonical, toErrorBody, toClientParam })
      })
    })
  }
})
