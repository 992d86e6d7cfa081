/** The configuration of VitePress. */
import { CODE_THEME, STYLES_TO_CLASSES } from './code-theme.ts'
import { adaptMarkdown, type SiteMap, slug } from './markdown.ts'

/** What depends on the pages. */
export interface SiteData extends SiteMap {
  readonly sidebar: object
  readonly out: string
}

export const BASE = '/docs/'

export function siteConfig({ sidebar, out, ...map }: SiteData) {
  return {
    title: 'Sluiceway',
    description:
      'An inference gateway: one front door for models on vLLM, SGLang, llama.cpp or any OpenAI-compatible server.',
    lang: 'en',
    base: BASE,
    outDir: out,
    cleanUrls: true,
    metaChunk: true,
    // Otherwise a change of the colour scheme inserts a style, which the policy does not allow.
    appearance: { disableTransition: false },
    // The policy of the site allows no prefetch.
    router: { prefetchLinks: false },
    head: [['link', { rel: 'icon', type: 'image/svg+xml', href: `${BASE}icon.svg` }]],
    markdown: {
      html: false,
      anchor: { slugify: slug },
      theme: CODE_THEME,
      codeTransformers: [STYLES_TO_CLASSES],
      languageAlias: { js: 'javascript', ts: 'typescript' },
      config: (md: Parameters<typeof adaptMarkdown>[0]) => adaptMarkdown(md, map),
    },
    // A style in an element has no effect under the policy of the site. Scripts set those that matter.
    transformHtml: (code: string) =>
      code
        .replace(/(<[a-z][^<>]*?) style="[^"]*"/g, '$1')
        .replace('class="VPContent is-home"', 'class="VPContent is-home" role="main"'),
    themeConfig: {
      logo: '/icon.svg',
      nav: [
        { text: 'Call it', link: '/start/first-call' },
        { text: 'Run it', link: '/start/production' },
        { text: 'Extend it', link: '/start/plugin' },
        { text: 'Change it', link: '/start/house' },
      ],
      sidebar,
      outline: [2, 3],
      search: { provider: 'local', options: { detailedView: false } },
    },
    vite: { logLevel: 'error', build: { assetsInlineLimit: 0, chunkSizeWarningLimit: 10_000 } },
  }
}
