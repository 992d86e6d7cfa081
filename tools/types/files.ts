/** Types that are generated from schemas/: what `npm run generate` writes, and what a test compares. */
import { compile } from 'json-schema-to-typescript'
import type { JsonObject } from '../../lib/base/json.ts'
import { configSchema } from './config.ts'
import { asReadonly } from './readonly.ts'

/** Text by path from the root of the repository. */
export async function generatedFiles(): Promise<ReadonlyMap<string, string>> {
  return new Map([
    [
      'lib/config/generated/file.ts',
      await types('ConfigFile', configSchema(), 'schemas/config.json', '../../base/json.ts'),
    ],
  ])
}

async function types(name: string, schema: JsonObject, source: string, json: string): Promise<string> {
  const banner = `/** Generated from ${source} by \`npm run generate\`. Do not edit. */`
  const code = asReadonly(
    await compile(schema as never, name, {
      bannerComment: '',
      additionalProperties: false,
      format: true,
      style: { semi: false, singleQuote: true, printWidth: 120, trailingComma: 'all' },
      ignoreMinAndMaxItems: true,
      unknownAny: true,
    }),
  )
  const used = ['Json', 'JsonObject'].filter(type => new RegExp(`\\b${type}\\b`).test(code))
  const imports = used.length === 0 ? '' : `import type { ${used.join(', ')} } from '${json}'\n`
  return `${banner}\n${imports}\n${code}`
}
