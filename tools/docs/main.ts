/** `npm run docs`: builds the documentation site into `site/`. */
import { fileURLToPath } from 'node:url'
import { buildSite } from './site.ts'

const isBuilt = await buildSite(fileURLToPath(new URL('../..', import.meta.url)))
if (!isBuilt) process.stdout.write('site/ is current.\n')
