import {
  type BodyPhase,
  backendOptions,
  type Config,
  fail,
  type Key,
  type ModelConfig,
  mayUse,
  quoted,
  type Route,
  type Services,
  type Target,
} from '../../lib/plugin.ts'
import { sessionOf } from './session.ts'

/** Ids in the message of model_not_found. */
const MAX_SHOWN_MODELS = 50

/** The key that requests a model, and the place of the request. */
interface ModelCaller extends Pick<BodyPhase, 'headers' | 'body'> {
  readonly key: Key
  readonly route: Route
  /** The dedicated endpoint's host name; null elsewhere. */
  readonly endpoint: string | null
  /** The source that requires zero data retention; null: it is not required. */
  readonly zdr: 'header' | 'policy' | null
}

type ModelServices = Pick<Services, 'config' | 'models' | 'cacheIsolation'>

/** The model with this id or alias. Refuses unknown models and models that the key may not use. */
export function usableModel(models: Services['models'], name: string, key: Key, endpoint: string | null): ModelConfig {
  const model = models.find(name, endpoint)
  if (model === undefined) return unknown(name, models.visible(key, endpoint))
  if (!mayUse(key, model)) fail('model_not_allowed', { model: model.id }, { param: 'model' })
  return model
}

/** Refuses unknown models, models that the key may not use, and models of another kind. */
export function resolveTarget(
  { config, models, cacheIsolation }: ModelServices,
  name: string,
  caller: ModelCaller,
): Target {
  const { key, route, endpoint, zdr } = caller
  const model = usableModel(models, name, key, endpoint)
  if (model.kind !== route.kind) wrongKind(model, route)
  if (zdr !== null && !backendOptions(model).some(backend => backend.zdr)) {
    // 400 if the header requires it, 422 if the account's policy does (docs/DESIGN.md#zero-data-retention).
    fail('model_zdr_not_supported', { model: name }, { param: 'model', status: zdr === 'header' ? 400 : 422 })
  }
  const common = {
    account: key.account.id,
    zdr: zdr !== null,
    cacheSalt: cacheIsolation.saltOf(key.account.id, zdr !== null),
    session: sessionOf(caller, model.routing.session_header),
    priority: priorityOf(config.plans, key),
  }
  const targetOf = (one: ModelConfig): Target => ({
    ...common,
    model: one,
    alternatives: () => alternatives(models.visible(key, endpoint), one),
  })
  // A fallback must be allowed for the account and, under zero data retention, have a backend for it.
  const mayServe = (other: ModelConfig | undefined): other is ModelConfig =>
    other !== undefined && mayUse(key, other) && (zdr === null || backendOptions(other).some(backend => backend.zdr))
  const fallbacks = () =>
    model.fallback
      .map(id => models.find(id, endpoint))
      .filter(mayServe)
      .map(targetOf)
  return model.fallback.length === 0 ? targetOf(model) : { ...targetOf(model), fallbacks }
}

function priorityOf(plans: Config['plans'], { account: { plan } }: Key): number | undefined {
  return plan === undefined ? undefined : plans[plan]?.priority
}

/** Models that a refusal may suggest: those of the same kind. */
function alternatives(visible: readonly ModelConfig[], { kind }: ModelConfig): readonly ModelConfig[] {
  return visible.filter(model => model.kind === kind)
}

function unknown(name: string, available: readonly ModelConfig[]): never {
  const ids = available.map(({ id }) => id)
  const shown = ids.slice(0, MAX_SHOWN_MODELS).join(', ') + (ids.length > MAX_SHOWN_MODELS ? ', …' : '')
  fail('model_not_found', { model: quoted(name, 200), available: shown === '' ? 'none' : shown }, { param: 'model' })
}

function wrongKind({ id, kind }: ModelConfig, route: Route): never {
  fail('unsupported_feature', { model: id, feature: `${route.path}: its kind is '${kind}'` }, { param: 'model' })
}
