import chat from '../../../schemas/bodies/chat-completions.json' with { type: 'json' }
import completions from '../../../schemas/bodies/completions.json' with { type: 'json' }
import type { JsonObject } from '../../base/json.ts'
import { knownToAll } from '../passthrough.ts'
import { type BackendProfile, ENGINES, PASSTHROUGH_SETS, PROFILES } from '../profile.ts'
import { object, objects, type Report, text, texts } from './view.ts'

/** Members that the gateway decides about: scheduling, cache isolation, ids of requests and sessions, placement. */
const OWN = new Set([
  'priority',
  'cache_salt',
  'extra_key',
  'request_id',
  'rid',
  'session_id',
  'session_params',
  'kv_transfer_params',
  'bootstrap_host',
  'bootstrap_port',
  'bootstrap_room',
  'disagg_prefill_dp_rank',
  'data_parallel_rank',
  'routed_dp_rank',
  'lora_path',
])

/** Members that the gateway reads, except for the one whose form in vLLM has more members than the gateway's. */
const READ = new Set(Object.keys({ ...chat.properties, ...completions.properties }))
READ.delete('structured_outputs')

/** Checks `passthrough` of a model and `passthrough_members` of its backends. */
export function checkPassthrough(model: JsonObject, path: string, report: Report, doubt: Report): void {
  const profiles = objects(model, 'backends', path).flatMap(({ path: at, value: backend }) => {
    const own = texts(object(backend, 'profile'), 'passthrough_members', `${at}.profile`)
    for (const { path, value: name } of own) {
      if (OWN.has(name)) report(path, setByGateway(name))
      else if (READ.has(name)) report(path, `'${name}' is a member that the gateway reads itself`)
    }
    return profileOf(backend) ?? []
  })
  for (const { path: at, value: name } of texts(model, 'passthrough', path)) {
    if (model.kind !== undefined && model.kind !== 'chat') report(at, 'only a model of kind chat passes members on')
    else if (OWN.has(name)) report(at, setByGateway(name))
    else if (READ.has(name) || Object.hasOwn(PASSTHROUGH_SETS, name)) continue
    else if (knownToAll([name], profiles).length === 0)
      doubt(at, `is not passed on: the profile of a backend does not list '${name}' in passthrough_members`)
  }
}

function setByGateway(name: string): string {
  return `'${name}' is set by the gateway and cannot be passed through`
}

function profileOf(backend: JsonObject): Pick<BackendProfile, 'passthrough_members'> | undefined {
  const engine = ENGINES.find(name => name === text(backend, 'engine'))
  if (engine === undefined) return undefined
  const profile = object(backend, 'profile')
  if (profile.passthrough_members === undefined) return PROFILES[engine]
  return { passthrough_members: texts(profile, 'passthrough_members').map(({ value }) => value) }
}
