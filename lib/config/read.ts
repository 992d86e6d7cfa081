// biome-ignore-all lint/suspicious/noTemplateCurlyInString: a hint shows how to write a variable
/** Reads a configuration in these steps: YAML, environment variables, schema, checks across members, resolved form. */
import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { type Document, isMap, isSeq, LineCounter, type Node, parseDocument, visit, type YAMLError } from 'yaml'
import { isObject, type Json } from '../base/json.ts'
import { checkAccounts } from './checks/accounts.ts'
import { checkAddresses } from './checks/addresses.ts'
import { checkExports } from './checks/exports.ts'
import { ModelNames } from './checks/model-names.ts'
import { checkModelSources, sourcePath, withSamples } from './checks/model-sources.ts'
import { checkModels } from './checks/models.ts'
import { checkOidc } from './checks/oidc.ts'
import { checkPlugins, checkPluginsExist, type MissingPlugin } from './checks/plugins.ts'
import { checkFallbacks, checkMirrors } from './checks/related-models.ts'
import { checkServedMembers } from './checks/served-members.ts'
import { checkServer } from './checks/server.ts'
import { checkEgress } from './checks/tls.ts'
import { checkWarnings } from './checks/warnings.ts'
import type { Config } from './config.ts'
import { type Environment, fillEnvironment } from './environment.ts'
import { keepPluginLines } from './lines.ts'
import { ConfigError, type Problem } from './problems.ts'
import { resolveConfig } from './resolve.ts'
import { validateFile } from './schema.ts'
import { writtenFile } from './served-models.ts'

interface Source {
  readonly baseDir: string
  readonly env: Environment
  /** The name of the file in messages. */
  readonly fileName: string
  readonly missingPlugin?: MissingPlugin | undefined
  /**
   * For a check of the file: called for each warning, and doubts (probable mistakes) become problems. Absent at a
   * start, because a new doubt must not prevent an upgrade.
   */
  readonly onWarning?: ((warning: Problem) => void) | undefined
}

/** Reads a file. Throws ConfigError with every problem. `missingPlugin`: also reports missing plugins. */
export function readConfig(
  file: string,
  env: Environment,
  missingPlugin?: MissingPlugin,
  onWarning?: Source['onWarning'],
): Config {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    throw new ConfigError(file, [{ path: '', message: unreadable(error, resolve(file)) }])
  }
  return parseConfig(text, { baseDir: dirname(resolve(file)), env, fileName: file, missingPlugin, onWarning })
}

/** Reads the text of a file, in YAML or JSON. Throws ConfigError with every problem. */
export function parseConfig(text: string, { baseDir, env, fileName, missingPlugin, onWarning }: Source): Config {
  const lines = new LineCounter()
  // prettyErrors would quote the file in messages, and with it secrets.
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, merge: true })
  const mistakes = syntaxProblems([...document.errors, ...document.warnings], text, lines)
  if (mistakes.length > 0) throw new ConfigError(fileName, mistakes)
  const { value: file, whole, problems: missing } = fillEnvironment(toJson(document, fileName), env)
  const written = structuredClone(file)
  const unset = new Set(missing.map(({ path }) => path))
  const problems: Problem[] = [...missing]
  const report = (path: string, message: string): void => {
    // If a variable is not set, further problems of the same string follow from that.
    if (!unset.has(path)) problems.push({ path, message })
  }
  /** They prevent nothing, so checks that need a valid file run in spite of them. */
  const doubts: Problem[] = []
  const doubt = (path: string, message: string): void => {
    if (onWarning !== undefined && !unset.has(path)) doubts.push({ path, message })
  }
  const validated = validateFile(file, whole)
  for (const { path, message } of validated.problems) report(path, message)
  if (isObject(file)) {
    const models = new ModelNames(file)
    const sampled = withSamples(file)
    const inSource = (tell: typeof report) => (path: string, message: string) => tell(sourcePath(file, path), message)
    checkServer(file, baseDir, report)
    checkExports(file, report)
    checkAddresses(file, report)
    checkModelSources(file, report, doubt)
    checkModels(sampled, models, inSource(report), inSource(doubt))
    checkEgress(sampled, baseDir, inSource(report))
    checkAccounts(file, models, report, doubt)
    checkOidc(file, report, doubt)
    checkPlugins(file, report)
    if (missingPlugin !== undefined) checkPluginsExist(file, use => missingPlugin(use, baseDir), report)
  }
  const end = (): never => {
    throw new ConfigError(fileName, inOrder([...problems, ...doubts], document, lines))
  }
  if (problems.length > 0 || validated.accepted === undefined) return end()
  const config = {
    ...resolveConfig(validated.accepted, baseDir),
    // The validated file, which the type of the schema describes.
    file: writtenFile(written, file),
    found: [],
  }
  checkFallbacks(config.models, report)
  checkMirrors(config.models, new ModelNames(config.file), report)
  // This needs the file as written: validateFile() has added defaults to `file`.
  if (onWarning !== undefined) checkServedMembers(toJson(document, fileName), config.plugins, doubt)
  if (problems.length > 0 || doubts.length > 0) end()
  if (onWarning !== undefined) {
    const warnings: Problem[] = []
    checkWarnings(validated.accepted, (path, message) => warnings.push({ path, message }))
    for (const warning of inOrder(warnings, document, lines)) onWarning(warning)
  }
  keepPluginLines(config.plugins, document, lines)
  return config
}

