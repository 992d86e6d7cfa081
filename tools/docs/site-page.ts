/** A page of the documentation site, in Markdown. */
export interface SitePage {
  /** Path on the site, without `.md`: `api/chat-completions`, `index`. */
  readonly path: string
  /** File of the repository from which relative links of the page start. */
  readonly source: string
  readonly markdown: string
  readonly isSearched: boolean
}
