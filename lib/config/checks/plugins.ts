/** Checks on changes to the default chain: every name must be that of a plugin that runs. */
import { isObject, type JsonObject } from '../../base/json.ts'
import { suggestion } from '../../text/nearest.ts'
import { chainWith, offByDefault } from '../default-chain.ts'
import { object, objects, type Report, text, texts } from './view.ts'

/** Says why a plugin cannot be found; undefined: it can be. */
export type MissingPlugin = (use: string, baseDir: string) => string | undefined

/** Reports plugins that cannot be found, except those that are switched off. */
export function checkPluginsExist(
  file: JsonObject,
  missing: (use: string) => string | undefined,
  report: Report,
): void {
  const entries = isObject(file.plugins) ? objects(file.plugins, 'add', 'plugins') : objects(file, 'plugins')
  for (const { path, value } of entries) {
    const use = text(value, 'use')
    const problem = use === undefined || value.enabled === false ? undefined : missing(use)
    if (problem !== undefined) report(`${path}.use`, `'${use}': ${problem.replace(/\.$/, '')}`)
  }
}

/** Checks changes to the default chain. process/boot.ts checks the whole chain, a list as well as changes. */
export function checkPlugins(file: JsonObject, report: Report): void {
  if (!isObject(file.plugins)) return
  const changes = file.plugins
  const off = new Set<string>()
  const known = chainWith(new Set(offByDefault()))
  for (const { path, value: name } of texts(changes, 'off', 'plugins')) {
    if (known.includes(name)) off.add(name)
    else report(path, `there is no plugin '${name}' in the default chain${suggestion(name, known)}`)
  }
  const added = objects(changes, 'add', 'plugins').map(({ path, value }) => ({ path, value, use: text(value, 'use') }))
  const options = object(changes, 'options')
  const isAdded = (name: string) => added.some(({ use }) => use === name)
  const switchedOn = offByDefault().filter(name => options[name] !== undefined && !isAdded(name))
  const running = chainWith(new Set(switchedOn)).filter(name => !off.has(name))

  for (const name of Object.keys(options)) {
    if (running.includes(name)) continue
    const owner = added.find(({ use }) => use === name)
    const problem =
      owner !== undefined
        ? `'${name}' is added by ${owner.path}: its options belong there`
        : off.has(name)
          ? `'${name}' is switched off by plugins.off: remove one of the two`
          : `there is no plugin '${name}' in the default chain${suggestion(name, known)}`
    report(`plugins.options.${name}`, problem)
  }

  const present = new Set(running)
  for (const [i, { path, value, use }] of added.entries()) {
    const later = added.slice(i).map(addition => addition.use)
    for (const member of ['after', 'before']) {
      const anchor = text(value, member)
      if (anchor === undefined || present.has(anchor)) continue
      const problem = later.includes(anchor)
        ? `'${anchor}' is added further down: an anchor must be above the entry that names it`
        : off.has(anchor)
          ? `'${anchor}' is switched off by plugins.off: name a plugin that runs`
          : `there is no plugin '${anchor}' in the chain${suggestion(anchor, present)}`
      report(`${path}.${member}`, problem)
    }
    const anchors = ['after', 'before'].filter(member => value[member] !== undefined)
    if (anchors.length === 0) report(path, 'needs after or before: the plugin next to which it runs')
    if (anchors.length === 2) report(path, 'has both after and before: give one of them')
    if (use === undefined) continue
    if (running.includes(use))
      report(`${path}.use`, `'${use}' is in the default chain already: to move it, name it in plugins.off`)
    else if (present.has(use)) report(`${path}.use`, `'${use}' is added twice: remove one`)
    present.add(use)
  }
}
