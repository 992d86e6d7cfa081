import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pathToFileURL } from 'node:url'
import { expect } from 'chai'
import { readSite, sendFile } from '../../../plugins/pages/site.ts'

describe('the built documentation site', () => {
  let directory: string
  let folder: URL
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'sluiceway-'))
    folder = pathToFileURL(`${directory}/`)
    const files = { 'index.html': 'aaaa', 'assets/app.js': 'bbbb', 'notes.txt': 'cccc' }
    mkdirSync(join(directory, 'assets'))
    for (const name of Object.keys(files)) writeFileSync(join(directory, name), `content of ${name}`)
    writeFileSync(join(directory, 'site.json'), JSON.stringify({ stamp: '1', scripts: ['sha256-x='], files }))
    writeFileSync(join(directory, 'frame.html'), '<title><!--title--></title><main><!--page--></main>')
  })
  afterEach(() => rmSync(directory, { recursive: true, force: true }))

  async function ask(name: string, headers: Record<string, string> = {}) {
    const sent: { status?: number; body?: unknown; type?: string | undefined; headers: Record<string, string> } = {
      headers: {},
    }
    const site = readSite(folder)
    const exchange = {
      headers,
      setHeader: (header: string, value: string) => void Object.assign(sent.headers, { [header]: value }),
      reply: (status: number, body: unknown, type?: string) => void Object.assign(sent, { status, body, type }),
    }
    await sendFile(exchange, site, site.files.get(name)!)
    if (sent.body instanceof Readable) sent.body = Buffer.concat(await sent.body.toArray()).toString()
    return sent
  }

  it('has the files that the build lists, of the types that a site needs', () => {
    const { files } = readSite(folder)
    expect([...files.keys()]).deep.equal(['index.html', 'assets/app.js'])
  })

  it('sends a file with its type, its length and its ETag', async () => {
    const sent = await ask('index.html')
    expect(sent).include({ status: 200, body: 'content of index.html', type: 'text/html; charset=utf-8' })
    expect(sent.headers).include({ etag: '"aaaa"', 'cache-control': 'no-cache', 'content-length': '21' })
    expect((await ask('assets/app.js')).headers['cache-control']).equal('public, max-age=31536000, immutable')
  })

  it('sends nothing to a browser that has the file', async () => {
    for (const known of ['"aaaa"', 'W/"aaaa"', '"x", "aaaa"', '*'])
      expect(await ask('index.html', { 'if-none-match': known }), known).include({ status: 304, body: '' })
    expect(await ask('index.html', { 'if-none-match': '"bbbb"' })).include({ status: 200 })
  })

  it("allows the site's own inline scripts by their hashes, and nothing else that pages may not", () => {
    const policy = readSite(folder).headers['content-security-policy']
    expect(policy).contain("script-src 'self' 'sha256-x='; style-src 'self';").and.not.contain('unsafe')
  })

  it('frames a page, whatever its text contains', () => {
    const { frame } = readSite(folder)
    expect(frame('$& <b>', '<p>$1</p>')).equal('<title>$& <b></title><main><p>$1</p></main>')
  })

  it('names the command that builds it, if it is missing or damaged', () => {
    writeFileSync(join(directory, 'site.json'), '[]')
    expect(() => readSite(folder)).throw('damaged. Build it again: npm run docs')
    rmSync(join(directory, 'site.json'))
    expect(() => readSite(folder)).throw(
      "'docs: true' needs the documentation site, which is not built. Build it: npm run docs",
    )
  })
})
