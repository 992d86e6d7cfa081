/** Loads the Markdown renderer with its first use: its parser is large, and would delay every start. */
export const loadMarkdown = () => import('./markdown.ts')
