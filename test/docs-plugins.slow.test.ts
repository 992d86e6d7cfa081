import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect } from 'chai'
import { writePackage } from '../lib/cli/plugin.ts'
import { parseConfig } from '../lib/config/read.ts'
import { orderProblems } from '../lib/core/chain-order.ts'
import { chat, definePlugin, formatOf, type JsonObject, type Plugin, ROUTES, type Slot } from '../lib/plugin.ts'
import { planChains } from '../lib/process/boot.ts'
import { builtInNames, loadPlugin } from '../lib/process/plugin-loader.ts'
import * as slots from '../plugins/slots.ts'
import { OPTIONS } from './support/encoders.ts'
import { codeBlocks, exampleDirectory, exampleFiles, page, repository } from './support/plugins-page.ts'

const MODEL = 'models: [{ id: m, backends: [{ url: "http://127.0.0.1:8000/v1" }] }]\n'
const read = (file: string) => readFileSync(join(repository, file), 'utf8')
const builtIns = () => Promise.all(builtInNames().map(name => loadPlugin(name, '')))

/** Cells of the table rows below a heading. Escaped pipes are part of a cell. */
function rows(heading: string): readonly (readonly string[])[] {
  const section = page.split(/^(?=#{2,3} )/m).find(text => text.startsWith(`${heading}\n`))!
  return [...section.matchAll(/^\| (.*) \|$/gm)].map(([, row]) =>
    row!.split(/ (?<!\\)\| /).map(cell => cell.replaceAll('\\|', '|')),
  )
}

/** Names in backquotes in the first cells. */
function named(heading: string): readonly string[] {
  return rows(heading).flatMap(([cell]) => [...cell!.matchAll(/`(\w+)/g)].map(([, name]) => name!))
}

describe('docs/PLUGINS.md', () => {
  let directory: string
  before(() => {
    directory = exampleDirectory()
  })
  after(() => rmSync(directory, { recursive: true }))

  it('has code that compiles in a strict project, and tests that pass', () => {
    const { NODE_TEST_CONTEXT: _, ...env } = process.env
    const node = (...args: readonly string[]) =>
      execFileSync(process.execPath, args, { cwd: directory, encoding: 'utf8', stdio: 'pipe', env })
    node(join(repository, 'node_modules/typescript/bin/tsc'), '-p', '.')
    const tests = [...exampleFiles().keys()].filter(path => path.endsWith('.test.ts'))
    expect(node('--test', '--test-reporter=tap', ...tests)).match(/^# pass 7$/m)
  })

  it('begins with what plugin new writes', () => {
    const root = mkdtempSync(join(tmpdir(), 'sluiceway-start-'))
    try {
      expect(codeBlocks('sh')[0]).equal('sluiceway plugin new max-output\n')
      writePackage(root, 'max-output')
      const files = [...exampleFiles()].filter(([path]) => path.startsWith('max-output/'))
      expect(files).length(2)
      for (const [path, text] of files) expect(text, path).equal(readFileSync(join(root, path), 'utf8'))
      expect(codeBlocks('json')[0]).equal(readFileSync(join(root, 'max-output/options.json'), 'utf8'))
      const { scripts } = JSON.parse(readFileSync(join(root, 'max-output/package.json'), 'utf8'))
      for (const [, script] of codeBlocks('sh')[1]!.matchAll(/^npm (?:run )?(test|types)$/gm)) {
        expect(scripts).property(script!)
      }
    } finally {
      rmSync(root, { recursive: true })
    }
  })

  it('has configurations that a gateway would start with', async () => {
    const origins: string[] = []
    for (const text of codeBlocks('yaml')) {
      const config = parseConfig(MODEL + text, { baseDir: directory, env: {}, fileName: 'example.yaml' })
      origins.push(config.plugins.origin)
      // The list is cut short: it says so.
      if (config.plugins.origin === 'list') continue
      const { problems, plugins } = await planChains(config)
      expect(problems).deep.equal([])
      expect(plugins.filter(({ change }) => change === 'added').length).least(1)
    }
    expect(origins).deep.equal(['changes', 'changes', 'list'])
  })

  it('shows canonical requests as the formats make them', async () => {
    const example = async (name: string): Promise<JsonObject> =>
      (await import(pathToFileURL(join(directory, `canonical/${name}.ts`)).href))[name]
    const fromChat = formatOf('chat').toCanonical(
      {
        model: 'demo',
        stream: true,
        max_tokens: 200,
        temperature: 0.2,
        stop: 'END',
        reasoning_effort: 'low',
        response_format: { type: 'json_object' },
        messages: [
          { role: 'system', content: 'Answer briefly.' },
          {
            role: 'user',
            content: [
              { type: 'text', text: 'What is this?' },
              { type: 'image_url', image_url: { url: 'https://example.com/cat.png' } },
            ],
          },
          {
            role: 'assistant',
            content: null,
            tool_calls: [
              { id: 'call_1', type: 'function', function: { name: 'look_up', arguments: '{"word":"cat"}' } },
            ],
          },
          { role: 'tool', tool_call_id: 'call_1', content: 'A small animal.' },
        ],
        tools: [
          {
            type: 'function',
            function: {
              name: 'look_up',
              description: 'Finds a word.',
              parameters: { type: 'object', properties: { word: { type: 'string' } } },
            },
          },
        ],
      },
      OPTIONS,
    )
    expect(await example('conversation')).deep.equal(fromChat)
    const body = { model: 'demo', prompt: 'Once upon a time', max_tokens: 50, top_p: 0.9, n: 2 }
    expect(await example('completion')).deep.equal(formatOf('completions').toCanonical(body, OPTIONS))
  })

  it('has every slot with its type and its provider', async () => {
    const source = read('plugins/slots.ts') + read('lib/core/slots.ts')
    const plugins = await builtIns()
    const expected = Object.entries(slots).map(([name, { name: slot, index }]) => {
      const [, type] = new RegExp(`slot\\('${slot}'\\)\\.of<(.+)>\\(\\)`).exec(source)!
      const provider = plugins.find(({ provides = [] }) => provides.some((one: Slot) => one.index === index))?.name
      // Of requests that the gateway itself sends
      const shown = provider === undefined ? 'the gateway' : `[${provider}](plugins/${provider}.md)`
      return [`\`${name}\``, `\`${slot}\``, `\`${type}\``, shown]
    })
    const shown = rows('## Slots').map(cells => cells.slice(0, 4))
    expect(shown.slice(2).toSorted()).deep.equal(expected.toSorted())
  })

  it('has every hook, every member of an exchange, and every member of a plugin', () => {
    const source = read('lib/core/plugin.ts')
    const members = (name: string) => {
      const [, body] = new RegExp(`interface ${name}<.*?\\{\\n(.*?)^\\}`, 'ms').exec(source)!
      return [...body!.matchAll(/^ {2}(?:readonly )?(\w+)[?:(<]/gm)].map(([, member]) => member!)
    }
    const phases = ['Any', 'Headers', 'Body', 'Attempt', 'Send', 'Stream', 'Finish'].flatMap(name =>
      members(`${name}Phase`),
    )
    expect(phases.length).above(30)
    const expected = [...members('Hooks'), ...phases]
    expect([...new Set([...named('## Phases'), ...named('### The exchange')])].toSorted()).deep.equal(
      [...new Set(expected)].toSorted(),
    )
    expect(named('## What a plugin is').toSorted()).deep.equal(members('Plugin').toSorted())
  })

  it('has every member of a chunk', () => {
    const [, body] = /interface Chunk \{\n(.*?)^\}/ms.exec(read('lib/canonical/reply.ts'))!
    const members = [...body!.matchAll(/^ {2}(\w+)\??:/gm)].map(([, member]) => member!)
    expect(named('### Chunks').toSorted()).deep.equal(members.toSorted())
  })

  it('has every detail of a refusal', () => {
    const [, body] = /interface ErrorDetails \{\n(.*?)^\}/ms.exec(read('lib/errors/errors.ts'))!
    const members = [...body!.matchAll(/^ {2}readonly (\w+)/gm)].map(([, member]) => member!)
    expect(
      named('## Refusing')
        .filter(name => name !== 'details')
        .toSorted(),
    ).deep.equal(members.toSorted())
  })

  it('quotes the messages about a wrong order', async () => {
    const plugins = await builtIns()
    const builtIn = (name: string) => plugins.find(plugin => plugin.name === name)!
    const words = (declared: Partial<Plugin>) =>
      definePlugin({ name: 'words', summary: '', setup: () => ({}), ...declared })
    const problems = (...chain: readonly Plugin[]) =>
      orderProblems({
        plugins: chain,
        placements: [[ROUTES[0], 'gateway']],
        builtInFor: slot => plugins.find(({ provides = [] }) => provides.includes(slot))?.name,
      })
    const wrong = [
      problems(words({ needs: [chat] }), builtIn('translate')),
      problems(words({ wants: [slots.zdr] }), builtIn('zdr')),
      problems(words({ needs: [chat] })),
      problems(words({ after: ['tools'] }), builtIn('tools')),
      problems(builtIn('auth'), words({ provides: [slots.key] })),
    ]
    const quotes = rows('### Order')
      .slice(2)
      .map(([, message]) => message!.replaceAll('`', ''))
    expect(quotes).length(wrong.length)
    for (const [i, quote] of quotes.entries()) expect(wrong[i], quote).include(`gateway.chat: ${quote}`)
  })
})
