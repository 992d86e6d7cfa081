/** Promises of the error table that the compiler keeps (see plugin.ts beside this file). Nothing here is ever run. */
import { fail, failure, type GatewayError } from '../../lib/plugin.ts'

/** What may be said. */
export const said: readonly GatewayError[] = [
  failure('missing_api_key', {}),
  failure('unsupported_feature', { model: 'm', feature: 'n' }, { param: 'n' }),
  failure('rate_limit_exceeded', { limit: 20 }, { headers: { 'retry-after': '1' }, extra: { plan: 'free' } }),
]

/** A refusal ends the function: what follows needs no value. */
export function refusing(model: string | undefined): string {
  if (model === undefined) fail('missing_api_key', {})
  return model
}

export function forgetful(): never {
  // @ts-expect-error the message has a blank more: feature
  fail('unsupported_feature', { model: 'm' })
}

export function misspelt(): never {
  // @ts-expect-error there is no such code
  fail('unsuported_feature', { model: 'm', feature: 'n' })
}

export function talkative(): never {
  // @ts-expect-error the message has no such blank
  fail('missing_api_key', { key: 'secret' })
}

export function wordless(): never {
  // @ts-expect-error a blank is a word or a number
  fail('unsupported_feature', { model: { id: 'm' }, feature: 'n' })
}

export function detailed(): never {
  // @ts-expect-error there is no such detail
  fail('missing_api_key', {}, { parameter: 'n' })
}

// @ts-expect-error what was said is not changed
failure('missing_api_key', {}).status = 200
