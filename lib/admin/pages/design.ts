/** The page of the design system. A checkout has it; the published package lacks the folder of its content. */
import { existsSync } from 'node:fs'
import type { Html } from '../../pages/html.ts'
import type { PageRoute } from './page.ts'

const CONTENT = new URL('../../../tools/design.ts', import.meta.url)

interface DesignContent {
  designPage(): Html
}

export function designRoutes(content = CONTENT): readonly PageRoute[] {
  if (!existsSync(content)) return []
  return [
    {
      method: 'GET',
      path: '/design',
      async handle() {
        const { designPage } = (await import(content.href)) as DesignContent
        return { title: 'Design', path: '/design', script: 'plot.js', body: designPage() }
      },
    },
  ]
}
