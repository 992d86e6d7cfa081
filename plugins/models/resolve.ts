import {
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

/** How many ids the message of model_not_found lists. */
const SHOWN_MODELS = 50

/** Who asks for a model, and where. */
export interface ModelCaller {
  readonly key: Key
  readonly route: Route
  /** The dedicated endpoint's host name; null elsewhere. */
  readonly endpoint: string | null
  /** What requires zero data retention; null: nothing does. */
  readonly zdr: 'header' | 'policy' | null
}

type ModelServices = Pick<Services, 'config' | 'models' | 'cacheIsolation'>

/** Where a request for this model goes. Refuses unknown models, models of others, and models of another kind. */
export function resolveTarget(
  { config, models, cacheIsolation }: ModelServices,
  name: string,
  caller: ModelCaller,
): Target {
  const { key, route, endpoint, zdr } = caller
  const model = models.find(name, endpoint)
  if (model === undefined) return unknown(name, models.visible(key, endpoint))
  if (!mayUse(key, model)) fail('model_not_allowed', { model: model.id }, { param: 'model' })
  if (model.kind !== route.kind) wrongKind(model, route)
  if (zdr !== null && !backendOptions(model).some(backend => backend.zdr)) {
    // 400 when the header asks, 422 when account policy asks (docs/DESIGN.md#zero-data-retention).
    fail('model_zdr_not_supported', { model: name }, { param: 'model', status: zdr === 'header' ? 400 : 422 })
  }
  const common = {
    account: key.account.id,
    zdr: zdr !== null,
    cacheSalt: cacheIsolation.saltOf(key.account.id, zdr !== null),
    priority: priorityOf(config.plans, key),
  }
  const targetOf = (one: ModelConfig): Target => ({
    ...common,
    model: one,
    alternatives: () => alternatives(models.visible(key, endpoint), one),
  })
  // No request is served by a model that the account may not use, or, under zero data retention, by a backend without it.
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

/** Models that a refusal may suggest: a model of another kind is none. */
function alternatives(visible: readonly ModelConfig[], { kind }: ModelConfig): readonly ModelConfig[] {
  return visible.filter(model => model.kind === kind)
}

function unknown(name: string, available: readonly ModelConfig[]): never {
  const ids = available.map(({ id }) => id)
  const shown = ids.slice(0, SHOWN_MODELS).join(', ') + (ids.length > SHOWN_MODELS ? ', …' : '')
  fail('model_not_found', { model: quoted(name, 200), available: shown === '' ? 'none' : shown }, { param: 'model' })
}

function wrongKind({ id, kind }: ModelConfig, route: Route): never {
  fail('unsupported_feature', { model: id, feature: `${route.path}: its kind is '${kind}'` }, { param: 'model' })
}
