// biome-ignore-all lint/suspicious/noTemplateCurlyInString: this is how the configuration refers to a variable
/** The results of a probe, as members of a configuration. */
import { stringify } from 'yaml'
import { type BackendProfile, PROFILES } from '../config/profile.ts'
import type { ProbeResult } from '../engines/probe/probe.ts'

/** The member `capabilities` of a model. */
export function probedCapabilities({ capabilities }: Pick<ProbeResult, 'capabilities'>) {
  const { vision, tools, reasoning, chat_completions } = capabilities
  return { vision, tools, reasoning, chat_completions }
}

/** The member `profile` of a backend: only the differences from the profile of its engine. */
export function profileDifferences({
  profile,
  engine,
}: Pick<ProbeResult, 'profile' | 'engine'>): Partial<BackendProfile> {
  const base = PROFILES[engine]
  const names = Object.keys(profile) as (keyof BackendProfile)[]
  const different = names.filter(name => JSON.stringify(profile[name]) !== JSON.stringify(base[name]))
  return Object.fromEntries(different.map(name => [name, profile[name]]))
}

/** The `models:` entry. `profile:` contains only the differences from the profile of the engine. */
export function configText(result: ProbeResult, withKey: boolean): string {
  const { url, model, engine, maxModelLen } = result
  const id = modelId(model)
  const profile = profileDifferences(result)
  const entry = {
    id,
    ...(maxModelLen !== undefined && { max_model_len: maxModelLen }),
    capabilities: probedCapabilities(result),
    backends: [
      {
        url,
        ...(id !== model && { model }),
        engine,
        ...(Object.keys(profile).length > 0 && { profile }),
        ...(withKey && { api_key: '${BACKEND_API_KEY}' }),
      },
    ],
  }
  return `${comments(result)
    .map(line => `# ${line}\n`)
    .join('')}${stringify({ models: [entry] }, { lineWidth: 0 })}`
}

function comments({ url, model, models, engine, engineVersion, notes, requests }: ProbeResult): string[] {
  const others = models.filter(id => id !== model)
  const version = engineVersion === undefined ? '' : ` ${engineVersion}`
  return [
    `${url}: ${engine}${version}, tested with ${requests} requests.`,
    ...(others.length > 0 ? [`It also serves: ${others.join(', ')} (--model ID tests one of them).`] : []),
    ...notes,
  ].map(line => line.replaceAll(/\s+/g, ' '))
}

/** llama.cpp may use the path of a file as the name of its model, which is no valid model id. */
function modelId(model: string): string {
  const name = /^[A-Za-z0-9][A-Za-z0-9._:/@+-]{0,199}$/.test(model) ? model : (model.split(/[/\\]/).at(-1) ?? '')
  return (
    name
      .replaceAll(/[^A-Za-z0-9._:/@+-]/g, '-')
      .replace(/^[^A-Za-z0-9]+/, '')
      .slice(0, 200) || 'model'
  )
}