function unreadable(error: unknown, file: string): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'ENOENT') return `there is no file ${file}`
  if (code === 'EISDIR') return 'is a directory, not a file'
  return code === 'EACCES' ? 'may not be read by this user' : 'cannot be read'
}

/** Keeps the first problem of each line, because others on the same line follow from it. */
function syntaxProblems(mistakes: readonly YAMLError[], text: string, lines: LineCounter): readonly Problem[] {
  const problems = new Map<number, Problem>()
  for (const { message, pos } of mistakes) {
    const { line } = lines.linePos(pos[0])
    if (!problems.has(line)) problems.set(line, syntaxProblem(message, line, text.split('\n')[line - 1] ?? ''))
  }
  return [...problems.values()]
}

function syntaxProblem(message: string, line: number, excerpt: string): Problem {
  // The parser quotes the invalid text after a colon. It is removed, because it may be a secret.
  const mistake = message.replace(/: ".*/s, '').replace(/; please use .*/, '')
  const hint = /[{,[].*\$\{/.test(excerpt) ? ' (inside { } and [ ], put a string with ${NAME} into quotes)' : ''
  return { path: '', message: `not valid YAML: ${mistake}${hint}`, line }
}

function toJson(document: Document, fileName: string): Json {
  let mistake: string | undefined
  visit(document, {
    Alias(_, alias, ancestors) {
      if (ancestors.some(node => node === alias.resolve(document))) mistake = 'an alias is inside its own anchor'
    },
  })
  try {
    if (mistake === undefined) return document.toJS() as Json
  } catch (error) {
    const { message } = error as Error
    mistake = message.startsWith('Excessive') ? 'aliases expand to an excessive size' : message
  }
  throw new ConfigError(fileName, [{ path: '', message: `not valid YAML: ${mistake}` }])
}

/** Sorts problems in the order of the file, and adds their lines. */
function inOrder(problems: readonly Problem[], document: Document, lines: LineCounter): readonly Problem[] {
  const placed = problems.map(problem => ({ ...problem, ...lineOf(problem.path, document, lines) }))
  return placed.sort((a, b) => (a.line ?? 0) - (b.line ?? 0))
}

/** The line of the member, or of the nearest enclosing member that is in the file. */
function lineOf(path: string, document: Document, lines: LineCounter): { line?: number } {
  let node = document.contents as Node | null
  let offset: number | undefined
  for (const name of path.split('.')) {
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => String(key) === name)
      if (pair === undefined) break
      offset = (pair.key as Node).range?.[0] ?? offset
      node = pair.value as Node | null
    } else if (isSeq(node)) {
      node = node.items[Number(name)] as Node | null
      offset = node?.range?.[0] ?? offset
    } else break
  }
  return offset === undefined ? {} : { line: lines.linePos(offset).line }
}
